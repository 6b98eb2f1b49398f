// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clack {

/// Thresholds of the formulations, with reason; all relative. Cut-offs of ranks stand with their formulation.
struct FormulationTolerances {
  // What is left of R dv/dt + bias = 0, against the largest term: beyond it dependent rows contradict each other. Far
  // above rounding of the worst conditioned rows that are kept, far below any contradiction that matters.
  double unreachable = 1e-6;
  // Pivots of rows at unit length, speeds in units of kinetic energy: below this part of the largest a row depends on
  // others (multipliers, nullspace, embedding).
  double row_rank = 1e-10;
  // Pivots of the embedded mass matrix below this part of the largest: a motion without inertia.
  double inertia = 1e-14;
  // Largest entry of D in units of kinetic energy with which a choice of speeds goes on; a fresh one has order 1.
  double growth = 10.0;
  // Accelerations by distributions that the rows do not feel, against the largest of a unit force: rounding below.
  double silent = 1e-9;
  // Pivots of the scaled mobility above this leave no doubt about the rank: rounding over its square is far below any cut-off.
  double clear_pivot = 1e-4;
  // Diagonal entries of the mobility below this are rows that move nothing; only keeps the scale finite.
  double smallest_mobility = 1e-300;
  // Up to so many unknowns the pseudo-inverse of a rank-deficient matrix is kept: a product then costs less than the
  // factors, and mechanisms that rest keep theirs for many steps.
  int largest_kept_inverse = 12;
};
inline constexpr FormulationTolerances formulation_tolerances;

}  // namespace clack
