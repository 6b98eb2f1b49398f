// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "clack/hybrid/dynamics.hpp"
#include "clack/symbolic/program.hpp"
#include "clack/trace/trace.hpp"

namespace clack {

/// Columns of the trace with the forces of the first `count` constraints: force_NAME, several rows force_NAME_1, ...; then
/// those of joints: NAME.fx, ... (Joint::columns).
std::vector<std::string> force_columns(const Model& model, int count);

/// The numbers of these columns.
class ForceColumns {
 public:
  ForceColumns(const Model& model, int count);
  /// At the state (t, y) that was evaluated last; 0 of constraints and joints that are off.
  void append(const ModeDynamics& dynamics, std::span<const Signal> signals, double t,
              const double* y, std::vector<double>& row);

 private:
  const Model& model_;
  int count_;
  symbolic::Program joints_;  // columns of joints from t, q, v, inputs and the forces of their rows
  std::vector<double> inputs_, forces_;  // forces_: of every row of every constraint
  std::size_t joint_columns_ = 0;
};

/// Impulses of the constraints that are on (rows one after the other), by constraint.
std::vector<ConstraintImpulse> constraint_impulses(const Model& model,
                                                   const std::vector<int>& constraints,
                                                   const Eigen::VectorXd& rows);

/// Forces that formulas of the model name (Model::watched_forces), read from the mode's forces.
class WatchedForces {
 public:
  explicit WatchedForces(const Model& model)
      : model_(model), values_(model.watched_forces.size()) {}
  bool empty() const { return values_.empty(); }
  /// At a state of the mode; evaluates nothing when no formula names a force.
  std::span<const double> at(ModeDynamics& dynamics, double t, const double* y);
  /// Whether a force is zero as long as the mode lasts: its constraint is off, its contact open.
  bool is_off(const ModeDynamics& dynamics, int force) const;

 private:
  const Model& model_;
  std::vector<double> values_;
};

}  // namespace clack
