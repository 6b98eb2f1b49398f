// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/equilibration.hpp"

#include <random>

using namespace clack;

TEST(Equilibration, BringsTheLargestEntriesNearOneWithPowersOfTwo) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (const int n : {1, 3, 8, 21}) {
    Eigen::MatrixXd M = Eigen::MatrixXd::NullaryExpr(n, n, [&] { return normal(random); });
    for (int k = 0; k < n; ++k) {
      M.row(k) *= std::exp(5.0 * normal(random));
      M.col(k) *= std::exp(5.0 * normal(random));
    }
    Eigen::VectorXd r(n), c(n), work(n);
    equilibrate(M, r.data(), c.data(), work.data());
    const Eigen::MatrixXd scaled = r.asDiagonal() * M * c.asDiagonal();
    const Eigen::VectorXd rows = scaled.cwiseAbs().rowwise().maxCoeff();
    const Eigen::VectorXd columns = scaled.cwiseAbs().colwise().maxCoeff().transpose();
    // Two sweeps reduce the spread of the exponents to a quarter; n = 1 ends within one power of
    // four.
    EXPECT_LT(rows.maxCoeff(), 64.0);
    EXPECT_LT(columns.maxCoeff(), 64.0);
    EXPECT_GT(rows.minCoeff(), 1.0 / 4096.0);
    for (int k = 0; k < n; ++k) {
      int exponent = 0;
      EXPECT_EQ(std::frexp(r[k], &exponent), 0.5);
      EXPECT_EQ(std::frexp(c[k], &exponent), 0.5);
    }
  }
}

TEST(Equilibration, LeavesZeroRowsAndColumnsAlone) {
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(2, 2);
  M(0, 0) = 16.0;
  Eigen::VectorXd r(2), c(2), work(2);
  equilibrate(M, r.data(), c.data(), work.data());
  EXPECT_EQ(r[1], 1.0);
  EXPECT_EQ(c[1], 1.0);
  EXPECT_EQ(r[0] * 16.0 * c[0], 1.0);
}
