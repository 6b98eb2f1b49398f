// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clack {

/// Thresholds of mechanisms, with unit and reason.
struct MechanismTolerances {
  // 1 + cosine of the angle between a contact's normal and that at the start: below this they are opposite and the
  // frame begins anew.
  double opposite_normals = 1e-12;
  // Pivots of the mass matrix at unit diagonal below this: a motion without inertia.
  double massless = 1e-13;
  // Free bodies from which on it pays to place only those of a contact that is asked for alone.
  int many_bodies = 8;
  // Contacts by formulas up to which all are guarded: enclosing them costs as much.
  int few_formulas = 24;
  // Part of the size of gaps below which a contact counts as near, whatever the tolerances: far above rounding.
  double near_gap = 1e-6;
  // Steps for which a box of coordinates is made, on either side: enclosing all gaps costs as much as guarding them in
  // some ten steps, and what is near a wide box is guarded in vain.
  double box_steps = 4.0;
};
inline constexpr MechanismTolerances mechanism_tolerances;

}  // namespace clack
