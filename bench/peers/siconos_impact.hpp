// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

/// The multiple-impact law of Siconos (its march in the impulse of the primary contact, first order in
/// `step`, N s) on three equal balls of 1 kg in a row, e = 1, the first with 1 m/s; Hertz' exponent.
namespace clack::peers {

struct SiconosImpact {
  std::array<double, 3> velocity{};
  double seconds = 0.0;  // processor time of the impact alone
};
SiconosImpact siconos_three_balls(double step);

}  // namespace clack::peers
