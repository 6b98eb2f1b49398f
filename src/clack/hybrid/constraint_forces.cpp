// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/constraint_forces.hpp"

namespace clack {
namespace {

int row_count(const Model& model, int constraint) {
  return static_cast<int>(model.constraints[constraint].rows.size());
}

double constraint_force(const Model& model, const ModeDynamics& dynamics, int constraint, int row) {
  int at = 0;
  for (const int c : dynamics.rows().constraints) {
    if (c == constraint) return dynamics.forces().constraint_force[at + row];
    at += row_count(model, c);
  }
  return 0.0;
}

/// Sum over the closed contacts of one entry of `contacts:`; `tangent` < 0: normal forces.
double contact_force(const ModeDynamics& dynamics, SourceIndex source, int tangent) {
  const ContactSet& closed = dynamics.rows().contacts;
  const ModeForces& forces = dynamics.forces();
  const int k = dynamics.tangents();
  double sum = 0.0;
  for (int local = 0; local < static_cast<int>(closed.size()); ++local)
    if (closed[local].source == source)
      sum += tangent < 0 ? forces.normal_force[local] : forces.friction_force[local * k + tangent];
  return sum;
}

}  // namespace

std::vector<std::string> force_columns(const Constraint& constraint) {
  std::vector<std::string> columns;
  for (int row = 0; row < static_cast<int>(constraint.rows.size()); ++row)
    columns.push_back(force_name(constraint, row));
  return columns;
}

void append_constraint_forces(const Model& model, int count, const ModeDynamics& dynamics,
                              std::vector<double>& row) {
  const std::vector<int>& active = dynamics.rows().constraints;
  std::size_t next = 0;
  int at = 0;
  for (int c = 0; c < count; ++c) {
    const bool is_on = next < active.size() && active[next] == c;
    for (int r = 0; r < row_count(model, c); ++r)
      row.push_back(is_on ? dynamics.forces().constraint_force[at++] : 0.0);
    next += is_on ? 1 : 0;
  }
}

std::vector<ConstraintImpulse> constraint_impulses(const Model& model,
                                                   const std::vector<int>& constraints,
                                                   const Eigen::VectorXd& rows) {
  std::vector<ConstraintImpulse> impulses;
  int at = 0;
  for (const int c : constraints) {
    const int count = row_count(model, c);
    if (at + count > rows.size()) break;  // a jump that has no impulses of rows
    ConstraintImpulse& impulse = impulses.emplace_back(ConstraintImpulse{c, {}});
    for (int r = 0; r < count; ++r) impulse.rows.push_back(rows[at++]);
  }
  return impulses;
}

std::span<const double> WatchedForces::at(ModeDynamics& dynamics, double t, const double* y) {
  if (values_.empty()) return values_;
  dynamics.evaluate(t, y);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const WatchedForce& force = model_.watched_forces[i];
    switch (force.kind) {
      case WatchedForceKind::constraint:
        values_[i] = constraint_force(model_, dynamics, force.index, force.row);
        break;
      case WatchedForceKind::normal:
        values_[i] = contact_force(dynamics, SourceIndex(force.index), -1);
        break;
      case WatchedForceKind::tangent:
        values_[i] = contact_force(dynamics, SourceIndex(force.index), force.row);
        break;
    }
  }
  return values_;
}

}  // namespace clack
