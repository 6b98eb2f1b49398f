// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/outline.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "clack/geometry/tolerances.hpp"

namespace clack {
namespace {

using Eigen::Vector2d;
using Points = std::span<const Vector2d>;

std::string written(const Vector2d& p) { return fmt::format("({:.6g}, {:.6g})", p.x(), p.y()); }

double largest_radius(Points points) {
  double radius = 0.0;
  for (const Vector2d& p : points) radius = std::max(radius, p.norm());
  return radius;
}

std::size_t after(Points points, std::size_t i) { return i + 1 < points.size() ? i + 1 : 0; }

std::optional<OutlineFault> bad_number(Points points) {
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!points[i].allFinite())
      return OutlineFault{fmt::format("vertex {} is not finite", i), "write finite numbers",
                          static_cast<int>(i)};
  return std::nullopt;
}

std::optional<OutlineFault> bad_edge(Points points, double size) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::size_t next = after(points, i);
    const double length = (points[next] - points[i]).norm();
    if (length > outline_tolerances.shortest_edge * size) continue;
    const int from = static_cast<int>(i), to = static_cast<int>(next);
    if (length == 0.0)
      return OutlineFault{
          fmt::format("vertex {} repeats vertex {} at {}", to, from, written(points[i])),
          "remove one of the two (the outline closes by itself)", to, from};
    return OutlineFault{
        fmt::format(
            "edge {} from {} to {} is {:.3g} m long, less than {:.3g} m, {:.0e} of the size", from,
            written(points[i]), written(points[next]), length,
            outline_tolerances.shortest_edge * size, outline_tolerances.shortest_edge),
        "remove one of its two vertices", from, to};
  }
  return std::nullopt;
}

/// All points on one line.
bool is_flat(Points points, double size) {
  std::size_t far = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    if ((points[i] - points[0]).norm() > (points[far] - points[0]).norm()) far = i;
  const Vector2d along = (points[far] - points[0]).normalized();
  double width = 0.0;
  for (const Vector2d& p : points) width = std::max(width, std::abs(cross2(along, p - points[0])));
  return width <= outline_tolerances.smallest_area * size;
}

/// Where two edges that are not neighbours meet, or a neighbour that runs back on the edge before it.
std::optional<Vector2d> meeting(const OutlineEdge& a, const OutlineEdge& b, double tolerance) {
  if (a.to == b.from || b.to == a.from) {
    const bool a_first = a.to == b.from;
    const OutlineEdge &first = a_first ? a : b, &second = a_first ? b : a;
    const bool runs_back =
        first.tangent.dot(second.tangent) < 0.0 &&
        std::abs(cross2(first.tangent, second.tangent)) * std::min(a.length, b.length) <= tolerance;
    if (runs_back) return second.start;
    return std::nullopt;
  }
  const double sine = cross2(a.tangent, b.tangent);
  const Vector2d between = b.start - a.start;
  if (sine != 0.0) {
    const double s = cross2(between, b.tangent) / sine, u = cross2(between, a.tangent) / sine;
    if (s >= 0.0 && s <= a.length && u >= 0.0 && u <= b.length) return a.start + s * a.tangent;
  }
  for (const Vector2d& p : {b.start, b.end()})
    if (segment_distance(a, p) <= tolerance) return p;
  for (const Vector2d& p : {a.start, a.end()})
    if (segment_distance(b, p) <= tolerance) return p;
  return std::nullopt;
}

std::optional<OutlineFault> self_intersection(const Outline& outline) {
  const RigidPose<2> here;
  TreeWorkspace work;
  std::optional<OutlineFault> found;
  const double tolerance = outline_tolerances.rounding * outline.radius;
  visit_leaf_pairs(
      outline.tree, outline.tree, RelativePose<2>(here, here), work,
      [&] { return found ? -1.0 : tolerance; },
      [&](const auto& first, const auto& second) {
        for (int i = first.first; i < first.last && !found; ++i)
          for (int j = std::max(i + 1, second.first); j < second.last && !found; ++j) {
            const auto at = meeting(outline.edges[OutlineEdgeIndex(i)],
                                    outline.edges[OutlineEdgeIndex(j)], tolerance);
            if (!at) continue;
            found = OutlineFault{
                fmt::format("the outline meets itself: edges {} and {} at {}", i, j, written(*at)),
                "draw a simple polygon: its edges meet at their common vertices only", i, j};
          }
      });
  return found;
}

}  // namespace

Corner corner_kind(double turn) {
  if (std::abs(turn) <= outline_tolerances.straight) return Corner::collinear;
  return turn > 0.0 ? Corner::convex : Corner::reflex;
}

std::optional<OutlineFault> outline_fault(Points points) {
  if (points.size() < 3)
    return OutlineFault{fmt::format("an outline of {} {}", points.size(),
                                    points.size() == 1 ? "vertex" : "vertices"),
                        "give at least three vertices, counter-clockwise"};
  if (auto fault = bad_number(points)) return fault;
  const double size = largest_radius(points);
  if (auto fault = bad_edge(points, size)) return fault;
  if (is_flat(points, size))
    return OutlineFault{"all vertices lie on one line, the area is zero",
                        "give vertices that enclose an area"};
  if (auto fault = self_intersection(make_outline(points))) return fault;
  const double area = area_moments(points).area;
  if (area < 0.0) {
    OutlineFault fault{fmt::format("the vertices run clockwise (area {:.6g} m2)", area),
                       "reverse the order or write orient: true", 0};
    fault.is_clockwise = true;
    return fault;
  }
  return std::nullopt;
}

Outline make_outline(Points points, int leaf_size) {
  Outline outline;
  const int n = static_cast<int>(points.size());
  std::vector<Vector2d> lows, highs;
  for (int i = 0; i < n; ++i) {
    const int next = i + 1 < n ? i + 1 : 0;
    OutlineEdge edge;
    edge.start = points[i];
    const Vector2d way = points[next] - points[i];
    edge.length = way.norm();
    edge.tangent = way / edge.length;
    edge.normal = {edge.tangent.y(), -edge.tangent.x()};
    edge.from = OutlineVertexIndex(i);
    edge.to = OutlineVertexIndex(next);
    outline.edges.push_back(edge);
    lows.push_back(points[i].cwiseMin(points[next]));
    highs.push_back(points[i].cwiseMax(points[next]));
  }
  for (int i = 0; i < n; ++i) {
    const OutlineEdgeIndex before(i > 0 ? i - 1 : n - 1), behind(i);
    const Vector2d &t0 = outline.edges[before].tangent, &t1 = outline.edges[behind].tangent;
    outline.vertices.push_back({points[i], std::atan2(cross2(t0, t1), t0.dot(t1)), before, behind});
  }
  outline.tree = BoxTree<2>(lows, highs, leaf_size);
  outline.radius = largest_radius(points);
  return outline;
}

AreaMoments area_moments(Points points) {
  AreaMoments moments;
  if (points.empty()) return moments;
  const Vector2d origin = points[0];  // sums around a vertex: no digits lost far from the origin
  Vector2d first = Vector2d::Zero();
  double polar = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vector2d p = points[i] - origin, r = points[after(points, i)] - origin;
    const double c = cross2(p, r);
    moments.area += c / 2.0;
    first += (p + r) * (c / 6.0);
    polar += c * (p.dot(p) + p.dot(r) + r.dot(r)) / 12.0;
  }
  const Vector2d centre = first / moments.area;
  moments.centroid = origin + centre;
  moments.second_moment = polar - moments.area * centre.squaredNorm();
  return moments;
}

AreaMoments area_moments(const Outline& outline) {
  std::vector<Vector2d> points;
  for (const OutlineVertex& vertex : outline.vertices) points.push_back(vertex.point);
  return area_moments(points);
}

bool contains(const Outline& outline, const Vector2d& point) {
  std::array<int, 64> stack{};  // depth of the tree: below 32
  int top = 0;
  bool is_inside = false;
  if (!outline.tree.empty()) stack[top++] = 0;
  while (top > 0) {
    const auto& node = outline.tree[stack[--top]];
    const Vector2d from_centre = point - node.box.centre;
    if (std::abs(from_centre.y()) > node.box.half.y() || from_centre.x() > node.box.half.x())
      continue;
    if (!node.is_leaf()) {
      stack[top++] = node.child;
      stack[top++] = node.child + 1;
      continue;
    }
    for (int i = node.first; i < node.last; ++i) {
      const OutlineEdge& edge = outline.edges[OutlineEdgeIndex(i)];
      const Vector2d &a = edge.start, &b = outline.vertices[edge.to].point;
      const bool crosses = (a.y() > point.y()) != (b.y() > point.y());
      if (!crosses) continue;
      const bool is_left = cross2(b - a, point - a) > 0.0;
      if (is_left == (b.y() > a.y())) is_inside = !is_inside;
    }
  }
  return is_inside;
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
