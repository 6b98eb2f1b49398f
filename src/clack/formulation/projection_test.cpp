// SPDX-License-Identifier: Apache-2.0
#include "clack/formulation/projection.hpp"

#include <rapidcheck/gtest.h>

#include <Eigen/Dense>

#include "clack/linalg/drawn_system.hpp"

namespace clack {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

Snapshot snapshot_of(const MatrixXd& M, const VectorXd& force, const MatrixXd& rows,
                     const VectorXd& bias) {
  const int n = M.rows(), b = rows.rows();
  Snapshot s(n, 1, 0, b);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) s.data()[i * n + j] = M(i, j);
    s.data()[s.at_force() + i] = force[i];
  }
  for (int i = 0; i < b; ++i) {
    for (int j = 0; j < n; ++j) s.data()[s.at_constraint() + i * n + j] = rows(i, j);
    s.data()[s.at_value() + 2 * b + i] = bias[i];
  }
  return s;
}

ModeForces by_formulation(const MatrixXd& M, const VectorXd& force, const MatrixXd& rows,
                          const VectorXd& bias) {
  ProjectionFormulation formulation;
  ModeShape shape;
  shape.speeds = M.rows();
  shape.constraint_rows = rows.rows();
  formulation.enter(shape);
  ModeForces forces;
  formulation.solve(snapshot_of(M, force, rows, bias), forces);
  return forces;
}

// EX6 of the page docs/theories/projection.md: A = r^T, A' = v^T.
TEST(ProjectionMotion, SphericalPendulumHasTheKnownAccelerationAndForce) {
  const Vector3d r(0.6, 0, -0.8), v(0.8, 0.5, 0.6), weight(0, 0, -9.81);
  const MatrixXd M = MatrixXd::Identity(3, 3), A = r.transpose();
  const VectorXd bias = VectorXd::Constant(1, v.dot(v));
  const auto motion = project_motion(make_projector(M, A), M, A, weight, bias);
  EXPECT_LT((motion.acceleration - Vector3d(-5.4588, 0, -2.5316)).norm(), 1e-12);
  EXPECT_LT((motion.constraint_force - Vector3d(-5.4588, 0, 7.2784)).norm(), 1e-12);
  // Omega = Lambda - Lambda^T, Lambda = -A+ A' P: the printed sign would reverse it.
  const Projector p = make_projector(M, A);
  const MatrixXd Lambda = -p.pseudo_inverse * v.transpose() * p.feasible_projector;
  const VectorXd turned = (Lambda - Lambda.transpose()) * v;
  EXPECT_LT((turned - Vector3d(-0.75, 0, 1.0)).norm(), 1e-12);
  EXPECT_LT((turned + p.pseudo_inverse * bias).norm(), 1e-12);
}

// EX7: three parallel cranks, rank 2 of 3.
TEST(ProjectionMotion, PlatformOnThreeCranksMovesAsComputedIndependently) {
  const double l = 0.8, angle = 0.7, rate = 1.5, g = 9.81;
  const MatrixXd M = Vector3d(3, 3, 0.5).asDiagonal();
  const double dx = l * std::cos(angle), dy = l * std::sin(angle);
  MatrixXd A(3, 3);
  A << dx, dy, -0.5 * dy, dx, dy, 0.1 * dy, dx, dy, 0.6 * dy;
  const VectorXd bias = VectorXd::Constant(3, l * l * rate * rate);  // |velocity|^2
  const Vector3d force(0, -3 * g, 0);
  const Vector3d expected(3.456914988481318, -6.8982806729535255, 0),
      reaction(10.370744965443954, 8.735157981139423, 0);
  const auto motion = project_motion(make_projector(M, A), M, A, force, bias);
  EXPECT_LT((motion.acceleration - expected).norm(), 1e-12);
  EXPECT_LT((motion.constraint_force - reaction).norm(), 1e-12);
  EXPECT_LT(motion.unreachable, 1e-12);
  const auto forces = by_formulation(M, force, A, bias);
  EXPECT_LT((forces.acceleration - expected).norm(), 1e-12);
  EXPECT_LT((A.transpose() * forces.constraint_force - reaction).norm(), 1e-12);
  EXPECT_TRUE(forces.is_hyperstatic);
  EXPECT_TRUE(forces.is_finite);
  EXPECT_LT((A.transpose() * forces.null_forces).norm(), 1e-12);
}

TEST(ProjectionMotion, PlatformPassesItsFlatPoseWithRankOne) {
  const MatrixXd M = Vector3d(3, 3, 0.5).asDiagonal();
  MatrixXd A(3, 3);
  A << 0.8, 0, 0, 0.8, 0, 0, 0.8, 0, 0;
  const VectorXd bias = VectorXd::Constant(3, 1.44);
  const auto forces = by_formulation(M, Vector3d(0, -29.43, 0), A, bias);
  EXPECT_TRUE(forces.is_finite);
  EXPECT_LT((forces.acceleration - Vector3d(-1.8, -9.81, 0)).norm(), 1e-12);
  VectorXd bad = bias;
  bad[1] = 0.0;  // rows that are the same ask for different accelerations
  EXPECT_FALSE(by_formulation(M, Vector3d(0, -29.43, 0), A, bad).is_finite);
  EXPECT_NEAR(project_motion(make_projector(M, A), M, A, Vector3d(0, -29.43, 0), bad).unreachable,
              0.96, 1e-12);
}

/// Accelerations and multipliers by a direct solution of [M -A^T; A 0] with the rows C = U^T A that
/// are independent; lambda = U mu has minimum norm.
struct DirectMotion {
  VectorXd acceleration, multipliers;
};
DirectMotion direct_motion(const DrawnSystem& s, const VectorXd& bias) {
  const Eigen::Index n = s.M.rows(), r = s.rank;
  if (r == 0) return {s.M.llt().solve(s.force), VectorXd::Zero(s.A.rows())};
  const Eigen::JacobiSVD<MatrixXd> svd(s.A, Eigen::ComputeThinU);
  const MatrixXd U = svd.matrixU().leftCols(r), C = U.transpose() * s.A;
  MatrixXd kkt = MatrixXd::Zero(n + r, n + r);
  kkt.topLeftCorner(n, n) = s.M;
  kkt.topRightCorner(n, r) = -C.transpose();
  kkt.bottomLeftCorner(r, n) = C;
  VectorXd rhs(n + r);
  rhs << s.force, -(U.transpose() * bias);
  const VectorXd direct = kkt.fullPivLu().solve(rhs);
  return {direct.head(n), U * direct.tail(r)};
}

RC_GTEST_PROP(ProjectionFormulationProperties, AgreesWithTheDirectSolutionForAnyRank, ()) {
  const DrawnSystem s = draw_system();
  const VectorXd bias = s.Adot * s.v;
  const DirectMotion direct = direct_motion(s, bias);
  const ModeForces forces = by_formulation(s.M, s.force, s.A, bias);
  RC_ASSERT(forces.is_finite);
  RC_ASSERT(forces.is_hyperstatic == (s.rank < s.A.rows()));
  assert_same(forces.acceleration, direct.acceleration);
  assert_same(forces.constraint_force, direct.multipliers);
  assert_same(s.A.transpose() * forces.constraint_force, s.M * forces.acceleration - s.force);
  if (s.rank < s.A.rows())
    assert_same(s.A.transpose() * forces.null_forces,
                MatrixXd::Zero(s.M.rows(), s.A.rows() - s.rank));
}

RC_GTEST_PROP(ProjectionFormulationProperties, RepeatedRescaledAndZeroRowsChangeNothing, ()) {
  const DrawnSystem s = draw_system();
  if (s.rank == 0) return;
  const Eigen::Index n = s.M.rows(), m = s.A.rows();
  const VectorXd bias = s.Adot * s.v;
  const ModeForces plain = by_formulation(s.M, s.force, s.A, bias);
  MatrixXd repeated(m + 2, n);
  repeated << s.A, -3.0 * s.A.row(0), MatrixXd::Zero(1, n);
  VectorXd more(m + 2);
  more << bias, -3.0 * bias[0], 0.0;
  const ModeForces same = by_formulation(s.M, s.force, repeated, more);
  assert_same(same.acceleration, plain.acceleration);
  const VectorXd f = s.M * plain.acceleration - s.force;
  const MatrixXd inverse =
      MatrixXd(repeated.transpose()).completeOrthogonalDecomposition().pseudoInverse();
  assert_same(same.constraint_force, inverse * f);
}

RC_GTEST_PROP(ProjectionMotionProperties, MotionIsThatOfTheFormulasAndOmegaStandsForTheBias, ()) {
  const DrawnSystem s = draw_system();
  const MatrixXd I = MatrixXd::Identity(s.M.rows(), s.M.rows()), &S = s.p.impact_projector;
  const VectorXd v = s.p.feasible_projector * s.v;
  const MatrixXd Lambda = -s.p.pseudo_inverse * s.Adot * s.p.feasible_projector;
  const VectorXd Omega_v = (Lambda - Lambda.transpose()) * v;
  const auto motion = project_motion(s.p, s.M, s.A, s.force, s.Adot * v);
  assert_same(motion.acceleration, (I - S) * s.M.inverse() * s.force + S * Omega_v);
  assert_same(motion.constraint_force, -S.transpose() * s.force + S.transpose() * s.M * Omega_v);
  assert_same(s.A * motion.acceleration, -s.Adot * v);
  assert_same(s.A.transpose() * motion.multipliers, motion.constraint_force);
  assert_same(motion.multipliers, direct_motion(s, s.Adot * v).multipliers);
  RC_ASSERT(motion.unreachable <= identity_tolerance * std::max(1.0, (s.Adot * v).norm()));
}

// The row accelerations then are  -(A' v + 2 a A v + a^2 phi), also for velocities off N(A).
RC_GTEST_PROP(ProjectionMotionProperties, StabilisationEntersAsStated, ()) {
  const DrawnSystem s = draw_system();
  const Stabilisation drift{5.0, s.A * s.v, s.A * s.impulse};
  const VectorXd bias = s.Adot * s.v;
  const auto pulled = project_motion(s.p, s.M, s.A, s.force, bias, drift);
  const VectorXd wanted = -(bias + 10.0 * drift.row_rate + 25.0 * drift.row_value);
  assert_same(s.A * pulled.acceleration, wanted);
  assert_same(s.M * pulled.acceleration - s.force, s.A.transpose() * pulled.multipliers);
}

TEST(ProjectionFormulation, SlidingFrictionIsRefusedAndFrictionlessSlidingIsNot) {
  ModeShape shape;
  shape.speeds = 2;
  shape.statuses = {ContactStatus::slip};
  shape.friction = {0.2};
  EXPECT_NE(formulations().refusal("projection", circumstances_of(shape)).find("delassus"),
            std::string::npos);
  shape.friction = {0.0};
  EXPECT_EQ(formulations().refusal("projection", circumstances_of(shape)), "");
}

}  // namespace
}  // namespace clack
