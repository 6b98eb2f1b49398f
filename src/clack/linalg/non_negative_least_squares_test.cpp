// SPDX-License-Identifier: Apache-2.0
#include "clack/linalg/non_negative_least_squares.hpp"
#include "clack/linalg/random_matrix.hpp"

#include <random>

namespace clack {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Optimality conditions: x >= 0, gradient >= 0 on the bounded unknowns, = 0 on the free ones,
// product zero.
TEST(NonNegativeLeastSquares, SatisfiesTheOptimalityConditionsOnRandomProblems) {
  std::mt19937_64 random(1);
  for (int k = 0; k < 500; ++k) {
    const int rows = 1 + k % 7, columns = 1 + k % 9, free = k % 3 == 0 ? std::min(1, columns) : 0;
    const MatrixXd A = random_matrix(random, rows, columns);
    const VectorXd b = random_matrix(random, rows, 1);
    const auto out = solve_non_negative(A, b, free);
    ASSERT_TRUE(out.is_converged);
    const VectorXd gradient = A.transpose() * (A * out.x - b);
    for (int j = 0; j < columns; ++j) {
      if (j < free) {
        EXPECT_NEAR(gradient[j], 0.0, 1e-10);
      } else {
        EXPECT_GE(out.x[j], 0.0);
        EXPECT_GE(gradient[j], -1e-10);
        EXPECT_NEAR(gradient[j] * out.x[j], 0.0, 1e-9);
      }
    }
  }
}

// A table on four legs, load between three of them: the minimum-norm forces of the legs have a
// negative one, a non-negative distribution exists all the same.
TEST(NonNegativeLeastSquares, FindsTheDistributionOnFourLegsThatTheMinimumNormMisses) {
  MatrixXd A(3, 4);  // force, two moments
  A << 1, 1, 1, 1, -1, 1, 1, -1, -1, -1, 1, 1;
  VectorXd b(3);

  b << 1, 0.7, 0.7;
  const VectorXd least = A.completeOrthogonalDecomposition().solve(b);
  EXPECT_LT(least.minCoeff(), -0.01);
  const auto out = solve_non_negative(A, b);
  EXPECT_LT(out.residual, 1e-14);
  EXPECT_GE(out.x.minCoeff(), 0.0);
}

TEST(ShortestVector, SatisfiesTheOptimalityConditionsOnRandomFeasibleProblems) {
  std::mt19937_64 random(2);
  for (int k = 0; k < 500; ++k) {
    const int n = 1 + k % 5, m = 1 + k % 8;
    const MatrixXd G = random_matrix(random, m, n);
    const VectorXd inside = random_matrix(random, n, 1);
    const VectorXd h = G * inside - random_matrix(random, m, 1).cwiseAbs();
    const auto out = shortest_vector(G, h);
    ASSERT_TRUE(out.is_feasible);
    const double scale = 1.0 + out.multipliers.lpNorm<Eigen::Infinity>();
    EXPECT_GE((G * out.y - h).minCoeff(), -1e-9 * scale);
    EXPECT_LT((out.y - G.transpose() * out.multipliers).norm(), 1e-9 * scale);
    EXPECT_GE(out.multipliers.minCoeff(), 0.0);
    EXPECT_NEAR(out.multipliers.dot(G * out.y - h), 0.0, 1e-8 * scale);
  }
}

TEST(ShortestVector, SeesContradictingInequalities) {
  MatrixXd G(2, 1);
  G << 1, -1;
  VectorXd h(2);
  h << 1, 0.5;
  EXPECT_FALSE(shortest_vector(G, h).is_feasible);
  EXPECT_TRUE(shortest_vector(G, h).is_refuted);  // with Farkas' multipliers
  h << 1, -1;                                     // exactly one point
  const auto point = shortest_vector(G, h);
  ASSERT_TRUE(point.is_feasible);
  EXPECT_NEAR(point.y[0], 1.0, 1e-12);
}

}  // namespace
}  // namespace clack
