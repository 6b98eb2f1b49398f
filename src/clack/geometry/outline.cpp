// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/outline.hpp"

#include <array>
#include <cmath>

#include "clack/geometry/tolerances.hpp"

namespace clack {
namespace {

using Eigen::Vector2d;

Vector2d inward_at_end(const Vector2d& tangent) { return {-tangent.y(), tangent.x()}; }

/// The largest distance of a boundary point from the origin: of a corner, or of the far side of an arc.
double reach_of(const OutlineEdge& edge) {
  if (edge.is_line()) return edge.start.norm();
  double reach = std::max(edge.start.norm(), edge.end().norm());
  if (edge.is_straight()) return reach;
  const double far = edge.centre.norm();
  const double along = far > 0.0 ? along_towards(edge, edge.centre) : 0.0;
  if (along >= 0.0 && along <= edge.length) reach = std::max(reach, far + std::abs(edge.radius));
  return reach;
}

/// Tree, radius and what else follows from vertices and edges.
constexpr int few_edges = 32;

void finish(Outline& outline, int leaf_size) {
  std::vector<Vector2d> lows, highs;
  outline.radius = 0.0;
  outline.has_inside = outline.edges.empty();
  for (const OutlineEdge& edge : outline.edges) {
    const EdgeBox box = box_of(edge);
    lows.push_back(box.low);
    highs.push_back(box.high);
    outline.radius = std::max(outline.radius, reach_of(edge));
    outline.has_arcs |= !edge.is_straight();
    outline.is_bounded &= !edge.is_line();
    outline.has_inside |= !edge.is_one_sided;
  }
  for (const OutlineVertexIndex i : indices(outline.vertices)) {
    OutlineVertex& vertex = outline.vertices[i];
    const Vector2d t0 = outline.tangent_before(vertex), t1 = outline.tangent_after(vertex);
    vertex.turn = std::atan2(cross2(t0, t1), t0.dot(t1));
  }
  // Two sides of a small part in one box: that is a box around air, which nothing is apart from.
  const bool is_small = leaf_size == outline_leaf_size && outline.edges.size() <= few_edges;
  outline.tree = BoxTree<2>(lows, highs, is_small ? 1 : leaf_size);
}

void add_chain(const OutlineLoop& loop, int& corners, int& ways, Outline& outline) {
  const int n = number_of(loop.points), first = outline.vertices.size(),
            first_edge = outline.edges.size();
  const bool is_open = loop.kind == LoopKind::open;
  for (int i = 0; i < n; ++i) {
    const bool is_first = i == 0, is_last = i + 1 == n;
    OutlineVertex vertex;
    vertex.point = loop.points[i];
    if (!is_first || !is_open)
      vertex.before = OutlineEdgeIndex(first_edge + (is_first ? n - 1 : i - 1));
    if (!is_last || !is_open) vertex.after = OutlineEdgeIndex(first_edge + i);
    vertex.label = loop.corner_labels.empty() ? corners : loop.corner_labels[i];
    ++corners;
    outline.vertices.push_back(vertex);
    if (is_last && is_open) break;
    OutlineEdge edge = make_edge(loop.points[i], loop.points[is_last ? 0 : i + 1], loop.bulge(i));
    edge.from = OutlineVertexIndex(first + i);
    edge.to = OutlineVertexIndex(first + (is_last ? 0 : i + 1));
    const int label = loop.edge_labels.empty() ? ways : loop.edge_labels[i];
    edge.is_corner = label < 0;
    edge.label = label < 0 ? ~label : label;
    edge.is_one_sided = is_open;
    ++ways;
    outline.edges.push_back(edge);
  }
}

/// Crossings of the ray to +x from a point, upward ones counted +1, downward ones -1.
int ray_crossing(const Vector2d& a, const Vector2d& b, const Vector2d& point) {
  if ((a.y() > point.y()) == (b.y() > point.y())) return 0;
  const bool is_left = cross2(b - a, point - a) > 0.0, is_up = b.y() > a.y();
  return is_left == is_up ? (is_up ? 1 : -1) : 0;
}

/// The same for an arc, in pieces between its lowest and highest points.
int arc_crossings(const OutlineEdge& arc, const Vector2d& last, const Vector2d& point) {
  const double r = std::abs(arc.radius);
  std::array<double, 4> cuts{};
  std::size_t count = 0;
  for (const Vector2d& pole : {Vector2d(0, 1), Vector2d(0, -1)}) {
    const double along = along_towards(arc, pole);
    if (along > 0.0 && along < arc.length) cuts[count++] = along;
  }
  if (count == 2 && cuts[0] > cuts[1]) std::swap(cuts[0], cuts[1]);
  int winding = 0;
  Vector2d from = arc.start;
  double begin = 0.0;
  for (std::size_t k = 0; k <= count; ++k) {
    const double end = k < count ? cuts[k] : arc.length;
    const Vector2d to = k < count ? arc.point_at(end) : last;
    if ((from.y() > point.y()) != (to.y() > point.y())) {
      const double height = point.y() - arc.centre.y();
      const double width = std::sqrt(std::max(0.0, (r - height) * (r + height)));
      const bool is_right = arc.point_at(0.5 * (begin + end)).x() > arc.centre.x();
      const double at = arc.centre.x() + (is_right ? width : -width);
      if (at > point.x()) winding += to.y() > from.y() ? 1 : -1;
    }
    from = to;
    begin = end;
  }
  return winding;
}

int winding_of(const Outline& outline, const OutlineEdge& edge, const Vector2d& point) {
  if (edge.is_one_sided) return 0;
  if (edge.is_line()) return edge.normal.dot(point - edge.start) < 0.0 ? 1 : 0;
  const Vector2d& last = edge.has_ends() ? outline.vertices[edge.to].point : edge.start;
  return edge.is_straight() ? ray_crossing(edge.start, last, point)
                            : arc_crossings(edge, last, point);
}

}  // namespace

Corner corner_kind(double turn) {
  if (std::abs(turn) <= outline_tolerances.straight) return Corner::collinear;
  return turn > 0.0 ? Corner::convex : Corner::reflex;
}

OutlineLoop reversed(OutlineLoop loop) {
  loop.radius = -loop.radius;
  std::reverse(loop.points.begin(), loop.points.end());
  if (loop.bulges.empty()) return loop;
  std::reverse(loop.bulges.begin(), loop.bulges.end());
  std::rotate(loop.bulges.begin(), loop.bulges.begin() + 1, loop.bulges.end());
  for (double& bulge : loop.bulges) bulge = -bulge;
  return loop;
}

Vector2d Outline::tangent_before(const OutlineVertex& vertex) const {
  if (vertex.before.is_valid()) return edges[vertex.before].end_tangent();
  return -inward_at_end(edges[vertex.after].tangent);  // an open chain begins: out of the material
}

Vector2d Outline::tangent_after(const OutlineVertex& vertex) const {
  if (vertex.after.is_valid()) return edges[vertex.after].tangent;
  return inward_at_end(edges[vertex.before].end_tangent());
}

Outline make_outline(std::span<const OutlineLoop> loops, int leaf_size) {
  Outline outline;
  int corners = 0, ways = 0;
  for (const OutlineLoop& loop : loops) {
    if (loop.kind == LoopKind::closed || loop.kind == LoopKind::open) {
      add_chain(loop, corners, ways, outline);
      continue;
    }
    OutlineEdge edge = loop.kind == LoopKind::circle ? make_circle(loop.points[0], loop.radius)
                                                     : make_line(loop.points[0], loop.offset);
    edge.label = loop.edge_labels.empty() ? ways : loop.edge_labels[0];
    ++ways;
    outline.edges.push_back(edge);
  }
  finish(outline, leaf_size);
  return outline;
}

Outline make_outline(std::span<const Vector2d> points, int leaf_size) {
  OutlineLoop loop;
  loop.points.assign(points.begin(), points.end());
  return make_outline(std::span<const OutlineLoop>(&loop, 1), leaf_size);
}

Outline joined(std::span<const Outline* const> shapes) {
  Outline all;
  for (const Outline* shape : shapes) {
    const int vertices = all.vertices.size(), edges = all.edges.size();
    const auto shifted = [](auto index, int by) {
      return index.is_valid() ? decltype(index)(index.value + by) : index;
    };
    for (OutlineVertex vertex : shape->vertices) {
      vertex.before = shifted(vertex.before, edges);
      vertex.after = shifted(vertex.after, edges);
      all.vertices.push_back(vertex);
    }
    for (OutlineEdge edge : shape->edges) {
      edge.from = shifted(edge.from, vertices);
      edge.to = shifted(edge.to, vertices);
      all.edges.push_back(edge);
    }
  }
  finish(all, outline_leaf_size);
  return all;
}

Outline moved(const Outline& outline, const Vector2d& by) {
  Outline result = outline;
  for (const OutlineVertexIndex i : indices(result.vertices)) result.vertices[i].point += by;
  for (const OutlineEdgeIndex j : indices(result.edges)) {
    OutlineEdge& edge = result.edges[j];
    // A line keeps its foot: digits are lost far from it.
    edge.start += edge.is_line() ? Vector2d(edge.normal.dot(by) * edge.normal) : by;
    edge.centre += by;
  }
  finish(result, outline_leaf_size);
  return result;
}

bool contains(const Outline& outline, const Vector2d& point) {
  std::array<int, 64> stack{};  // depth of the tree: below 32
  int top = 0, winding = 0;
  if (!outline.tree.empty()) stack[top++] = 0;
  while (top > 0) {
    const auto& node = outline.tree[stack[--top]];
    const Vector2d from_centre = point - node.box.centre;
    const bool is_line = !std::isfinite(node.box.half.sum());
    if (!is_line &&
        (std::abs(from_centre.y()) > node.box.half.y() || from_centre.x() > node.box.half.x()))
      continue;
    if (!node.is_leaf()) {
      stack[top++] = node.child;
      stack[top++] = node.child + 1;
      continue;
    }
    for (int i = node.first; i < node.last; ++i)
      winding += winding_of(outline, outline.edges[OutlineEdgeIndex(i)], point);
  }
  return winding > 0;
}

double boundary_distance(const Outline& outline, const Vector2d& point) {
  std::array<int, 64> stack{};
  int top = 0;
  double best = std::numeric_limits<double>::infinity();
  const double slack = outline_tolerances.rounding * (outline.radius + point.norm());
  if (!outline.tree.empty()) stack[top++] = 0;
  while (top > 0) {
    const auto& node = outline.tree[stack[--top]];
    if (distance_to<2>(node.box, point) > best + slack) continue;
    if (node.is_leaf()) {
      for (int i = node.first; i < node.last; ++i)
        best = std::min(best, segment_distance(outline.edges[OutlineEdgeIndex(i)], point));
      continue;
    }
    const int a = node.child, b = node.child + 1;
    const bool a_is_near =
        distance_to<2>(outline.tree[a].box, point) <= distance_to<2>(outline.tree[b].box, point);
    stack[top++] = a_is_near ? b : a;
    stack[top++] = a_is_near ? a : b;
  }
  return best;
}

}  // namespace clack
