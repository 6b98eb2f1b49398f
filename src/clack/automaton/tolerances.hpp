// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clack {

/// Numbers of the exports of affine models, whose coefficients are exact but for rounding.
struct AffineTolerances {
  double zero = 1e-13;    // coefficients (in units of the model) below are rounding of exact zeros
  double digits = 1e-15;  // part of a number that fifteen printed digits may leave out
  double on_a_line = 1e-12;  // part of a length: what is closer lies on the line
};
inline constexpr AffineTolerances affine_tolerances{};

}  // namespace clack
