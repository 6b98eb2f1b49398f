#include "clack/contact/cone_friction.hpp"

#include <gtest/gtest.h>

#include "clack/contact/random_system.hpp"
#include "clack/contact/rest.hpp"

namespace clack {
namespace {

ConeFriction random_problem(testing::RandomSystem& random, int c, double friction) {
  const auto system = random.system<ImpactProblem>(3 * c + 1, c, 3, friction);
  const Delassus delassus = make_delassus(system, 0.0);
  const FreeMotion free = free_velocity(delassus, system);
  ConeFriction problem;
  problem.tangents = 2;
  problem.G = delassus.matrix;
  problem.b = free.contact;
  problem.scale = free.scale;
  problem.friction.resize(c);
  for (int i = 0; i < c; ++i)
    problem.friction[i] = system.materials[static_cast<std::size_t>(i)].dynamic_friction;
  return problem;
}

TEST(ConeFriction, ForcesObeyCoulombInSpace) {
  testing::RandomSystem random(1);
  for (int k = 0; k < 200; ++k) {
    const int c = 1 + k % 3;
    const ConeFriction problem = random_problem(random, c, 0.4);
    const ConeAnswer answer = solve_cone_friction(problem);
    ASSERT_TRUE(answer.is_solved()) << k;
    const Eigen::VectorXd motion = problem.G * answer.force + problem.b;
    for (int i = 0; i < c; ++i) {
      const auto tangent = answer.force.segment(c + 2 * i, 2), slip = motion.segment(c + 2 * i, 2);
      const double bound = problem.friction[i] * answer.force[i];
      EXPECT_GE(answer.force[i], 0.0);
      EXPECT_GE(motion[i], -1e-9);
      EXPECT_NEAR(answer.force[i] * motion[i], 0.0, 1e-8);
      EXPECT_LE(tangent.norm(), bound + 1e-9);
      EXPECT_NEAR(bound * slip.norm() + tangent.dot(slip), 0.0, 1e-8);
    }
  }
}

TEST(ConeFriction, KnownSlipDirectionFixesTheFriction) {
  ConeFriction problem;
  problem.tangents = 1;
  problem.G = Eigen::Matrix2d::Identity();
  problem.G(0, 1) = problem.G(1, 0) = 0.2;
  problem.b = Eigen::Vector2d(-1, 5);
  problem.scale = 5.0;
  problem.friction = Eigen::VectorXd::Constant(1, 0.5);
  problem.direction = Eigen::VectorXd::Constant(1, -1.0);
  const ConeAnswer answer = solve_cone_friction(problem);
  ASSERT_TRUE(answer.is_solved());
  EXPECT_NEAR(sliding_mobility(problem, 0), 1.1, 1e-15);
  EXPECT_NEAR(answer.force[0], 1.0 / 1.1, 1e-12);
  EXPECT_NEAR(answer.force[1], 0.5 / 1.1, 1e-12);
}

/// One unit mass on two equal supports in space: forces may be shared in any way.
TEST(Rest, FindsAdmissibleForcesWhereTheSmallestOnesAreNot) {
  ConeFriction problem;
  problem.tangents = 2;
  problem.G = Eigen::MatrixXd::Zero(6, 6);
  problem.G.topLeftCorner(2, 2).setOnes();
  for (const int a : {2, 3})
    for (const int i : {0, 2})
      for (const int j : {0, 2}) problem.G(a + i, a + j) = 1.0;
  problem.b.resize(6);
  problem.b << -1, -1, 0.2, 0, 0.2, 0;
  problem.scale = 1.0;
  problem.friction = Eigen::Vector2d(0.05, 1.0);  // even sharing breaks the first cone
  const auto rest = forces_at_rest(problem);
  ASSERT_TRUE(rest.has_value());
  EXPECT_TRUE(rest->is_hyperstatic);
  EXPECT_LE((problem.G * rest->force + problem.b).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LE(rest->force.segment(2, 2).norm(), 0.05 * rest->force[0] + 1e-9);
  problem.friction = Eigen::Vector2d(0.1, 0.1);  // nothing holds it
  EXPECT_FALSE(forces_at_rest(problem).has_value());
}

}  // namespace
}  // namespace clack
