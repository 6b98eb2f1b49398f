// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "clack/contact/delassus.hpp"
#include "clack/impact/planar_closure.hpp"

namespace clack {

/// What a member of an event does while the impulse grows; slips by the sign of its slip.
enum class SlipState : signed char { backward = -1, stick = 0, forward = 1, frictionless = 2 };

/// Directions of impulse for slip states of the members of an event (docs/theories/energetic.md).
struct DirectionQuestion {
  const Delassus* delassus = nullptr;
  const std::vector<ContactMaterial>* materials = nullptr;
  std::span<const int> members;  // the first is the reference point
  const ClosureRows* closure = nullptr;
  std::vector<SlipState> states;  // per member
  Eigen::VectorXd ratios;         // per member: normal directions of the segment before
};

/// dP/dp, p the normal impulse of the reference point (P4, 4.6 to 4.13, for any number of points):
///
///   x_nr = 1,   closure . x = 0,   per point  x_t + s mu_d x_n = 0  (slips)
///                                             (G x)_t = 0           (sticks)
///                                             x_t = 0               (frictionless)
///
/// The tangents of slipping points are put in, so that the other normals and the tangents of
/// sticking points are left; full pivoting reveals the rank. Dependent equations leave a choice:
/// the normal ratios nearest to `ratios`, then the smallest tangents. False when the equations
/// contradict each other: the states are impossible. `direction` is ordered as the rows of G.
bool find_direction(const DirectionQuestion& question, Eigen::VectorXd& direction);

}  // namespace clack
