// SPDX-License-Identifier: Apache-2.0
// Law energetic in space: the same scene in other units, frames and tangents, and the edge cases of
// its section in docs/theories/energetic.md.
#include <gtest/gtest.h>

#include "clack/impact/body_impacts.hpp"
#include "clack/impact/conformance.hpp"
#include "clack/impact/energetic.hpp"

namespace clack {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::add_point;
using testing::BlockPoints;
using testing::material;
using testing::RandomSystem;
using testing::spatial_block;
using testing::spatial_body;

const EnergeticLaw energetic_law;

EnergeticLaw first_event_only() {
  EnergeticOptions options;
  options.max_events = 1;
  return EnergeticLaw(options);
}

/// The scene moved by an orthogonal matrix (a turn or a mirror image), with other tangents.
ImpactProblem moved(const ImpactProblem& p, const Matrix3d& by, double turn) {
  const double side = by.determinant();
  ImpactProblem q = spatial_body(1.0, Matrix3d::Identity(), by * p.velocity.head<3>(),
                                 side * (by * p.velocity.tail<3>()));
  q.mass_matrix = p.mass_matrix;
  q.mass_matrix.bottomRightCorner<3, 3>() =
      by * p.mass_matrix.bottomRightCorner<3, 3>() * by.transpose();
  for (int i = 0; i < p.contacts(); ++i)
    add_point(q, Vector3d(by * *p.geometry[i].point), Vector3d(by * *p.geometry[i].normal),
              p.materials[i], turn + i);
  return q;
}

TEST(SpatialEnergeticProperties, IsFreeOfUnitsSpeedFrameSideAndTangents) {
  RandomSystem random(31);
  int compared = 0;
  double worst = 0.0;
  for (int k = 0; k < 200; ++k) {
    const double mu = random.uniform(0.0, 0.5);
    const ContactMaterial m = material(random.uniform(0.2, 1.0), mu, 1.3 * mu);
    const ImpactProblem p = testing::random_body(random, 3, 1 + k % 4, 0.5, &m);
    const ImpactResult result = energetic_law.resolve(p);
    if (result.status != SolveStatus::solved || result.events.size() > 8) continue;
    ++compared;
    const double speed = p.velocity.lpNorm<Eigen::Infinity>();
    const auto expect_same = [&](const VectorXd& v, const char* what) {
      const double miss = (v - result.velocity).lpNorm<Eigen::Infinity>() / speed;
      EXPECT_LE(miss, 1e-10) << k << " " << what;
      if (!(miss <= worst)) worst = miss;
    };
    ImpactProblem q = p;
    q.velocity *= 3.0;
    expect_same(energetic_law.resolve(q).velocity / 3.0, "speed");
    q = p;
    q.mass_matrix *= 1e3;
    expect_same(energetic_law.resolve(q).velocity, "mass");
    expect_same(energetic_law.resolve(moved(p, Matrix3d::Identity(), 0.7)).velocity, "tangents");
    const Matrix3d turn =
        Eigen::AngleAxisd(random.uniform(0.0, 6.28), Vector3d(random.vector(3)).normalized())
            .toRotationMatrix();
    const Matrix3d mirror = turn * Vector3d(-1, 1, 1).asDiagonal() * turn.transpose();
    for (const Matrix3d& by : {turn, mirror}) {
      const VectorXd v = energetic_law.resolve(moved(p, by, 0.3)).velocity;
      VectorXd back(6);
      back << by.transpose() * v.head<3>(), by.determinant() * (by.transpose() * v.tail<3>());
      expect_same(back, by.determinant() > 0.0 ? "turned" : "mirror");
    }
  }
  std::cout << compared << " spatial impacts in other clothes: worst difference " << worst
            << " of the speed\n";
  EXPECT_GT(compared, 120);
}

const ContactMaterial rough_floor = material(0.5, 0.35, 0.6);

TEST(SpatialEnergeticBlock, TheThreeCornersShareTheFirstEventAsTheSlipsSay) {
  const ImpactResult result =
      first_event_only().resolve(spatial_block(BlockPoints::three, rough_floor));
  const double expected[] = {0.23110989, 0.20051773, 0.19041166};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(result.normal_impulse[i], expected[i], 1e-7) << i;
}

/// A block that comes down on three corners of its lower side.
ImpactProblem falling_block(const Vector3d& v, const Vector3d& w, const ContactMaterial& m) {
  ImpactProblem p = spatial_block(BlockPoints::three, m);
  p.velocity << v, w;
  return p;
}

TEST(SpatialEnergeticEdges, ASetWithoutSlipStartsWithEqualShares) {
  const ImpactResult result =
      first_event_only().resolve(falling_block({0, 0, -1}, {0, 0, 0}, rough_floor));
  ASSERT_EQ(result.events.size(), 1u);
  EXPECT_NEAR(result.normal_impulse[1], result.normal_impulse[0], 1e-12);
  EXPECT_NEAR(result.normal_impulse[2], result.normal_impulse[0], 1e-12);
}

// Corner C turns about itself: its share begins at zero and nothing special happens there.
TEST(SpatialEnergeticEdges, APointOfAPlaneWithoutSlipAmongSlidingOnesIsNoEvent) {
  const double yaw = 3.0;
  const auto with_slip = [&](double slip) {
    const ImpactProblem p = falling_block({0, 0, -1}, {0, 0, yaw}, rough_floor);
    const Vector3d at = *p.geometry[2].point;
    const Vector3d still = -Vector3d(0, 0, yaw).cross(at);
    return falling_block({still.x() + slip, still.y(), -1}, {0, 0, yaw}, rough_floor);
  };
  const ImpactResult at = energetic_law.resolve(with_slip(0.0));
  const ImpactResult near = energetic_law.resolve(with_slip(1e-9));
  ASSERT_EQ(at.status, SolveStatus::solved);
  EXPECT_EQ(at.events.size(), near.events.size());
  EXPECT_LE((at.velocity - near.velocity).lpNorm<Eigen::Infinity>(), 1e-6);
}

// The corner that approaches has no slip and so no share, the others rest: the event of all would do
// no work, it begins anew with the corner alone.
TEST(SpatialEnergeticEdges, AnEventThatWouldNotCompressIsThatOfTheApproachingPoints) {
  const double yaw = 3.0, roll = 2.0;
  ImpactProblem p = falling_block({0, 0, 0}, {roll, 0, yaw}, rough_floor);
  const Vector3d a = *p.geometry[0].point, c = *p.geometry[2].point, w(roll, 0, yaw);
  const Vector3d slip_c = -w.cross(c);                              // v_G for which C stands still
  p.velocity.head<3>() << slip_c.x(), slip_c.y(), -w.cross(a).z();  // A and B neither rise nor fall
  const VectorXd rates = p.gap_rates(p.velocity);
  ASSERT_NEAR(rates[0], 0.0, 1e-15);
  ASSERT_NEAR(rates[1], 0.0, 1e-15);
  ASSERT_LT(rates[2], -0.1);
  const ImpactResult result = energetic_law.resolve(p);
  ASSERT_EQ(result.status, SolveStatus::solved);
  EXPECT_EQ(result.events[0].contacts, std::vector<int>{2});
  EXPECT_GE(p.gap_rates(result.velocity).minCoeff(), -1e-9);
}

// Two points, planar motion: the planar law with its own form of the closure is a second method.
TEST(SpatialEnergeticEdges, TwoPointsInAPlaneAreThePlanarBlock) {
  const double m = 2.5, b = 0.1087, h = 0.0645, inertia = m * (b * b + h * h) / 12;
  for (const double slip : {0.3, -0.2, 0.02}) {
    ImpactProblem flat = testing::planar_body(m, inertia, {slip, -0.8, -4.0});
    ImpactProblem space = spatial_body(m, Vector3d(inertia, inertia, inertia).asDiagonal(),
                                       {slip, -0.8, 0}, {0, 0, -4});
    for (const double x : {-b / 2, b / 2}) {
      add_point(flat, Vector2d(x, -h / 2), {0, 1}, rough_floor);
      add_point(space, Vector3d(x, -h / 2, 0), Vector3d(0, 1, 0), rough_floor, 0.4);
    }
    const ImpactResult plane = first_event_only().resolve(flat);
    const ImpactResult answer = first_event_only().resolve(space);
    EXPECT_NEAR(answer.velocity[0], plane.velocity[0], 1e-9) << slip;
    EXPECT_NEAR(answer.velocity[1], plane.velocity[1], 1e-9) << slip;
    EXPECT_NEAR(answer.velocity[5], plane.velocity[2], 4e-9) << slip;
  }
}

TEST(SpatialEnergeticEdges, PointsOnALineAreAPlaneToo) {
  ImpactProblem p =
      spatial_body(2.0, Vector3d(0.3, 0.4, 0.5).asDiagonal(), {0.7, 0.2, -1}, {0.1, 0.3, 0.5});
  for (const double x : {-0.5, 0.1, 0.6})
    add_point(p, Vector3d(x, 0.2 * x, -0.3), Vector3d(0, 0, 1), rough_floor);
  const ImpactResult result = energetic_law.resolve(p);
  ASSERT_EQ(result.status, SolveStatus::solved);
  EXPECT_NEAR(result.energy_after - result.energy_before,
              result.normal_work + result.tangential_work, 1e-10 * result.energy_before);
  EXPECT_GE(p.gap_rates(result.velocity).minCoeff(), -1e-9);
}

TEST(SpatialEnergeticEdges, AChainOfMoreThanTwoHundredEventsIsUnfinishedWithWhatIsLeft) {
  const ImpactProblem p = spatial_block(BlockPoints::three, rough_floor);
  EnergeticOptions endless;
  endless.restitution_sequence = {-1.0};
  const ImpactResult result = EnergeticLaw(endless).resolve(p);
  EXPECT_EQ(result.status, SolveStatus::unfinished);
  EXPECT_EQ(result.events.size(), 200u);
  EXPECT_NEAR((result.velocity - p.velocity).lpNorm<Eigen::Infinity>(), 0.0, 1e-12);
}

// Restitution 1 gives all work of the normal impulses back, 0 none.
TEST(SpatialEnergeticEdges, FullAndNoRestitution) {
  for (const double e : {0.0, 1.0}) {
    const ImpactResult result =
        first_event_only().resolve(spatial_block(BlockPoints::four, material(e, 0.35, 0.6)));
    ASSERT_EQ(result.events.size(), 1u);
    EXPECT_NEAR(result.events[0].normal_work, (1 - e * e) * result.events[0].compression_work,
                1e-12);
  }
}

}  // namespace
}  // namespace clack
