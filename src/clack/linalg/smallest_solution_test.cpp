// SPDX-License-Identifier: Apache-2.0
#include "clack/linalg/smallest_solution.hpp"

#include <gtest/gtest.h>

#include <random>

#include "clack/linalg/pseudo_inverse.hpp"

namespace clack {
namespace {

/// m x n of the given rank, entries of order 1.
Eigen::MatrixXd drawn(int m, int n, int rank, std::mt19937_64& random) {
  std::uniform_real_distribution<double> entry(-1.0, 1.0);
  const auto fill = [&](int rows, int columns) {
    return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return entry(random); }).eval();
  };
  return fill(m, rank) * fill(rank, n);
}

// The pseudo-inverse by singular values is the other way to the same x.
TEST(SmallestSolution, EqualsThePseudoInverseForAnyShapeAndRank) {
  std::mt19937_64 random(7);
  SmallestSolution solution;
  for (int k = 0; k < 300; ++k) {
    const int m = 1 + k % 6, n = 1 + k % 7, rank = 1 + k % std::min(m, n);
    const Eigen::MatrixXd A = drawn(m, n, rank, random);
    const Eigen::VectorXd b = drawn(m, 1, 1, random);
    solution.compute(A, 1e-10);
    ASSERT_EQ(solution.rank(), rank) << k;
    const Eigen::VectorXd x = solution.solve(b), expected = pseudo_inverse(A, {1e-10}) * b;
    const double size = 1.0 + expected.norm();
    EXPECT_LE((x - expected).norm(), 1e-9 * size * size) << k;  // condition numbers to 1e5 occur
  }
}

TEST(SmallestSolution, IsZeroForAMatrixOfZeros) {
  SmallestSolution solution;
  solution.compute(Eigen::MatrixXd::Zero(2, 3), 1e-10);
  EXPECT_EQ(solution.rank(), 0);
  EXPECT_EQ(solution.solve(Eigen::Vector2d(1.0, 2.0)).norm(), 0.0);
}

// x + y + z = 3 is nearest to the origin at (1, 1, 1).
TEST(SmallestSolution, TakesTheNearestPointOfAPlane) {
  SmallestSolution solution;
  solution.compute(Eigen::RowVector3d(1.0, 1.0, 1.0), 1e-10);
  EXPECT_LE((solution.solve(Eigen::VectorXd::Constant(1, 3.0)) - Eigen::Vector3d::Ones()).norm(),
            1e-15);
}

}  // namespace
}  // namespace clack
