// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <string>

#include "clack/complementarity/solve_status.hpp"

namespace clack {

/// One or two tangential numbers, never on the heap.
using Tangential = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 2, 1>;
using TangentialMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 2, 2>;

/// One contact that is struck, seen alone (docs/theories/smith.md):
///
///   (v_n', s') = (v_n, s) + G (nu, tau),    G = [g_nn g_tn^T; g_tn G_tt]   (1/kg, with the joints kept)
struct SmithContact {
  double normal_mobility = 0.0;          // g_nn
  Tangential coupling;                   // g_tn
  TangentialMatrix tangential_mobility;  // G_tt
  double gap_rate = 0.0;                 // v_n < 0, m/s, against the moving surface
  Tangential slip;                       // s
  double restitution = 0.0;              // eps
  double static_friction = 0.0, dynamic_friction = 0.0;
  double zero_slip = 0.0;  // m/s: a slip up to this is none

  int tangents() const { return static_cast<int>(slip.size()); }
};

/// Which branch answered.
enum class SmithBranch { stick, slide, stick_discarded };

struct [[nodiscard]] SmithImpulse {
  SolveStatus status = SolveStatus::solved;
  SmithBranch branch = SmithBranch::stick;
  double normal = 0.0;      // nu, N s
  Tangential tangent;       // tau
  double friction = 0.0;    // the coefficient that bounds |tau|
  double residual = 0.0;    // |rho + mu w|, without unit
  double stick_gain = 0.0;  // J, what a discarded stick would have added
  int iterations = 0;
  std::string reason = {};  // why there is no answer, with the numbers
};

/// Newton's restitution v_n' = -eps v_n with
///
///   stick     s' = 0 where the impulse lies in the cone of mu_s and adds no energy
///   else      tau = -mu_d nu w,   w = (|s| s + |s'| s') / (|s|^2 + |s'|^2);   s = 0: w = s'/|s'|
///
/// A stick with eps > 0 that would add energy is discarded, and slides with mu_s instead. With
/// rho = tau/nu the sliding branch is one equation, rho + mu w(s, s'(rho)) = 0 in |rho| <= mu:
///
///   nu(rho) = -(1 + eps) v_n / (g_nn + g_tn . rho),   s'(rho) = s + (G_tt rho + g_tn) nu(rho)
///
/// In the plane its left side rises, so it has one root; in space damped Newton's method, then averaging.
/// `has_stick_branch` false: slide always (a contact without slip still sticks where mu_d holds it, the limit
/// of the rule). No answer: g_nn <= mu |g_tn|, where the contact jams.
SmithImpulse strike(const SmithContact& contact, bool has_stick_branch);

}  // namespace clack
