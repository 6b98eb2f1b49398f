// SPDX-License-Identifier: Apache-2.0
#include "clack/energy/restitution_consistency.hpp"

#include <random>

namespace clack {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

MatrixXd random_matrix(std::mt19937_64& random, int rows, int columns) {
  std::normal_distribution<double> normal;
  MatrixXd out(rows, columns);
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) out(i, j) = normal(random);
  }
  return out;
}

// The block of the page docs/theories/projection.md EX4, numbers of section 5.
struct Block {
  MatrixXd M = Vector3d(1, 1, 5.0 / 6.0).asDiagonal();
  MatrixXd A = (MatrixXd(2, 3) << 0, 1, -0.5, 0, 1, 0.5).finished();
};

TEST(RestitutionConsistency, BlockWithOneElasticCornerIsInconsistentAsComputedIndependently) {
  const Block block;
  const MatrixXd energy = energy_matrix(block.M, block.A, Vector2d(1, 0));
  const VectorXd values = Eigen::SelfAdjointEigenSolver<MatrixXd>(energy).eigenvalues();
  EXPECT_NEAR(values[0], -1.337707215605949, 1e-12);
  EXPECT_NEAR(values[1], 0.25437388227261654, 1e-12);
  const auto r = restitution_consistency(block.M, MatrixXd(0, 3), block.A, Vector2d(1, 0));
  EXPECT_FALSE(r.is_consistent);
  EXPECT_NEAR(r.t_max.value(), 0.8426500884694862, 1e-11);
  EXPECT_NEAR(r.nearest[0], 0.8537863888586749, 1e-6);
  EXPECT_NEAR(r.nearest[1], 0.0396935645143621, 1e-6);
  EXPECT_NEAR(r.squared_distance, 0.02295399914, 1e-9);
}

TEST(RestitutionConsistency, TwoContactFormulaAgreesWithTheSingularValueTest) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> unit(0, 1);
  int consistent = 0;
  for (int k = 0; k < 2000; ++k) {
    const MatrixXd root = random_matrix(random, 3, 3),
                   M = root * root.transpose() + 0.1 * MatrixXd::Identity(3, 3);
    const MatrixXd A = random_matrix(random, 2, 3);
    const double e1 = unit(random), e2 = unit(random);
    const Eigen::Matrix2d D = A * M.inverse() * A.transpose();
    const auto scaled = restitution_consistency(M, MatrixXd(0, 3), A, Vector2d(e1, e2));
    if (std::abs(scaled.norm - 1.0) < 1e-9) continue;
    EXPECT_EQ(are_two_restitutions_consistent(D, e1, e2), scaled.is_consistent) << k;
    consistent += scaled.is_consistent;
    if (k >= 40) continue;  // the nearest ones are consistent by the other test as well
    EXPECT_TRUE(are_two_restitutions_consistent(D, scaled.nearest[0] * (1 - 1e-9),
                                                scaled.nearest[1] * (1 - 1e-9)));
  }
  EXPECT_GT(consistent, 200);
  EXPECT_LT(consistent, 1950);
}

// T+ <= T- over many velocities, with bilateral rows held and dependent contact rows, against the
// test.
TEST(RestitutionConsistency, DecidesWhetherSomeVelocityGainsEnergyAlsoWithJointsAndDependentRows) {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> unit(0, 1);
  int inconsistent = 0;
  for (int k = 0; k < 60; ++k) {
    const int n = 5;
    const MatrixXd root = random_matrix(random, n, n),
                   M = root * root.transpose() + 0.3 * MatrixXd::Identity(n, n);
    const MatrixXd joint = random_matrix(random, 1, n);
    MatrixXd A = random_matrix(random, 3, n);
    A.row(2) = A.row(0) + 2.0 * A.row(1);
    const Vector3d e(unit(random), unit(random), unit(random));
    const auto r = restitution_consistency(M, joint, A, e);
    inconsistent += !r.is_consistent;
    // the worst velocity is an eigenvector of the energy form on N(joint)
    MatrixXd all(4, n);
    all << joint, A;
    const MatrixXd basis = joint.fullPivLu().kernel();
    const MatrixXd form = energy_matrix(M, all, Eigen::Vector4d(0, e[0], e[1], e[2]));
    const MatrixXd reduced = (all * basis).transpose() * form * (all * basis);
    const double worst =
        Eigen::SelfAdjointEigenSolver<MatrixXd>(0.5 * (reduced + reduced.transpose()))
            .eigenvalues()
            .maxCoeff();
    EXPECT_EQ(worst > 1e-9, !r.is_consistent) << k;
  }
  EXPECT_GT(inconsistent, 3);
}

TEST(RestitutionConsistency, NoReboundIsConsistentAndUnbounded) {
  const Block block;
  const auto r = restitution_consistency(block.M, MatrixXd(0, 3), block.A, Vector2d(0, 0));
  EXPECT_TRUE(r.is_consistent);
  EXPECT_FALSE(r.t_max.has_value());
}

}  // namespace
}  // namespace clack
