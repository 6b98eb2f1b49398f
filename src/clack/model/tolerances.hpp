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
  // Of the largest part: a speed takes part in a combination of definitions.
  double definition = 1e-6;
  // Of the size of the rows' terms: Newton's method has found a start.
  double guess = 1e-12;
  // Newton's steps; each is halved until the rows come nearer to zero, down to this part of it.
  int guess_steps = 100;
  double guess_part = 1e-9;
  // 1/s: how fast a closest point comes back to where it should be. Slow beside the steps of any motion, so that it makes
  // nothing stiff, and fast beside the drift of a run.
  double follow = 10.0;
  // Of the size of a path: distances that agree so far are equal; of 1 (at the path) and 0 (at a centre of curvature).
  double same_distance = 1e-12;
  // Points and segments per line that draws a path, lines per side of a surface.
  int path_segments = 96, surface_lines = 9;
};
inline constexpr ReaderTolerances reader_tolerances;

}  // namespace clack
