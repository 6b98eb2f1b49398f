// SPDX-License-Identifier: Apache-2.0
#include "clack/linalg/diagonal_contraction.hpp"

#include <random>

namespace clack {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

// The block of the page docs/theories/projection.md EX4.
ContractionFrame block_frame() {
  MatrixXd D(2, 2);
  D << 1.3, 0.7, 0.7, 1.3;
  return make_contraction_frame(MatrixXd(D.llt().matrixL()));
}

TEST(DiagonalContraction, BlockWithOneElasticCornerHasTheKnownLargestScale) {
  const auto frame = block_frame();
  EXPECT_FALSE(is_contraction(frame, Vector2d(1, 0)));
  EXPECT_NEAR(largest_scale(frame, Vector2d(1, 0)).value(), 0.8426500884694862, 1e-11);
  EXPECT_FALSE(largest_scale(frame, Vector2d(0, 0)).has_value());
  EXPECT_TRUE(is_contraction(frame, Vector2d(1, 1)));
}

TEST(DiagonalContraction, NearestContractionsOfTheBlockAreTheKnownOnes) {
  const auto frame = block_frame();
  const auto nearest = nearest_contraction(frame, Vector2d(1, 0));
  EXPECT_NEAR(nearest.e[0], 0.8537863888586749, 1e-9);
  EXPECT_NEAR(nearest.e[1], 0.0396935645143621, 1e-9);
  EXPECT_NEAR(nearest.squared_distance, 0.02295399914, 1e-9);
  EXPECT_TRUE(is_contraction(frame, nearest.e));
  const auto other = nearest_contraction(frame, Vector2d(0.9, 0.2));
  EXPECT_NEAR(other.e[0], 0.8926071713624325, 1e-9);
  EXPECT_NEAR(other.e[1], 0.2015662453474730, 1e-9);
}

TEST(DiagonalContraction, AContractionIsItsOwnNearest) {
  const auto nearest = nearest_contraction(block_frame(), Vector2d(0.5, 0.4));
  EXPECT_EQ(nearest.e, Vector2d(0.5, 0.4));
  EXPECT_EQ(nearest.squared_distance, 0.0);
}

// sigma_max(K) <= 1 against the eigenvalues of E_r D_r^-1 E_r - D_r^-1
// (docs/theories/projection.md).
TEST(DiagonalContraction, NormTestAgreesWithTheMatrixInequality) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> unit(0, 1);
  int inside = 0;
  for (int k = 0; k < 300; ++k) {
    const int m = 2 + k % 4, rank = 1 + k % m;
    MatrixXd B(m, rank);
    for (int i = 0; i < B.size(); ++i) B.data()[i] = normal(random);
    VectorXd e(m);
    for (int i = 0; i < m; ++i) e[i] = unit(random);
    const auto frame = make_contraction_frame(B);
    ASSERT_EQ(frame.rank(), rank);
    const MatrixXd& U = frame.range_basis;
    const MatrixXd Er = U.transpose() * e.asDiagonal() * U;
    const MatrixXd Di = (U.transpose() * B * B.transpose() * U).inverse();
    const MatrixXd gap = Er * Di * Er - Di;
    const double worst = Eigen::SelfAdjointEigenSolver<MatrixXd>(0.5 * (gap + gap.transpose()))
                             .eigenvalues()
                             .maxCoeff();
    if (std::abs(worst) < 1e-9 * Di.norm()) continue;
    EXPECT_EQ(is_contraction(frame, e), worst < 0);
    inside += worst < 0;
  }
  EXPECT_GT(inside, 30);
  EXPECT_LT(inside, 270);
}

// No other contraction found by random search around the answer is nearer.
TEST(DiagonalContraction, NothingNearerIsFoundBySearchOnRandomProblems) {
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> unit(0, 1);
  for (int k = 0; k < 20; ++k) {
    const int m = 2 + k % 4;
    MatrixXd B(m, std::max(1, m - k % 2));
    for (int i = 0; i < B.size(); ++i) B.data()[i] = normal(random);
    VectorXd e0(m);
    for (int i = 0; i < m; ++i) e0[i] = i == 0 ? 1.0 : unit(random);
    const auto frame = make_contraction_frame(B);
    const auto nearest = nearest_contraction(frame, e0);
    ASSERT_TRUE(is_contraction(frame, nearest.e));
    for (int trial = 0; trial < 200; ++trial) {
      VectorXd other = nearest.e;
      for (int i = 0; i < m; ++i) other[i] += 0.02 * normal(random);
      other = other.cwiseMax(0.0).cwiseMin(1.0);
      other *= std::min(1.0, largest_scale(frame, other).value_or(1.0));
      EXPECT_GT((other - e0).squaredNorm(), nearest.squared_distance - 1e-12);
    }
  }
}

}  // namespace
}  // namespace clack
