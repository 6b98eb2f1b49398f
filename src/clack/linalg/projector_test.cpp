// SPDX-License-Identifier: Apache-2.0
#include "clack/linalg/projector.hpp"
#include <Eigen/Dense>

#include "clack/error.hpp"
#include "clack/linalg/drawn_system.hpp"

namespace clack {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(Projector, ConditionIsConstantAndSmallestForVirtualMassesInsideTheSpectrum) {
  std::mt19937_64 random(3);
  for (int k = 0; k < 50; ++k) {
    const MatrixXd M = random_mass(random, 6);
    const MatrixXd A = random_matrix(random, 3, 6);
    const Projector p = make_projector(M, A);
    const VectorXd values =
        Eigen::SelfAdjointEigenSolver<MatrixXd>(p.null_basis.transpose() * M * p.null_basis)
            .eigenvalues();
    EXPECT_GE(p.virtual_mass, values[0]);
    EXPECT_LE(p.virtual_mass, values[2]);
    const double best = constraint_inertia_condition(p);
    EXPECT_NEAR(best, values[2] / values[0], 1e-10 * best);
    const auto condition_for = [&](double nu) {
      Projector other = p;
      other.constraint_inertia =
          p.feasible_inertia + nu * (MatrixXd::Identity(6, 6) - p.feasible_projector);
      return constraint_inertia_condition(other);
    };
    EXPECT_NEAR(condition_for(values[0]), best, 1e-10 * best);
    EXPECT_NEAR(condition_for(values[2]), best, 1e-10 * best);
    EXPECT_GT(condition_for(0.5 * values[0]), 1.9 * best);
    EXPECT_GT(condition_for(2.0 * values[2]), 1.9 * best);
  }
}

TEST(Projector, NoRowsLeaveTheSystemFreeAndFullRankLocksIt) {
  const MatrixXd M = MatrixXd::Identity(3, 3) * 2.0;
  const Projector free = make_projector(M, MatrixXd(0, 3));
  EXPECT_EQ(free.rank, 0);
  EXPECT_TRUE(free.feasible_projector.isIdentity(1e-15));
  EXPECT_TRUE(free.impact_projector.isZero(1e-15));
  const Projector locked = make_projector(M, MatrixXd::Identity(3, 3));
  EXPECT_EQ(locked.rank, 3);
  EXPECT_TRUE(locked.feasible_projector.isZero(1e-15));
  EXPECT_TRUE(locked.impact_projector.isIdentity(1e-15));
  EXPECT_DOUBLE_EQ(constraint_inertia_condition(locked), 1.0);
}

TEST(Projector, MoreRowsThanSpeedsAreFine) {
  std::mt19937_64 random(5);
  const MatrixXd A = random_matrix(random, 9, 2) * random_matrix(random, 2, 4);
  EXPECT_EQ(make_projector(MatrixXd::Identity(4, 4), A).rank, 2);
}

TEST(Projector, DoesNotChangeWhenRowsAreRepeatedRescaledOrZero) {
  std::mt19937_64 random(6);
  const MatrixXd M = random_mass(random, 5);
  const MatrixXd A = random_matrix(random, 2, 5);
  const Projector plain = make_projector(M, A);
  MatrixXd B(5, 5);
  B << A, -7.5 * A.row(0), 1e-9 * A.row(1), MatrixXd::Zero(1, 5);
  const Projector changed = make_projector(M, B);
  EXPECT_EQ(changed.rank, 2);
  EXPECT_LT(relative_difference(changed.impact_projector, plain.impact_projector), 1e-13);
  EXPECT_LT(relative_difference(B * changed.pseudo_inverse * B, B), 1e-13);
  ASSERT_EQ(changed.zero_rows, std::vector<int>{4});
  const Projector small = make_projector(M, MatrixXd(1e-11 * A.row(0)));
  EXPECT_EQ(small.rank, 1);
}

TEST(Projector, NearlyDependentRowsAreReportedNearTheCutoffOnly) {
  const MatrixXd M = MatrixXd::Identity(3, 3);
  MatrixXd A(2, 3);
  A << 1, 0, 0, 1, 1e-10, 0;
  const Projector kept = make_projector(M, A);
  EXPECT_EQ(kept.rank, 2);
  EXPECT_FALSE(kept.is_near_cutoff);
  A(1, 1) = 1e-12;
  const Projector near = make_projector(M, A);
  EXPECT_EQ(near.rank, 2);
  EXPECT_TRUE(near.is_near_cutoff);
  EXPECT_NEAR(near.nearest_ratio, 0.5e-12, 1e-15);
  A(1, 1) = 1e-10;
  ProjectorOptions coarse;
  coarse.rank_cutoff = 1e-8;
  const Projector dropped = make_projector(M, A, coarse);
  EXPECT_EQ(dropped.rank, 1);
  EXPECT_TRUE(dropped.is_near_cutoff);
}

TEST(Projector, BadMassMatricesAreRefusedWithTheirSmallestEigenvalue) {
  MatrixXd M = MatrixXd::Identity(2, 2);
  M(1, 1) = -0.25;
  try {
    (void)make_projector(M, MatrixXd(0, 2));
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("-0.25"), std::string::npos);
  }
  M(1, 1) = 0.0;
  EXPECT_THROW((void)make_projector(M, MatrixXd(0, 2)), InputError);
  M << 1, 0.5, 0, 1;
  EXPECT_THROW((void)make_projector(M, MatrixXd(0, 2)), InputError);
}

TEST(Projector, UnreachablePartIsZeroForIndependentRows) {
  std::mt19937_64 random(8);
  const MatrixXd A = random_matrix(random, 2, 4);
  const Projector p = make_projector(MatrixXd::Identity(4, 4), A);
  EXPECT_LT(unreachable_part(p, A, VectorXd::Ones(2)).norm(), 1e-13);
  MatrixXd B(3, 4);
  B << A, A.row(0);
  const Projector q = make_projector(MatrixXd::Identity(4, 4), B);
  VectorXd target(3);
  target << 1, 0, 0;
  EXPECT_NEAR(unreachable_part(q, B, target).cwiseAbs().maxCoeff(), 0.5, 1e-12);
}

}  // namespace
}  // namespace clack
