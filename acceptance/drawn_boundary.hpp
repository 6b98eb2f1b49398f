// SPDX-License-Identifier: Apache-2.0
// Random outlines of lines and arcs, and their distance by brute force: every piece against every piece, no tree, nothing
// of the room geometry.
#pragma once
#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace clack::testing {

struct Placed {
  Eigen::Vector2d at = Eigen::Vector2d::Zero();
  double angle = 0.0;
};

/// From a point to a point: straight, or along an arc that turns by `sweep` about its centre.
struct BoundaryPiece {
  Eigen::Vector2d from, to;
  double sweep = 0.0;  // 0: straight
  Eigen::Vector2d centre = Eigen::Vector2d::Zero();
  double radius = 0.0;

  bool is_straight() const { return sweep == 0.0; }
  /// Whether the arc has a point in this direction from its centre.
  bool reaches(const Eigen::Vector2d& direction) const {
    const Eigen::Vector2d begin = from - centre;
    const double turn = std::atan2(begin.x() * direction.y() - begin.y() * direction.x(),
                                   begin.dot(direction)),
                 way = sweep > 0.0 ? turn : -turn;
    return (way < 0.0 ? way + 2.0 * std::numbers::pi : way) <= std::abs(sweep);
  }
  double distance(const Eigen::Vector2d& p) const {
    if (is_straight()) {
      const Eigen::Vector2d way = to - from;
      const double s = std::clamp(way.dot(p - from) / way.squaredNorm(), 0.0, 1.0);
      return (p - from - s * way).norm();
    }
    const double ends = std::min((p - from).norm(), (p - to).norm());
    return reaches(p - centre) ? std::min(ends, std::abs((p - centre).norm() - radius)) : ends;
  }
};

/// Between inner points with a common normal, which goes through the centres of arcs; infinite where there are none.
inline double inner_distance(const BoundaryPiece& a, const BoundaryPiece& b) {
  if (a.is_straight())
    return b.is_straight() ? std::numeric_limits<double>::infinity() : inner_distance(b, a);
  double least = std::numeric_limits<double>::infinity();
  if (b.is_straight()) {
    const Eigen::Vector2d way = b.to - b.from;
    const double s = way.dot(a.centre - b.from) / way.squaredNorm();
    if (s < 0.0 || s > 1.0) return least;
    const Eigen::Vector2d foot = b.from + s * way, towards = foot - a.centre;
    for (const double side : {1.0, -1.0})
      if (a.reaches(side * towards))
        least = std::min(least, std::abs(towards.norm() - side * a.radius));
    return least;
  }
  const Eigen::Vector2d between = (b.centre - a.centre).normalized();
  for (const double own : {1.0, -1.0})
    for (const double other : {1.0, -1.0})
      if (a.reaches(own * between) && b.reaches(other * between))
        least = std::min(
            least,
            (a.centre + own * a.radius * between - b.centre - other * b.radius * between).norm());
  return least;
}

inline double distance(const BoundaryPiece& a, const BoundaryPiece& b) {
  return std::min({a.distance(b.from), a.distance(b.to), b.distance(a.from), b.distance(a.to),
                   inner_distance(a, b)});
}

using BoundaryPieces = std::vector<BoundaryPiece>;

/// As long as the boundaries do not cross.
inline double brute_force_distance(const BoundaryPieces& a, const BoundaryPieces& b) {
  double least = std::numeric_limits<double>::infinity();
  for (const BoundaryPiece& x : a)
    for (const BoundaryPiece& y : b) least = std::min(least, distance(x, y));
  return least;
}

/// Corners and bulges, as a model lists them.
struct DrawnBoundary {
  std::vector<Eigen::Vector2d> points;
  std::vector<double> bulges = {};  // empty: all straight; at most 1 each

  double bulge(std::size_t k) const { return bulges.empty() ? 0.0 : bulges[k]; }
  /// Of a ball around the origin that holds it: an arc of at most half a turn lies in the circle over its chord.
  double radius() const {
    double radius = 0.0;
    for (std::size_t k = 0; k < points.size(); ++k) {
      const Eigen::Vector2d &p = points[k], &next = points[(k + 1) % points.size()];
      radius = std::max(radius,
                        bulge(k) == 0.0 ? p.norm() : 0.5 * ((p + next).norm() + (p - next).norm()));
    }
    return radius;
  }
  BoundaryPieces placed(const Placed& pose) const {
    const double c = std::cos(pose.angle), s = std::sin(pose.angle);
    const auto world = [&](const Eigen::Vector2d& p) {
      return Eigen::Vector2d(pose.at.x() + c * p.x() - s * p.y(),
                             pose.at.y() + s * p.x() + c * p.y());
    };
    BoundaryPieces pieces;
    for (std::size_t k = 0; k < points.size(); ++k) {
      BoundaryPiece piece{world(points[k]), world(points[(k + 1) % points.size()])};
      if (const double b = bulge(k); b != 0.0) {
        // Half the angle between the radii to the ends: tan(angle/4) = b.
        const Eigen::Vector2d chord = piece.to - piece.from;
        piece.sweep = 4.0 * std::atan(b);
        piece.radius = chord.norm() * (1.0 + b * b) / (4.0 * std::abs(b));
        piece.centre = 0.5 * (piece.from + piece.to) +
                       (1.0 - b * b) / (4.0 * b) * Eigen::Vector2d(-chord.y(), chord.x());
      }
      pieces.push_back(piece);
    }
    return pieces;
  }
  std::string yaml() const {
    std::string text;
    for (std::size_t k = 0; k < points.size(); ++k)
      text += fmt::format("{}[{:.17g}, {:.17g}{}]", k > 0 ? ", " : "", points[k].x(), points[k].y(),
                          bulge(k) != 0.0 ? fmt::format(", {:.17g}", bulge(k)) : "");
    return "shape: {polygon: [" + text + "]}";
  }
};

class BoundaryDrawing {
 public:
  explicit BoundaryDrawing(unsigned seed) : random_(seed) {}
  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  int one_of(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }

  /// Convex, star, gear, a needle of a thousandth; and with arcs: a polygon with sides bent out or in, a gear with round
  /// tops and roots, a lens or a crescent, a needle with round ends.
  DrawnBoundary boundary() {
    const int kind = one_of(8), n = 5 + one_of(8);
    const double size = std::pow(10.0, between(-2.0, 0.0));
    if (kind == 3 || kind == 7) {
      const double half = 0.5e-3 * size;
      DrawnBoundary needle{{{-size, -half}, {size, -half}, {size, half}, {-size, half}}};
      if (kind == 7) needle.bulges = {0.0, 1.0, 0.0, 1.0};
      return needle;
    }
    if (kind == 6) {
      const double inner = between(-0.6, 0.9);
      return {{{-size, 0.0}, {size, 0.0}}, {1.0, std::abs(inner) < 0.05 ? 0.05 : inner}};
    }
    const bool is_bent = kind >= 4;
    DrawnBoundary drawn = ring(kind % 4 == 0 ? 0 : kind == 1 ? 1 : 2, n, size);
    if (is_bent)
      for (std::size_t k = 0; k < drawn.points.size(); ++k)
        drawn.bulges.push_back(kind == 4 || k % 2 == 0 ? between(-0.25, 0.25) : 0.0);
    return drawn;
  }

 private:
  /// 0 convex, 1 star, 2 gear
  DrawnBoundary ring(int kind, int n, double size) {
    DrawnBoundary drawn;
    const int count = kind == 0 ? n : kind == 1 ? 2 * n : 4 * (n / 2);
    for (int k = 0; k < count; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / count;
      const double radius = kind == 0   ? size
                            : kind == 1 ? size * (k % 2 == 0 ? 1.0 : between(0.3, 0.7))
                                        : size * (k % 4 < 2 ? 1.0 : 0.8);
      drawn.points.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
    }
    return drawn;
  }
  std::mt19937 random_;
};

}  // namespace clack::testing
