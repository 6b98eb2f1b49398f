// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "clack/study/picture.hpp"
#include "clack/study/record.hpp"

namespace clack::study {

/// Which picture of a study: `y` is a kept result, one of its columns or "class" (empty: the first that fits), `x` an axis
/// (empty: the one that cases follow, or the last).
struct View {
  std::string x, y;
};

/// - Along one axis of numbers: several values per case (a section) as a bifurcation diagram, cases followed upwards and
///   downwards in two colours; single values as lines, one per value of the remaining axes.
/// - Over two axes, without `x`: a map of the classes or of a number.
/// - Drawn samples: a histogram; with `x` the values against that axis, a colour per class.
///
/// Throws InputError naming what is there.
std::string view_svg(const StudyRecord& record, const View& view, const PictureSize& size = {});

/// All pictures of its page.
std::vector<std::string> all_views(const StudyRecord& record);

/// Parts of the variance of a result by axis, with their errors.
std::string sensitivity_svg(const Sensitivity& sensitivity, const PictureSize& size = {});

}  // namespace clack::study
