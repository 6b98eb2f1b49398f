// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "clack/hybrid/dynamics.hpp"
#include "clack/trace/trace.hpp"

namespace clack {

/// Columns of the trace with the forces of a constraint: force_NAME, several rows force_NAME_1, ...
std::vector<std::string> force_columns(const Constraint& constraint);
/// The forces of the first `count` constraints at the state that was evaluated last, 0 of those that are off.
void append_constraint_forces(const Model& model, int count, const ModeDynamics& dynamics,
                              std::vector<double>& row);

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

 private:
  const Model& model_;
  std::vector<double> values_;
};

}  // namespace clack
