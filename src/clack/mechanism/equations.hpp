// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "clack/mechanism/planar_kinematics.hpp"

namespace clack {

/// The equations of motion of a model with symbolic coordinates, as formulas.
///
///   M_jk = sum_bodies m r_j . r_k + I angle_j angle_k
///   h_j  = sum_bodies m r_j . (g - r_bias) - I angle_j angle_bias + springs, dampers, forces, torques
///
/// and in space, with the angular velocity w in the components of the body and w_j = dw/dv_j,
///
///   M_jk += w_j . I w_k,    h_j -= w_j . (I w_bias + w x I w)
///
/// (subscripts: partial derivatives, Kane 1985) or `mass_matrix` and `force` as the model gives them
/// (force then contains the velocity terms).
struct Equations {
  std::vector<std::vector<Expression>> mass_matrix;  // n x n
  std::vector<Expression> force;                     // n
  Expression kinetic;                                // v^T M v / 2
  Expression potential;
  /// Two parts of what the potential does not account for,  v.h + v^T M' v / 2 + V',  with displacements p of forces F:
  ///   forces without a potential:  sum F . dp/dt
  ///   prescribed motion (what depends on t by itself moves against forces and inertia):  the rest, zero without any.
  /// Each is the number 0 where that is proved by multiplying out; nothing else is left out of the ledger.
  Expression applied_power, drive_power;
};

Equations derive_equations(const Model& model, const MotionSymbols& motion);

}  // namespace clack
