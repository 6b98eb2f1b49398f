// SPDX-License-Identifier: Apache-2.0
#include "clack/formulation/embedding.hpp"

#include <rapidcheck/gtest.h>

#include <Eigen/Dense>

#include "clack/formulation/multipliers.hpp"
#include "clack/formulation/nullspace.hpp"
#include "clack/linalg/drawn_system.hpp"

namespace clack {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Snapshot joints(const MatrixXd& M, const VectorXd& force, const MatrixXd& rows,
                const VectorXd& bias, const VectorXd& rate) {
  const int n = static_cast<int>(M.rows()), b = static_cast<int>(rows.rows());
  Snapshot s(n, 1, 0, b);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) s.data()[i * n + j] = M(i, j);
    s.data()[s.at_force() + i] = force[i];
  }
  for (int i = 0; i < b; ++i) {
    for (int j = 0; j < n; ++j) s.data()[s.at_constraint() + i * n + j] = rows(i, j);
    s.data()[s.at_value() + b + i] = rate[i];
    s.data()[s.at_value() + 2 * b + i] = bias[i];
  }
  return s;
}

ModeShape shape_with(int speeds, int rows) {
  ModeShape shape;
  shape.speeds = speeds;
  shape.constraint_rows = rows;
  return shape;
}

ModeForces solved(Formulation& formulation, const Snapshot& s) {
  formulation.enter(shape_with(s.speeds(), s.constraint_rows()));
  ModeForces forces;
  formulation.solve(s, forces);
  return forces;
}

// Any rank, any units: the three agree with the direct solution, forces are the smallest.
RC_GTEST_PROP(ConstraintFormulations, AgreeWithTheEquationsForAnyRank, ()) {
  const DrawnSystem d = draw_system();
  if (d.A.rows() == 0) return;
  const VectorXd bias = d.Adot * d.v;
  const Snapshot s = joints(d.M, d.force, d.A, bias, d.A * d.v);
  MultipliersFormulation multipliers(0.0, 0.0);
  NullspaceFormulation qr(NullspaceMethod::qr), svd(NullspaceMethod::svd);
  EmbeddingFormulation embedding;
  const MatrixXd inverse =
      MatrixXd(d.A.transpose()).completeOrthogonalDecomposition().pseudoInverse();
  for (Formulation* f : std::initializer_list<Formulation*>{&multipliers, &qr, &svd, &embedding}) {
    const ModeForces forces = solved(*f, s);
    RC_ASSERT(forces.is_finite);
    RC_ASSERT(forces.is_hyperstatic == (d.rank < d.A.rows()));
    assert_same(d.A * forces.acceleration, -bias);
    const VectorXd force = d.M * forces.acceleration - d.force;
    assert_same(d.A.transpose() * forces.constraint_force, force);
    assert_same(forces.constraint_force, inverse * force);
    if (forces.is_hyperstatic)
      assert_same(d.A.transpose() * forces.null_forces,
                  MatrixXd::Zero(d.M.rows(), d.A.rows() - d.rank));
  }
}

// Guide to the paper, 2.5: M~ = T^T M T with u = T u_I + e that keeps the rows.
RC_GTEST_PROP(Embedding, CompletedSpeedsKeepTheRowsAndTheEmbeddedMassIsThatOfTheMotions, ()) {
  const DrawnSystem d = draw_system();
  if (d.rank == 0 || d.rank < d.A.rows()) return;
  const VectorXd C = d.A * d.impulse;  // moving rows
  EmbeddingFormulation embedding;
  const int n = static_cast<int>(d.M.rows());
  embedding.enter(shape_with(n, d.rank));
  Snapshot s = joints(d.M, d.force, d.A, C, d.A * d.v + C);
  ModeForces forces;
  embedding.solve(s, forces);
  const SpeedChoice& choice = embedding.choice();
  VectorXd v = d.v;
  for (const int j : choice.dependent) v[j] = 0.0;
  s = joints(d.M, d.force, d.A, C, d.A * v + C);
  embedding.complete(s, v.data());
  assert_same(d.A * v + C, VectorXd::Zero(d.rank));
  for (const int j : choice.independent) RC_ASSERT(v[j] == d.v[j]);
  embedding.solve(s, forces);
  MatrixXd T = MatrixXd::Zero(n, n - d.rank);
  for (int j = 0; j < n - d.rank; ++j) T(choice.independent[j], j) = 1.0;
  for (int i = 0; i < d.rank; ++i) T.row(choice.dependent[i]) = embedding.dependence().row(i);
  assert_same(d.A * T, MatrixXd::Zero(d.rank, n - d.rank));
  assert_same(embedding.embedded_mass(), T.transpose() * d.M * T);
}

TEST(Embedding, SpeedWithoutInertiaIsDeterminedByItsRow) {
  const MatrixXd M = Eigen::Vector3d(2, 1, 0).asDiagonal();
  MatrixXd B(1, 3);
  B << 1, 0, -2;  // u3 = u1/2
  EmbeddingFormulation embedding;
  MultipliersFormulation multipliers(0.0, 0.0);
  NullspaceFormulation nullspace(NullspaceMethod::qr);
  for (Formulation* f : std::initializer_list<Formulation*>{&embedding, &multipliers, &nullspace}) {
    const ModeForces forces =
        solved(*f, joints(M, Eigen::Vector3d(4, 3, 0), B, VectorXd::Zero(1), VectorXd::Zero(1)));
    ASSERT_TRUE(forces.is_finite) << f->name();
    EXPECT_LT((forces.acceleration - Eigen::Vector3d(2, 3, 1)).norm(), 1e-13) << f->name();
    EXPECT_NEAR(forces.constraint_force[0], 0.0, 1e-13) << f->name();
  }
  MatrixXd other(1, 3);
  other << 1, -1, 0;  // leaves u3 free and without inertia
  EXPECT_FALSE(solved(embedding, joints(M, Eigen::Vector3d(4, 3, 0), other, VectorXd::Zero(1),
                                        VectorXd::Zero(1)))
                   .is_finite);
}

TEST(Embedding, NoSpeedIsLeftAndForcesAreStillThere) {
  const MatrixXd M = MatrixXd::Identity(2, 2), B = MatrixXd::Identity(2, 2);
  EmbeddingFormulation embedding;
  const ModeForces forces = solved(
      embedding, joints(M, Eigen::Vector2d(3, -1), B, Eigen::Vector2d(0.5, 0), VectorXd::Zero(2)));
  EXPECT_TRUE(embedding.choice().independent.empty());
  EXPECT_LT((forces.acceleration - Eigen::Vector2d(-0.5, 0)).norm(), 1e-14);
  EXPECT_LT((forces.constraint_force - Eigen::Vector2d(-3.5, 1)).norm(), 1e-14);
}

// Scaled pivoting: metres or millimetres, the same choice.
TEST(Embedding, ChoiceOfSpeedsDoesNotDependOnUnits) {
  MatrixXd B(2, 4), mass = Eigen::Vector4d(1, 2, 0.5, 3).asDiagonal();
  B << 1, 0.3, 0.2, 0.1, 0.2, 0.1, 1.4, 0.3;
  const auto choice_in = [&](const Eigen::Vector4d& unit) {
    const MatrixXd rows = B * unit.asDiagonal();
    const VectorXd scale = (unit.array() * mass.diagonal().array().sqrt()).inverse();
    return choose_speeds(rows, scale, 1e-10);
  };
  const SpeedChoice plain = choice_in(Eigen::Vector4d::Ones());
  EXPECT_EQ(plain.dependent, choice_in(Eigen::Vector4d(1e-3, 1, 57.3, 1e3)).dependent);
  EXPECT_EQ(plain.rank(), 2);
}

// Sliding friction couples the normal force to the motion (guide 2.6), against delassus.
TEST(Embedding, SlidingFrictionEntersTheMotion) {
  Snapshot s(2, 1, 1, 0);
  const double M[] = {2.0, 0.6, 0.6, 1.0};
  std::copy_n(M, 4, s.data());
  s.data()[s.at_force()] = 1.0;
  s.data()[s.at_force() + 1] = -5.0;
  s.data()[s.at_normal()] = 0.2;
  s.data()[s.at_normal() + 1] = 1.0;
  s.data()[s.at_tangent()] = 1.0;
  s.data()[s.at_tangent() + 1] = 0.1;
  s.data()[s.at_gap() + 2] = 0.3;  // bias
  ModeShape shape = shape_with(2, 0);
  shape.statuses = {ContactStatus::slip};
  shape.friction = {0.4};
  shape.slip_direction = {-1.0};
  for (const char* name : {"embedding", "multipliers"}) {
    const auto one = make_formulation(name), reference = make_formulation("delassus");
    ModeForces a, b;
    one->enter(shape);
    reference->enter(shape);
    one->solve(s, a);
    reference->solve(s, b);
    EXPECT_LT((a.acceleration - b.acceleration).norm(), 1e-13) << name;
    EXPECT_NEAR(a.normal_force[0], b.normal_force[0], 1e-13) << name;
    EXPECT_NEAR(a.friction_force[0], 0.4 * a.normal_force[0], 1e-13) << name;
  }
}

// The row accelerations then are -(bias + 2 alpha rate + beta^2 value).
TEST(Multipliers, BaumgarteEntersAsStated) {
  MatrixXd B(1, 2);
  B << 0.8, -0.6;
  Snapshot s = joints(MatrixXd::Identity(2, 2), Eigen::Vector2d(1, 2), B,
                      VectorXd::Constant(1, 0.7), VectorXd::Constant(1, 0.2));
  s.data()[s.at_value()] = 0.05;
  MultipliersFormulation pulled(10.0, 20.0);
  const ModeForces forces = solved(pulled, s);
  EXPECT_NEAR((B * forces.acceleration)[0], -(0.7 + 2 * 10 * 0.2 + 400 * 0.05), 1e-12);
}

}  // namespace
}  // namespace clack
