// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/complementarity/friction_problem.hpp"

namespace clack {

/// A friction problem with every contact brought to w_i = 1 and |q| = 1:
///
///   W'_ij = W_ij / (s_i s_j),   q'_i = q_i / (s_i Q),   s_i = sqrt(w_i)
///   r'_i  = s_i r_i / Q,        u'_i = u_i / (s_i Q),   offset'_i = s_i offset_i / Q
///
/// The cones stay what they are, so a solution of one is a solution of the other.
struct ScaledFriction {
  FrictionProblem problem;
  Eigen::VectorXd root;    // s_i, one per contact
  double magnitude = 1.0;  // Q
  double q_norm = 1.0;     // |q| of the original in units of Q
};

ScaledFriction scale_friction_problem(const FrictionProblem& problem);
Eigen::VectorXd to_scaled(const ScaledFriction& scaled,
                          const Eigen::Ref<const Eigen::VectorXd>& reaction);
Eigen::VectorXd from_scaled(const ScaledFriction& scaled,
                            const Eigen::Ref<const Eigen::VectorXd>& reaction);

/// The unit-free residual of the original problem, computed in scaled variables (for steering;
/// quote friction_residual). `is_coulomb` false: residual of the relaxed law, without the term mu
/// |u_T|.
double scaled_residual(const ScaledFriction& scaled,
                       const Eigen::Ref<const Eigen::VectorXd>& reaction, bool is_coulomb);

}  // namespace clack
