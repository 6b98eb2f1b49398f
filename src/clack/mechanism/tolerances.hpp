// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clack {

/// Thresholds of mechanisms, with unit and reason.
struct MechanismTolerances {
  // 1 + cosine of the angle between a contact's normal and that at the start: below this they are opposite and the
  // frame begins anew.
  double opposite_normals = 1e-12;
  // Applied power below this part of its terms, at states around the start, is rounding: everything has a potential.
  double no_power = 1e-11;
  // Pivots of the mass matrix at unit diagonal below this: a motion without inertia.
  double massless = 1e-13;
};
inline constexpr MechanismTolerances mechanism_tolerances;

}  // namespace clack
