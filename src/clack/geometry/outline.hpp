// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "clack/geometry/outline_edge.hpp"

namespace clack {

/// A corner of an outline. It can rest on edges of others when it is convex; reflex and collinear ones (smooth joins
/// among them) never do.
struct OutlineVertex {
  Eigen::Vector2d point = Eigen::Vector2d::Zero();
  double turn = 0.0;  // gam, from the edge before it to the edge after it: convex > 0, reflex < 0
  OutlineEdgeIndex before, after;  // none: the end of an open chain, cut off at right angles
  int label = 0;  // its number in its shape; -1: where an offset made a round corner
};

enum class Corner { convex, reflex, collinear };
Corner corner_kind(double turn);

/// Corners in their order, as they are drawn. Closed loops have their material on the left: outer ones run
/// counter-clockwise, holes clockwise.
enum class LoopKind {
  closed,
  open,    // a chain, one-sided: material on its left
  circle,  // points[0]: the centre; radius > 0: material inside, < 0: a round hole
  line,    // the border of a half-plane: points[0] is the outward normal, `offset` its distance
};
struct OutlineLoop {
  LoopKind kind = LoopKind::closed;
  std::vector<Eigen::Vector2d> points;
  std::vector<double> bulges = {};  // of the way from each point to the next; empty: all straight
  double radius = 0.0, offset = 0.0;
  /// After an offset: numbers of the corners and of the ways, ~k for the round corner k; empty: counted.
  std::vector<int> corner_labels = {}, edge_labels = {};

  double bulge(std::size_t k) const { return bulges.empty() ? 0.0 : bulges[k]; }
};

/// The same loop run through in the other direction.
OutlineLoop reversed(OutlineLoop loop);

/// Why points are no outline, in words; `vertex` (and `other`) are the indices of what is wrong, in loop `loop`.
struct OutlineFault {
  std::string what, remedy;
  int vertex = -1, other = -1;
  bool is_clockwise = false;  // turning the order round would mend it
  int loop = 0;
};

/// A planar body as it is drawn (polygon-contact 2.1 and 2.11): loops of lines and arcs, with their tree of boxes.
/// Edge j of a loop runs from its vertex j to the next one; loops count on.
struct Outline {
  Indexed<OutlineVertex, OutlineVertexIndex> vertices;
  Indexed<OutlineEdge, OutlineEdgeIndex> edges;
  BoxTree<2> tree;  // over the edges
  double radius =
      0.0;  // largest distance of a boundary point from the origin of the body (lines: of their foot)
  bool has_arcs = false;
  bool is_bounded = true;  // no half-plane
  bool has_inside = true;  // false: open chains only

  Corner corner(OutlineVertexIndex vertex) const { return corner_kind(vertices[vertex].turn); }
  /// Directions of the boundary before and behind a corner.
  Eigen::Vector2d tangent_before(const OutlineVertex& vertex) const;
  Eigen::Vector2d tangent_after(const OutlineVertex& vertex) const;
  /// The one shape is a disk: its only edge is a whole circle.
  bool is_disk() const { return edges.size() == 1 && is_disk(OutlineEdgeIndex(0)); }
  bool is_disk(OutlineEdgeIndex edge) const {
    return edges[edge].is_convex_arc() && !edges[edge].has_ends();
  }
};

/// Elements in a leaf of the tree; any other number gives the same answers (tests use that).
inline constexpr int outline_leaf_size = 2;

/// Nothing if the points are a simple polygon, counter-clockwise, without repeated points.
std::optional<OutlineFault> outline_fault(std::span<const Eigen::Vector2d> points);
/// The same for one shape: the first loop, and holes in it, clockwise. Nothing for loops that can be drawn.
std::optional<OutlineFault> outline_fault(std::span<const OutlineLoop> loops);
/// `outline_fault` must have found nothing.
Outline make_outline(std::span<const Eigen::Vector2d> points, int leaf_size = outline_leaf_size);
Outline make_outline(std::span<const OutlineLoop> loops, int leaf_size = outline_leaf_size);
/// Several shapes of one body; their edges and vertices one after another.
Outline joined(std::span<const Outline* const> shapes);
/// The same outline moved.
Outline moved(const Outline& outline, const Eigen::Vector2d& by);

/// Of a plate of unit mass per area.
///
///   A = sum c_k/2,  c_k = p_k x p_(k+1),  centroid = sum (p_k + p_(k+1)) c_k/(6 A)
///   J = sum c_k (p_k.p_k + p_k.p_(k+1) + p_(k+1).p_(k+1))/12 - A |centroid|^2
///   arcs: the same integrals of p x dp along them, by Gauss's rule to rounding
struct AreaMoments {
  double area = 0.0;                                   // m2
  Eigen::Vector2d centroid = Eigen::Vector2d::Zero();  // m
  double second_moment = 0.0;                          // m4, about the centroid
};
AreaMoments area_moments(std::span<const Eigen::Vector2d> points);
/// Shapes that lie over one another count each; open chains have no area.
AreaMoments area_moments(const Outline& outline);

/// Whether a point in the body's frame is inside (rays to +x through the tree; on the boundary: either answer). Where
/// shapes of one body lie over one another their union counts.
bool contains(const Outline& outline, const Eigen::Vector2d& point);
/// Distance of a point in the body's frame from the boundary.
double boundary_distance(const Outline& outline, const Eigen::Vector2d& point);

}  // namespace clack
