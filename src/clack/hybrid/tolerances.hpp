// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clack {

/// Thresholds of this room that no model file sets (those are Tolerances of model/model.hpp), with
/// unit and reason.
struct HybridTolerances {
  // The contact node after a force guard: parts of the last step by which it looks ahead, from the
  // first by the factor up to the last. The first is far above the error of the located instant,
  // the last far below what the step's error control resolves; decades between matter little.
  double look_ahead_first = 1e-6, look_ahead_factor = 100.0;
  double look_ahead_last = 1.1e-2;  // 1e-2 and its rounding

  // Impacts chained at one instant where the model gives no cap: chains that converge do so in far
  // fewer; in space one costs ten times as much.
  int plane_chain_cap = 2000, space_chain_cap = 200;

  // Part of mu L_N by which a tangential impact may leave its cone: rounding of the decomposition.
  double tangential_cone = 1e-9;

  // Projection of drift: Newton passes on positions (quadratic: three reach rounding from any drift
  // that a step leaves), passes on speeds (linear: the second removes rounding of the first).
  int position_passes = 3, velocity_passes = 2;
  double drift_rounding = 4.0;  // machine epsilons of the length scale: no drift left
  double drift_flag = 1e3;      // times Tolerances::drift: the correction is flagged
  // Singular values of the drift rows below this part of the largest depend on others: between
  // rounding (1e-16) and rows that are nearly parallel by geometry.
  double drift_rank = 1e-10;

  // Sides of the polygon around the friction circle when hyperstatic forces are judged: it is left
  // at most 1/cos(pi/16) - 1 = 2 % late.
  int cone_sides = 16;

  // A guard that starts at zero: halvings of the step towards its start until it is positive (2^-60
  // of a step is below rounding of t), then further ones while it stays so.
  int unarmed_halvings = 60, unarmed_extra_halvings = 3;

  // Accumulation: longest pattern of contact sets, repeats of it that are compared (three durations
  // give two ratios), impacts remembered, and by which part of 1 - r two ratios may differ.
  int longest_pattern = 4, pattern_repeats = 4, remembered_impacts = 1000;
  double steady_ratio = 0.1;

  // Limit cycles: longest period in returns; change per period, relative to the state, that still
  // is periodic; and below which the change is integration error and no approach.
  int longest_period = 4;
  double nearly_periodic = 0.02, resolved_change = 1e-6;

  // The start: gaps below this many machine epsilons of the largest coordinate are rounding.
  double gap_rounding = 64.0;
  int named_penetrations = 10;  // in one message
  int start_rows = 64;          // contacts whose rows are looked at together: bounds the memory

  // Modes and node questions whose evaluators are kept; a mechanism changes between few at a time.
  int kept_selections = 32;

  // Part of the scales of the run by which a condition of a mode's domain may be broken (debug builds assert it).
  double domain = 1e-6;

  // Points of two contacts of a pair closer than this part of the length scale are one: a feature hands over there.
  double same_point = 1e-6;

  // Outlines, of their size: gaps below this are closed in a search (rounding of placed points); at an instant contacts
  // that are held by a mode may have drifted by twice Tolerances::drift besides.
  double outline_band = 1e-12;
  // Of the smaller outline: a foot that far beyond the end of an edge is on it. Above what drift of a closed contact moves
  // the foot on the next edge, in the search as at the instant, so that both agree.
  double outline_slab = 1e-10;

  int kept_notes = 100;  // sentences in one trace
};
inline constexpr HybridTolerances hybrid_tolerances;

}  // namespace clack
