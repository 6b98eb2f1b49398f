// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "clack/study/case_run.hpp"
#include "clack/study/sensitivity.hpp"

namespace clack::study {

/// What varied.
struct AxisRecord {
  std::string name, unit;
  std::vector<std::string> values;  // of the grid; empty where samples were drawn
  bool is_log = false;
};

/// A kept result and its columns.
struct KeptRecord {
  std::string name, unit;
  std::vector<std::string> columns;
};

/// One finished case.
struct RowRecord {
  long number = 0;
  std::vector<std::string> at;  // per axis
  Direction direction = Direction::none;
  bool is_followed = false;
  CaseStatus status = CaseStatus::done;
  std::string class_name, reason;
  std::vector<double> values;  // per column; nan: not there
};

/// What is left of a study, as plain data: tables, pages and plots read it and nothing else. It is written to results.json.
struct StudyRecord {
  std::string name, about, model_file;
  std::string command;  // that runs a case, without its place on the axes
  std::vector<AxisRecord> axes;
  std::optional<int> follow;  // axis along which cases followed one another
  bool is_drawn = false;      // cases are samples, not a grid
  std::vector<KeptRecord> keep;
  std::vector<std::string> classes;      // in the order of the rules
  long total = 0;                        // cases of the study; `rows` are those that are finished
  std::vector<RowRecord> rows;           // in the order of their numbers
  std::vector<Sensitivity> sensitivity;  // of the columns, where the study asked for it

  std::vector<std::string> columns() const;
  std::vector<double> column(int index) const;  // its values, a row each
};

StudyRecord record_of(const Study& study, const std::vector<CaseResult>& results);

/// results.json of a study's folder; throws InputError when it is something else.
StudyRecord read_record(const std::string& path);

/// A place on an axis as a number; nan where it is a text or a formula.
double number_in(const std::string& text);

/// "mu", "r_M in m".
std::string with_unit(const std::string& name, const std::string& unit);

std::string_view to_string(Direction direction);

}  // namespace clack::study
