// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clack {

/// Numbers of this room that are no options of a call. Shares have no unit.
struct LinalgTolerances {
  double symmetry = 1e-9;         // share of the scale of a matrix: a larger |M - M^T| is a mistake
  double rank_rounding = 8.0;     // times size and rounding: default cut-off of singular values
  double contraction = 1e-12;     // a norm of order one is known to this: |K| <= 1 within rounding
  double cut_step = 1e-14;        // a restitution that a round of cuts moves less is settled
  int cut_rounds = 60;            // of cutting planes; a few are usual
  double descent = 32.0;          // times rounding and the data: non-negative least squares is done
  int descents_per_unknown = 10;  // unknowns that may enter, of which there also may be
  int descents_in_any_case = 30;  // these: beyond, it has not converged
  double infeasible = 1e-7;  // residual of the dual: the point is 1e7 distances of one row away
};
inline constexpr LinalgTolerances linalg_tolerances{};

/// CSDP's documented defaults with tighter tolerances, since our programs are small.
struct SdpTolerances {
  double feasibility = 1e-10;       // relative, of the primal and of the dual constraints
  double gap = 1e-11;               // relative, between the two objectives
  double infeasibility = 1e8;       // a certificate this large says that there is no solution
  int iterations = 100;             // about twenty are usual
  double smallest_fraction = 0.90;  // of the way to the border, in one step
  double largest_fraction = 0.97;   // the same
  double smallest_step = 1e-8;      // shorter ones end the iteration
};
inline constexpr SdpTolerances sdp_tolerances{};

}  // namespace clack
