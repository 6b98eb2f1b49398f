// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/admissible_forces.hpp"

#include <limits>
#include <numbers>

#include "clack/complementarity/lemke.hpp"
#include "clack/hybrid/tolerances.hpp"
#include "clack/index.hpp"

namespace clack {

namespace {

/// The same in memory that is kept.
void take_family(const ModeForces& forces, const ModeShape& shape,
                 std::span<const double> static_friction, ReactionFamily& family) {
  const int c = number_of(shape.statuses), k = shape.tangents;
  const Eigen::Index b = forces.constraint_force.size();
  family.tangents = k;
  family.cones.clear();
  int unknown = c;
  for (int i = 0; i < c; ++i) {
    const bool is_stick = shape.statuses[i] == ContactStatus::stick;
    family.cones.push_back({i, is_stick ? unknown : -1, is_stick ? static_friction[i] : 0.0});
    if (is_stick) unknown += k;
  }
  family.smallest.resize(unknown + b);
  family.smallest.head(c) = forces.normal_force;
  for (const ReactionCone& cone : family.cones)
    if (cone.tangent >= 0)
      family.smallest.segment(cone.tangent, k) = forces.friction_force.segment(cone.normal * k, k);
  family.smallest.tail(b) = forces.constraint_force;
  if (forces.is_hyperstatic)
    family.free = forces.null_forces;
  else
    family.free.resize(0, 0);
}

}  // namespace

ReactionFamily family_of(const ModeForces& forces, const ModeShape& shape,
                         std::span<const double> static_friction) {
  ReactionFamily family;
  take_family(forces, shape, static_friction, family);
  return family;
}

double stick_reserve(const ModeForces& forces, int tangents, int contact, double static_friction) {
  const double tangential =
      tangents == 1 ? std::abs(forces.friction_force[contact])
                    : forces.friction_force.segment(contact * tangents, tangents).norm();
  return static_friction * forces.normal_force[contact] - tangential;
}

namespace {

double own_margin(const ModeForces& forces, const ModeShape& shape,
                  std::span<const double> static_friction) {
  double margin = std::numeric_limits<double>::infinity();
  for (int i = 0; i < number_of(shape.statuses); ++i) {
    margin = std::min(margin, forces.normal_force[i]);
    if (shape.statuses[i] == ContactStatus::stick)
      margin = std::min(margin, stick_reserve(forces, shape.tangents, i, static_friction[i]));
  }
  return margin;
}

}  // namespace

double admissible_margin(const ModeForces& forces, const ModeShape& shape,
                         std::span<const double> static_friction) {
  const double margin = own_margin(forces, shape, static_friction);
  if (margin > 0.0 || !forces.is_hyperstatic || shape.statuses.empty()) return margin;
  return largest_margin(family_of(forces, shape, static_friction));
}

WidestMember widest_forces(const ModeForces& forces, const ModeShape& shape,
                           std::span<const double> static_friction) {
  const double margin = own_margin(forces, shape, static_friction);
  ReactionFamily family = family_of(forces, shape, static_friction);
  if (margin > 0.0 || !forces.is_hyperstatic || shape.statuses.empty())
    return {margin, std::move(family.smallest)};
  return widest_member(family);
}

double margin_bound(const ModeForces& forces, const ModeShape& shape,
                    std::span<const double> static_friction, std::span<const double> near) {
  static thread_local ReactionFamily family;
  take_family(forces, shape, static_friction, family);
  return margin_bound(family, Eigen::Map<const Eigen::VectorXd>(near.data(), number_of(near)));
}

void take_smallest_admissible(const ModeShape& shape, ModeForces& forces, Eigen::VectorXd& near) {
  if (!forces.is_hyperstatic || shape.statuses.empty()) return;
  const ReactionFamily family = family_of(forces, shape, shape.static_friction);
  AdmissibleReactions found = smallest_admissible(family, near);
  if (found.is_admissible)
    near = found.reaction;
  else
    near.resize(0);
  const Eigen::VectorXd& x = found.reaction;
  if (forces.null_accelerations.cols() > 0)
    forces.acceleration +=
        forces.null_accelerations * (forces.null_forces.transpose() * (x - family.smallest));
  const int k = shape.tangents;
  for (const ReactionCone& cone : family.cones) {
    forces.normal_force[cone.normal] = x[cone.normal];
    auto friction = forces.friction_force.segment(cone.normal * k, k);
    if (cone.tangent >= 0)
      friction = x.segment(cone.tangent, k);
    else if (forces.sliding_friction.size() > 0)
      friction = x[cone.normal] * forces.sliding_friction.segment(cone.normal * k, k);
  }
  forces.constraint_force = x.tail(forces.constraint_force.size());
}

}  // namespace clack
