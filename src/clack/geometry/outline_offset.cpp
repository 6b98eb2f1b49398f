// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/outline_offset.hpp"

#include <fmt/format.h>

#include <cmath>

#include "clack/geometry/tolerances.hpp"

namespace clack {
namespace {

using Eigen::Vector2d;

/// Signed distance of a point from a moved edge (its line or circle), and the normal there.
struct OffsetDistance {
  double distance = 0.0;
  Vector2d normal = Vector2d::Zero();
};
OffsetDistance offset_distance(const OutlineEdge& edge, double d, const Vector2d& point) {
  if (edge.is_straight()) return {edge.normal.dot(point - edge.start) - d, edge.normal};
  const Vector2d way = point - edge.centre;
  const double sign = std::copysign(1.0, edge.radius);
  return {sign * way.norm() - edge.radius - d, sign * way.normalized()};
}

/// Where two moved edges meet, by Newton's method from where their tangents do.
std::optional<Vector2d> offset_corner(const OutlineEdge& before, const OutlineEdge& after, double d,
                                      double size) {
  const Vector2d t0 = before.end_tangent(), n0(t0.y(), -t0.x()), n1 = after.normal;
  const double lever = 1.0 + n0.dot(n1);
  if (!(lever > outline_tolerances.same_normal)) return std::nullopt;
  Vector2d point = after.start + d / lever * (n0 + n1);
  double error = 0.0;
  for (int k = 0; k < outline_tolerances.newton_steps; ++k) {
    const OffsetDistance a = offset_distance(before, d, point),
                         b = offset_distance(after, d, point);
    error = std::hypot(a.distance, b.distance);
    const double sine = cross2(a.normal, b.normal);
    if (!std::isfinite(error) || sine == 0.0) return std::nullopt;
    const Vector2d step = Vector2d(b.normal.y() * a.distance - a.normal.y() * b.distance,
                                   a.normal.x() * b.distance - b.normal.x() * a.distance) /
                          sine;
    point -= step;
    if (step.norm() <= outline_tolerances.rounding * size) break;
  }
  const bool is_met = error <= outline_tolerances.slab * size;
  return is_met ? std::optional(point) : std::nullopt;
}

/// One loop of corners.
class LoopOffset {
 public:
  LoopOffset(const OutlineLoop& loop, double d, double size, int first_corner, int first_way)
      : loop_(loop), d_(d), size_(size), first_corner_(first_corner), first_way_(first_way) {
    const std::size_t n = loop.points.size();
    ways_ = loop.kind == LoopKind::open ? n - 1 : n;
    for (std::size_t i = 0; i < ways_; ++i)
      edges_.push_back(
          make_edge(loop.points[i], loop.points[i + 1 < n ? i + 1 : 0], loop.bulge(i)));
  }

  std::optional<OutlineFault> fault() const { return fault_; }

  OutlineLoop moved() {
    const std::size_t n = loop_.points.size();
    for (std::size_t i = 0; i < n && !fault_; ++i) add_corner(i);
    OutlineLoop result{.kind = loop_.kind, .points = {}};
    for (std::size_t i = 0; i < n && !fault_; ++i) {
      const Ends& corner = corners_[i];
      result.points.push_back(corner.before);
      result.corner_labels.push_back(corner.is_round ? -1 : first_corner_ + static_cast<int>(i));
      if (corner.is_round) {
        result.bulges.push_back(std::tan(corner.turn / 4.0));
        result.edge_labels.push_back(~(first_corner_ + static_cast<int>(i)));
        result.points.push_back(corner.after);
        result.corner_labels.push_back(-1);
      }
      if (i >= ways_) break;
      result.bulges.push_back(moved_bulge(i, corner.after, corners_[i + 1 < n ? i + 1 : 0].before));
      result.edge_labels.push_back(first_way_ + static_cast<int>(i));
    }
    result.bulges.resize(result.points.size(), 0.0);
    result.edge_labels.resize(result.points.size(), 0);
    return result;
  }

 private:
  struct Ends {
    Vector2d before, after;
    double turn = 0.0;
    bool is_round = false;
  };

  void add_corner(std::size_t i) {
    const bool has_before = i > 0 || loop_.kind == LoopKind::closed, has_after = i < ways_;
    if (!has_before || !has_after) {  // an end of an open chain
      const Vector2d t = has_after ? edges_[i].tangent : edges_[i - 1].end_tangent();
      const Vector2d end = loop_.points[i] + d_ * Vector2d(t.y(), -t.x());
      corners_.push_back({end, end});
      return;
    }
    const OutlineEdge &before = edges_[i > 0 ? i - 1 : ways_ - 1], &after = edges_[i];
    const Vector2d t0 = before.end_tangent(), t1 = after.tangent, &p = loop_.points[i];
    const double turn = std::atan2(cross2(t0, t1), t0.dot(t1));
    const Vector2d moved_before = p + d_ * Vector2d(t0.y(), -t0.x()),
                   moved_after = p + d_ * after.normal;
    if (corner_kind(turn) == Corner::collinear) {
      corners_.push_back({moved_after, moved_after});
    } else if (turn * d_ > 0.0) {
      corners_.push_back({moved_before, moved_after, turn, true});
    } else if (const auto met = offset_corner(before, after, d_, size_)) {
      corners_.push_back({*met, *met});
    } else {
      vanish(static_cast<int>(i));
    }
  }

  double moved_bulge(std::size_t i, const Vector2d& from, const Vector2d& to) {
    const OutlineEdge& edge = edges_[i];
    const double least = outline_tolerances.shortest_edge * size_;
    if (edge.is_straight()) {
      if (!(edge.tangent.dot(to - from) > least)) vanish(static_cast<int>(i));
      return 0.0;
    }
    const double r = std::abs(edge.radius);
    const double angle =
        (along_towards(edge, to - edge.centre) - along_towards(edge, from - edge.centre)) / r;
    const double radius = edge.radius + d_;
    if (!(radius * edge.radius > 0.0) || !(angle * std::abs(radius) > least))
      vanish(static_cast<int>(i));
    return std::copysign(std::tan(angle / 4.0), edge.radius);
  }

  void vanish(int edge) {
    if (fault_) return;
    fault_ = OutlineFault{fmt::format("offset {:.6g} m lets edge {} vanish, which is {:.6g} m long",
                                      d_, edge, edges_[edge].length),
                          "take a smaller offset, or remove the edge", edge};
  }

  const OutlineLoop& loop_;
  double d_, size_;
  int first_corner_, first_way_;
  std::size_t ways_ = 0;
  std::vector<OutlineEdge> edges_;
  std::vector<Ends> corners_;
  std::optional<OutlineFault> fault_;
};

}  // namespace

OffsetLoops offset_loops(std::span<const OutlineLoop> loops, double d) {
  OffsetLoops result;
  if (d == 0.0) {
    result.loops.assign(loops.begin(), loops.end());
    return result;
  }
  double size = std::abs(d);
  for (const OutlineLoop& loop : loops)
    for (const Vector2d& p : loop.points) size = std::max(size, p.norm() + std::abs(loop.radius));
  int corners = 0, ways = 0;
  for (std::size_t k = 0; k < loops.size() && !result.fault; ++k) {
    OutlineLoop loop = loops[k];
    if (loop.kind == LoopKind::line) {
      loop.offset += d;
    } else if (loop.kind == LoopKind::circle) {
      if (!((loop.radius + d) * loop.radius > 0.0))
        result.fault = OutlineFault{fmt::format("offset {:.6g} m lets a circle of radius {:.6g} m "
                                                "vanish",
                                                d, std::abs(loop.radius)),
                                    "take a smaller offset"};
      loop.radius += d;
      loop.edge_labels.assign(1, ways++);
    } else {
      LoopOffset offset(loops[k], d, size, corners, ways);
      loop = offset.moved();
      result.fault = offset.fault();
      corners += number_of(loops[k].points);
      ways += number_of(loops[k].points) - (loop.kind == LoopKind::open ? 1 : 0);
    }
    if (result.fault) result.fault->loop = static_cast<int>(k);
    result.loops.push_back(std::move(loop));
  }
  return result;
}

}  // namespace clack
