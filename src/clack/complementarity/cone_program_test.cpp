// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/cone_program.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "clack/complementarity/admissible_reactions.hpp"

namespace clack {
namespace {

TEST(ConeProgram, NearestPointOfALorentzConeIsItsProjection) {
  // min 1/2 |x|^2 with h + x in the cone: x = P(h) - h; closed form for h outside of both cones.
  ConeProgram program;
  program.weight = 1.0;
  program.c = Eigen::Vector3d::Zero();
  program.G = Eigen::Matrix3d::Identity();
  program.h = Eigen::Vector3d(0.2, 3.0, -4.0);
  program.cones = {3};
  const ConeAnswer answer = solve_cone_program(program);
  ASSERT_TRUE(answer.is_solved);
  const double a = 0.5 * (0.2 + 5.0);
  EXPECT_LT((answer.slack - Eigen::Vector3d(a, a * 0.6, -a * 0.8)).norm(), 1e-11);
}

TEST(ConeProgram, ALinearProgramEndsInItsCorner) {
  // max x + 2 y with x <= 3, y <= 2, x + y <= 4, x, y >= 0: (2, 2).
  ConeProgram program;
  program.c = Eigen::Vector2d(-1.0, -2.0);
  program.G.resize(5, 2);
  program.G << -1, 0, 0, -1, -1, -1, 1, 0, 0, 1;
  program.h.resize(5);
  program.h << 3, 2, 4, 0, 0;
  program.cones.assign(5, 1);
  const ConeAnswer answer = solve_cone_program(program);
  ASSERT_TRUE(answer.is_solved);
  EXPECT_LT((answer.x - Eigen::Vector2d(2, 2)).norm(), 1e-10);
}

TEST(ConeProgram, AContradictionIsNeverSolved) {
  // x >= 1 and -x >= 1.
  ConeProgram program;
  program.weight = 1.0;
  program.c = Eigen::VectorXd::Zero(1);
  program.G = Eigen::Vector2d(1, -1);
  program.h = Eigen::Vector2d(-1, -1);
  program.cones = {1, 1};
  EXPECT_FALSE(solve_cone_program(program).is_solved);
}

/// A random family with `contacts` sticking contacts and p free directions.
ReactionFamily random_family(std::mt19937& random, int contacts, int k, int p) {
  std::normal_distribution<double> normal;
  ReactionFamily family;
  const int n = contacts * (1 + k);
  family.tangents = k;
  Eigen::MatrixXd free(n, p);
  for (double& value : free.reshaped()) value = normal(random);
  family.free = Eigen::MatrixXd(free.householderQr().householderQ()).leftCols(p);
  family.smallest.resize(n);
  for (double& value : family.smallest) value = normal(random);
  for (int i = 0; i < contacts; ++i) family.smallest[i] += 1.0;
  family.smallest -= family.free * (family.free.transpose() * family.smallest);
  for (int i = 0; i < contacts; ++i) family.cones.push_back({i, contacts + k * i, 0.8});
  return family;
}

TEST(AdmissibleReactions, NoSampleHasALargerMargin) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal(0.0, 2.0);
  for (int round = 0; round < 40; ++round) {
    const int k = 1 + round % 2;
    const ReactionFamily family = random_family(random, 3, k, 2);
    const double margin = largest_margin(family);
    double best = -std::numeric_limits<double>::infinity();
    for (int sample = 0; sample < 2000; ++sample)
      best = std::max(
          best, margin_of(family, family.smallest + family.free * Eigen::Vector2d(normal(random),
                                                                                  normal(random))));
    EXPECT_GE(margin, best - 1e-9) << round;
  }
}

TEST(AdmissibleReactions, TheSmallestIsAdmissibleAndNoAdmissibleSampleIsSmaller) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  int shifted = 0, none = 0;
  for (int round = 0; round < 60; ++round) {
    const ReactionFamily family = random_family(random, 3, 2, 3);
    const double margin = largest_margin(family);
    const AdmissibleReactions found = smallest_admissible(family);
    EXPECT_EQ(found.is_admissible, margin >= -1e-9) << round;
    const double own = margin_of(family, found.reaction);
    if (!found.is_admissible) {
      ++none;
      EXPECT_NEAR(own, margin, 1e-8) << round;  // broken by as little as possible
      continue;
    }
    EXPECT_GE(own, -1e-9) << round;
    if ((found.reaction - family.smallest).norm() > 1e-6) ++shifted;
    for (int sample = 0; sample < 500; ++sample) {
      Eigen::Vector3d z = family.free.transpose() * (found.reaction - family.smallest);
      for (double& value : z) value += 0.2 * normal(random);
      const Eigen::VectorXd x = family.smallest + family.free * z;
      if (margin_of(family, x) < 0.0) continue;
      EXPECT_GE(x.norm(), found.reaction.norm() - 1e-9);
    }
  }
  EXPECT_GT(shifted, 10);
  EXPECT_GT(none, 3);
}

TEST(AdmissibleReactions, AWedgedBodyHasAnInfiniteMargin) {
  // Two walls press a block: N1 = N2 = any, friction carries the weight 2 T = 1 with mu = 0.5.
  ReactionFamily family;
  family.smallest = Eigen::Vector4d(0, 0, 0.5, 0.5);
  family.free = Eigen::Vector4d(1, 1, 0, 0) / std::sqrt(2.0);
  family.cones = {{0, 2, 0.5}, {1, 3, 0.5}};
  EXPECT_EQ(largest_margin(family), std::numeric_limits<double>::infinity());
  const AdmissibleReactions found = smallest_admissible(family);
  ASSERT_TRUE(found.is_admissible);
  EXPECT_NEAR(found.reaction[0], 1.0, 1e-9);  // mu N = T
}

TEST(AdmissibleReactions, ADiskInACornerRestsOnTheFloorAlone) {
  // Floor: N1 up, T1 to the right; wall on the left: N2 to the right, T2 up. The families that carry
  // the weight 1: N1 + T2 = 1, N2 + T1 = 0, moment T1 - T2 = 0 (unit radius).
  Eigen::MatrixXd rows(3, 4);
  rows << 1, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, -1;
  ReactionFamily family;
  family.smallest = rows.completeOrthogonalDecomposition().solve(Eigen::Vector3d(1, 0, 0));
  family.free = Eigen::Vector4d(-1, -1, 1, 1) / 2.0;
  ASSERT_LT((rows * family.free).norm(), 1e-14);
  family.cones = {{0, 2, 0.4}, {1, 3, 0.4}};
  ASSERT_LT(family.smallest[1], -0.2);  // the smallest pulls at the wall: -1/4
  const AdmissibleReactions found = smallest_admissible(family);
  ASSERT_TRUE(found.is_admissible);
  EXPECT_LT((found.reaction - Eigen::Vector4d(1, 0, 0, 0)).norm(), 1e-9);
}

}  // namespace
}  // namespace clack
