// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/friction_polish.hpp"

#include "clack/complementarity/friction_rest.hpp"
#include "clack/complementarity/friction_solver.hpp"
#include "clack/complementarity/friction_test_problems.hpp"

namespace clack {
namespace {

/// A cube on four corners: twelve rows, six of them independent.
FrictionProblem cube_on_its_face(const Eigen::Matrix<double, 6, 1>& velocity) {
  const double a = 0.1, inertia = 4.0 * a * a / 6.0;
  Eigen::Matrix<double, 6, 1> inverse_mass;
  inverse_mass << 1, 1, 1, 1 / inertia, 1 / inertia, 1 / inertia;
  Eigen::MatrixXd rows(12, 6);
  for (int i = 0; i < 4; ++i) {
    const Eigen::Vector3d arm(i % 2 ? a : -a, i / 2 ? a : -a, -a);
    const std::array<Eigen::Vector3d, 3> axes = {Eigen::Vector3d::UnitZ(), Eigen::Vector3d::UnitX(),
                                                 Eigen::Vector3d::UnitY()};
    for (int k = 0; k < 3; ++k)
      rows.row(3 * i + k) << axes[k].transpose(), arm.cross(axes[k]).transpose();
  }
  return make_friction_problem(3, rows * inverse_mass.asDiagonal() * rows.transpose(),
                               rows * velocity, Eigen::VectorXd::Constant(4, 0.4));
}

TEST(FrictionPolish, ACubeThatLandsFlatHasNoSpinAfterwards) {
  const FrictionProblem problem = cube_on_its_face({0.05, -0.02, -1.7, 0, 0, 0});
  const FrictionResult answer = solve_friction(problem, run_friction_options());
  ASSERT_EQ(answer.status, SolveStatus::solved);
  EXPECT_LE(answer.velocity.cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LE(answer.residual, 1e-15);
}

TEST(FrictionPolish, BringsAPerturbedAnswerBackAndKeepsItsStates) {
  int polished = 0;
  for (unsigned round = 0; round < 200; ++round) {
    const int c = 1 + round % 4;
    const FrictionProblem problem = test::random_friction(3, c, 3 * c + 1, 0.4, round);
    const FrictionResult exact = solve_friction(problem, run_friction_options());
    ASSERT_EQ(exact.status, SolveStatus::solved) << round;
    Eigen::VectorXd reaction = exact.reaction;
    for (int i = 0; i < c; ++i)  // an error as sweeps leave it, states still clear
      if (reaction[3 * i] > 0.0) reaction[3 * i] *= 1.0 + 1e-12;
    if (!polish_reaction(problem, reaction)) continue;
    ++polished;
    const double size = 1.0 + exact.reaction.cwiseAbs().maxCoeff();
    EXPECT_LE((reaction - exact.reaction).cwiseAbs().maxCoeff(), 1e-13 * size) << round;
  }
  EXPECT_GE(polished, 80);
}

TEST(FrictionPolish, LeavesAnUnclearStateAlone) {
  const FrictionProblem problem =  // a contact that neither pushes nor leaves
      make_friction_problem(2, Eigen::MatrixXd(Eigen::Matrix2d::Identity()),
                            Eigen::Vector2d(0.0, 1.0), Eigen::VectorXd::Constant(1, 0.5));
  Eigen::VectorXd reaction = Eigen::Vector2d::Zero();
  EXPECT_FALSE(polish_reaction(problem, reaction));
  EXPECT_EQ(reaction, Eigen::Vector2d::Zero());
}

TEST(KnownSlip, DirectionFixesTheFriction) {
  Eigen::Matrix2d W;
  W << 1, 0.2, 0.2, 1;
  FrictionProblem problem = make_friction_problem(2, Eigen::MatrixXd(W), Eigen::Vector2d(-1, 5),
                                                  Eigen::VectorXd::Constant(1, 0.5));
  problem.direction = Eigen::VectorXd::Constant(1, -1.0);
  const FrictionResult answer = solve_friction(problem, run_friction_options());
  ASSERT_EQ(answer.status, SolveStatus::solved);
  EXPECT_NEAR(sliding_mobility(problem, 0), 1.1, 1e-15);
  EXPECT_NEAR(answer.reaction[0], 1.0 / 1.1, 1e-12);
  EXPECT_NEAR(answer.reaction[1], 0.5 / 1.1, 1e-12);
}

// A unit block pulled with 0.45 where static friction holds 0.5 and dynamic friction 0.3: it stays;
// pulled with 0.6 it slides against 0.3, not 0.5.
TEST(TwoFrictions, WhatStaticFrictionCannotHoldSlidesWithDynamicFriction) {
  for (const int d : {2, 3}) {
    Eigen::VectorXd q = Eigen::VectorXd::Zero(d);
    q[0] = -1.0;
    q[1] = 0.45;
    FrictionProblem problem = make_friction_problem(d, Eigen::MatrixXd::Identity(d, d), q,
                                                    Eigen::VectorXd::Constant(1, 0.5));
    problem.dynamic_mu = Eigen::VectorXd::Constant(1, 0.3);
    EXPECT_LE(solve_friction(problem, run_friction_options()).velocity.norm(), 1e-12) << d;
    problem.q[1] = 0.6;
    const FrictionResult slides = solve_friction(problem, run_friction_options());
    EXPECT_EQ(slides.status, SolveStatus::solved) << d;
    EXPECT_NEAR(slides.velocity[1], 0.3, 1e-12) << d;
    EXPECT_LE(slides.residual, 1e-12) << d;
  }
}

/// One unit mass on two equal supports in space: forces may be shared in any way.
TEST(Rest, FindsAdmissibleForcesWhereTheSmallestOnesAreNot) {
  Eigen::MatrixXd W(6, 6);
  W << Eigen::Matrix3d::Identity(), Eigen::Matrix3d::Identity(), Eigen::Matrix3d::Identity(),
      Eigen::Matrix3d::Identity();
  Eigen::VectorXd q(6);
  q << -1, 0.2, 0, -1, 0.2, 0;
  FrictionProblem problem = make_friction_problem(3, W, q, Eigen::Vector2d(0.05, 1.0));
  const FrictionResult rest = reactions_at_rest(problem);  // even sharing breaks the first cone
  ASSERT_EQ(rest.status, SolveStatus::solved);
  EXPECT_TRUE(rest.is_hyperstatic);
  EXPECT_LE(rest.velocity.cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LE(rest.reaction.segment(1, 2).norm(), 0.05 * rest.reaction[0] + 1e-9);
  problem.mu = Eigen::Vector2d(0.1, 0.1);  // nothing holds it
  EXPECT_FALSE(has_answer(reactions_at_rest(problem).status));
}

}  // namespace
}  // namespace clack
