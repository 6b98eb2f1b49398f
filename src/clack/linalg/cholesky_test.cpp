// SPDX-License-Identifier: Apache-2.0
#include "clack/linalg/cholesky.hpp"

#include "clack/error.hpp"

using namespace clack;

TEST(Cholesky, SolvesAndSaysWhereItFails) {
  const Eigen::MatrixXd A = (Eigen::MatrixXd(2, 2) << 4, 2, 2, 3).finished();
  Cholesky factor;
  ASSERT_TRUE(factor.compute(A));
  Eigen::MatrixXd x = A * Eigen::Vector2d(1, -2);
  factor.solve_in_place(x);
  EXPECT_LE((x - Eigen::Vector2d(1, -2)).norm(), 1e-14);
  EXPECT_FALSE(factor.compute((Eigen::MatrixXd(2, 2) << 1, 2, 2, 1).finished()));
  EXPECT_EQ(factor.failed_row(), 1);
  EXPECT_EQ(factor.failed_pivot(), -3.0);
}

TEST(Cholesky, ChecksRefuseUnsymmetricIndefiniteAndInfiniteMatrices) {
  EXPECT_NO_THROW(check_positive_definite(Eigen::Matrix2d::Identity(), "mass matrix"));
  EXPECT_THROW(check_positive_definite(-Eigen::Matrix2d::Identity(), "mass matrix"), InputError);
  EXPECT_THROW(check_positive_definite(Eigen::MatrixXd::Ones(2, 3), "mass matrix"), InputError);
  Eigen::MatrixXd A = Eigen::Matrix2d::Identity();
  A(0, 1) = 0.1;
  EXPECT_THROW(check_positive_definite(A, "mass matrix"), InputError);
}
