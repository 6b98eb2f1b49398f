// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clack {

/// Roundings that the readers of models forgive, with their reason. Relative numbers.
struct ReaderTolerances {
  // Of the largest principal value: flat bodies have xx + yy = zz, and eigenvalues are that exact.
  double inertia = 1e-12;
  // Of the length: a unit quaternion stays as it is, bit for bit.
  double quaternion = 1e-15;
  // Of the largest eigenvalue: a mass matrix that constraints complete may be singular, no more.
  double semidefinite = 1e-13;
  // Of the diagonal: two formulas of one entry may be written differently.
  double symmetry = 1e-12;
};
inline constexpr ReaderTolerances reader_tolerances;

}  // namespace clack
