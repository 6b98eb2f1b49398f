// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "clack/study/case_run.hpp"

namespace clack::study {

/// One run of a search: the value of the axis and what came of it.
struct Probe {
  double value = 0.0;
  CaseResult result;
  std::string command;  // that runs it alone
};

/// Where the class changes: the two neighbouring values that prove it, at most `tolerance` apart.
struct Threshold {
  Probe low, high;            // of different classes; low.value < high.value
  std::vector<Probe> probes;  // all runs, in their order
  double value() const { return 0.5 * (low.value + high.value); }
};

/// Bisection on the class of a case along one axis (`find` of a study). A case that is refused or stopped has its status as
/// its class. The study was read for a threshold. Throws InputError when both ends have the same class, NoAnswer when `interruption` asked for it.
Threshold find_threshold(const Study& study, const std::function<std::string()>& interruption = {});

/// The class of a probe, or its status where it is not done.
std::string class_of(const CaseResult& result);

}  // namespace clack::study
