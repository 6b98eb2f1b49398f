// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Geometry>
#include <random>

#include "clack/geometry/ellipsoid.hpp"
#include "clack/geometry/spatial_distance.hpp"

/// Whole bodies instead of features, and random pairs of them (tests only).
namespace clack::testing {

inline std::vector<Eigen::Vector3d> corners(const Box& box, const Pose& pose) {
  std::vector<Eigen::Vector3d> points;
  for (int k = 0; k < 8; ++k) {
    const Eigen::Vector3d sign(k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0);
    points.push_back(pose.position + pose.rotation * sign.cwiseProduct(box.half_extents));
  }
  return points;
}

/// The nearest of all pairs of features of two boxes, as a model lists them.
inline SpatialDistance box_box(const Box& a, const Pose& pa, const Box& b, const Pose& pb) {
  SpatialDistance best;
  best.distance = std::numeric_limits<double>::infinity();
  const auto add = [&](const SpatialDistance& d) {
    if (d.is_candidate && d.distance < best.distance) best = d;
  };
  for (const Eigen::Vector3d& c : corners(a, Pose{})) add(signed_distance(corner_of(c), pa, b, pb));
  for (const Eigen::Vector3d& c : corners(b, Pose{})) add(signed_distance(a, pa, corner_of(c), pb));
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j) add(signed_distance(edge_of(a, i), pa, edge_of(b, j), pb));
  return best;
}

struct PairRandom {
  std::mt19937_64 engine;
  explicit PairRandom(unsigned seed) : engine(seed) {}
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine() >> 11) * 0x1.0p-53;
  }
  Eigen::Vector3d sizes() { return {uniform(0.2, 1), uniform(0.2, 1), uniform(0.2, 1)}; }
  Box box() { return {sizes()}; }
  Ellipsoid ellipsoid() { return Ellipsoid(sizes()); }
  Pose pose(double size) {
    const Eigen::Vector3d at(uniform(-size, size), uniform(-size, size), uniform(-size, size));
    Eigen::Vector4d q(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
    q.normalize();
    return {at, Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix()};
  }
};

}  // namespace clack::testing
