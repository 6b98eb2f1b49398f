// SPDX-License-Identifier: Apache-2.0
// What is wrong with drawn loops, in words.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "clack/geometry/outline.hpp"
#include "clack/geometry/tolerances.hpp"

namespace clack {
namespace {

using Eigen::Vector2d;
using Points = std::span<const Vector2d>;

std::string written(const Vector2d& p) { return fmt::format("({:.6g}, {:.6g})", p.x(), p.y()); }

bool has_corners(const OutlineLoop& loop) {
  return loop.kind == LoopKind::closed || loop.kind == LoopKind::open;
}

double largest_radius(std::span<const OutlineLoop> loops) {
  double radius = 0.0;
  for (const OutlineLoop& loop : loops)
    for (const Vector2d& p : loop.points)
      radius = std::max(radius, p.norm() + std::abs(loop.radius));
  return radius;
}

/// An arc that is a whole turn but for 4/bulge rad: its radius is bulge/4 chords, which then are below its rounding.
constexpr double largest_bulge = 1e6;

std::optional<OutlineFault> bad_number(const OutlineLoop& loop) {
  for (std::size_t i = 0; i < loop.points.size(); ++i) {
    if (!loop.points[i].allFinite())
      return OutlineFault{fmt::format("vertex {} is not finite", i), "write finite numbers",
                          static_cast<int>(i)};
    if (!(std::abs(loop.bulge(i)) <= largest_bulge))
      return OutlineFault{fmt::format("vertex {}: the bulge is {}", i, loop.bulge(i)),
                          "bulge = tan(angle/4) of an arc below a whole turn; a whole circle is a "
                          "disk, or two arcs "
                          "of bulge 1",
                          static_cast<int>(i)};
  }
  return std::nullopt;
}

std::optional<OutlineFault> too_few(const OutlineLoop& loop) {
  const std::size_t count = loop.points.size();
  bool has_arc = false;
  for (std::size_t i = 0; i < count; ++i) has_arc |= loop.bulge(i) != 0.0;
  const std::size_t least = loop.kind == LoopKind::open || has_arc ? 2 : 3;
  if (count >= least) return std::nullopt;
  return OutlineFault{fmt::format("an outline of {} {}", count, count == 1 ? "vertex" : "vertices"),
                      loop.kind == LoopKind::open
                          ? "give at least two vertices"
                          : "give at least three vertices, counter-clockwise"};
}

std::optional<OutlineFault> bad_edge(const OutlineLoop& loop, double size) {
  const Points points = loop.points;
  const std::size_t ways = loop.kind == LoopKind::open ? points.size() - 1 : points.size();
  for (std::size_t i = 0; i < ways; ++i) {
    const std::size_t next = i + 1 < points.size() ? i + 1 : 0;
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

/// All points on one line, and no arc beside it.
bool is_flat(const OutlineLoop& loop, double size) {
  const Points points = loop.points;
  std::size_t far = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (loop.bulge(i) != 0.0) return false;
    if ((points[i] - points[0]).norm() > (points[far] - points[0]).norm()) far = i;
  }
  const Vector2d along = (points[far] - points[0]).normalized();
  double width = 0.0;
  for (const Vector2d& p : points) width = std::max(width, std::abs(cross2(along, p - points[0])));
  return width <= outline_tolerances.smallest_area * size;
}

/// A neighbour that runs back on the edge before it.
bool runs_back(const OutlineEdge& first, const OutlineEdge& second, double tolerance) {
  const Vector2d before = first.end_tangent();
  const double sine = std::abs(cross2(before, second.tangent));
  if (before.dot(second.tangent) >= 0.0) return false;
  if (first.is_straight() && second.is_straight())
    return sine * std::min(first.length, second.length) <= tolerance;
  return sine <= outline_tolerances.same_normal;  // a cusp: no corner has such a tip
}

/// Where two edges meet elsewhere than at a common corner.
std::optional<Vector2d> meeting(const OutlineEdge& a, const OutlineEdge& b, double tolerance) {
  const bool is_after = a.has_ends() && a.to == b.from, is_before = b.has_ends() && b.to == a.from;
  if (is_after && runs_back(a, b, tolerance)) return b.start;
  if (is_before && runs_back(b, a, tolerance)) return a.start;
  const bool are_neighbours = is_after || is_before;
  if (are_neighbours && a.is_straight() && b.is_straight()) return std::nullopt;
  const double near = outline_tolerances.same_point * std::min(a.length, b.length);
  const auto is_common = [&](const Vector2d& p) {
    return (is_after && (p - b.start).norm() <= near) ||
           (is_before && (p - a.start).norm() <= near);
  };
  for (const EdgeMeeting& m : edge_meetings(a, b, 0.0)) {
    const Vector2d at = a.point_at(m.on_first);
    if (!is_common(at)) return at;
  }
  for (const auto& [mine, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    if (!mine->has_ends()) continue;
    for (const Vector2d& p : {mine->start, mine->end()})
      if (!is_common(p) && segment_distance(*other, p) <= tolerance) return p;
  }
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

/// Direction of a loop, and whether a hole lies in its outline and in no other hole.
std::optional<OutlineFault> bad_direction(const OutlineLoop& loop, bool is_hole) {
  if (loop.kind == LoopKind::open || loop.kind == LoopKind::line) return std::nullopt;
  const double area = loop.kind == LoopKind::circle
                          ? std::copysign(std::numbers::pi * loop.radius * loop.radius, loop.radius)
                          : area_moments(make_outline(std::span(&loop, 1))).area;
  if (is_hole ? area < 0.0 : area > 0.0) return std::nullopt;
  OutlineFault fault;
  fault.what = is_hole ? fmt::format("the hole runs counter-clockwise (area {:.6g} m2)", area)
                       : fmt::format("the vertices run clockwise (area {:.6g} m2)", area);
  fault.remedy = is_hole ? "holes run clockwise: reverse the order or write orient: true"
                         : "reverse the order or write orient: true";
  fault.vertex = 0;
  fault.is_clockwise = true;
  return fault;
}

std::optional<OutlineFault> misplaced_hole(std::span<const OutlineLoop> loops, std::size_t hole) {
  const Outline mine = make_outline(loops.subspan(hole, 1));
  const Vector2d point = mine.edges[OutlineEdgeIndex(0)].start;
  const Outline outer = make_outline(loops.first(1));
  OutlineFault fault{"", "holes lie in their outline, apart from each other", 0};
  if (!contains(outer, point)) {
    fault.what = fmt::format("hole {} at {} is outside of its outline", hole - 1, written(point));
    return fault;
  }
  for (std::size_t k = 1; k < loops.size(); ++k) {
    if (k == hole) continue;
    const OutlineLoop turned = reversed(loops[k]);  // holes run clockwise
    if (!contains(make_outline(std::span(&turned, 1)), point)) continue;
    fault.what = fmt::format("hole {} at {} lies in hole {}", hole - 1, written(point), k - 1);
    return fault;
  }
  return std::nullopt;
}

}  // namespace

std::optional<OutlineFault> outline_fault(std::span<const OutlineLoop> loops) {
  const double size = largest_radius(loops);
  const auto of_loop = [](std::optional<OutlineFault> fault, std::size_t loop) {
    if (fault) fault->loop = static_cast<int>(loop);
    return fault;
  };
  for (std::size_t k = 0; k < loops.size(); ++k) {
    const OutlineLoop& loop = loops[k];
    if (!has_corners(loop)) continue;
    if (auto fault = of_loop(too_few(loop), k)) return fault;
    if (auto fault = of_loop(bad_number(loop), k)) return fault;
    if (auto fault = of_loop(bad_edge(loop, size), k)) return fault;
    if (loop.kind == LoopKind::closed && is_flat(loop, size))
      return of_loop(OutlineFault{"all vertices lie on one line, the area is zero",
                                  "give vertices that enclose an area"},
                     k);
  }
  if (auto fault = self_intersection(make_outline(loops))) return fault;
  for (std::size_t k = 0; k < loops.size(); ++k)
    if (auto fault = of_loop(bad_direction(loops[k], k > 0), k)) return fault;
  for (std::size_t k = 1; k < loops.size(); ++k)
    if (auto fault = of_loop(misplaced_hole(loops, k), k)) return fault;
  return std::nullopt;
}

std::optional<OutlineFault> outline_fault(Points points) {
  OutlineLoop loop;
  loop.points.assign(points.begin(), points.end());
  return outline_fault(std::span<const OutlineLoop>(&loop, 1));
}

}  // namespace clack
