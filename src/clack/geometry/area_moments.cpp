// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <numbers>

#include "clack/geometry/outline.hpp"

namespace clack {
namespace {

using Eigen::Vector2d;

/// Integrals around a boundary, about a point of it: no digits are lost far from the origin.
struct BoundaryIntegrals {
  Vector2d origin = Vector2d::Zero();
  double area = 0.0, polar = 0.0;
  Vector2d first = Vector2d::Zero();

  void add_straight(const Vector2d& from, const Vector2d& to) {
    const Vector2d p = from - origin, r = to - origin;
    const double c = cross2(p, r);
    area += c / 2.0;
    first += (p + r) * (c / 6.0);
    polar += c * (p.dot(p) + p.dot(r) + r.dot(r)) / 12.0;
  }

  /// Thin triangles from the origin: dA = p x dp/2, their mass centres at 2 p/3, their polar moments |p|^2 dA/2.
  void add_arc(const OutlineEdge& arc) {
    static constexpr std::array<double, 4> nodes{0.1834346424956498, 0.5255324099163290,
                                                 0.7966664774136267, 0.9602898564975363},
        weights{0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
    const double sweep = arc.length / arc.radius;
    const int pieces = 1 + static_cast<int>(std::abs(sweep) / (std::numbers::pi / 8.0));
    const double half = 0.5 * sweep / pieces;
    const Vector2d from_centre = arc.start - arc.centre;
    for (int k = 0; k < pieces; ++k)
      for (std::size_t i = 0; i < nodes.size(); ++i)
        for (const double sign : {-1.0, 1.0}) {
          const double angle = (2 * k + 1 + sign * nodes[i]) * half;
          const double c = std::cos(angle), s = std::sin(angle), h = std::sin(0.5 * angle);
          // p - start = 2 sin(angle/2) (from_centre turned by angle/2 and a right angle): exact for shallow arcs.
          const double ch = std::cos(0.5 * angle);
          const Vector2d way = 2.0 * h *
                               Vector2d(-h * from_centre.x() - ch * from_centre.y(),
                                        ch * from_centre.x() - h * from_centre.y());
          const Vector2d p = arc.start - origin + way;
          const Vector2d rate(-s * from_centre.x() - c * from_centre.y(),
                              c * from_centre.x() - s * from_centre.y());
          const double element = 0.5 * weights[i] * half * cross2(p, rate);
          area += element;
          first += p * (2.0 / 3.0 * element);
          polar += 0.5 * p.squaredNorm() * element;
        }
  }

  AreaMoments moments() const {
    AreaMoments result;
    result.area = area;
    const Vector2d centre = first / area;
    result.centroid = origin + centre;
    result.second_moment = polar - area * centre.squaredNorm();
    return result;
  }
};

}  // namespace

AreaMoments area_moments(std::span<const Vector2d> points) {
  if (points.empty()) return {};
  BoundaryIntegrals integrals{.origin = points[0]};
  for (std::size_t i = 0; i < points.size(); ++i)
    integrals.add_straight(points[i], points[i + 1 < points.size() ? i + 1 : 0]);
  return integrals.moments();
}

AreaMoments area_moments(const Outline& outline) {
  if (outline.edges.empty()) return {};
  BoundaryIntegrals integrals{.origin = outline.edges[OutlineEdgeIndex(0)].start};
  bool has_area = false;
  for (const OutlineEdge& edge : outline.edges) {
    if (edge.is_one_sided || edge.is_line()) continue;
    has_area = true;
    if (edge.is_straight())
      integrals.add_straight(edge.start, outline.vertices[edge.to].point);
    else
      integrals.add_arc(edge);
  }
  return has_area ? integrals.moments() : AreaMoments{};
}

}  // namespace clack
