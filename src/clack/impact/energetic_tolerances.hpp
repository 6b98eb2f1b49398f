// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clack {

/// Thresholds of law `energetic`. Speeds are parts of v_ref, the largest relative speed before the
/// impact; impulse directions have the size 1 at the reference point.
struct EnergeticTolerances {
  double approach = 1e-10;     // where the problem states no limit: slower contacts do not approach
  double slip = 1e-11;         // slower ones do not slip
  double tie = 1e-10;          // of the impulse: slips that end within it end together
  double residual = 1e-8;      // a slip state whose equations are missed by more is impossible
  double rank = 1e-11;         // of the largest pivot: smaller ones are dependent rows
  double tension = 1e-10;      // of the largest direction: a smaller pull is rounding
  double cone = 1e-10;         // likewise for the bound of sticking friction
  double row_entry = 1e-12;    // smaller entries of a closure row are 0 (a tilted floor)
  double coincident = 1e-9;    // of the largest coordinate: nearer points of one body are one
  double locked = 1e-9;        // of its terms: a smaller change of motion is none
  double not_convex = 1e-13;   // of its terms: a smaller curvature of the work is none
  double equal_change = 1e-9;  // of its terms: changes of motion this near are equal
  int counted_transitions = 5;  // points at rest up to which all 3^n states are tried and counted
  int tried_states = 20'000;    // of one transition beyond that
  int segments = 1'000;         // of one event
  int plane_events = 2'000;     // of one impact: chains that end do so in far fewer
};
inline constexpr EnergeticTolerances energetic_tolerances;

}  // namespace clack
