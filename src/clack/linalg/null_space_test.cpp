// SPDX-License-Identifier: Apache-2.0
#include "clack/linalg/null_space.hpp"

using namespace clack;

TEST(NullSpace, IsOrthonormalAndComplementsTheRowSpace) {
  const Eigen::MatrixXd A = (Eigen::MatrixXd(2, 3) << 1, 2, 3, 2, 4, 6).finished();
  const Eigen::MatrixXd basis = null_space(A);
  ASSERT_EQ(basis.cols(), 2);
  EXPECT_LE((A * basis).norm(), 1e-14);
  EXPECT_LE((basis.transpose() * basis - Eigen::Matrix2d::Identity()).norm(), 1e-14);
  EXPECT_EQ(range_space(A).cols(), 1);
}

TEST(NullSpace, IsEverythingWithoutRows) {
  EXPECT_EQ(null_space(Eigen::MatrixXd(0, 3)), Eigen::Matrix3d::Identity());
}
