#include "clack/linalg/projector.hpp"
#include "clack/linalg/random_matrix.hpp"

#include <random>

#include "clack/error.hpp"

namespace clack {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct RandomSystem {
  MatrixXd M, A;
  VectorXd v;
};

// n = 1..10 speeds, rank 0..n, two thirds of them with dependent rows.
RandomSystem random_system(std::mt19937_64& random) {
  const int n = std::uniform_int_distribution<int>(1, 10)(random);
  const int rank = std::uniform_int_distribution<int>(0, n)(random);
  const int more = std::uniform_int_distribution<int>(0, 2)(random);
  const MatrixXd root = random_matrix(random, n, n);
  RandomSystem out;
  out.M = root * root.transpose() + MatrixXd::Identity(n, n);
  out.A = rank == 0
              ? MatrixXd::Zero(more, n)
              : MatrixXd(random_matrix(random, rank + more, rank) * random_matrix(random, rank, n));
  out.v = random_matrix(random, n, 1);
  return out;
}

double off(const MatrixXd& a, const MatrixXd& b) {
  const double scale = std::max({1.0, a.cwiseAbs().size() ? a.cwiseAbs().maxCoeff() : 0.0,
                                 b.size() ? b.cwiseAbs().maxCoeff() : 0.0});
  return a.size() ? (a - b).cwiseAbs().maxCoeff() / scale : 0.0;
}

// Identities of the page docs/theories/projection.md; the tolerance is theirs.
TEST(Projector, IdentitiesHoldOnRandomSystemsWithDependentRows) {
  std::mt19937_64 random(20240501);
  int dependent = 0;
  for (int k = 0; k < 300; ++k) {
    const auto [M, A, v] = random_system(random);
    const Projector p = make_projector(M, A);
    const int n = static_cast<int>(M.rows());
    dependent += p.rank < A.rows();
    const MatrixXd I = MatrixXd::Identity(n, n), Z = MatrixXd::Zero(n, n);
    const MatrixXd &P = p.feasible_projector, &S = p.impact_projector, &Mc = p.constraint_inertia,
                   &Mo = p.feasible_inertia, &Mp = p.feasible_mobility;
    const MatrixXd Mci = Mc.inverse();
    const double tol = 1e-11;
    EXPECT_LT(off(P * P, P), tol);
    EXPECT_LT(off(I - p.pseudo_inverse * A, P), tol);
    EXPECT_LT(off(P * Mc, Mo), tol);
    EXPECT_LT(off(Mc * P, Mo), tol);
    EXPECT_LT(off(P * Mci, Mp), tol);
    EXPECT_LT(off(Mci * P, Mp), tol);
    EXPECT_LT(off(Mo * Mci, P), tol);
    EXPECT_LT(off(S * S, S), tol);
    EXPECT_LT(off(S * P, Z), tol);
    EXPECT_LT(off(P * S.transpose(), Z), tol);
    EXPECT_LT(off(S * (I - P), S), tol);
    EXPECT_LT(off((I - P) * S, I - P), tol);
    EXPECT_LT(off(M * S, S.transpose() * M), tol);
    EXPECT_LT(off(M * S, S.transpose() * M * S), tol);
    EXPECT_LT(off((I - S) * M.inverse(), Mp), tol);
    EXPECT_LT(off(M.inverse() * (I - S.transpose()), Mp), tol);
    EXPECT_LT(off(S * Mp, Z), tol);
    EXPECT_LT(off(M - S.transpose() * M * S, M * Mp * M), tol);
    EXPECT_LT(off(reflection(p) * reflection(p), I), tol);
    const auto smallest = [](const MatrixXd& a) {
      return Eigen::SelfAdjointEigenSolver<MatrixXd>(0.5 * (a + a.transpose())).eigenvalues()[0];
    };
    EXPECT_GT(smallest(S.transpose() * M * S), -1e-10);
    EXPECT_GT(smallest(M * Mp * M), -1e-10);
    EXPECT_GT(smallest(Mc), 0.0);
  }
  EXPECT_GT(dependent, 100);
}

// Q = D^+ (docs/tasks/automaton.md), the pseudo-inverse recomputed here by an eigen-decomposition.
TEST(Projector, ConstraintMetricIsThePseudoInverseOfTheDelassusMatrix) {
  std::mt19937_64 random(7);
  for (int k = 0; k < 200; ++k) {
    const auto [M, A, v] = random_system(random);
    if (A.rows() == 0) continue;
    const MatrixXd D = A * M.inverse() * A.transpose();
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(0.5 * (D + D.transpose()));
    const VectorXd values = eigen.eigenvalues();
    const Projector p = make_projector(M, A);
    VectorXd inverse = VectorXd::Zero(values.size());
    double smallest_kept = values.maxCoeff();
    for (int i = 0; i < p.rank; ++i) {
      const auto place = values.size() - 1 - i;
      inverse[place] = 1.0 / values[place];
      smallest_kept = values[place];
    }
    if (p.rank > 0 && smallest_kept < 1e-3 * values.maxCoeff())
      continue;  // D squares the condition of A
    const MatrixXd expected =
        eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose();
    EXPECT_LT(off(constraint_metric(p, M), expected), 1e-11);
  }
}

// Two other routes to S: the full-row-rank formula and the one through a basis of range(A)
// (docs/tasks/automaton.md).
TEST(Projector, AgreesWithTheDelassusRouteOnAReducedJacobian) {
  std::mt19937_64 random(11);
  for (int k = 0; k < 300; ++k) {
    const auto [M, A, v] = random_system(random);
    const Projector p = make_projector(M, A);
    if (p.rank == 0) {
      EXPECT_EQ(p.impact_projector.cwiseAbs().maxCoeff() < 1e-12, true);
      continue;
    }
    const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeThinU);
    const MatrixXd C = svd.matrixU().leftCols(p.rank).transpose() * A;
    const MatrixXd Mi = M.inverse();
    const MatrixXd S = Mi * C.transpose() * (C * Mi * C.transpose()).ldlt().solve(C);
    EXPECT_LT(off(p.impact_projector, S), 1e-9);  // this route squares the condition of A
  }
}

TEST(Projector, ConditionIsConstantAndSmallestForVirtualMassesInsideTheSpectrum) {
  std::mt19937_64 random(3);
  for (int k = 0; k < 50; ++k) {
    const MatrixXd root = random_matrix(random, 6, 6);
    const MatrixXd M = root * root.transpose() + MatrixXd::Identity(6, 6);
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
  const MatrixXd root = random_matrix(random, 5, 5);
  const MatrixXd M = root * root.transpose() + MatrixXd::Identity(5, 5);
  const MatrixXd A = random_matrix(random, 2, 5);
  const Projector plain = make_projector(M, A);
  MatrixXd B(5, 5);
  B << A, -7.5 * A.row(0), 1e-9 * A.row(1), MatrixXd::Zero(1, 5);
  const Projector changed = make_projector(M, B);
  EXPECT_EQ(changed.rank, 2);
  EXPECT_LT(off(changed.impact_projector, plain.impact_projector), 1e-13);
  EXPECT_LT(off(B * changed.pseudo_inverse * B, B), 1e-13);
  ASSERT_EQ(changed.zero_rows, std::vector<int>{4});
  EXPECT_NE(changed.notes.at(0).find("row 4"), std::string::npos);
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
