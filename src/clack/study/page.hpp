// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "clack/study/case_run.hpp"

namespace clack::study {

/// study.html: what a study shows, as one page without requests.
///
/// - Along one axis of numbers: section values as a bifurcation diagram (cases followed upwards and downwards in two
///   colours), other kept numbers as lines, one per value of the remaining axes.
/// - Over two axes of numbers: a map of the classes, and one of every kept number; a click on a cell shows its values and
///   the command that runs it again.
/// - Drawn samples: a histogram of every kept number.
std::string study_page(const Study& study, const std::vector<CaseResult>& results);

}  // namespace clack::study
