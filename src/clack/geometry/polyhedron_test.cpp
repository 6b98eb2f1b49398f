// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/polyhedron.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "clack/geometry/pair_distances.hpp"
#include "clack/geometry/solid_distance.hpp"

namespace clack {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using testing::PairRandom;

Polyhedron hull_of(const std::vector<Vector3d>& points) {
  Hull hull = convex_hull(points);
  EXPECT_TRUE(hull.body) << hull.fault.what;
  return *hull.body;
}

/// Corners of a random hull: on an ellipsoid, so that all of them are corners.
std::vector<Vector3d> random_points(PairRandom& random, int count) {
  const Vector3d axes = random.sizes();
  std::vector<Vector3d> points;
  while (static_cast<int>(points.size()) < count) {
    const Vector3d p(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    if (p.norm() > 1.0 || p.norm() < 0.1) continue;
    points.push_back(p.normalized().cwiseProduct(axes));
  }
  return points;
}
Polyhedron random_hull(PairRandom& random, int count) {
  return hull_of(random_points(random, count));
}

double lowest(const Polyhedron& body, const Pose& pose, const Vector3d& n) {
  double value = std::numeric_limits<double>::infinity();
  for (const Vector3d& c : body.corners)
    value = std::min(value, n.dot(pose.position + pose.rotation * c));
  return value;
}

// Volume 1/6, inertia of the unit tetrahedron about its centroid: 6/80 m on the diagonal, m/80 off it.
TEST(Polyhedron, TheMomentsOfATetrahedronAreTheClosedForms) {
  const Polyhedron body = hull_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  EXPECT_EQ(body.faces.size(), 4u);
  EXPECT_EQ(body.edges.size(), 6u);
  const VolumeMoments moments = volume_moments(body);
  EXPECT_NEAR(moments.volume, 1.0 / 6.0, 1e-16);
  EXPECT_LT((moments.centroid - Vector3d::Constant(0.25)).norm(), 1e-15);
  const Matrix3d expected = moments.volume * (Matrix3d::Constant(1.0 / 80.0) +
                                              Matrix3d((5.0 / 80.0) * Matrix3d::Identity()));
  EXPECT_LT((moments.inertia - expected).norm(), 1e-16) << moments.inertia;
}

// m (a^2 + b^2)/12 wherever the body is drawn.
TEST(Polyhedron, TheMomentsOfAShiftedBoxAreThoseOfABox) {
  const Box box{{0.1, 0.2, 0.3}};
  const Polyhedron body = moved(polyhedron_of(box), {10, -20, 30});
  const VolumeMoments moments = volume_moments(body);
  EXPECT_NEAR(moments.volume, 0.048, 1e-14);
  EXPECT_LT((moments.centroid - Vector3d(10, -20, 30)).norm(), 1e-13);
  const Vector3d s = (2.0 * box.half_extents).cwiseAbs2();
  const Vector3d expected = 0.048 / 12.0 * Vector3d(s.y() + s.z(), s.x() + s.z(), s.x() + s.y());
  EXPECT_LT((moments.inertia.diagonal() - expected).norm(), 1e-13);
}

TEST(Polyhedron, FacesInOnePlaneAreOneFaceAndPointsOnThemNoCorners) {
  std::vector<Vector3d> points;
  for (const double x : {-1.0, 0.0, 1.0})
    for (const double y : {-1.0, 0.0, 1.0})
      for (const double z : {-1.0, 0.0, 1.0}) points.push_back({x, y, z});
  const Hull hull = convex_hull(points);
  ASSERT_TRUE(hull.body);
  EXPECT_EQ(hull.body->corners.size(), 8u);
  EXPECT_EQ(hull.body->faces.size(), 6u);
  EXPECT_EQ(hull.body->edges.size(), 12u);
  EXPECT_EQ(std::ranges::count(hull.corner_of_point, -1), 19);
  for (const PolyhedronFace& face : hull.body->faces) EXPECT_EQ(face.offset, 1.0);
}

TEST(Polyhedron, EulerHoldsAndNoCornerIsAboveAFace) {
  PairRandom random(21);
  for (int trial = 0; trial < 40; ++trial) {
    const Polyhedron body = random_hull(random, 4 + 7 * trial);
    EXPECT_EQ(body.corners.size() + body.faces.size(), body.edges.size() + 2);
    for (const PolyhedronFace& face : body.faces)
      for (const Vector3d& c : body.corners)
        ASSERT_LE(face.normal.dot(c) - face.offset, 1e-14 * body.size);
  }
}

TEST(Polyhedron, WhatEnclosesNoVolumeIsNamed) {
  const auto fault = [](const std::vector<Vector3d>& points) {
    return convex_hull(points).fault.what;
  };
  EXPECT_EQ(fault({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), "3 points, a solid needs 4");
  EXPECT_EQ(fault({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}), "the 4 points lie in a plane");
  EXPECT_EQ(fault({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}), "the 4 points lie in a plane");
  EXPECT_EQ(fault({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}), "the 4 points lie in a plane");
  EXPECT_EQ(fault({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, std::nan("")}}),
            "point 4 is not finite");
}

// The box as a polyhedron and the box as a box are two pieces of code.
TEST(SolidDistance, ABoxAsAPolyhedronIsABox) {
  PairRandom random(22);
  for (int trial = 0; trial < 2000; ++trial) {
    const Box box = random.box(), other = random.box();
    const Polyhedron solid = polyhedron_of(box);
    const Pose pa = random.pose(1.0), pb = random.pose(0.5);
    const RoundSide ball{Vector3d::Zero(), random.uniform(0.1, 0.5)};
    const auto expect_same = [&](const SpatialDistance& a, const SpatialDistance& b) {
      if (b.distance < -box.half_extents.minCoeff()) return;  // deep, other features tell
      EXPECT_EQ(a.is_candidate, b.is_candidate) << trial;
      if (!a.is_candidate) return;
      EXPECT_NEAR(a.distance, b.distance, 1e-14) << trial;
      EXPECT_LT((a.normal - b.normal).norm(), 1e-12) << trial;
      EXPECT_LT((a.second.point - b.second.point).norm(), 1e-13) << trial;
      EXPECT_EQ(a.second.feature, b.second.feature) << trial;
      EXPECT_NEAR(a.margin, b.margin, 1e-14) << trial;
      EXPECT_LT((a.inward - b.inward).norm(), 1e-12) << trial;
    };
    expect_same(signed_distance(ball, pa, Solid{std::make_shared<Polyhedron>(solid)}, pb),
                signed_distance(ball, pa, box, pb));
    for (const Vector3d& c : testing::corners(other, Pose{}))
      expect_same(corner_solid(corner_of(c), pa, solid, pb),
                  signed_distance(corner_of(c), pa, box, pb));
  }
}

// Optimality of closest points of convex bodies: the planes through the witnesses part the bodies. This certifies the
// distance from above and from below.
TEST(SolidDistance, PlanesThroughTheWitnessesPartTwoPolyhedra) {
  PairRandom random(23);
  SolidWorkspace work;
  int parted = 0, unseen = 0, owners[3] = {};
  for (int trial = 0; trial < 1000; ++trial) {
    const Polyhedron a = random_hull(random, 4 + trial % 30),
                     b = random_hull(random, 4 + trial % 17);
    const Pose pa = random.pose(1.2), pb = random.pose(1.2);
    const SolidPair pair{a, b};
    const NearestFeatures nearest = nearest_features(pair, pa, pb, work);
    const SpatialDistance d = distance_of(pair, nearest.contact, pa, pb);
    const double overlap = solid_overlap(pair, pa, pb, 0.0);
    // Features that overlap belong to bodies that do; deep overlaps are seen by no pair of features now and then.
    if (nearest.distance <= 0.0) {
      EXPECT_GT(overlap, 0.0) << trial << " " << nearest.distance;
    }
    unseen += overlap > 0.0 && nearest.distance > 0.0 ? 1 : 0;
    if (overlap > 0.0) {
      EXPECT_LE(overlap, 2.5);
      continue;
    }
    ++parted;
    ++owners[static_cast<int>(nearest.contact.owner)];
    EXPECT_LT((d.first.point - d.second.point - d.distance * d.normal).norm(), 1e-13);
    EXPECT_NEAR(lowest(a, pa, d.normal), d.normal.dot(d.first.point), 1e-12) << trial;
    EXPECT_NEAR(-lowest(b, pb, -d.normal), d.normal.dot(d.second.point), 1e-12) << trial;
  }
  EXPECT_GT(parted, 300);
  EXPECT_LT(unseen, 30);
  for (const int count : owners) EXPECT_GT(count, 30);
}

// Edges of acute bodies cross with their lines in the wrong order while the bodies are apart; that is no overlap.
TEST(SolidDistance, NoTwoEdgesOfBodiesThatAreApartOverlap) {
  PairRandom random(26);
  const Polyhedron
      sharp = hull_of({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}),
      prism = hull_of(
          {{2, 0, -1}, {2, 0, 1}, {-1, 1.7, -1}, {-1, 1.7, 1}, {-1, -1.7, -1}, {-1, -1.7, 1}});
  int parted = 0, touching = 0, crossing = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    const Polyhedron& b = trial % 2 == 0 ? sharp : prism;
    const SolidPair pair{sharp, b};
    const Pose pa = random.pose(2.0), pb = random.pose(2.0);
    const bool is_overlap = solid_overlap(pair, pa, pb, 0.0) > 0.0;
    parted += is_overlap ? 0 : 1;
    for (int i = 0; i < static_cast<int>(sharp.edges.size()); ++i)
      for (int j = 0; j < static_cast<int>(b.edges.size()); ++j) {
        const SpatialDistance d = distance_of(pair, {SolidOwner::edges, i, j}, pa, pb);
        if (is_overlap) {
          touching += d.is_candidate && d.distance < 0.0 ? 1 : 0;
          continue;
        }
        crossing += d.is_candidate ? 1 : 0;
        EXPECT_GE(d.distance, 0.0) << trial << " " << i << " " << j;
      }
  }
  EXPECT_GT(parted, 300);
  EXPECT_GT(touching, 300);
  EXPECT_GT(crossing, 300);
}

TEST(SolidDistance, ContactsWithinASkinAreThoseOfAllPairs) {
  PairRandom random(24);
  SolidWorkspace work;
  std::vector<SolidContact> found, other;
  long listed = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const auto points_a = random_points(random, 4 + trial), points_b = random_points(random, 8);
    const Polyhedron a = hull_of(points_a), b = hull_of(points_b);
    const Pose pa = random.pose(1.0), pb = random.pose(1.0);
    const SolidPair pair{a, b};
    const double nearest = std::max(0.0, nearest_features(pair, pa, pb, work).distance);
    contacts_within(pair, pa, pb, nearest + 1e-12, work, found);
    if (!(solid_overlap(pair, pa, pb, 0.0) > 0.0)) {
      EXPECT_FALSE(found.empty());
    }
    const double skin = nearest + random.uniform(0.0, 0.2);
    contacts_within(pair, pa, pb, skin, work, found);
    listed += static_cast<long>(found.size());
    const bool is_overlap = solid_overlap(pair, pa, pb, 0.0) > 0.0;
    // No pair of features as near as the skin is missing.
    const auto has = [&](const SolidContact& c) { return std::ranges::binary_search(found, c); };
    const auto expect_listed = [&](const SolidContact& c) {
      const SpatialDistance d = distance_of(pair, c, pa, pb);
      if (d.is_candidate && std::abs(d.distance) <= skin - 1e-12 &&
          (d.first.point - d.second.point).norm() <= skin - 1e-12 && !is_overlap) {
        EXPECT_TRUE(has(c)) << trial << " " << static_cast<int>(c.owner) << " " << c.first << " "
                            << c.second;
      }
    };
    for (int k = 0; k < static_cast<int>(a.corners.size()); ++k)
      expect_listed({SolidOwner::first_corner, k, 0});
    for (int k = 0; k < static_cast<int>(b.corners.size()); ++k)
      expect_listed({SolidOwner::second_corner, 0, k});
    for (int i = 0; i < static_cast<int>(a.edges.size()); ++i)
      for (int j = 0; j < static_cast<int>(b.edges.size()); ++j)
        expect_listed({SolidOwner::edges, i, j});
  }
  EXPECT_GT(listed, 500);
}

// Two needles across a plate have no corner inside of each other, and the features of edges lie far away.
TEST(SolidDistance, SeesOverlapsWithoutACornerInside) {
  const Polyhedron needle = polyhedron_of(Box{{0.001, 0.001, 2.0}}),
                   plate = polyhedron_of(Box{{1.0, 1.0, 0.005}});
  const Pose tilted{{0.3, 0.2, 0.0},
                    Eigen::AngleAxisd(0.3, Vector3d(1, 2, 0).normalized()).toRotationMatrix()};
  EXPECT_NEAR(solid_overlap({needle, plate}, Pose{}, Pose{}, 1e-9), 1.001, 1e-12);
  EXPECT_GT(solid_overlap({needle, plate}, tilted, Pose{}, 1e-9), 0.1);
  EXPECT_EQ(solid_overlap({needle, plate}, {{1.1, 0, 0}, Matrix3d::Identity()}, Pose{}, 1e-9), 0.0);
}

// A body inside of another one touches it with no feature; its corners say how deep it is.
TEST(SolidDistance, ABodyInsideAnotherOverlaps) {
  const Polyhedron small = polyhedron_of(Box{{0.1, 0.1, 0.1}}),
                   large = polyhedron_of(Box{{1, 1, 1}});
  SolidWorkspace work;
  EXPECT_LT(nearest_features({small, large}, Pose{}, Pose{}, work).distance, -0.8);
  EXPECT_GT(solid_overlap({small, large}, Pose{}, Pose{}, 1e-9), 1.0);
}

// Of two hulls of 300 corners (800 000 pairs of edges, 360 000 of faces) that are far apart a query looks at a small part.
TEST(SolidDistance, LargeHullsCostWhatIsNear) {
  PairRandom random(25);
  const Polyhedron a = random_hull(random, 300), b = random_hull(random, 300);
  EXPECT_EQ(a.corners.size(), 300u);
  SolidWorkspace work;
  std::vector<SolidContact> contacts;
  for (int trial = 0; trial < 6; ++trial) {
    const Pose pa = random.pose(0.3), pb{{3, 0.1 * trial, 0}, random.pose(1).rotation};
    const NearestFeatures nearest = nearest_features({a, b}, pa, pb, work);
    EXPECT_LT(work.tree.box_tests, 60000);
    contacts_within({a, b}, pa, pb, nearest.distance * 1.001, work, contacts);
    EXPECT_LT(work.tree.box_tests, 60000);
    EXPECT_LT(contacts.size(), 2000u);
  }
}

}  // namespace
}  // namespace clack
