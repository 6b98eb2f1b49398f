// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "clack/study/record.hpp"

namespace clack::study {

/// results.csv: a line per finished case, in the order of their numbers:
///
///   case, axes, [direction, followed,] status, class, kept results, reason
///
/// Numbers have 17 significant digits; what is not there is empty.
std::string results_csv(const StudyRecord& record);

/// results.json: the same as a document, with counts by status and by class, units and the command of a case.
std::string results_json(const StudyRecord& record);

/// results.h5 with the columns of results.csv: numbers under /axes (nan where an axis holds texts) and
/// /results, /case, /status and /class as numbers whose names are lines of the attributes `statuses` and `classes` (class
/// -1: none), /direction (1 up, -1 down) and /followed where cases followed one another. No time stamps: the same study gives the same bytes.
void write_results_hdf5(const StudyRecord& record, const std::string& path);

/// Counts by status and class and the range of every kept number, for people.
std::string study_summary(const StudyRecord& record);

}  // namespace clack::study
