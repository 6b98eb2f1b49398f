// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <variant>
#include <vector>

#include "clack/geometry/shape.hpp"

namespace clack {

/// Where a body is: x_world = position + rotation x_body.
struct Pose {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
};

/// A sphere around a point of the body; radius 0 is the point itself.
struct RoundSide {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double radius = 0.0;
};
/// The straight edge between two faces of a convex body.
struct EdgeSide {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero(), direction = Eigen::Vector3d::UnitX();
  double half_length = 0.0;
  double depth = 0.0;  // overlaps beyond this are those of edges on the far sides
  // In the two faces across the edge, out of them (of a box: the normal of the other face). The outward normal of a touch
  // turns towards neither from inside: n . first_face >= 0 and n . second_face >= 0.
  Eigen::Vector3d first_face = Eigen::Vector3d::UnitY();
  Eigen::Vector3d second_face = Eigen::Vector3d::UnitZ();
};
/// A corner of a convex body.
struct CornerSide {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  std::vector<Eigen::Vector3d> edges;  // directions of the edges that leave it; none: a point
};
/// A concave arc around a point of the body, plane only: material outside of the circle.
struct HollowSide {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double radius = 0.0;
};
/// What one body brings into a contact, in its own frame.
using Side =
    std::variant<RoundSide, HalfSpace, Box, SmoothShape, EdgeSide, CornerSide, HollowSide, Solid>;

/// The twelve edges of a box: four along each axis, counter-clockwise from (-, -).
EdgeSide edge_of(const Box& box, int edge);
/// The corner of a box at a point that is one of its eight corners.
CornerSide corner_of(const Eigen::Vector3d& point);

/// How a surface bends at a witness point: when the point moves by `slide` w along the surface, its
/// outward normal turns by `turn` w (w tangential). Symmetric 3 x 3, used on the tangent plane
/// only.
///
///   sphere: slide = R, turn = 1    corner: 0, 1    face: 1, 0    edge along e: e e^T, 1 - e e^T
///   smooth: slide = Hessian of the support function (radii of curvature), turn = 1
struct LocalSurface {
  Eigen::Matrix3d slide = Eigen::Matrix3d::Zero(), turn = Eigen::Matrix3d::Identity();
};

enum class Feature { smooth, face, edge, corner };

struct Witness {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  // world
  LocalSurface surface;
  Feature feature = Feature::smooth;
};

/// Signed distance of two bodies with the points that realise it.
///
///   first.point - second.point = distance * normal,   normal: unit, from second to first
///
/// The outward normal of the second body at its witness is `normal`, that of the first is -normal.
/// Overlapping bodies (distance < 0): the smallest translation that parts them, locally.
struct SpatialDistance {
  double distance = 0.0;
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();
  Witness first, second;
  /// False: two edges that do not cross, or a corner in a body against none of whose faces it can
  /// rest, so that other features of their bodies decide. `distance` is then positive.
  bool is_candidate = true;
  /// Contacts with boxes and solids: its sign tells the features apart and changes where the witness comes to
  /// the border of its feature (face +, edge -, corner + for a ball; + on both features for corners
  /// and edges). Its rate is inward . (v1 - v2), velocities of the material points at `border`.
  double margin = 1.0;
  /// Margins within +-band are at the border, m: rounding and drift of positions do not leave a feature.
  double band = 0.0;
  /// Beyond its border the contact is none: other features of the bodies decide there. Otherwise (balls) it goes on, on
  /// the next feature.
  bool ends_at_border = false;
  Eigen::Vector3d inward = Eigen::Vector3d::Zero(), border = Eigen::Vector3d::Zero();
  /// touching_distance: a contact at the border of its feature that moves on parts with this speed,
  /// m/s; 0: it stays.
  double leaving_rate = 0.0;
};

/// The widest gap between the shadows of two boxes on a line, over the fifteen lines that can part
/// them (normals of faces, common perpendiculars of edges). Negative: they overlap, by that much.
/// Overlaps deeper than any pair of features can tell show here.
double shadow_gap(const Box& first, const Pose& first_pose, const Box& second,
                  const Pose& second_pose);

/// Whether the pair is known: round or smooth against anything but an edge or a corner (a smooth
/// shape not against a box or solid), edge against edge, corner against box or solid. Two points never touch.
bool has_distance(const Side& first, const Side& second);

/// Pure geometry; `has_distance` must hold. Smooth shapes with support functions h: the normal maximises
///
///   f(n) = n . (c1 - c2) - h1(-R1^T n) - h2(R2^T n),   |n| = 1,
///
/// by Newton steps on the unit sphere with a line search, starting from the line of centres; for
/// parted bodies the maximum is unique. Witness points hold to rounding (1e-14 of the size).
SpatialDistance signed_distance(const Side& first, const Pose& first_pose, const Side& second,
                                const Pose& second_pose);

/// The same for a pair that may be closed, where corners and edges of boxes take part. A contact is
/// kept on its features a little beyond their borders (README.md, borders), so that the
/// motion inside a mode stays smooth until the border is found. At a border the distance has
/// several derivatives, and the largest one counts: when it is across the border, `leaving_rate` is
/// that, with
///
///   slip = v1 - v2   velocity of the first body past the second, material points at `border`
///
/// Pairs that do not touch have their signed distance.
SpatialDistance touching_distance(const Side& first, const Pose& first_pose, const Side& second,
                                  const Pose& second_pose, const SpatialDistance& distance,
                                  const Eigen::Vector3d& slip);

}  // namespace clack
