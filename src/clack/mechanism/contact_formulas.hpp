// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "clack/mechanism/planar_kinematics.hpp"

namespace clack {

/// A contact as formulas of t, q and v; rows and biases follow by differentiation unless the model
/// gives them.
///
///   gap_rate = gap',  J_N = d gap_rate/dv,  gap_bias = (gap_rate)' at dv/dt = 0;  slip likewise
///
/// Between bodies the slip is the velocity of the first body's material point at the contact minus
/// that of the second's, along the tangent; so the terms of a turning normal (missing in print in
/// Slavic and Boltezar 2005, eq. 32) are exact here.
struct ContactFormulas {
  Expression gap, gap_rate, gap_bias;
  std::vector<Expression> normal_row;
  std::vector<Expression> slip, slip_bias;  // one per tangent
  std::vector<std::vector<Expression>> tangent_rows;
};

/// A contact given by formulas, or one between planar bodies written out as formulas (for `clack equations` and the
/// exports; runs compute those in numbers). Throws ModelError when the pair of shapes is not known.
ContactFormulas contact_formulas(const Model& model, const ContactKey& contact,
                                 const MotionSymbols& motion);

}  // namespace clack
