// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

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
  // Part of the box by which a closed contact may be beyond the border of its feature: as far as a point counts as on a
  // face (on_face), so that what is left behind is no touch any more, and far above rounding and drift of positions.
  double border_band = 1e-9;
  // 1/s: a witness that needs longer than a run of 1e10 s for the length of the box does not move.
  double creeping = 1e-10;
  // Of the size: corners of a hull that near to the plane of a face lie in it. Of its cube: a hull with less volume is flat.
  double same_plane = 1e-10, smallest_volume = 1e-12;

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

/// Thresholds of outlines. Size: the largest distance of a vertex of either outline from the origin of its body.
struct OutlineTolerances {
  // rad; a corner that turns by less is collinear: no polygon of doubles means a smaller turn.
  double straight = 1e-12;
  // rad; a reflex corner that turns by less hands contacts over as a smooth join does: the speed at which the next edge is
  // met is below what counts as an approach. Drawings have such corners where arcs join.
  double nearly_smooth = 1e-8;
  // Of the size: a foot that far beyond the end of an edge still is on it; distances that agree so far are equal.
  double slab = 1e-12, tie = 1e-12;
  // The same for the edges of an inside vertex: two distances, each with its rounding and tie.
  double tie_inside = 2e-12;
  // Of the length of the edge to the neighbour: so far a neighbour of a resting corner may be behind the edge.
  double facing = 1e-9;
  // Of the size: what rounding of placed points can reach. Less than that is no overlap.
  double rounding = 2e-15;
  // Of the size: contacts that near are at one point. Sines below the second: normals are the same.
  double same_point = 1e-8, same_normal = 1e-9;
  // Of the size: ends of lines and arcs of a drawing that near are one corner (files hold six digits and more).
  double joined_ends = 1e-6;
  // Radii of a convex and a concave arc that agree so far are equal: what rounding and drift of positions leave.
  double equal_radii = 1e-9;
  // Of the size: shorter edges could not be told from the slab.
  double shortest_edge = 1e-9;
  // Of the square of the size: outlines with less area have none.
  double smallest_area = 1e-14;
  // Longer lists of candidates mean that the skin is wrong.
  std::size_t most_candidates = 1'000'000;

  // Search for the first contact. Of the size: a gap below this is closed;
  double closed = 1e-13;
  // of the speed: slower approaches are grazes; of the size: the thinnest skin; of the gap: the wanted one.
  double graze = 1e-9, thinnest_skin = 1e-2, skin_per_gap = 2.0;
  // Lists longer than this are not made while the distance is no less than this part of the skin.
  std::size_t long_list = 64;
  double stepping_gap = 0.125;
  // Steps of a march over one stretch: with the second-order bound 15 is the most that was seen without a graze.
  int march_steps = 100'000, newton_steps = 50;
  // Of the size: a gap that rests at zero is looked at again before it can have sunk by this. Halvings of a stretch over
  // which the motion has no bound.
  double resting = 1e-9;
  int halvings = 40;
  // Machine epsilons of the places that a gap is known to.
  double gap_rounding = 64.0;
};
inline constexpr OutlineTolerances outline_tolerances;

/// Thresholds of closest points on parametric curves and surfaces. Parameters are in parts of their range.
struct ClosestPointTolerances {
  // Samples that searches begin from, per curve and per side of a surface: dips narrower than that are not seen.
  int curve_samples = 257, surface_samples = 33;
  // Of the size and of the tangent: a curve whose ends agree so far is closed.
  double closed = 1e-12;
  // Steps of Newton's method, each no longer than so many samples and halved down to this part of it;
  int newton_steps = 200;
  double longest_step = 1.5, shortest_part = 1e-10;
  // below the first the distance no longer tells better from worse, by so many parts of it; the second is the last step.
  double small_step = 1e-6, rounding = 1e-14, last_step = 1e-16;
  // Minima so near to each other are one.
  double same_foot = 1e-7;
  // Of the size: shorter tangents (per range) vanish.
  double tangent = 1e-9;
  // det H/det(S_i . S_j): 1 at the path, 0 at a centre of curvature. Below this the closest point runs away.
  double regular = 1e-3;
  // Of the size: what is so far behind a path is behind it; so near to an end, it is there.
  double overlap = 1e-9, at_end = 1e-10;
  // Normals of two paths that differ by no more go on into each other.
  double same_normal = 1e-8;
};
inline constexpr ClosestPointTolerances closest_point_tolerances;

}  // namespace clack
