// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/contact_words.hpp"

#include "clack/complementarity/friction_solver.hpp"
#include "clack/complementarity/friction_test_problems.hpp"
#include "clack/complementarity/planar_lcp.hpp"

namespace clack {
namespace {

FrictionProblem random_plane(int c, int freedoms, double mu, unsigned seed) {
  return test::random_friction(2, c, freedoms, mu, seed);
}

// docs/theories/poisson.md: sizes c + 2 h and c + 4 h; sliding and frictionless contacts have no
// law.
TEST(PlanarLcp, SizesCountContactsWithATangentialLaw) {
  FrictionProblem problem = random_plane(3, 5, 1.0, 1);
  EXPECT_EQ(make_planar_lcp(problem, LcpSize::compact).q.size(), 9);
  EXPECT_EQ(make_planar_lcp(problem, LcpSize::full).q.size(), 15);
  problem.direction = Eigen::Vector3d(0, 1, 0);
  problem.mu[2] = 0.0;
  EXPECT_EQ(make_planar_lcp(problem, LcpSize::compact).q.size(), 5);
  EXPECT_EQ(make_planar_lcp(problem, LcpSize::full).q.size(), 7);
}

// docs/theories/poisson.md: x^T A x >= 0 for x >= 0 (copositive), although A is not semidefinite
// (E4).
TEST(PlanarLcp, FullMatrixIsCopositiveButNotSemidefinite) {
  std::mt19937_64 engine(2);
  std::uniform_real_distribution<double> both(-1.0, 1.0);
  bool saw_negative = false;
  for (unsigned k = 0; k < 200; ++k) {
    const Lcp lcp = make_planar_lcp(random_plane(2, 4, 1.5, k), LcpSize::full);
    Eigen::VectorXd any(10);
    for (double& x : any) x = both(engine);
    const Eigen::VectorXd positive = any.cwiseAbs();
    EXPECT_GE(positive.dot(lcp.M * positive), -1e-12);
    saw_negative = saw_negative || any.dot(lcp.M * any) < 0.0;
  }
  EXPECT_TRUE(saw_negative);
}

TEST(PlanarLcp, ResidualVanishesExactlyAtSolutions) {
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (unsigned k = 0; k < 200; ++k) {
    FrictionProblem problem = random_plane(2, 4, 0.6, k);
    if (k % 2 == 1) problem.offset = Eigen::Vector2d(0.3, 0.1);
    const FrictionResult answer = solve_planar_lcp(problem, LcpSize::full);
    ASSERT_EQ(answer.status, SolveStatus::solved) << k;
    EXPECT_LE(friction_residual(problem, answer.reaction).value, 1e-10);
    Eigen::VectorXd wrong = answer.reaction;
    for (double& x : wrong) x += 1e-3 + 0.01 * unit(engine);
    EXPECT_GT(friction_residual(problem, wrong).value, 1e-7);
  }
}

TEST(ContactWords, WordOfAnAnswerHasThatAnswer) {
  for (unsigned k = 0; k < 200; ++k) {
    const FrictionProblem problem = random_plane(2, 5, 0.6, k);
    const FrictionResult answer = solve_planar_lcp(problem, LcpSize::compact);
    ASSERT_EQ(answer.status, SolveStatus::solved) << k;
    const auto again = solve_word(problem, word_of(problem, answer), ForceNorm::kinetic);
    ASSERT_TRUE(again.has_value()) << k;
    EXPECT_LE((again->velocity - answer.velocity).cwiseAbs().maxCoeff(),
              1e-9 * problem.motion_scale());
  }
}

/// Two equal contacts on one unit mass pressed with 1: forces can be shared in any way.
TEST(ContactWords, HyperstaticForcesAreTheSmallestOnes) {
  Eigen::Matrix4d W;
  W << 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1;
  FrictionProblem problem = make_friction_problem(
      2, Eigen::MatrixXd(W), Eigen::Vector4d(-1, 0.2, -1, 0.2), Eigen::Vector2d(0.5, 0.5));
  const auto even = solve_word(problem, rest_word(problem), ForceNorm::euclidean);
  ASSERT_TRUE(even.has_value());
  EXPECT_TRUE(even->is_hyperstatic);
  EXPECT_LE((even->reaction - Eigen::Vector4d(0.5, -0.1, 0.5, -0.1)).cwiseAbs().maxCoeff(), 1e-12);
  problem.mu = Eigen::Vector2d(0.05, 1.0);
  const auto uneven = solve_word(problem, rest_word(problem), ForceNorm::euclidean);
  ASSERT_TRUE(uneven.has_value());  // even sharing breaks the first cone, others do not
  EXPECT_LE(std::abs(uneven->reaction[1]), 0.05 * uneven->reaction[0] + 1e-10);
  EXPECT_NEAR(uneven->reaction[1] + uneven->reaction[3], -0.2, 1e-10);
  problem.mu = Eigen::Vector2d(0.1, 0.1);
  EXPECT_FALSE(solve_word(problem, rest_word(problem), ForceNorm::euclidean).has_value());
}

// A sliding contact with mobility W_NN - mu W_NT e < 0 that is pressed: neither open (u_N < 0) nor
// closed (r_N < 0). The slip is known, so the search is complete in space, too.
TEST(ContactWords, RefutesASlidingContactWithNegativeMobilityInSpace) {
  Eigen::Matrix3d W;
  W << 1, 2, 0, 2, 5, 0, 0, 0, 1;
  FrictionProblem problem = make_friction_problem(3, Eigen::MatrixXd(W), Eigen::Vector3d(-1, 3, 0),
                                                  Eigen::VectorXd::Constant(1, 0.8));
  problem.direction = Eigen::Vector2d(1, 0);
  const WordSearch none = solve_all_words(problem, ForceNorm::euclidean);
  EXPECT_TRUE(none.answers.empty());
  EXPECT_TRUE(none.refutes);
  problem.q[0] = 1.0;  // lifts: open, and closed with r_N = 1/0.6
  const WordSearch two = solve_all_words(problem, ForceNorm::euclidean);
  ASSERT_EQ(two.answers.size(), 2u);
  EXPECT_NEAR(two.answers[0].reaction[0], 1.0 / 0.6, 1e-14);
}

// Nothing is proved where a state misses by rounding only.
TEST(ContactWords, ANearMissIsNoProof) {
  Eigen::Matrix2d W;
  W << 1, 2, 2, 5;
  FrictionProblem problem = make_friction_problem(2, Eigen::MatrixXd(W), Eigen::Vector2d(-5e-10, 1),
                                                  Eigen::VectorXd::Constant(1, 0.8));
  problem.direction = Eigen::VectorXd::Constant(1, 1.0);
  const WordSearch search = solve_all_words(problem, ForceNorm::euclidean);
  EXPECT_TRUE(search.answers.empty());
  EXPECT_FALSE(search.refutes);
}

// One contact in space with the direction unknown: all roots of the quartic, so every solution that
// sweeps and Newton steps find is among them, and where there is none they find none.
TEST(ContactWords, OneUnknownDirectionIsSearchedCompletely) {
  int none = 0, slipping = 0;
  for (unsigned k = 0; k < 400; ++k) {
    FrictionProblem problem = test::random_friction(3, 1, 3, 0.2 + 0.02 * (k % 100), k);
    const WordSearch search = solve_all_words(problem, ForceNorm::euclidean);
    for (const WordAnswer& answer : search.answers) EXPECT_LE(answer.residual, 1e-9) << k;
    FrictionOptions options = run_friction_options();
    options.solver = FrictionSolver::newton;
    const FrictionResult found = solve_friction(problem, options);
    if (search.answers.empty() && search.refutes) {
      ++none;
      EXPECT_EQ(found.status, SolveStatus::not_converged) << k;
      continue;
    }
    if (found.status != SolveStatus::solved) continue;
    double nearest = 1e300;
    for (const WordAnswer& answer : search.answers)
      nearest = std::min(nearest, (answer.velocity - found.velocity).norm());
    EXPECT_LE(nearest, 1e-7 * problem.q.norm()) << k;
    slipping += found.velocity.tail(2).norm() > 1e-6 && found.reaction[0] > 1e-6 ? 1 : 0;
  }
  EXPECT_GT(slipping, 100);
}

}  // namespace
}  // namespace clack
