// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <optional>

namespace clack {

/// How a contact at rest begins to slip in space. Per unit of normal impulse its slip changes by
/// b without friction (b = B_tn and what others do to it) and by B f with the friction f; sliding
/// friction of size mu then leaves the slip on the one ray
///
///   b - mu B e = k e,  |e| = 1,  k > 0:     e(k) = (mu B + k I)^-1 b,  solve |e(k)| = 1 on (0, |b|]
///
/// |e(k)| falls strictly, so there is at most one root, and one exists exactly when
/// |B^-1 b| > mu: the proof of uniqueness is the algorithm (P4, section 7.4; the direction printed
/// in (7.21) is that of B^-1 b, which is right for isotropic B only: docs/errata.md).
struct OutgoingSlip {
  Eigen::Vector2d direction = Eigen::Vector2d::Zero();  // e
  double acceleration = 0.0;                            // k, of the slip per unit normal impulse
};
/// `tangential` is B (2 x 2, symmetric positive definite), `drive` is b. Empty: friction mu holds.
std::optional<OutgoingSlip> outgoing_slip(const Eigen::Matrix2d& tangential,
                                          const Eigen::Vector2d& drive, double friction);

}  // namespace clack
