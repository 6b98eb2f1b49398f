// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/friction_solver.hpp"

#include "clack/complementarity/friction_islands.hpp"
#include "clack/complementarity/friction_test_problems.hpp"
#include "clack/complementarity/lemke.hpp"

namespace clack {
namespace {

FrictionOptions tight() {
  FrictionOptions options;
  options.tolerance = 1e-12;
  return options;
}

TEST(FrictionSolver, NoContactsIsSolvedAndEmpty) {
  const auto result = solve_friction(FrictionProblem{});
  EXPECT_EQ(result.status, SolveStatus::solved);
  EXPECT_EQ(result.reaction.size(), 0);
  EXPECT_EQ(result.residual, 0.0);
}

TEST(FrictionSolver, SeparatingContactsGetNoReaction) {
  auto problem = test::random_friction(3, 5, 20, 0.4, 1);
  for (int i = 0; i < 5; ++i) problem.q(3 * i) = std::abs(problem.q(3 * i));
  const auto result = solve_friction(problem);
  EXPECT_EQ(result.reaction.norm(), 0.0);
  EXPECT_EQ(result.residual, 0.0);
}

TEST(FrictionSolver, NothingMovesWithoutDrive) {
  auto problem = test::random_friction(3, 5, 20, 0.4, 1);
  problem.q.setZero();
  const auto result = solve_friction(problem);
  EXPECT_EQ(result.status, SolveStatus::solved);
  EXPECT_EQ(result.reaction.norm(), 0.0);
  EXPECT_TRUE(result.has_flag("absolute-residual"));
}

TEST(FrictionSolver, FrictionlessAnswerIsThatOfTheLcp) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const auto problem = test::random_friction(3, 5, 20, 0.0, seed);
    const auto result = solve_friction(problem, tight());
    ASSERT_EQ(result.status, SolveStatus::solved);
    Lcp lcp{Eigen::MatrixXd(5, 5), Eigen::VectorXd(5)};
    const Eigen::MatrixXd W = dense_delassus(problem);
    for (int i = 0; i < 5; ++i) {
      lcp.q(i) = problem.q(3 * i);
      for (int j = 0; j < 5; ++j) lcp.M(i, j) = W(3 * i, 3 * j);
    }
    const LcpResult exact = lemke(lcp);
    for (int i = 0; i < 5; ++i) {
      EXPECT_NEAR(result.reaction(3 * i), exact.z(i), 1e-10);
      EXPECT_EQ(result.reaction.segment(3 * i + 1, 2).norm(), 0.0);
    }
  }
}

TEST(FrictionSolver, HugeFrictionSticksOrOpens) {
  const auto problem = test::random_friction(3, 3, 12, 1e3, 4);
  const auto result = solve_friction(problem);
  EXPECT_TRUE(result.reaction.allFinite());
  EXPECT_EQ(result.status, SolveStatus::solved);
}

TEST(FrictionSolver, OrderOfContactsDoesNotMatter) {
  const auto problem = test::random_friction(3, 6, 24, 0.3, 7);
  const std::vector<int> order = {4, 2, 5, 0, 1, 3};
  const auto a = solve_friction(problem, tight()),
             b = solve_friction(sub_problem(problem, order), tight());
  EXPECT_TRUE(gather(a.velocity, order, 3).isApprox(b.velocity, 1e-9));
}

TEST(FrictionSolver, TangentialAxesDoNotMatter) {
  const auto problem = test::random_friction(3, 6, 24, 0.3, 7);
  Eigen::MatrixXd turn = Eigen::MatrixXd::Identity(18, 18);
  for (int i = 0; i < 6; ++i)
    turn.block<2, 2>(3 * i + 1, 3 * i + 1) = Eigen::Rotation2Dd(0.4 + i).toRotationMatrix();
  const auto turned =
      make_friction_problem(3, Eigen::MatrixXd(turn * dense_delassus(problem) * turn.transpose()),
                            turn * problem.q, problem.mu);
  const auto a = solve_friction(problem, tight()), b = solve_friction(turned, tight());
  EXPECT_TRUE((turn * a.velocity).isApprox(b.velocity, 1e-9));
}

TEST(FrictionSolver, UnitsDoNotMatter) {
  const auto problem = test::random_friction(3, 6, 24, 0.3, 8);
  auto scaled = problem;
  for (double& x : scaled.values) x *= 1e6;
  scaled.q *= 1e-15;
  const auto a = solve_friction(problem, tight()), b = solve_friction(scaled, tight());
  EXPECT_EQ(b.status, SolveStatus::solved);
  EXPECT_TRUE(a.velocity.isApprox(1e15 * b.velocity, 1e-9));
}

TEST(FrictionSolver, FarOpenContactChangesNothing) {
  const auto problem = test::random_friction(3, 4, 18, 0.3, 9);
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(15, 15);
  W.topLeftCorner(12, 12) = dense_delassus(problem);
  W(0, 12) = W(12, 0) = 0.1;
  Eigen::VectorXd q(15), mu(5);
  q << problem.q, 1e3, 0, 0;
  mu << problem.mu, 0.5;
  const auto a = solve_friction(problem, tight()),
             b = solve_friction(make_friction_problem(3, W, q, mu), tight());
  EXPECT_EQ(b.reaction.tail(3).norm(), 0.0);
  EXPECT_LE((a.velocity - b.velocity.head(12)).norm(), 1e-8 * problem.q.norm());
}

TEST(FrictionSolver, IslandsAreSolvedAsIfAlone) {
  const auto one = test::random_friction(3, 3, 12, 0.3, 10),
             two = test::random_friction(3, 4, 15, 0.6, 11);
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(21, 21);
  W.topLeftCorner(9, 9) = dense_delassus(one);
  W.bottomRightCorner(12, 12) = dense_delassus(two);
  Eigen::VectorXd q(21), mu(7);
  q << one.q, two.q;
  mu << one.mu, two.mu;
  const auto both = solve_friction(make_friction_problem(3, W, q, mu));
  EXPECT_EQ(both.reaction.head(9), solve_friction(one).reaction);
  EXPECT_EQ(both.reaction.tail(12), solve_friction(two).reaction);
}

TEST(FrictionSolver, EverySolverReachesTheSameVelocity) {
  const auto problem = test::random_friction(2, 4, 10, 0.3, 12);
  FrictionOptions options = tight();
  const auto automatic = solve_friction(problem, options);
  for (const auto solver :
       {FrictionSolver::sorprox, FrictionSolver::newton, FrictionSolver::enumeration}) {
    options.solver = solver;
    const auto result = solve_friction(problem, options);
    EXPECT_EQ(result.status, SolveStatus::solved);
    EXPECT_TRUE(result.velocity.isApprox(automatic.velocity, 1e-9));
  }
}

// A beam on three props, no horizontal drive: reactions are not unique, rest is.
TEST(FrictionSolver, RestIsTriedFirst) {
  Eigen::MatrixXd H(3, 6);  // columns: contact components; rows: x, y, rotation of a unit body
  H << 0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0, -1, 0.1, 0, 0.1, 1, 0.1;
  const auto problem = make_friction_problem(2, Eigen::MatrixXd(H.transpose() * H),
                                             H.transpose() * Eigen::Vector3d(0.1, -1, 0),
                                             Eigen::VectorXd::Constant(3, 0.5));
  const auto result = solve_friction(problem);
  EXPECT_EQ(result.status, SolveStatus::solved);
  EXPECT_TRUE(result.has_flag("rest"));
  EXPECT_LE(result.velocity.norm(), 1e-8 * problem.q.norm());
}

TEST(FrictionSolver, WarnsOnlyAboutIndefiniteMatrices) {
  EXPECT_FALSE(is_indefinite(test::random_friction(3, 5, 4, 0.3, 1)));  // singular, semidefinite
  Eigen::Matrix2d W;
  W << 1, 3, 3, 1;
  EXPECT_TRUE(is_indefinite(make_friction_problem(2, Eigen::MatrixXd(W), Eigen::Vector2d(1, 0),
                                                  Eigen::VectorXd::Ones(1))));
}

TEST(FrictionSolver, LimitIsReportedNotHidden) {
  FrictionOptions options = tight();
  options.limit = 3;
  const auto result = solve_friction(test::sphere_pile(70), options);
  EXPECT_EQ(result.status, SolveStatus::not_converged);
  EXPECT_GE(result.worst_contact, 0);
}

TEST(FrictionSolver, PileOfSpheresIsSolved) {
  const auto result = solve_friction(test::sphere_pile(120));
  EXPECT_EQ(result.status, SolveStatus::solved);
}

}  // namespace
}  // namespace clack
