// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "clack/geometry/pair_distances.hpp"

namespace clack {
namespace {

using Eigen::Vector3d;
using testing::box_box;
using testing::corners;
using testing::PairRandom;

double lowest(const std::vector<Vector3d>& points, const Vector3d& n) {
  double value = std::numeric_limits<double>::infinity();
  for (const Vector3d& p : points) value = std::min(value, n.dot(p));
  return value;
}

/// The largest gap between the shadows of two boxes on the fifteen lines that can part them:
/// positive exactly when they are apart.
double largest_shadow_gap(const Box& a, const Pose& pa, const Box& b, const Pose& pb) {
  double gap = -std::numeric_limits<double>::infinity();
  const auto look = [&](Vector3d n) {
    if (n.norm() < 1e-9) return;
    n.normalize();
    for (const double sign : {1.0, -1.0})
      gap = std::max(gap, lowest(corners(a, pa), sign * n) + lowest(corners(b, pb), -sign * n));
  };
  for (int i = 0; i < 3; ++i) {
    look(pa.rotation.col(i));
    look(pb.rotation.col(i));
    for (int j = 0; j < 3; ++j) look(pa.rotation.col(i).cross(pb.rotation.col(j)));
  }
  return gap;
}

TEST(BoxDistance, ShadowsTellWhichBoxesOverlap) {
  PairRandom random(13);
  int overlapping = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Box a = random.box(), b = random.box();
    const Pose pa = random.pose(0.9), pb = random.pose(0.9);
    const double gap = largest_shadow_gap(a, pa, b, pb), distance = box_box(a, pa, b, pb).distance;
    EXPECT_NEAR(shadow_gap(a, pa, b, pb), gap, 1e-14);
    overlapping += gap < 0.0 ? 1 : 0;
    if (gap > 0.0) {
      EXPECT_GE(distance, gap - 1e-14) << trial;
    }
    if (distance < 0.0) {
      EXPECT_LT(gap, 0.0) << trial;  // features that overlap belong to boxes that do
    }
  }
  EXPECT_GT(overlapping, 1000);
  EXPECT_LT(overlapping, 2900);
}

// Optimality of closest points of convex bodies: the planes through the witnesses, across the line
// that joins them, part the bodies. This certifies the distance from above and from below.
TEST(BoxDistance, PlanesThroughTheWitnessesPartTwoBoxes) {
  PairRandom random(11);
  int parted = 0, edges = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Box a = random.box(), b = random.box();
    const Pose pa = random.pose(1.2), pb = random.pose(1.2);
    const SpatialDistance d = box_box(a, pa, b, pb);
    if (largest_shadow_gap(a, pa, b, pb) <= 0.0) continue;
    ++parted;
    edges += d.first.feature == Feature::edge && d.second.feature == Feature::edge ? 1 : 0;
    EXPECT_LT((d.first.point - d.second.point - d.distance * d.normal).norm(), 1e-13);
    EXPECT_NEAR(lowest(corners(a, pa), d.normal), d.normal.dot(d.first.point), 1e-12);
    EXPECT_NEAR(-lowest(corners(b, pb), -d.normal), d.normal.dot(d.second.point), 1e-12);
  }
  EXPECT_GT(parted, 500);
  EXPECT_GT(edges, 100);
}

TEST(BoxDistance, PlanesThroughTheWitnessesPartABallFromABox) {
  PairRandom random(12);
  int seen[3] = {};
  for (int trial = 0; trial < 1000; ++trial) {
    const Box box = random.box();
    const RoundSide ball{Vector3d::Zero(), random.uniform(0.1, 0.5)};
    const Pose pa = random.pose(2), pb = random.pose(0.3);
    const SpatialDistance d = signed_distance(ball, pa, box, pb);
    if (d.distance <= 0.0) continue;
    ++seen[static_cast<int>(d.second.feature) - static_cast<int>(Feature::face)];
    EXPECT_LT((pa.position - d.first.point - ball.radius * d.normal).norm(), 1e-13);
    EXPECT_NEAR(-lowest(corners(box, pb), -d.normal), d.normal.dot(d.second.point), 1e-12);
  }
  for (const int count : seen) EXPECT_GT(count, 50);  // faces, edges, corners
}

// The gap is once differentiable where a ball rolls from a face over an edge to a corner; the
// margin changes its sign exactly there.
TEST(BoxDistance, TheGapOfABallHasNoStepAtTheBordersOfFeatures) {
  const Box box{{1, 2, 3}};
  const RoundSide ball{Vector3d::Zero(), 0.5};
  const auto at = [&](const Vector3d& centre) {
    return signed_distance(ball, Pose{centre, Eigen::Matrix3d::Identity()}, box, Pose{});
  };
  const auto cross = [&](const Vector3d& border, const Vector3d& direction, Feature from,
                         Feature to) {
    constexpr double h = 1e-7;
    const SpatialDistance before = at(border - h * direction), after = at(border + h * direction);
    EXPECT_EQ(before.second.feature, from);
    EXPECT_EQ(after.second.feature, to);
    EXPECT_LT((before.normal - after.normal).norm(), 4 * h);
    EXPECT_NEAR(before.distance, after.distance, 3 * h);
    EXPECT_NEAR(std::abs(before.margin), h, 1e-14);
    EXPECT_NEAR(before.margin, -after.margin, 1e-14);
    EXPECT_NEAR(before.inward.dot(direction), after.inward.dot(direction), 1e-14);
    EXPECT_NEAR(before.margin + 2 * h * before.inward.dot(direction), after.margin, 1e-14);
  };
  cross({1, 0.3, 3.5}, Vector3d::UnitX(), Feature::face, Feature::edge);
  cross({1.3, 2, 3.4}, Vector3d::UnitY(), Feature::edge, Feature::corner);
  cross({1.3, 2.2, 3}, -Vector3d::UnitZ(), Feature::corner, Feature::edge);
  cross({1.5, 2, 0.1}, -Vector3d::UnitY(), Feature::edge, Feature::face);
}

// A corner that points down and outward rests on the top face up to its border and never on the
// side; beyond the border it is parted, however it slides on.
TEST(BoxDistance, ACornerRestsOnlyOnFacesThatItsOwnFacesAllow) {
  const Box box{{1, 1, 1}};
  const CornerSide corner = corner_of({0.5, -0.5, -0.5});
  const auto at = [&](double x, double z) {
    return Pose{{x - 0.5, 0.5, z + 0.5}, Eigen::Matrix3d::Identity()};
  };
  const SpatialDistance inside = signed_distance(corner, at(1 - 1e-6, 1 - 1e-3), box, Pose{});
  EXPECT_LT((inside.normal - Vector3d::UnitZ()).norm(), 1e-14);
  EXPECT_NEAR(inside.distance, -1e-3, 1e-15);
  EXPECT_GT(signed_distance(corner, at(1.2, 1.0), box, Pose{}).distance, 0.19);
  EXPECT_GT(signed_distance(corner, at(1.2, 0.7), box, Pose{}).distance, 0.19);
}

// Closed contacts: kept on the face beyond its border; at the border the motion decides.
TEST(BoxDistance, AClosedCornerLeavesItsFaceWhereItMovesOut) {
  const Box box{{1, 1, 1}};
  const CornerSide corner = corner_of({0.5, -0.5, -0.5});
  const auto touching = [&](double x, const Vector3d& slip) {
    const Pose pose{{x - 0.5, 0.5, 1.5}, Eigen::Matrix3d::Identity()};
    return touching_distance(corner, pose, box, Pose{}, signed_distance(corner, pose, box, Pose{}),
                             slip);
  };
  const Vector3d outward(2, 0.1, 0), inward(-2, 0.1, 0);
  EXPECT_LT((touching(0.9, outward).normal - Vector3d::UnitZ()).norm(), 1e-14);
  EXPECT_LT((touching(1.1, outward).normal - Vector3d::UnitZ()).norm(), 1e-14);
  EXPECT_NEAR(touching(1.1, outward).margin, -0.1, 1e-14);
  EXPECT_LT((touching(1.0, inward).normal - Vector3d::UnitZ()).norm(), 1e-14);
  EXPECT_LT((touching(1.0, Vector3d::Zero()).normal - Vector3d::UnitZ()).norm(), 1e-14);
  EXPECT_EQ(touching(1.0, inward).leaving_rate, 0.0);
  EXPECT_EQ(touching(1.1, outward).leaving_rate, 0.0);  // beyond the border: only in trial states
  EXPECT_NEAR(touching(1.0, outward).leaving_rate, 2.0, 1e-14);
}

// Crossed edges with faces in one plane (a box that lies over the border of another) touch; the
// same edges of boxes that overlap elsewhere are nobody's nearest features.
TEST(BoxDistance, EdgesWithFacesInOnePlaneTouchWhereTheyCross) {
  const Box lower{{2, 2, 0.5}}, upper{{0.5, 0.5, 0.5}};
  const Pose above{{1.7, 0.2, 1.0}, Eigen::Matrix3d::Identity()};
  int touching = 0;
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j) {
      const SpatialDistance d =
          signed_distance(edge_of(upper, i), above, edge_of(lower, j), Pose{});
      EXPECT_GE(d.distance, -1e-15) << i << " " << j;
      if (d.distance > 1e-12) continue;
      ++touching;
      EXPECT_LT((d.normal - Vector3d::UnitZ()).norm(), 1e-14);
      EXPECT_NEAR(d.second.point.x(), 2.0, 1e-14);
      EXPECT_NEAR(d.margin, 0.2, 1e-14);  // 2.2 - 2: the upper edge ends first
    }
  EXPECT_EQ(touching, 2);
}

TEST(BoxDistance, CrossedEdgesOpenWhereOneOfThemEnds) {
  const Box lower{{2, 2, 0.5}}, upper{{0.5, 0.5, 0.5}};
  const auto touching = [&](double x, const Vector3d& slip) {
    const Pose pose{{x, 0.2, 1.0}, Eigen::Matrix3d::Identity()};
    const Side a = edge_of(upper, 0), b = edge_of(lower, 6);  // along x and along y
    return touching_distance(a, pose, b, Pose{}, signed_distance(a, pose, b, Pose{}), slip);
  };
  const Vector3d outward(1, 0, 0);
  EXPECT_NEAR(touching(1.9, outward).distance, 0.0, 1e-15);
  EXPECT_LT((touching(1.9, outward).normal - Vector3d::UnitZ()).norm(), 1e-14);
  EXPECT_NEAR(touching(2.5, outward).margin, 0.0, 1e-14);  // the rear end of the upper edge
  EXPECT_NEAR(touching(2.5, outward).leaving_rate, 1.0, 1e-14);
  EXPECT_EQ(touching(2.5, -outward).leaving_rate, 0.0);
  EXPECT_LT((touching(2.5, outward).normal - Vector3d::UnitZ()).norm(), 1e-14);
}

}  // namespace
}  // namespace clack
