#include "clack/contact/planar_friction.hpp"

#include <gtest/gtest.h>

#include "clack/contact/delassus.hpp"
#include "clack/contact/random_system.hpp"

namespace clack {
namespace {

PlanarFriction random_problem(testing::RandomSystem& random, int n, int c, double friction) {
  const auto system = random.system<ImpactProblem>(n, c, 2, friction);
  const Delassus delassus = make_delassus(system, 0.0);
  const FreeMotion free = free_velocity(delassus, system);
  PlanarFriction problem;
  problem.G = delassus.matrix;
  problem.b = free.contact;
  problem.scale = free.scale;
  problem.dynamic_friction.resize(c);
  for (int i = 0; i < c; ++i)
    problem.dynamic_friction[i] = system.materials[static_cast<std::size_t>(i)].dynamic_friction;
  problem.static_friction = problem.dynamic_friction;
  return problem;
}

// docs/theories/poisson.md: sizes c + 2 h and c + 4 h; sliding and frictionless contacts have no
// law.
TEST(PlanarFriction, LcpSizesCountContactsWithATangentialLaw) {
  testing::RandomSystem random(1);
  PlanarFriction problem = random_problem(random, 5, 3, 1.0);
  EXPECT_EQ(make_planar_lcp(problem, LcpSize::compact).q.size(), 9);
  EXPECT_EQ(make_planar_lcp(problem, LcpSize::full).q.size(), 15);
  problem.slide = {0, 1, 0};
  problem.static_friction[2] = 0.0;
  EXPECT_EQ(make_planar_lcp(problem, LcpSize::compact).q.size(), 5);
  EXPECT_EQ(make_planar_lcp(problem, LcpSize::full).q.size(), 7);
}

// docs/theories/poisson.md: x^T A x >= 0 for x >= 0 (copositive), although A is not semidefinite
// (E4).
TEST(PlanarFriction, FullMatrixIsCopositiveButNotSemidefinite) {
  testing::RandomSystem random(2);
  bool saw_negative = false;
  for (int k = 0; k < 200; ++k) {
    const Lcp lcp = make_planar_lcp(random_problem(random, 4, 2, 1.5), LcpSize::full);
    const Eigen::VectorXd any = random.vector(10), positive = any.cwiseAbs();
    EXPECT_GE(positive.dot(lcp.M * positive), -1e-12);
    saw_negative = saw_negative || any.dot(lcp.M * any) < 0.0;
  }
  EXPECT_TRUE(saw_negative);
}

TEST(PlanarFriction, ResidualVanishesExactlyAtSolutions) {
  testing::RandomSystem random(3);
  for (int k = 0; k < 200; ++k) {
    const PlanarFriction problem = random_problem(random, 4, 2, 0.6);
    const auto answer = solve_planar_lcp(problem, LcpSize::full);
    ASSERT_TRUE(answer.has_value());
    EXPECT_LE(planar_residual(problem, answer->force), 1e-10);
    const Eigen::VectorXd wrong =
        answer->force + 0.01 * random.vector(4).cwiseAbs() + Eigen::VectorXd::Constant(4, 1e-3);
    EXPECT_GT(planar_residual(problem, wrong), 1e-7);
  }
}

TEST(PlanarFriction, WordOfAnAnswerHasThatAnswer) {
  testing::RandomSystem random(4);
  for (int k = 0; k < 200; ++k) {
    const PlanarFriction problem = random_problem(random, 5, 2, 0.6);
    const auto answer = solve_planar_lcp(problem, LcpSize::compact);
    ASSERT_TRUE(answer.has_value());
    const auto again = solve_word(problem, word_of(problem, *answer), ForceNorm::kinetic);
    ASSERT_TRUE(again.has_value()) << k;
    EXPECT_LE((again->motion - answer->motion).cwiseAbs().maxCoeff(), 1e-9 * problem.scale);
  }
}

/// Two equal contacts on one unit mass pressed with 1: forces can be shared in any way.
TEST(PlanarFriction, HyperstaticForcesAreTheSmallestOnes) {
  PlanarFriction problem;
  problem.G = Eigen::Matrix4d::Zero();
  problem.G.topLeftCorner(2, 2).setOnes();
  problem.G.bottomRightCorner(2, 2).setOnes();
  problem.b = Eigen::Vector4d(-1, -1, 0.2, 0.2);
  problem.scale = 1.0;
  problem.dynamic_friction = problem.static_friction = Eigen::Vector2d(0.5, 0.5);
  const auto even = solve_word(problem, rest_word(problem), ForceNorm::euclidean);
  ASSERT_TRUE(even.has_value());
  EXPECT_TRUE(even->is_hyperstatic);
  EXPECT_LE((even->force - Eigen::Vector4d(0.5, 0.5, -0.1, -0.1)).cwiseAbs().maxCoeff(), 1e-12);
  problem.static_friction = problem.dynamic_friction = Eigen::Vector2d(0.05, 1.0);
  const auto uneven = solve_word(problem, rest_word(problem), ForceNorm::euclidean);
  ASSERT_TRUE(uneven.has_value());  // even sharing breaks the first cone, others do not
  EXPECT_LE(std::abs(uneven->force[2]), 0.05 * uneven->force[0] + 1e-10);
  EXPECT_NEAR(uneven->force[2] + uneven->force[3], -0.2, 1e-10);
  problem.static_friction = problem.dynamic_friction = Eigen::Vector2d(0.1, 0.1);
  EXPECT_FALSE(solve_word(problem, rest_word(problem), ForceNorm::euclidean).has_value());
}

}  // namespace
}  // namespace clack
