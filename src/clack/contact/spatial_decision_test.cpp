// SPDX-License-Identifier: Apache-2.0
// Decisions in space: prox and, as a second opinion, enumeration.
#include <gtest/gtest.h>

#include "clack/contact/enumeration_decision.hpp"
#include "clack/contact/prox_decision.hpp"
#include "clack/contact/random_system.hpp"
#include "clack/contact/sphere_scene.hpp"

namespace clack {
namespace {

using testing::RandomSystem;
using testing::SphereScene;

bool is_flagged(const ContactResult& result, std::string_view flag) {
  return std::find(result.flags.begin(), result.flags.end(), flag) != result.flags.end();
}

// An independent second opinion in space: states and root finding against sweeps.
TEST(Decisions, EnumerationAgreesWithProxInSpaceWhereTheSolutionIsUnique) {
  RandomSystem random(5);
  int compared = 0, slipping = 0;
  for (int k = 0; k < 120; ++k) {
    const int c = 1 + k % 2, n = 3 * c + 1 + k % 3;
    auto problem = random.system<ContactProblem>(n, c, 3, 0.5);
    problem.force = 3.0 * random.vector(n);
    if (k % 3 != 0) problem.velocity.setZero();
    if (k % 4 == 3)
      for (auto& material : problem.materials) material.static_friction *= 1.3;
    problem.normal_surface_velocity = problem.normal_jacobian * problem.velocity;
    const ContactResult by_words = EnumerationDecision{}.decide(problem);
    if (by_words.status != SolveStatus::solved) continue;
    const ContactResult by_prox = ProxDecision{}.decide(problem);
    ASSERT_EQ(by_prox.status, SolveStatus::solved) << k;
    EXPECT_LE((by_prox.acceleration - by_words.acceleration).cwiseAbs().maxCoeff(),
              1e-8 * (1.0 + by_words.acceleration.norm()))
        << k;
    EXPECT_EQ(by_prox.statuses, by_words.statuses) << k;
    ++compared;
    slipping +=
        std::count(by_words.statuses.begin(), by_words.statuses.end(), ContactStatus::trans) > 0;
  }
  EXPECT_GT(compared, 90);
  EXPECT_GT(slipping, 10);
}

// Two bodies that do not touch each other are two problems: the same answer as each alone, and the
// same bits for any number of threads.
TEST(Decisions, IslandsAreDecidedOnTheirOwnAndThreadsChangeNoBit) {
  SphereScene scene;
  scene.material.dynamic_friction = scene.material.static_friction = 0.3;
  scene.spheres = {{Eigen::Vector3d(0, 1, 0)},
                   {Eigen::Vector3d(9, 1, 0), 2.0, 1.0, Eigen::Vector3d(0.4, 0, 0.1)}};
  auto both = scene.start<ContactProblem>();
  scene.add_contact(both, "first", -1, 0);
  scene.add_contact(both, "second", -1, 1);
  both.force = Eigen::VectorXd::Zero(12);
  both.force[0] = 1.0;
  both.force[1] = -9.81;
  both.force[7] = -19.62;
  both.options.record_path = true;
  const ContactResult alone = ProxDecision{}.decide(both);
  EXPECT_EQ(alone.statuses, (std::vector{ContactStatus::stick, ContactStatus::slip}));
  EXPECT_NEAR(alone.normal_force[0], 9.81, 1e-12);
  EXPECT_NEAR(alone.normal_force[1], 19.62, 1e-12);
  EXPECT_NEAR(alone.friction_force.tail(2).norm(), 0.3 * 19.62, 1e-12);
  ASSERT_FALSE(alone.path.empty());  // the first rests, the second is swept
  EXPECT_EQ(alone.path.front().contact, 1);
  for (const int threads : {2, 5}) {
    both.options.threads = threads;
    const ContactResult shared = ProxDecision{}.decide(both);
    EXPECT_EQ(alone.acceleration, shared.acceleration);
    EXPECT_EQ(alone.friction_force, shared.friction_force);
  }
}

/// A unit sphere on an incline; gravity along -y, the plane's normal is tilted.
ContactResult incline(double degrees, const Decision& decision = ProxDecision{}) {
  const double angle = degrees * M_PI / 180.0;
  SphereScene scene;
  scene.material.dynamic_friction = scene.material.static_friction = 0.3;
  scene.spheres = {{Eigen::Vector3d(0, 1, 0)}};
  auto problem = scene.start<ContactProblem>();
  scene.add_contact(problem, "plane", -1, 0, Eigen::Vector3d(std::sin(angle), std::cos(angle), 0));
  problem.force = Eigen::VectorXd::Zero(6);
  problem.force[1] = -9.81;
  return decision.decide(problem);
}

TEST(EnumerationDecision, SphereOnAnInclineRollsOrStartsToSlipAsInClosedForm) {
  const ContactResult gentle = incline(20, EnumerationDecision{}),
                      steep = incline(60, EnumerationDecision{});
  EXPECT_EQ(gentle.solutions, 1);
  EXPECT_EQ(gentle.statuses[0], ContactStatus::stick);
  EXPECT_NEAR(gentle.friction_force.norm(), 0.9586336017213746, 1e-11);
  EXPECT_EQ(steep.solutions, 1);
  EXPECT_EQ(steep.statuses[0], ContactStatus::trans);
  EXPECT_NEAR(steep.friction_force.norm(), 1.4715, 1e-11);
  EXPECT_NEAR(steep.acceleration.head(3).norm(), 7.024209211125342, 1e-11);
}

// docs/theories/newton.md, tolerance 1e-11.
TEST(ProxDecision, SphereOnAGentleInclineRolls) {
  const ContactResult r = incline(20);
  EXPECT_EQ(r.statuses[0], ContactStatus::stick);
  EXPECT_NEAR(r.normal_force[0], 9.21838460990976, 1e-11);
  EXPECT_NEAR(r.friction_force.norm(), 0.9586336017213746, 1e-11);
  EXPECT_NEAR(r.acceleration.head(3).norm(), 2.3965840043034365, 1e-11);
}

TEST(ProxDecision, SphereOnASteepInclineStartsToSlip) {
  const ContactResult r = incline(60);
  EXPECT_EQ(r.statuses[0], ContactStatus::trans);
  EXPECT_NEAR(r.friction_force.norm(), 1.4715, 1e-11);
  EXPECT_NEAR(r.acceleration.head(3).norm(), 7.024209211125342, 1e-11);
  EXPECT_NEAR(r.acceleration.tail(3).norm(), 3.67875, 1e-11);
}

// docs/theories/newton.md: s_1,1 with delta_f = 0.01: phi_N = 0.005, both y-accelerations -0.005.
TEST(ProxDecision, LightlyPressedPairMovesTogether) {
  SphereScene scene;
  scene.material.dynamic_friction = scene.material.static_friction = 0.5;
  scene.spheres = {{Eigen::Vector3d(0, 2, 0)}, {Eigen::Vector3d(0, 0, 0)}};
  auto problem = scene.start<ContactProblem>();
  scene.add_contact(problem, "ab", 1, 0);
  problem.force = Eigen::VectorXd::Zero(12);
  problem.force[1] = -0.01;
  const ContactResult r = ProxDecision{}.decide(problem);
  EXPECT_EQ(r.statuses[0], ContactStatus::stick);
  EXPECT_NEAR(r.normal_force[0], 0.005, 1e-14);
  EXPECT_NEAR(r.acceleration[1], -0.005, 1e-14);
  EXPECT_NEAR(r.acceleration[7], -0.005, 1e-14);
}

// docs/theories/newton.md: the sign of bilateral forces does not tell which contacts open.
TEST(ProxDecision, PullingTheUpperBallLeavesTheLowerOneOnTheFloor) {
  SphereScene scene;
  scene.spheres = {{Eigen::Vector3d(0, 1, 0)}, {Eigen::Vector3d(0, 3, 0)}};
  auto problem = scene.start<ContactProblem>();
  scene.add_contact(problem, "floor", -1, 0);
  scene.add_contact(problem, "pair", 0, 1);
  problem.force = Eigen::VectorXd::Zero(12);
  problem.force[1] = -9.81;
  problem.force[7] = 30.0 - 9.81;
  const ContactResult r = ProxDecision{}.decide(problem);
  EXPECT_EQ(r.statuses[1], ContactStatus::open);
  EXPECT_NEAR(r.normal_force[0], 9.81, 1e-11);
}

// docs/theories/newton.md: redundant contacts, compare accelerations only.
TEST(ProxDecision, BallOnFourFixedSupportsStaysAtRest) {
  SphereScene scene;
  scene.material.dynamic_friction = scene.material.static_friction = 0.2;
  scene.spheres = {{Eigen::Vector3d(0, 1, 0)}};
  auto problem = scene.start<ContactProblem>();
  for (const auto& side : {Eigen::Vector3d(1, 2, 0), Eigen::Vector3d(-1, 2, 0),
                           Eigen::Vector3d(0, 2, 1), Eigen::Vector3d(0, 2, -1)})
    scene.add_contact(problem, fmt::format("support{}", problem.contacts()), -1, 0,
                      side.normalized());
  problem.force = Eigen::VectorXd::Zero(6);
  problem.force[1] = -9.81;
  const ContactResult r = ProxDecision{}.decide(problem);
  EXPECT_EQ(r.status, SolveStatus::solved);
  EXPECT_LE(r.acceleration.norm(), 1e-9);
  EXPECT_TRUE(is_flagged(r, "hyperstatic"));
  EXPECT_LE(r.certificate.cone, 1e-8);
}

}  // namespace
}  // namespace clack
