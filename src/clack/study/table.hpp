// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "clack/study/case_run.hpp"

namespace clack::study {

/// results.csv: a line per finished case, in the order of their numbers:
///
///   case, axes, [direction, followed,] status, class, kept results, reason
///
/// Numbers have 17 significant digits; what is not there is empty.
std::string results_csv(const Study& study, const std::vector<CaseResult>& results);

/// The same as a JSON document, with counts by status and by class.
std::string results_json(const Study& study, const std::vector<CaseResult>& results);

/// Counts by status and class and the range of every kept number, for people.
std::string study_summary(const Study& study, const std::vector<CaseResult>& results);

}  // namespace clack::study
