// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/constraint_forces.hpp"

#include <algorithm>

#include "clack/index.hpp"
#include "clack/model/joint_of.hpp"

namespace clack {
namespace {

int row_count(const Model& model, int constraint) {
  return static_cast<int>(model.constraints[constraint].rows.size());
}

/// A joint that shows its reaction instead of the forces of its rows.
bool has_own_columns(const Model& model, int constraint) {
  const int joint = joint_of(model, constraint);
  return joint >= 0 && !model.joints[joint].columns.empty();
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

std::vector<std::string> force_columns(const Model& model, int count) {
  std::vector<std::string> columns;
  for (int c = 0; c < count; ++c)
    for (int row = 0; row < row_count(model, c) && !has_own_columns(model, c); ++row)
      columns.push_back(force_name(model.constraints[c], row));
  for (const Joint& joint : model.joints)
    for (const JointColumn& column : joint.columns) columns.push_back(column.name);
  return columns;
}

ForceColumns::ForceColumns(const Model& model, int count) : model_(model), count_(count) {
  std::vector<Expression> inputs{model.time}, outputs;
  for (const Coordinate& c : model.coordinates) inputs.push_back(c.symbol);
  for (const Speed& s : model.speeds) inputs.push_back(s.symbol);
  for (const Input& input : model.inputs)
    inputs.insert(inputs.end(), input.symbols.begin(), input.symbols.end());
  for (const Joint& joint : model.joints) {
    inputs.insert(inputs.end(), joint.row_forces.begin(), joint.row_forces.end());
    for (const JointColumn& column : joint.columns) outputs.push_back(column.value);
  }
  joint_columns_ = outputs.size();
  if (joint_columns_ > 0) joints_ = symbolic::Program(inputs, outputs);
  inputs_.resize(inputs.size());
}

void ForceColumns::append(const ModeDynamics& dynamics, std::span<const Signal> signals, double t,
                          const double* y, std::vector<double>& row) {
  const std::vector<int>& active = dynamics.rows().constraints;
  forces_.clear();  // of joints
  std::size_t next = 0;
  int at = 0;
  for (int c = 0; c < count_; ++c) {
    const bool is_on = next < active.size() && active[next] == c;
    for (int r = 0; r < row_count(model_, c); ++r) {
      const double force = is_on ? dynamics.forces().constraint_force[at++] : 0.0;
      if (!has_own_columns(model_, c)) row.push_back(force);
      if (joint_of(model_, c) >= 0) forces_.push_back(force);
    }
    next += is_on ? 1 : 0;
  }
  if (joint_columns_ == 0) return;
  inputs_[0] = t;
  auto to = std::copy_n(dynamics.q(y), model_.coordinates.size(), inputs_.begin() + 1);
  to = std::copy_n(dynamics.v(y), model_.speeds.size(), to);
  for (const Signal& signal : signals)
    for (const double number : {signal.value, signal.rate, signal.acceleration, signal.since})
      *to++ = number;
  std::ranges::copy(forces_, to);
  row.resize(row.size() + joint_columns_);
  joints_(inputs_.data(), row.data() + row.size() - joint_columns_);
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

bool WatchedForces::is_off(const ModeDynamics& dynamics, int force) const {
  const WatchedForce& watched = model_.watched_forces[force];
  const RowSelection& rows = dynamics.rows();
  if (watched.kind == WatchedForceKind::constraint)
    return !std::ranges::binary_search(rows.constraints, watched.index);
  return std::ranges::none_of(rows.contacts, [&](const ContactKey& contact) {
    return contact.source == SourceIndex(watched.index);
  });
}

}  // namespace clack
