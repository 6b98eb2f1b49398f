// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <numbers>
#include <random>

#include "clack/geometry/outline_pair.hpp"

/// Outlines for tests: shapes of the guide, and random ones.
namespace clack::testing {

using Polygon = std::vector<Eigen::Vector2d>;

inline Polygon rectangle(double left, double bottom, double right, double top) {
  return {{left, bottom}, {right, bottom}, {right, top}, {left, top}};
}

struct OutlineRandom {
  std::mt19937_64 engine;
  explicit OutlineRandom(unsigned seed) : engine(seed) {}
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine() >> 11) * 0x1.0p-53;
  }
  int integer(int low, int high) { return static_cast<int>(std::floor(uniform(low, high + 1))); }

  Polygon convex(int n) {  // on an ellipse
    std::vector<double> angles;
    for (int i = 0; i < n; ++i)
      angles.push_back((i + uniform(0.1, 0.9)) * 2 * std::numbers::pi / n);
    const double a = uniform(0.5, 1.5), b = uniform(0.5, 1.5);
    Polygon points;
    for (const double t : angles) points.emplace_back(a * std::cos(t), b * std::sin(t));
    return points;
  }
  Polygon star(int n) {
    Polygon points;
    for (int i = 0; i < n; ++i) {
      const double t = (i + uniform(0.1, 0.9)) * 2 * std::numbers::pi / n, r = uniform(0.4, 1.2);
      points.emplace_back(r * std::cos(t), r * std::sin(t));
    }
    return points;
  }
  Polygon needle() { return rectangle(-1.0, -0.0005, 1.0, 0.0005); }
  Polygon any() {
    switch (integer(0, 3)) {
      case 0:
        return star(integer(5, 60));
      case 1:
        return needle();
      default:
        return convex(integer(3, 40));
    }
  }
  PlanarPose pose(double reach) {
    return planar_pose(uniform(-reach, reach), uniform(-reach, reach), uniform(-4.0, 4.0));
  }
};

}  // namespace clack::testing
