// SPDX-License-Identifier: Apache-2.0
#include "clack/linalg/pseudo_inverse.hpp"

#include <random>

using namespace clack;

namespace {

Eigen::MatrixXd random_of_rank(int m, int n, int rank, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  const auto draw = [&](int rows, int columns) {
    return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); }).eval();
  };
  return draw(m, rank) * draw(rank, n);
}

}  // namespace

// The four conditions define A+; 1e-9 leaves room for the condition of random factors.
TEST(PseudoInverse, SatisfiesTheMoorePenroseConditionsAtEveryRank) {
  std::mt19937_64 random(1);
  PseudoInverse inverse;
  for (int m = 1; m <= 6; ++m)
    for (int n = 1; n <= 6; ++n)
      for (int rank = 0; rank <= std::min(m, n); ++rank) {
        const Eigen::MatrixXd A = random_of_rank(m, n, rank, random);
        inverse.compute(A);
        ASSERT_EQ(inverse.rank(), rank);
        const Eigen::MatrixXd& X = inverse.matrix();
        const double size = 1.0 + A.norm() * X.norm();
        EXPECT_LE((A * X * A - A).norm(), 1e-9 * size);
        EXPECT_LE((X * A * X - X).norm(), 1e-9 * size * (1.0 + X.norm()));
        EXPECT_LE((A * X - (A * X).transpose()).norm(), 1e-9 * size);
        EXPECT_LE((X * A - (X * A).transpose()).norm(), 1e-9 * size);
        EXPECT_LE((A * inverse.null_basis()).norm(), 1e-12 * (1.0 + A.norm()));
      }
}

TEST(PseudoInverse, RankDoesNotChangeWithUnitsOrTransposition) {
  std::mt19937_64 random(2);
  const Eigen::MatrixXd A = random_of_rank(5, 4, 2, random);
  for (const double unit : {1e-12, 1.0, 1e12}) {
    PseudoInverse inverse;
    inverse.compute(unit * A);
    EXPECT_EQ(inverse.rank(), 2);
    inverse.compute(unit * A.transpose());
    EXPECT_EQ(inverse.rank(), 2);
  }
}

TEST(PseudoInverse, ReportsAKeptSingularValueNearTheCutoff) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Identity(2, 2);
  PseudoInverse inverse;
  inverse.compute(A);
  EXPECT_FALSE(inverse.is_near_cutoff());
  A(1, 1) = 1e-13;  // cut-off 16 eps = 3.6e-15
  inverse.compute(A);
  EXPECT_EQ(inverse.rank(), 2);
  EXPECT_TRUE(inverse.is_near_cutoff());
}
