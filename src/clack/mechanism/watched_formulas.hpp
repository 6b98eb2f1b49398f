// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "clack/mechanism/planar_kinematics.hpp"
#include "clack/symbolic/program.hpp"
#include "clack/symbolic/switches.hpp"

namespace clack {

/// A formula that the executor watches: its value and its rate along the motion.
struct FormulaValue {
  double value = 0.0, rate = 0.0;
};

/// The formulas of a model that the executor watches, in the order of Mechanism::formulas, with
/// their rates along the motion (NaN where speeds occur: the rate would need the acceleration).
class WatchedFormulas {
 public:
  WatchedFormulas() = default;
  WatchedFormulas(const Model& model, const std::vector<symbolic::Switch>& switches,
                  const MotionSymbols& motion);

  int count() const { return static_cast<int>(is_rate_known_.size()); }
  /// `inputs` as MotionSymbols::inputs; writes count() values.
  void evaluate(const double* inputs, FormulaValue* values);

 private:
  symbolic::Program program_;
  std::vector<bool> is_rate_known_;
  std::vector<double> outputs_;  // value and rate of each
};

}  // namespace clack
