// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clack {

/// Thresholds of distances, with unit and reason. Lengths are parts of the body's own size.
struct GeometryTolerances {
  // A point above a face by less than this part of the box counts as on it: its normal is the face's, whatever the
  // last digits of the point say. A ball's normal comes from its centre, which is far.
  double on_face = 1e-9, on_face_of_ball = 1e-14;
  // Sines below this are zero: parallel edges, normals on the border of a cone.
  double parallel = 1e-8;
  // Squares of sines below this are rounding: any place along two parallel segments is as near as another.
  double parallel_squared = 1e-14;
  // Parts of the box: a gap below the first may be closed, a margin below the second is a border.
  double may_touch = 1e-6, at_border = 1e-10;
  // 1/s: a witness that needs longer than a run of 1e10 s for the length of the box does not move.
  double creeping = 1e-10;

  // Newton's method for ellipsoids on the unit sphere. Curvatures below this part of the radii are lifted to it;
  double flat = 1e-9;
  // slopes below this part of the size are refined by so many full steps (f can no longer tell better from worse);
  double tiny_slope = 1e-8;
  int refinements = 4;
  // a step must gain this part of what its slope promises (Armijo), turns by at most so many radians,
  double armijo = 1e-4, longest_turn = 0.5;
  // and is halved and repeated at most so often: far beyond what any pair needs.
  int halvings = 40, iterations = 200;
};
inline constexpr GeometryTolerances geometry_tolerances;

}  // namespace clack
