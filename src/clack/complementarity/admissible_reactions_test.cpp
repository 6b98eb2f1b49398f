// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <random>

#include "clack/complementarity/reactions_nearby.hpp"

namespace clack {
namespace {

/// Contacts that stick, with free distributions of random directions; `shift` moves the family a little.
ReactionFamily drawn_family(unsigned seed, int contacts, int tangents, int free, double shift) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  ReactionFamily family;
  family.tangents = tangents;
  const int unknowns = contacts * (1 + tangents);
  Eigen::VectorXd inside(unknowns);
  for (int i = 0; i < contacts; ++i) {
    const int tangent = contacts + i * tangents;
    family.cones.push_back({i, tangent, 0.5});
    inside[i] = 1.0 + std::abs(normal(random));
    for (int a = 0; a < tangents; ++a)
      inside[tangent + a] = 0.2 * inside[i] * std::tanh(normal(random));
  }
  Eigen::MatrixXd directions(unknowns, free);
  for (double& entry : directions.reshaped()) entry = normal(random);
  Eigen::VectorXd moved(unknowns);
  for (double& entry : moved) entry = normal(random);
  family.free =
      directions.householderQr().householderQ() * Eigen::MatrixXd::Identity(unknowns, free);
  const Eigen::VectorXd member = inside + shift * moved;
  family.smallest = member - family.free * (family.free.transpose() * member);
  return family;
}

TEST(AdmissibleReactions, FoundFromAnAnswerNearbyAreThoseOfTheConeProgram) {
  int found = 0, asked = 0;
  for (const int tangents : {1, 2})
    for (unsigned seed = 1; seed <= 100; ++seed) {
      const AdmissibleReactions before =
          smallest_admissible(drawn_family(seed, 8, tangents, 10, 0.0));
      const ReactionFamily family = drawn_family(seed, 8, tangents, 10, 1e-4);
      const AdmissibleReactions whole = smallest_admissible(family);
      if (!whole.is_admissible || margin_of(family, family.smallest) >= 0.0) continue;
      ++asked;
      const auto nearby = smallest_nearby(family, before.reaction);
      if (!nearby) continue;
      ++found;
      // The cone program ends at a gap of 1e-13 of |x|^2: it knows |x| to that, and x to the root of it.
      EXPECT_LE(nearby->norm(), (1.0 + 1e-10) * whole.reaction.norm()) << seed;
      EXPECT_LE((*nearby - whole.reaction).norm(), 2e-6 * whole.reaction.norm()) << seed;
      EXPECT_GE(margin_of(family, *nearby), -family.zero_reaction()) << seed;
    }
  EXPECT_GT(asked, 100);
  EXPECT_GT(found, asked / 2) << "most families nearby have the same cones";
}

TEST(AdmissibleReactions, AnAnswerFarAwayIsNotBelieved) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    const ReactionFamily family = drawn_family(seed, 6, 2, 7, 0.0);
    const AdmissibleReactions whole = smallest_admissible(family);
    const AdmissibleReactions other = smallest_admissible(drawn_family(seed + 1000, 6, 2, 7, 0.0));
    if (!whole.is_admissible || margin_of(family, family.smallest) >= 0.0) continue;
    const auto nearby = smallest_nearby(family, other.reaction);
    if (!nearby) continue;
    EXPECT_LE((*nearby - whole.reaction).norm(), 2e-6 * whole.reaction.norm()) << seed;
  }
}

TEST(AdmissibleReactions, ABoundOfTheMarginIsBelowItAndNearIt) {
  // The widest member of a family, carried to one that differs by 1e-4 of its reactions, has a margin there: no larger than
  // the largest, and smaller by no more than what the reactions have moved (normal forces are about 1 N here).
  constexpr double shift = 1e-4;
  int compared = 0;
  for (const int tangents : {1, 2})
    for (unsigned seed = 1; seed <= 50; ++seed) {
      const WidestMember widest = widest_member(drawn_family(seed, 6, tangents, 7, 0.0));
      const ReactionFamily moved = drawn_family(seed, 6, tangents, 7, shift);
      const double largest = largest_margin(moved);
      if (widest.reaction.size() == 0 || !std::isfinite(largest))
        continue;  // wedged: it has no bound
      const double bound = margin_bound(moved, widest.reaction);
      ++compared;
      EXPECT_LE(bound, largest + 1e-9) << seed;
      EXPECT_GE(bound, largest - 100.0 * shift) << seed;
    }
  EXPECT_GE(compared, 30);
}

TEST(AdmissibleReactions, WithABallThatOnlyLiesThereHaveTheMarginOfTheSmallerBound) {
  // A ball on the floor that carries N without friction in all members, next to a contact that presses with 1 N and may have
  // any friction along one direction: at best none, so the margin is mu min(N, 1). The cone of the ball is left along its
  // axis, where the way to its border is a double root.
  std::mt19937 random(11);
  std::uniform_real_distribution<double> weight(0.2, 3.0);
  for (int round = 0; round < 200; ++round) {
    ReactionFamily family;
    family.tangents = 2;
    family.cones = {{0, 2, 0.3}, {1, 4, 0.3}};
    const double ball = weight(random), pressed = 1.0;
    family.smallest = Eigen::VectorXd::Zero(6);
    family.smallest[0] = ball;
    family.smallest[1] = pressed;
    family.smallest[4] = 5.0;
    family.free = Eigen::VectorXd::Unit(6, 4);
    const WidestMember widest = widest_member(family);
    ASSERT_EQ(widest.reaction.size(), 6) << "not converged with " << ball << " N";
    EXPECT_NEAR(widest.margin, 0.3 * std::min(ball, pressed), 1e-7) << ball;
  }
}

TEST(AdmissibleReactions, OfASphereInACornerPushOnNoWall) {
  // Floor, two walls, mu = 0.3 < 1: a wall that pushed would need friction beyond its cone at wall or floor, so the weight on
  // the floor is the only admissible reaction, and the family has no inside. Unknowns N, then T of floor, right, front.
  Eigen::MatrixXd rows(6, 9);  // forces x, y, z and torques about the centre, radius 1
  rows.setZero();
  const Eigen::Vector3d normals[] = {{0, 0, 1}, {-1, 0, 0}, {0, 1, 0}};
  const Eigen::Vector3d tangents[][2] = {
      {{1, 0, 0}, {0, 1, 0}}, {{0, 1, 0}, {0, 0, 1}}, {{1, 0, 0}, {0, 0, 1}}};
  ReactionFamily family;
  family.tangents = 2;
  for (int i = 0; i < 3; ++i) {
    family.cones.push_back({i, 3 + 2 * i, 0.3});
    rows.col(i).head(3) = normals[i];
    for (int a = 0; a < 2; ++a) {
      rows.col(3 + 2 * i + a).head(3) = tangents[i][a];
      rows.col(3 + 2 * i + a).tail(3) = (-normals[i]).cross(tangents[i][a]);
    }
  }
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(rows, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::VectorXd weight = Eigen::VectorXd::Zero(6);
  weight[2] = 9.81;
  family.smallest = svd.solve(weight);
  family.free = svd.matrixV().rightCols(9 - svd.rank());
  const AdmissibleReactions found = smallest_admissible(family);
  EXPECT_TRUE(found.is_admissible);
  EXPECT_NEAR(found.reaction[0], 9.81, 1e-9);
  EXPECT_LE(found.reaction.tail(8).norm(), 1e-9);
}

}  // namespace
}  // namespace clack
