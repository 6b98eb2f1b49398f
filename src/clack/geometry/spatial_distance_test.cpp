// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/spatial_distance.hpp"
#include "clack/geometry/ellipsoid.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

namespace clack {
namespace {

using Eigen::Vector3d;

struct Random {
  std::mt19937_64 engine;
  explicit Random(unsigned seed) : engine(seed) {}
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine() >> 11) * 0x1.0p-53;
  }
  Vector3d vector(double size) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  Eigen::Matrix3d rotation() {
    Eigen::Vector4d q(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
    q.normalize();
    return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
  }
  Pose pose(double size) { return {vector(size), rotation()}; }
};

std::vector<std::pair<Side, Side>> pairs(Random& random) {
  const auto ball = [&] { return RoundSide{random.vector(0.3), random.uniform(0.1, 0.5)}; };
  const auto ellipsoid = [&] {
    return Ellipsoid{{random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1)}};
  };
  const HalfSpace plane{random.vector(1).normalized(), random.uniform(-0.2, 0.2)};
  const Box box{{random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1)}};
  return {{ball(), ball()},
          {ball(), plane},
          {ball(), box},
          {RoundSide{random.vector(0.5)}, box},
          {RoundSide{random.vector(0.5)}, ellipsoid()},
          {ellipsoid(), plane},
          {ellipsoid(), ball()},
          {ellipsoid(), ellipsoid()}};
}

// By definition of the signed distance; rounding only.
TEST(SpatialDistance, WitnessesAreApartByTheDistanceAlongTheNormal) {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial)
    for (const auto& [a, b] : pairs(random)) {
      const Pose pa = random.pose(3), pb = random.pose(1);
      const SpatialDistance d = signed_distance(a, pa, b, pb);
      EXPECT_NEAR(d.normal.norm(), 1.0, 1e-14);
      const Vector3d apart = d.first.point - d.second.point;
      EXPECT_LT((apart - d.distance * d.normal).norm(), 1e-13) << a.index() << " " << b.index();
    }
}

TEST(SpatialDistance, ExchangingTheBodiesTurnsTheNormalAround) {
  Random random(2);
  for (int trial = 0; trial < 100; ++trial)
    for (const auto& [a, b] : pairs(random)) {
      const Pose pa = random.pose(3), pb = random.pose(1);
      const SpatialDistance d = signed_distance(a, pa, b, pb), e = signed_distance(b, pb, a, pa);
      if (d.distance < -0.1) continue;  // deep: several directions part the bodies equally well
      EXPECT_NEAR(d.distance, e.distance, 1e-13);
      EXPECT_LT((d.normal + e.normal).norm(), 1e-11);
      EXPECT_LT((d.first.point - e.second.point).norm(), 1e-11);
    }
}

TEST(SpatialDistance, MovingEverythingRigidlyMovesTheAnswerWithIt) {
  Random random(3);
  for (int trial = 0; trial < 100; ++trial)
    for (const auto& [a, b] : pairs(random)) {
      const Pose pa = random.pose(3), pb = random.pose(1), by = random.pose(2);
      const auto moved = [&](const Pose& p) {
        return Pose{by.position + by.rotation * p.position, by.rotation * p.rotation};
      };
      const SpatialDistance d = signed_distance(a, pa, b, pb);
      const SpatialDistance e = signed_distance(a, moved(pa), b, moved(pb));
      if (d.distance < -0.1) continue;
      EXPECT_NEAR(d.distance, e.distance, 1e-12);
      EXPECT_LT((by.position + by.rotation * d.first.point - e.first.point).norm(), 1e-10);
    }
}

// Outward normal of the ellipsoid x^T A^-1 x = 1 is along A^-1 x: an independent optimality test.
TEST(SpatialDistance, EllipsoidsTouchWithOppositeNormalsToTwelveDigits) {
  Random random(4);
  const auto outward = [](const Ellipsoid& e, const Pose& p, const Vector3d& point) -> Vector3d {
    const Vector3d local = p.rotation.transpose() * (point - p.position);
    EXPECT_NEAR(local.cwiseQuotient(e.semi_axes).squaredNorm(), 1.0, 1e-12);
    const Vector3d axes = e.semi_axes.cwiseAbs2();
    return (p.rotation * local.cwiseQuotient(axes)).normalized();
  };
  int parted = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Ellipsoid a{{random.uniform(0.1, 2), random.uniform(0.1, 2), random.uniform(0.1, 2)}};
    const Ellipsoid b{{random.uniform(0.1, 2), random.uniform(0.1, 2), random.uniform(0.1, 2)}};
    const Pose pa = random.pose(4), pb = random.pose(1);
    const SpatialDistance d = signed_distance(a, pa, b, pb);
    if (d.distance < 0.0) continue;
    ++parted;
    EXPECT_LT((outward(a, pa, d.first.point) + d.normal).norm(), 1e-11);
    EXPECT_LT((outward(b, pb, d.second.point) - d.normal).norm(), 1e-11);
  }
  EXPECT_GT(parted, 150);
}

// Brute force: no pair of surface points is closer; sampling can only find larger distances.
TEST(SpatialDistance, NoSampledPairOfPointsIsCloser) {
  Random random(5);
  for (int trial = 0; trial < 20; ++trial) {
    const Ellipsoid a{{random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1)}};
    const Box box{{random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1)}};
    const Pose pa{Vector3d(2.5, 0, 0) + random.vector(0.3), random.rotation()},
        pb = random.pose(0.2);
    const double to_plane =
        signed_distance(a, pa, HalfSpace{Vector3d::UnitX(), 0.3}, Pose{}).distance;
    const RoundSide ball{Vector3d::Zero(), 0.3};
    const SpatialDistance to_box = signed_distance(ball, pa, box, pb);
    double nearest_plane = 1e9, nearest_box = 1e9;
    for (int k = 0; k < 4000; ++k) {
      const Vector3d unit = random.vector(1).normalized();
      const Vector3d on_ellipsoid = pa.position + pa.rotation * a.semi_axes.cwiseProduct(unit);
      nearest_plane = std::min(nearest_plane, on_ellipsoid.x() - 0.3);
      const Vector3d in_box =
          pb.position + pb.rotation * random.vector(1).cwiseProduct(box.half_extents);
      nearest_box = std::min(nearest_box, (in_box - pa.position).norm() - 0.3);
    }
    EXPECT_LE(to_plane, nearest_plane + 1e-12);
    EXPECT_GT(to_plane, nearest_plane - 0.05);
    EXPECT_LE(to_box.distance, nearest_box + 1e-12);
    EXPECT_GT(to_box.distance, nearest_box - 0.2);
  }
}

TEST(SpatialDistance, ABallMeetsFacesEdgesAndCornersOfABox) {
  const Box box{{1, 2, 3}};
  const RoundSide ball{Vector3d::Zero(), 0.5};
  const auto at = [&](Vector3d centre) {
    return signed_distance(ball, Pose{centre, Eigen::Matrix3d::Identity()}, box, Pose{});
  };
  const SpatialDistance face = at({0.3, -0.4, 4}), edge = at({0.2, 5, 7}), corner = at({2, 4, 5});
  EXPECT_EQ(face.second.feature, Feature::face);
  EXPECT_NEAR(face.distance, 0.5, 1e-15);
  EXPECT_EQ(edge.second.feature, Feature::edge);
  EXPECT_NEAR(edge.distance, 4.5, 1e-14);  // 3-4-5 triangle
  EXPECT_EQ(corner.second.feature, Feature::corner);
  EXPECT_NEAR(corner.distance, 2.5, 1e-14);  // (1, 2, 2) has length 3
  EXPECT_NEAR(at({0, 0, 2.9}).distance, -0.6, 1e-14);
}

TEST(SpatialDistance, ACornerOnAFaceKeepsTheNormalOfTheFace) {
  const Box box{{1, 1, 1}};
  const SpatialDistance d = signed_distance(
      RoundSide{}, Pose{{1.0 + 1e-16, 1.0, 1.0 + 1e-17}, Eigen::Matrix3d::Identity()}, box, Pose{});
  EXPECT_EQ(d.second.feature, Feature::face);
  EXPECT_NEAR(std::abs(d.normal.sum()), 1.0, 1e-15);
}

TEST(SpatialDistance, CrossedEdgesTouchWhereTheyCross) {
  const Box box{{1, 1, 1}};
  // The upper edge along x of one box and the lower edge along y of another, turned by 45 degrees
  // each.
  const Eigen::Matrix3d about_x = Eigen::AngleAxisd(M_PI / 4, Vector3d::UnitX()).toRotationMatrix();
  const Eigen::Matrix3d about_y = Eigen::AngleAxisd(M_PI / 4, Vector3d::UnitY()).toRotationMatrix();
  const double reach = std::sqrt(2.0);
  const Pose lower{Vector3d::Zero(), about_x}, upper{{0.2, 0.1, 2 * reach + 0.25}, about_y};
  int candidates = 0;
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j) {
      const SpatialDistance d = signed_distance(edge_of(box, i), upper, edge_of(box, j), lower);
      if (!d.is_candidate) {
        EXPECT_GT(d.distance, 0.0);
        continue;
      }
      ++candidates;
      EXPECT_NEAR(d.distance, 0.25, 1e-14);
      EXPECT_LT((d.normal - Vector3d::UnitZ()).norm(), 1e-14);
      EXPECT_LT((d.second.point - Vector3d(0.2, 0.0, reach)).norm(), 1e-14);
    }
  EXPECT_EQ(candidates, 1);
}

TEST(SpatialDistance, CoincidentCentresAreAsDeepAsTheRadii) {
  const RoundSide ball{Vector3d::Zero(), 0.5};
  const SpatialDistance d = signed_distance(ball, Pose{}, ball, Pose{});
  EXPECT_EQ(d.distance, -1.0);
  EXPECT_NEAR(d.normal.norm(), 1.0, 1e-15);
}

TEST(SpatialDistance, PairsWithoutAnAnswerAreKnown) {
  EXPECT_FALSE(has_distance(RoundSide{}, RoundSide{}));
  EXPECT_FALSE(has_distance(HalfSpace{}, HalfSpace{}));
  EXPECT_FALSE(has_distance(Box{}, Ellipsoid{}));
  EXPECT_FALSE(has_distance(Box{}, Box{}));
  EXPECT_FALSE(has_distance(EdgeSide{}, RoundSide{Vector3d::Zero(), 1.0}));
  EXPECT_TRUE(has_distance(HalfSpace{}, Ellipsoid{}));
}

}  // namespace
}  // namespace clack
