// SPDX-License-Identifier: Apache-2.0
// Distances against FCL, an independent implementation (tests only; docs/dependencies.md).
#if __has_include(<fcl/narrowphase/distance.h>)
#include <fcl/narrowphase/distance.h>
#include <gtest/gtest.h>

#include "clack/geometry/pair_distances.hpp"

namespace clack {
namespace {

using testing::PairRandom;

/// FCL iterates until its bound on the distance is below this, so that it decides how far the
/// comparison can go; what is ours is certified to 1e-12 in box_distance_test.cpp.
constexpr double fcl_tolerance = 1e-9;

double fcl_distance(const fcl::CollisionGeometryd& a, const Pose& pa,
                    const fcl::CollisionGeometryd& b, const Pose& pb) {
  const auto placed = [](const Pose& pose) {
    fcl::Transform3d transform = fcl::Transform3d::Identity();
    transform.linear() = pose.rotation;
    transform.translation() = pose.position;
    return transform;
  };
  fcl::DistanceRequestd request;
  request.enable_signed_distance = false;
  request.distance_tolerance = fcl_tolerance;
  request.gjk_solver_type = fcl::GJKSolverType::GST_LIBCCD;
  fcl::DistanceResultd result;
  return fcl::distance(&a, placed(pa), &b, placed(pb), request, result);
}

/// Counts pairs that are parted; both must agree on the distance of each.
template <class Ours, class Theirs>
void compare(unsigned seed, double size, Ours ours, Theirs theirs) {
  PairRandom random(seed);
  int parted = 0;
  double worst = 0.0;
  for (int trial = 0; trial < 1000; ++trial) {
    const auto a = ours(random, 0);
    const auto b = ours(random, 1);
    const Pose pa = random.pose(size), pb = random.pose(size);
    const auto [mine, other] = theirs(a, pa, b, pb);
    if (mine <= 1e-6 || other <= 0.0) {
      EXPECT_LE(mine, 1e-6) << "FCL finds an overlap";
      EXPECT_LE(other, 2e-6) << "FCL finds the bodies parted";
      continue;
    }
    ++parted;
    worst = std::max(worst, std::abs(mine - other));
  }
  EXPECT_GT(parted, 300);
  EXPECT_LE(worst, 1e-6);
  ::testing::Test::RecordProperty("largest_difference", fmt::format("{:.3g}", worst));
}

TEST(FclOracle, BoxesAreAsFarApart) {
  compare(
      1, 1.5, [](PairRandom& random, int) { return random.box(); },
      [](const Box& a, const Pose& pa, const Box& b, const Pose& pb) {
        const fcl::Boxd first(2.0 * a.half_extents), second(2.0 * b.half_extents);
        return std::pair(
            shadow_gap(a, pa, b, pb) < 0.0 ? -1.0 : testing::box_box(a, pa, b, pb).distance,
            fcl_distance(first, pa, second, pb));
      });
}

TEST(FclOracle, BallsAndBoxesAreAsFarApart) {
  compare(
      2, 1.5, [](PairRandom& random, int) { return random.box(); },
      [](const Box& a, const Pose& pa, const Box& b, const Pose& pb) {
        const double radius = 0.5 * a.half_extents.x();
        const fcl::Sphered ball(radius);
        const fcl::Boxd box(2.0 * b.half_extents);
        return std::pair(
            signed_distance(RoundSide{Eigen::Vector3d::Zero(), radius}, pa, b, pb).distance,
            fcl_distance(ball, pa, box, pb));
      });
}

TEST(FclOracle, EllipsoidsAreAsFarApart) {
  compare(
      3, 1.5, [](PairRandom& random, int) { return random.ellipsoid(); },
      [](const Ellipsoid& a, const Pose& pa, const Ellipsoid& b, const Pose& pb) {
        const fcl::Ellipsoidd first(a.semi_axes), second(b.semi_axes);
        return std::pair(signed_distance(a, pa, b, pb).distance,
                         fcl_distance(first, pa, second, pb));
      });
}

}  // namespace
}  // namespace clack
#endif
