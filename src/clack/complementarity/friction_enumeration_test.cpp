// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/friction_enumeration.hpp"
#include "clack/complementarity/friction_solver.hpp"

#include "clack/complementarity/friction_test_problems.hpp"

namespace clack {
namespace {

TEST(FrictionEnumeration, StickingWeightIsTheOnlySolution) {
  const auto problem =
      make_friction_problem(2, Eigen::MatrixXd(Eigen::Matrix2d::Identity()),
                            Eigen::Vector2d(-1, 0.2), Eigen::VectorXd::Constant(1, 0.5));
  const auto result = enumerate_friction(problem);
  ASSERT_EQ(result.solutions.size(), 1u);
  EXPECT_TRUE(result.reaction.isApprox(Eigen::Vector2d(1, -0.2), 1e-14));
}

// One contact with W_NN - mu W_NT < 0 (Painleve): u_N = q_N + k r_N with k < 0 for slip in +1
// direction.
TEST(FrictionEnumeration, PainleveContactHasThreeSolutions) {
  Eigen::Matrix2d W;
  W << 1, 2, 2, 5;
  const auto problem = make_friction_problem(2, Eigen::MatrixXd(W), Eigen::Vector2d(1, 4),
                                             Eigen::VectorXd::Constant(1, 0.8));
  const auto result = enumerate_friction(problem);
  EXPECT_EQ(result.solutions.size(), 3u);
  EXPECT_TRUE(result.has_flag("not-unique"));
  for (const auto& r : result.solutions) EXPECT_LE(friction_residual(problem, r).value, 1e-14);
}

TEST(FrictionEnumeration, ProvesThatNothingSolves) {
  // Painleve: the contact slides with e = +1, so u_N = -1 + (1 - 0.8 * 2) r_N < 0 for every r_N >= 0.
  Eigen::Matrix2d W;
  W << 1, 2, 2, 5;
  auto problem = make_friction_problem(2, Eigen::MatrixXd(W), Eigen::Vector2d(-1, 0.5),
                                       Eigen::VectorXd::Constant(1, 0.8));
  problem.direction = Eigen::VectorXd::Constant(1, 1.0);
  ASSERT_NEAR(sliding_mobility(problem, 0), -0.6, 1e-15);
  const auto none = enumerate_friction(problem);
  EXPECT_EQ(none.status, SolveStatus::none_exists);
  EXPECT_TRUE(none.solutions.empty());
  EXPECT_EQ(solve_friction(problem).status, SolveStatus::none_exists);
  // The other way it presses apart: r_N = 1 / (1 + 1.6).
  problem.direction[0] = -1.0;
  const auto one = enumerate_friction(problem);
  ASSERT_EQ(one.status, SolveStatus::solved);
  EXPECT_NEAR(one.reaction[0], 1.0 / 2.6, 1e-14);
}

TEST(FrictionEnumeration, SpatialSlipDirectionIsFound) {
  const auto problem =
      make_friction_problem(3, Eigen::MatrixXd(Eigen::Matrix3d::Identity()),
                            Eigen::Vector3d(-1, 2, 1), Eigen::VectorXd::Constant(1, 0.5));
  const auto result = enumerate_friction(problem);
  ASSERT_EQ(result.solutions.size(), 1u);
  const Eigen::Vector2d e = Eigen::Vector2d(2, 1).normalized();
  EXPECT_TRUE(result.reaction.isApprox(Eigen::Vector3d(1, -0.5 * e(0), -0.5 * e(1)), 1e-12));
}

TEST(FrictionEnumeration, RefusesManyContacts) {
  const auto problem = test::random_friction(2, 9, 20, 0.3, 1);
  EXPECT_FALSE(is_enumerable(problem));
  EXPECT_EQ(enumerate_friction(problem).status, SolveStatus::not_converged);
}

}  // namespace
}  // namespace clack
