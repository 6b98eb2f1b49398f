// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "clack/mechanism/planar_kinematics.hpp"

namespace clack {

/// One row of a bilateral constraint as formulas:  0 = row . dv/dt + bias.
///
///   configuration:  value = phi(q, t),  rate = phi',   row = d rate/dv,  bias = rate' at dv/dt = 0
///   motion:         value = 0,          rate = the formula, linear in the speeds
/// Joints bring rates and biases of their own (model/joint_rows.hpp).
struct ConstraintRow {
  Expression value, rate, bias;
  std::vector<Expression> row;
};

/// Rows of every constraint of the model. Throws ModelError for a formula that is not linear in the speeds.
std::vector<std::vector<ConstraintRow>> derive_constraints(const Model& model,
                                                           const MotionSymbols& motion);

}  // namespace clack
