// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "clack/index.hpp"
#include "clack/mechanism/planar_kinematics.hpp"
#include "clack/symbolic/program.hpp"
#include "clack/symbolic/switches.hpp"

namespace clack {

/// A formula that the executor watches: its value and its rate along the motion.
struct FormulaValue {
  double value = 0.0, rate = 0.0;
};

/// The formulas of a model that the executor watches, in the order of Mechanism::formulas, with
/// their rates along the motion (NaN where speeds or forces occur: the rate would need the acceleration).
class WatchedFormulas {
 public:
  WatchedFormulas() = default;
  WatchedFormulas(const Model& model, const std::vector<symbolic::Switch>& switches,
                  const MotionSymbols& motion);

  int count() const { return number_of(is_rate_known_); }
  /// Whether a formula names forces of constraints or contacts.
  bool uses_forces(int formula) const { return !forces_of_[formula].empty(); }
  /// Those forces, by Model::watched_forces.
  std::span<const int> forces_of(int formula) const { return forces_of_[formula]; }
  /// Whether nothing but forces moves a formula: where these stay zero it never changes.
  bool is_of_forces_alone(int formula) const { return is_of_forces_alone_[formula]; }
  /// `inputs` as MotionSymbols::inputs, `forces` as Model::watched_forces (empty: all are zero); writes count() values.
  void evaluate(const double* inputs, std::span<const double> forces, FormulaValue* values);

 private:
  symbolic::Program program_;
  std::vector<bool> is_rate_known_, is_of_forces_alone_;
  std::vector<std::vector<int>> forces_of_;
  std::size_t motion_inputs_ = 0;
  std::vector<double> inputs_;   // those of the motion, then forces
  std::vector<double> outputs_;  // value and rate of each
};

}  // namespace clack
