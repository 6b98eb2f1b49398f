// SPDX-License-Identifier: Apache-2.0
#include "clack/contact/report.hpp"

#include <gtest/gtest.h>

#include "clack/contact/random_system.hpp"

namespace clack {
namespace {

// The works of all impulses (contacts, bilateral rows, external) add up to the change of energy.
TEST(Report, WorksOfAllImpulsesAddUpToTheChangeOfEnergy) {
  testing::RandomSystem random(1);
  for (int k = 0; k < 50; ++k) {
    auto problem = random.system<ImpactProblem>(5, 2, 2, 0.5);
    problem.bilateral = random.matrix(1, 5);
    problem.external_impulse = random.vector(5);
    const Delassus delassus = make_delassus(problem, 0.0);
    const FreeMotion free = free_velocity(delassus, problem);
    ImpactResult result;
    apply_impulses(problem, delassus, free, random.vector(4), result);
    complete_impact(problem, free.contact, {}, result);
    const Eigen::VectorXd mean = 0.5 * (problem.velocity + result.velocity);
    const double others =
        problem.external_impulse.dot(mean) + result.bilateral_impulse.dot(problem.bilateral * mean);
    EXPECT_NEAR(result.normal_work + result.tangential_work + others,
                result.energy_after - result.energy_before, 1e-10 * (1.0 + result.energy_after));
    EXPECT_NEAR(result.joint_work, others, 1e-12 * (1.0 + result.energy_after));
  }
}

// A march in straight steps of impulse integrates v dp exactly by mean velocities of each step. With
// joints, external impulses and moving surfaces the three works are the change of energy, and a
// wrong one shows.
TEST(Report, WorksOfAMarchAddUpToTheChangeOfEnergy) {
  testing::RandomSystem random(11);
  for (int k = 0; k < 50; ++k) {
    auto problem = random.system<ImpactProblem>(6, 2, 2 + k % 2, 0.5);
    const int d = problem.dimension;
    problem.bilateral = random.matrix(1, 6);
    problem.bilateral_velocity = random.vector(1);
    problem.external_impulse = random.vector(6);
    problem.normal_surface_velocity = random.vector(2);
    problem.tangent_surface_velocity = random.vector(2 * (d - 1));
    const Delassus delassus = make_delassus(problem, 0.0);
    const FreeMotion free = free_velocity(delassus, problem);
    Eigen::VectorXd motion = free.contact, total = Eigen::VectorXd::Zero(2 * d);
    MarchedWorks works;
    for (int step = 0; step < 3; ++step) {
      const Eigen::VectorXd impulse = random.vector(2 * d), change = delassus.matrix * impulse;
      const Eigen::VectorXd mean = motion + 0.5 * change;
      works.normal += impulse.head(2).dot(mean.head(2));
      works.tangential += impulse.tail(2 * (d - 1)).dot(mean.tail(2 * (d - 1)));
      motion += change;
      total += impulse;
    }
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(2 * d);
    ImpactResult result;
    apply_impulses(problem, delassus, free, total, result);
    const Eigen::VectorXd start = motion_under(delassus, free, none);
    complete_marched_impact(problem, start, works, result);
    const double scale = 1.0 + result.energy_before + result.energy_after;
    EXPECT_NEAR(result.normal_work + result.tangential_work + result.joint_work,
                result.energy_after - result.energy_before, 1e-12 * scale);
    works.normal += 0.01;
    complete_marched_impact(problem, start, works, result);
    EXPECT_NEAR(result.normal_work + result.tangential_work + result.joint_work - 0.01,
                result.energy_after - result.energy_before, 1e-12 * scale);
  }
}

TEST(Report, CertificateIsRecomputedFromTheAnswer) {
  testing::RandomSystem random(2);
  auto problem = random.system<ImpactProblem>(3, 1, 2, 0.5);
  ImpactResult result;
  result.velocity = problem.velocity;
  result.normal_impulse = Eigen::VectorXd::Constant(1, -0.25);
  result.tangent_impulse = Eigen::VectorXd::Constant(1, 0.5);
  complete_impact(problem, {}, result);
  EXPECT_EQ(result.certificate.adhesion, 0.25);
  EXPECT_NEAR(result.certificate.cone, 0.5 + 0.25 * problem.materials[0].dynamic_friction, 1e-15);
  EXPECT_NEAR(result.certificate.penetration,
              std::max(0.0, -problem.gap_rates(problem.velocity)[0]), 1e-15);
}

TEST(Report, SlipCountsOnlyAboveItsShareOfTheLargestSpeed) {
  testing::RandomSystem random(3);
  auto problem = random.system<ContactProblem>(2, 1, 2, 0.5);
  problem.normal_jacobian = Eigen::RowVector2d(0, 1);
  problem.tangent_jacobian = Eigen::RowVector2d(1, 0);
  problem.force = Eigen::Vector2d::Zero();
  problem.velocity = Eigen::Vector2d(0.5e-9, -1.0);
  EXPECT_TRUE(contact_states(problem).is_at_rest);
  problem.velocity = Eigen::Vector2d(2e-9, -1.0);
  const ContactStates states = contact_states(problem);
  EXPECT_FALSE(states.is_at_rest);
  EXPECT_EQ(states.direction[0], 1.0);
}

}  // namespace
}  // namespace clack
