// SPDX-License-Identifier: Apache-2.0
#include "clack/linalg/positive_system.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <random>
#include <vector>

namespace clack {
namespace {

/// The rows that the solver takes: upper triangle, not-a-number below it, b behind.
std::vector<double> rows_of(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  std::vector<double> rows;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    for (Eigen::Index j = 0; j < A.cols(); ++j) rows.push_back(j < i ? NAN : A(i, j));
    rows.push_back(b[i]);
  }
  return rows;
}

// A = G G^T + 1/10: condition number below 1e4 for these sizes; residuals are a few rounding errors of A x.
TEST(PositiveSystem, SolvesRandomSystemsToRoundingFromTheUpperTriangleAlone) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> entry;
  for (int k = 0; k < 200; ++k) {
    const int n = 1 + k % 13;
    const Eigen::MatrixXd G =
        Eigen::MatrixXd::NullaryExpr(n, n, [&] { return entry(random); }).eval();
    const Eigen::MatrixXd A = G * G.transpose() + 0.1 * Eigen::MatrixXd::Identity(n, n);
    const Eigen::VectorXd b = Eigen::VectorXd::NullaryExpr(n, [&] { return entry(random); }).eval();
    std::vector<double> rows = rows_of(A, b);
    Eigen::VectorXd x(n);
    ASSERT_TRUE(solve_positive_in_place(rows.data(), n, x.data()));
    EXPECT_LE((A * x - b).norm(), 1e-14 * (A.norm() * x.norm() + b.norm())) << n;
  }
}

TEST(PositiveSystem, RefusesWhatIsNotPositive) {
  const Eigen::Matrix2d singular{{1.0, 2.0}, {2.0, 4.0}}, indefinite{{1.0, 2.0}, {2.0, 3.0}};
  const Eigen::Matrix2d unknown{{NAN, 0.0}, {0.0, 1.0}};
  for (const Eigen::Matrix2d& A : {singular, indefinite, unknown}) {
    std::vector<double> rows = rows_of(A, Eigen::Vector2d(1.0, 1.0));
    double x[2] = {5.0, 6.0};
    EXPECT_FALSE(solve_positive_in_place(rows.data(), 2, x));
    EXPECT_EQ(x[0], 5.0);
    EXPECT_EQ(x[1], 6.0);
  }
}

}  // namespace
}  // namespace clack
