#include "clack/formulation/projection.hpp"

#include <random>

namespace clack {
namespace {

using Eigen::MatrixXd;
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

Snapshot snapshot_of(const MatrixXd& M, const VectorXd& force, const MatrixXd& rows,
                     const VectorXd& bias) {
  const int n = static_cast<int>(M.rows()), b = static_cast<int>(rows.rows());
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
  shape.speeds = static_cast<int>(M.rows());
  shape.constraint_rows = static_cast<int>(rows.rows());
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

// Direct solution of [M -A^T; A 0] on independent rows; the formulation must also not notice
// repeated rows.
TEST(ProjectionFormulation, AgreesWithTheDirectSolutionOnRandomSystemsAndIgnoresRepeatedRows) {
  std::mt19937_64 random(5);
  for (int k = 0; k < 200; ++k) {
    const int n = 2 + k % 8, m = k % n;
    const MatrixXd root = random_matrix(random, n, n);
    const MatrixXd M = root * root.transpose() + MatrixXd::Identity(n, n),
                   A = random_matrix(random, m, n);
    const VectorXd force = random_matrix(random, n, 1), bias = random_matrix(random, m, 1);
    MatrixXd kkt = MatrixXd::Zero(n + m, n + m);
    kkt.topLeftCorner(n, n) = M;
    kkt.topRightCorner(n, m) = -A.transpose();
    kkt.bottomLeftCorner(m, n) = A;
    VectorXd rhs(n + m);
    rhs << force, -bias;
    const VectorXd direct = kkt.fullPivLu().solve(rhs);
    const auto forces = by_formulation(M, force, A, bias);
    const double size = 1.0 + direct.norm();
    EXPECT_LT((forces.acceleration - direct.head(n)).norm(), 1e-10 * size);
    EXPECT_LT((forces.constraint_force - direct.tail(m)).norm(), 1e-10 * size);
    EXPECT_FALSE(forces.is_hyperstatic);
    if (m == 0) continue;
    MatrixXd repeated(m + 2, n);
    repeated << A, -3.0 * A.row(0), MatrixXd::Zero(1, n);
    VectorXd more(m + 2);
    more << bias, -3.0 * bias[0], 0.0;
    const auto same = by_formulation(M, force, repeated, more);
    EXPECT_LT((same.acceleration - direct.head(n)).norm(), 1e-10 * size);
    const VectorXd least =
        repeated.transpose().completeOrthogonalDecomposition().solve(M * direct.head(n) - force);
    EXPECT_LT((same.constraint_force - least).norm(), 1e-9 * size);
  }
}

TEST(ProjectionMotion, OmegaAgreesWithTheBiasOnAdmissibleSpeedsAndStabilisationEntersAsStated) {
  std::mt19937_64 random(6);
  for (int k = 0; k < 100; ++k) {
    const int n = 3 + k % 6, rank = 1 + k % 2, m = rank + k % 3;
    const MatrixXd root = random_matrix(random, n, n);
    const MatrixXd M = root * root.transpose() + MatrixXd::Identity(n, n);
    const MatrixXd mix = random_matrix(random, m, rank);
    const MatrixXd A = mix * random_matrix(random, rank, n),
                   Adot = mix * random_matrix(random, rank, n);
    const VectorXd u = random_matrix(random, n, 1), q = random_matrix(random, n, 1);
    const Projector p = make_projector(M, A);
    const VectorXd v = p.feasible_projector * q;
    const MatrixXd Lambda = -p.pseudo_inverse * Adot * p.feasible_projector;
    const VectorXd Omega_v = (Lambda - Lambda.transpose()) * v;
    const MatrixXd I = MatrixXd::Identity(n, n), &S = p.impact_projector;
    const auto motion = project_motion(p, M, A, u, Adot * v);
    const double size = 1.0 + motion.acceleration.norm() + motion.constraint_force.norm();
    EXPECT_LT((motion.acceleration - ((I - S) * M.inverse() * u + S * Omega_v)).norm(),
              1e-11 * size);
    EXPECT_LT((motion.constraint_force - (-S.transpose() * u + S.transpose() * M * Omega_v)).norm(),
              1e-11 * size * 10);
    EXPECT_LT((A * motion.acceleration + Adot * v).norm(), 1e-11 * size);
    EXPECT_LT((A.transpose() * motion.multipliers - motion.constraint_force).norm(), 1e-10 * size);
    Stabilisation drift{5.0, A * q, mix * VectorXd::Ones(rank)};
    const auto pulled = project_motion(p, M, A, u, Adot * q, drift);
    EXPECT_LT((A * pulled.acceleration + Adot * q + 10.0 * A * q + 25.0 * drift.row_value).norm(),
              1e-9 * (size + 100));
  }
}

TEST(ProjectionFormulation, SlidingFrictionIsRefusedAndFrictionlessSlidingIsNot) {
  ModeShape shape;
  shape.speeds = 2;
  shape.statuses = {ContactStatus::slip};
  shape.friction = {0.2};
  EXPECT_NE(ProjectionFormulation{}.refuses(shape).find("delassus"), std::string::npos);
  shape.friction = {0.0};
  EXPECT_EQ(ProjectionFormulation{}.refuses(shape), "");
}

}  // namespace
}  // namespace clack
