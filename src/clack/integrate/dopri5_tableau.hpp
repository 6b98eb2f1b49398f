// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

namespace clack {

/// Coefficients of the 5(4) pair of Dormand and Prince (1980) with the dense output of order 4 of
/// Shampine as printed in Hairer, Nørsett, Wanner I, table II.5.2 and section II.6. Stages are
/// counted from 0; the last row of `a` holds the weights of the step, its stage is the rate at the
/// new state.
struct Dopri5Tableau {
  static constexpr int stages = 7;
  static constexpr std::array<double, 7> c = {0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0};
  static constexpr std::array<std::array<double, 6>, 7> a = {{
      {},
      {1.0 / 5},
      {3.0 / 40, 9.0 / 40},
      {44.0 / 45, -56.0 / 15, 32.0 / 9},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
      {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
  }};
  /// Weights of the difference to the embedded method of order 4.
  static constexpr std::array<double, 7> error = {
      71.0 / 57600, 0.0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
  /// Weights of the highest coefficient of the dense output.
  static constexpr std::array<double, 7> d = {
      -12715105075.0 / 11282082432.0,  0.0,
      87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
      701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
      69997945.0 / 29380423.0};
};

}  // namespace clack
