// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "clack/model/model.hpp"
#include "clack/study/study.hpp"
#include "clack/trace/trace.hpp"

namespace clack::study {

/// Names of the model events that a study adds.
inline constexpr std::string_view stop_event = "study_stop";
std::string section_event(const Kept& kept);

/// Lines of the energy ledger by name.
const std::vector<std::string>& energy_lines();

/// The values of all kept results, in the order of their columns. What a run does not have (no limit cycle, fewer
/// crossings than asked for) is nan. Throws InputError naming the result when a formula cannot be read.
std::vector<double> observe(const Study& study, const Model& model, const Trace& trace);

/// The class of a case: the first rule whose formula of kept results, parameters, `t` (the end), `done`, `events` and
/// `impacts` is above zero; empty when none is.
std::string classify(const Study& study, const Model& model, const Trace& trace,
                     const std::vector<double>& values);

/// Reads the model of the first case and every formula of the study against it. Throws ModelError with the place in the
/// study.
Model try_first_case(const Study& study);

}  // namespace clack::study
