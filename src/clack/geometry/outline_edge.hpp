// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "clack/geometry/box_tree.hpp"
#include "clack/index.hpp"

namespace clack {

using OutlineVertexIndex = Index<struct OutlineVertexTag>;
using OutlineEdgeIndex = Index<struct OutlineEdgeTag>;

inline double cross2(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return a.x() * b.y() - a.y() * b.x();
}

/// A piece of the boundary from one corner to the next, material on its left: straight, or an arc. A convex arc has its
/// material inside of its circle, a concave one outside. A whole circle and the line of a half-plane have no corners.
///
///   arc:   p(s) = c + |r| u(a),  a = a0 + s/r,   outward normal  n = sign(r) u,   T = (-n_y, n_x)
struct OutlineEdge {
  Eigen::Vector2d start = Eigen::Vector2d::Zero(), tangent = Eigen::Vector2d::UnitX(),
                  normal = -Eigen::Vector2d::UnitY();  // at the start; outward, (T_y, -T_x)
  double length = 0.0;                                 // infinite: a line, `start` is a point of it
  OutlineVertexIndex from, to;                         // none: a circle, a line
  double radius = 0.0;                                 // 0: straight; arcs: convex > 0, concave < 0
  Eigen::Vector2d centre = Eigen::Vector2d::Zero();
  int label = 0;              // its number in its shape
  bool is_corner = false;     // a round corner that an offset made: `label` numbers the corner
  bool is_one_sided = false;  // of an open chain: nothing is inside

  bool is_straight() const { return radius == 0.0; }
  bool is_convex_arc() const { return radius > 0.0; }
  bool is_concave_arc() const { return radius < 0.0; }
  bool is_line() const { return std::isinf(length); }
  bool has_ends() const { return from.value >= 0; }
  double lowest() const { return is_line() ? -length : 0.0; }  // of the places along it
  Eigen::Vector2d point_at(double along) const;
  Eigen::Vector2d tangent_at(double along) const;
  Eigen::Vector2d end() const {
    return is_straight() ? Eigen::Vector2d(start + length * tangent) : point_at(length);
  }
  Eigen::Vector2d end_tangent() const { return is_straight() ? tangent : tangent_at(length); }
};

/// The edge as another frame sees it.
OutlineEdge placed(const OutlineEdge& edge, const RigidPose<2>& pose);

/// Arcs: the place along it that the centre sees in a direction. Places before its start are negative, as far as to the
/// point opposite to its middle.
double along_towards(const OutlineEdge& arc, const Eigen::Vector2d& direction);

/// The nearest point of an edge, given by its place along it.
double clipped_foot(const OutlineEdge& edge, const Eigen::Vector2d& point);
/// Distance of a point from an edge.
double edge_distance(const OutlineEdge& edge, const Eigen::Vector2d& point);
inline double segment_distance(const OutlineEdge& edge, const Eigen::Vector2d& point) {
  if (!edge.is_straight() || edge.is_line()) return edge_distance(edge, point);
  const double foot = std::clamp(edge.tangent.dot(point - edge.start), 0.0, edge.length);
  return (point - (edge.start + foot * edge.tangent)).norm();
}

/// Distance of two edges in one frame, at least one of them an arc, as long as they do not meet: between ends, and
/// between points with a common normal.
double edge_distance(const OutlineEdge& first, const OutlineEdge& second);

/// Where two edges in one frame meet, at most twice, up to `tolerance`; edges that run along each other meet nowhere.
/// Given as places along both.
struct EdgeMeeting {
  double on_first = 0.0, on_second = 0.0;
};
std::vector<EdgeMeeting> edge_meetings(const OutlineEdge& first, const OutlineEdge& second,
                                       double tolerance);

/// An arc from one point to another, bulge = tan(angle/4), positive counter-clockwise; 0: straight. Its corners are
/// left open.
OutlineEdge make_edge(const Eigen::Vector2d& from, const Eigen::Vector2d& to, double bulge);
/// A whole circle, counter-clockwise (radius > 0, material inside) or clockwise (radius < 0, a round hole).
OutlineEdge make_circle(const Eigen::Vector2d& centre, double radius);
/// The border of a half-plane: material where normal . x <= offset.
OutlineEdge make_line(const Eigen::Vector2d& normal, double offset);

/// The smallest box around an edge, axis-parallel.
struct EdgeBox {
  Eigen::Vector2d low = Eigen::Vector2d::Zero(), high = Eigen::Vector2d::Zero();
};
EdgeBox box_of(const OutlineEdge& edge);

}  // namespace clack
