// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/lcp.hpp"

#include "clack/error.hpp"

using namespace clack;

TEST(Lcp, ResidualIsUnitFreeAndZeroOnlyAtSolutions) {
  Lcp problem{(Eigen::Matrix2d() << 2, 1, 1, 2).finished(), Eigen::Vector2d(-5, -6)};
  const Eigen::Vector2d solution(4.0 / 3.0, 7.0 / 3.0);
  EXPECT_LE(lcp_residual(problem, solution), 1e-15);
  // z = 0: w = q, so the residual is max |q| / max |q|.
  EXPECT_EQ(lcp_residual(problem, Eigen::Vector2d::Zero()), 1.0);
  const double here = lcp_residual(problem, Eigen::Vector2d(1, 2));
  problem.q *= 1024.0;
  EXPECT_EQ(lcp_residual(problem, Eigen::Vector2d(1024, 2048)), here);
}

TEST(Lcp, ResidualIsAbsoluteWhenQIsZero) {
  const Lcp problem{Eigen::Matrix2d::Identity(), Eigen::Vector2d::Zero()};
  EXPECT_EQ(lcp_residual(problem, Eigen::Vector2d(0.25, 0)), 0.25);
}

TEST(Lcp, WrongSizesAndNumbersThatAreNotFiniteAreRefused) {
  EXPECT_THROW(check_lcp({Eigen::MatrixXd::Identity(2, 3), Eigen::VectorXd::Ones(2)}), InputError);
  EXPECT_THROW(check_lcp({Eigen::MatrixXd::Identity(3, 3), Eigen::VectorXd::Ones(2)}), InputError);
  EXPECT_THROW(check_lcp({Eigen::MatrixXd::Constant(1, 1, NAN), Eigen::VectorXd::Ones(1)}),
               InputError);
  EXPECT_NO_THROW(check_lcp({Eigen::MatrixXd(0, 0), Eigen::VectorXd(0)}));
}
