// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/load_factor.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace clack {
namespace {

/// A ladder of half length 1, inclined by `angle`, on a floor and at a wall to its right, friction mu at both. Speeds:
/// x, y, turn about the middle; reactions: floor N, wall N, floor T (to the right), wall T (up).
HeldLoad ladder(double angle, double mu) {
  const double c = std::cos(angle), s = std::sin(angle);
  HeldLoad held;
  held.reactions.resize(3, 4);
  held.reactions.col(0) << 0, 1, -c;  // at (-c, -s)
  held.reactions.col(1) << -1, 0, s;  // at (c, s)
  held.reactions.col(2) << 1, 0, s;
  held.reactions.col(3) << 0, 1, c;
  held.cones = {{0, 2, mu}, {1, 3, mu}};
  held.dead = Eigen::Vector3d(0, -1, 0);
  return held;
}

// The foot is pulled away from the wall by P. The most is held where the floor gives all its friction and that of the wall
// presses the ladder down: T1 = mu N1, T2 = -mu N2, and three equations give N1, N2 and P:
//   T1 - N2 = P,   N1 + T2 = 1,   -c N1 + s N2 + s T1 + c T2 = s P  (moments about the middle)
TEST(LoadFactor, OfALadderWhoseFootIsPulledIsTheClosedForm) {
  const double angle = 1.1, mu = 0.6, c = std::cos(angle), s = std::sin(angle);
  HeldLoad held = ladder(angle, mu);
  const double pull = 0.01;
  held.live = pull * Eigen::Vector3d(-1, 0, -s);  // at (-c, -s)
  Eigen::Matrix3d a;
  a << mu, -1, -1, 1, -mu, 0, -c + s * mu, s - c * mu, -s;
  const Eigen::Vector3d x = a.colPivHouseholderQr().solve(Eigen::Vector3d(0, 1, 0));
  ASSERT_GT(x[1], 0.0);
  const LoadFactor factor = largest_load_factor(held);
  ASSERT_EQ(factor.limit, LoadLimit::largest);
  EXPECT_NEAR(factor.factor, x[2] / pull, 1e-7 * x[2] / pull);
}

TEST(LoadFactor, DoesNotDependOnUnits) {
  HeldLoad held = ladder(1.1, 0.6);
  held.live = 0.01 * Eigen::Vector3d(-1, 0, -std::sin(1.1));
  const double factor = largest_load_factor(held).factor;
  held.dead *= 1e-5;
  held.live *= 1e-5;
  EXPECT_NEAR(largest_load_factor(held).factor, factor, 1e-7 * factor);
}

// Cones are homogeneous: without a dead load every multiple is held.
TEST(LoadFactor, HasNoBoundWhereTheLoadIsHeldAlone) {
  HeldLoad held = ladder(1.2, 0.6);
  held.live = held.dead;
  held.dead = Eigen::Vector3d::Zero();
  EXPECT_TRUE(is_held(held, held.live));
  EXPECT_EQ(largest_load_factor(held).limit, LoadLimit::unbounded);
  held.dead = 0.3 * held.live;
  EXPECT_EQ(largest_load_factor(held).limit, LoadLimit::unbounded);
}

// A ladder without friction at the wall: tan(angle) >= 1/(2 mu).
TEST(LoadFactor, ALoadIsHeldUpToTheLimitOfFriction) {
  const double mu = 0.4;
  for (const double part : {0.999, 1.001}) {
    HeldLoad held = ladder(std::atan(part / (2.0 * mu)), mu);
    held.cones[1].mu = 0.0;
    EXPECT_EQ(is_held(held, held.dead), part > 1.0) << part;
  }
}

// In space: a block of weight 1 on a floor with mu = 0.5, pulled sideways by 0.1 in a direction that is no axis.
TEST(LoadFactor, InSpaceTheConeIsRound) {
  HeldLoad held;
  held.reactions = Eigen::Matrix3d::Identity();
  held.reactions.col(0).swap(held.reactions.col(2));  // N along z, tangents y, x
  held.cones = {{0, 1, 0.5}};
  held.tangents = 2;
  held.dead = Eigen::Vector3d(0, 0, -1);
  held.live = 0.1 * Eigen::Vector3d(0.6, 0.8, 0);
  const LoadFactor factor = largest_load_factor(held);
  ASSERT_EQ(factor.limit, LoadLimit::largest);
  EXPECT_NEAR(factor.factor, 5.0, 1e-7);
}

}  // namespace
}  // namespace clack
