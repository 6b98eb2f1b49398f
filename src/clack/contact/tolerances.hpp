#pragma once

namespace clack {

/// Every threshold of the contact and impact problems, with its unit and reason. All are relative
/// to the problem's own scale, so that units and masses do not matter:
///   motion scale  a = largest sum of absolute terms in a row of the free motion (m/s or m/s2),
///   force scale of row k = a / G_kk  (what stops a motion of size a at that row alone).
struct ContactTolerances {
  double motion = 1e-10;   // motions (relative to a) below this are zero: ten digits above rounding
  double force = 1e-10;    // forces (relative to their row's scale) below this are zero
  double residual = 1e-9;  // a solver's answer is believed up to this unit-free residual
  double distinct =
      1e-7;  // two solutions are different when their motions differ by more than this
  double rank =
      1e-10;  // singular values (relative to the largest, rows scaled) below this are zero
  double energy = 1e-9;  // energy gains (relative to the kinetic energies) below this are rounding
  double symmetry = 1e-9;  // |M - M^T| relative to sqrt(M_ii M_jj) above this is an input error
  int enumerated_contacts = 8;  // decision over contact states: at most 4^8 small linear systems
  int fallback_contacts = 6;    // the same when it only stands in for a solver that failed
  int counted_contacts = 5;     // the same when only the number of solutions is asked for
};

inline constexpr ContactTolerances contact_tolerances{};

}  // namespace clack
