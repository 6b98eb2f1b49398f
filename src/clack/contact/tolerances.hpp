// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/complementarity/friction_tolerances.hpp"

namespace clack {

/// Every threshold of the contact and impact problems: those of the friction problems
/// (complementarity/friction_tolerances.hpp), relative to the same scales, and a few more.
///   motion scale  a = largest sum of absolute terms in a row of the free motion (m/s or m/s2),
///   force scale of row k = a / G_kk  (what stops a motion of size a at that row alone).
struct ContactTolerances : FrictionTolerances {
  double energy = 1e-9;  // energy gains (relative to the kinetic energies) below this are rounding
  double energy_floor = 1e-6;  // of the kinetic energies: gains are never held against less effort
  double rounding = 64.0;  // sums of forces that cancel are zero below so many roundings of terms
  double rank_rounding = 8.0;  // default rank cut-off: so many roundings times the larger size
  double near_cutoff = 100.0;  // a singular value within this factor of the cut-off is flagged
  double inexact_impulse =
      1e-6;                   // impulses of jammed contacts are used up to this residual, flagged
  double unit_length = 1e-6;  // directions that are given may miss their length by so much
  double symmetry = 1e-9;     // |M - M^T| relative to sqrt(M_ii M_jj) above this is an input error
};

inline constexpr ContactTolerances contact_tolerances{};

}  // namespace clack
