// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "clack/study/cases.hpp"
#include "clack/study/study.hpp"

namespace clack::study {

/// done: ran to its end, or to `stop`; stopped: ended early for a physical or numerical reason; refused: the model with
/// these values is not valid; time-limit: took longer than the study allows.
enum class CaseStatus { done, stopped, refused, time_limit };
std::string_view to_string(CaseStatus status);
std::optional<CaseStatus> case_status(std::string_view name);

struct NamedValue {
  std::string name;
  double value = 0.0;
};

/// What is left of a case.
struct CaseResult {
  long number = 0;
  CaseStatus status = CaseStatus::done;
  std::string reason;  // why it is not done
  std::string class_name;
  std::vector<double> values;   // of the kept columns; nan: not there
  bool is_followed = false;     // it began where its neighbour ended
  std::vector<NamedValue> end;  // the state at the end, for the neighbour that follows
};

/// Runs one case. `start`: the end of its neighbour; where the model cannot start there (a changed size would overlap)
/// it starts as its file says. Empty when `interruption` asked for it.
std::optional<CaseResult> run_case(const Study& study, const Case& one,
                                   const std::vector<NamedValue>& start,
                                   const std::function<std::string()>& interruption);

}  // namespace clack::study
