// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "clack/study/case_run.hpp"

namespace clack::study {

struct SweepOptions {
  int threads = 1;
  /// Called for every finished case, by one thread at a time, in the order in which they finish.
  std::function<void(const CaseResult&)> finished;
  /// Asked now and then, by several threads: why the study is to stop (empty: it is not).
  std::function<std::string()> interruption;
};

/// Runs the cases of a study that `results` does not hold yet and adds them; afterwards `results` is sorted by case. Lanes
/// (cases that follow one another) are taken by threads as they become free (oneTBB); a result depends on nothing but its
/// case and, along a lane, on the case before it, so the order of completion does not matter.
void sweep(const Study& study, std::vector<CaseResult>& results, const SweepOptions& options);

/// Runs the cases of one lane that `known` does not hold; `finished` is told of each.
void run_lane(const Study& study, long lane, std::vector<CaseResult>& known,
              const SweepOptions& options);

}  // namespace clack::study
