// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "clack/geometry/box_tree.hpp"
#include "clack/index.hpp"

namespace clack {

using OutlineVertexIndex = Index<struct OutlineVertexTag>;
using OutlineEdgeIndex = Index<struct OutlineEdgeTag>;

/// A corner of an outline. It can rest on edges of others when it is convex; reflex and collinear ones never do.
struct OutlineVertex {
  Eigen::Vector2d point = Eigen::Vector2d::Zero();
  double turn = 0.0;  // gam, from the edge before it to the edge after it: convex > 0, reflex < 0
  OutlineEdgeIndex before, after;
};
/// A straight edge from one corner to the next, material on its left.
struct OutlineEdge {
  Eigen::Vector2d start = Eigen::Vector2d::Zero(), tangent = Eigen::Vector2d::UnitX(),
                  normal = -Eigen::Vector2d::UnitY();  // outward, (T_y, -T_x)
  double length = 0.0;
  OutlineVertexIndex from, to;

  Eigen::Vector2d end() const { return start + length * tangent; }
};

enum class Corner { convex, reflex, collinear };
Corner corner_kind(double turn);

/// Why points are no outline, in words; `vertex` (and `other`) are the indices of what is wrong.
struct OutlineFault {
  std::string what, remedy;
  int vertex = -1, other = -1;
  bool is_clockwise = false;  // turning the order round would mend it
};

/// A planar body as it is drawn: a simple polygon, counter-clockwise (polygon-contact 2.1), with its tree of boxes.
/// Edge j runs from vertex j to the next one.
struct Outline {
  Indexed<OutlineVertex, OutlineVertexIndex> vertices;
  Indexed<OutlineEdge, OutlineEdgeIndex> edges;
  BoxTree<2> tree;      // over the edges
  double radius = 0.0;  // largest distance of a vertex from the origin of the body

  Corner corner(OutlineVertexIndex vertex) const { return corner_kind(vertices[vertex].turn); }
};

/// Elements in a leaf of the tree; any other number gives the same answers (tests use that).
inline constexpr int outline_leaf_size = 2;

/// Nothing if the points are a simple polygon, counter-clockwise, without repeated points.
std::optional<OutlineFault> outline_fault(std::span<const Eigen::Vector2d> points);
/// `outline_fault` must have found nothing.
Outline make_outline(std::span<const Eigen::Vector2d> points, int leaf_size = outline_leaf_size);

/// Of a plate of unit mass per area.
///
///   A = sum c_k/2,  c_k = p_k x p_(k+1),  centroid = sum (p_k + p_(k+1)) c_k/(6 A)
///   J = sum c_k (p_k.p_k + p_k.p_(k+1) + p_(k+1).p_(k+1))/12 - A |centroid|^2
struct AreaMoments {
  double area = 0.0;                                   // m2
  Eigen::Vector2d centroid = Eigen::Vector2d::Zero();  // m
  double second_moment = 0.0;                          // m4, about the centroid
};
AreaMoments area_moments(std::span<const Eigen::Vector2d> points);
AreaMoments area_moments(const Outline& outline);

/// Whether a point in the body's frame is inside (rays to +x through the tree; on the boundary: either answer).
bool contains(const Outline& outline, const Eigen::Vector2d& point);
/// Distance of a point in the body's frame from the boundary.
double boundary_distance(const Outline& outline, const Eigen::Vector2d& point);

/// The nearest point of a segment, given by its place along it, 0 ... length.
inline double clipped_foot(const OutlineEdge& edge, const Eigen::Vector2d& point) {
  return std::clamp(edge.tangent.dot(point - edge.start), 0.0, edge.length);
}
inline double segment_distance(const OutlineEdge& edge, const Eigen::Vector2d& point) {
  return (point - (edge.start + clipped_foot(edge, point) * edge.tangent)).norm();
}

inline double cross2(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return a.x() * b.y() - a.y() * b.x();
}

}  // namespace clack
