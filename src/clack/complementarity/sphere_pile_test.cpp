// SPDX-License-Identifier: Apache-2.0
// The pile of spheres of bench/friction_bench.cpp: its contact kinematics and its friction problem.
#include "clack/complementarity/settling.hpp"

#include <gtest/gtest.h>

namespace clack {
namespace {

// Loose spheres with a wide reach, so that every kind of contact occurs, and scattered motion.
bench::Spheres moving_spheres(int count) {
  bench::Spheres spheres = bench::loose_spheres(count);
  for (int b = 0; b < count; ++b)
    for (int k = 0; k < 3; ++k) {
      spheres.velocity[b](k) = bench::scatter(b, k + 1000);
      spheres.spin[b](k) = bench::scatter(b, k + 5000);
    }
  return spheres;
}

std::vector<bench::Touch> wide_touches(const bench::Spheres& spheres) {
  return bench::find_touches(spheres, std::vector<double>(spheres.count(), 0.5 * spheres.radius));
}

TEST(SpherePile, CellsFindEveryPairThatAllPairsFind) {
  const bench::Spheres spheres = moving_spheres(200);
  std::vector<double> reach;
  for (int b = 0; b < spheres.count(); ++b)
    reach.push_back((0.3 + 0.2 * bench::scatter(b, 7)) * spheres.radius);
  int expected = 0, found = 0;
  for (int b = 0; b < spheres.count(); ++b)
    for (int a = 0; a < b; ++a)
      expected += (spheres.position[b] - spheres.position[a]).norm() <
                  2 * spheres.radius + reach[a] + reach[b];
  for (const bench::Touch& c : bench::find_touches(spheres, reach)) found += c.a >= 0;
  EXPECT_GT(expected, 200);
  EXPECT_EQ(found, expected);
}

// Turned as one rigid body, the nearest points of two spheres differ in velocity by turn x (gap n):
// not at all where they touch.
TEST(SpherePile, RigidRotationSlipsNowhere) {
  bench::Spheres spheres = moving_spheres(60);
  const Eigen::Vector3d turn(0.3, -1.1, 0.7), shift(0.2, 0.5, -0.4);
  for (int b = 0; b < spheres.count(); ++b) {
    spheres.velocity[b] = shift + turn.cross(spheres.position[b]);
    spheres.spin[b] = turn;
  }
  int pairs = 0;
  for (const bench::Touch& c : wide_touches(spheres)) {
    if (c.a < 0) continue;
    ++pairs;
    const Eigen::Vector3d normal = c.frame.row(0);
    const Eigen::Vector3d expected = c.frame * turn.cross(c.gap * normal);
    EXPECT_LT((bench::touch_velocity(spheres, c) - expected).norm(), 1e-14);
  }
  EXPECT_GT(pairs, 60);
}

// W r + q, by blocks, against impulses given to the spheres one by one: two routes to one velocity.
TEST(SpherePile, BlocksAnswerImpulsesAsTheSpheresDo) {
  bench::Spheres spheres = moving_spheres(60);
  const double step = 0.01;
  auto touches = wide_touches(spheres);
  const FrictionProblem problem = bench::pile_problem(spheres, touches, step);
  const Eigen::MatrixXd W = dense_delassus(problem);
  EXPECT_LT((W - W.transpose()).norm(), 1e-14 * W.norm());
  Eigen::VectorXd reaction(problem.unknowns());
  for (int k = 0; k < reaction.size(); ++k) reaction(k) = bench::scatter(k, 9000);
  const Eigen::VectorXd by_blocks = contact_velocity(problem, reaction);
  bench::apply_impulses(spheres, touches, reaction);
  for (int i = 0; i < problem.contacts(); ++i) {
    Eigen::Vector3d direct = bench::touch_velocity(spheres, touches[i]);
    direct(0) += touches[i].gap / step;
    EXPECT_LT((by_blocks.segment<3>(3 * i) - direct).norm(), 1e-13 * by_blocks.norm());
  }
}

// At rest floor and walls carry the weight; 1 % is far above what the stated rest of motion leaves.
TEST(SpherePile, FloorAndWallsCarryTheWeightOfASettledPile) {
  bench::Spheres spheres = bench::loose_spheres(30);
  const bench::SettlingOptions options;
  const bench::Settling run = bench::settle(spheres, options);
  ASSERT_LT(run.steps, options.step_limit);
  EXPECT_NEAR(bench::carried_weight(spheres, options, run), 1.0, 0.01);
  EXPECT_LT(run.penetration, 1e-3 * spheres.radius);
}

}  // namespace
}  // namespace clack
