// SPDX-License-Identifier: Apache-2.0
#include "clack/contact/problem_part.hpp"

#include <gtest/gtest.h>

#include "clack/contact/random_system.hpp"

namespace clack {
namespace {

ImpactProblem three_contacts() {
  testing::RandomSystem random(5);
  auto problem = random.system<ImpactProblem>(4, 3, 3, 0.5);
  problem.bilateral = random.matrix(2, 4);
  problem.bilateral_velocity = random.vector(2);
  problem.external_impulse = random.vector(4);
  problem.normal_surface_velocity = random.vector(3);
  problem.tangent_surface_velocity = random.vector(6);
  problem.approach_limit = 1e-7;
  problem.options.threads = 3;
  for (const char* body : {"a", "b", "c"}) problem.geometry.emplace_back().body_b = body;
  return problem;
}

TEST(ProblemPart, SomeContactsKeepEverythingThatIsTheirs) {
  const ImpactProblem all = three_contacts(), part = restricted_to(all, {0, 2});
  EXPECT_EQ(part.normal_jacobian.row(1), all.normal_jacobian.row(2));
  EXPECT_EQ(part.tangent_jacobian.bottomRows(2), all.tangent_jacobian.bottomRows(2));
  EXPECT_EQ(part.normal_surface_velocity[1], all.normal_surface_velocity[2]);
  EXPECT_EQ(part.tangent_surface_velocity.tail(2), all.tangent_surface_velocity.tail(2));
  EXPECT_EQ(part.materials[1].restitution, all.materials[2].restitution);
  EXPECT_EQ(part.names, (std::vector<std::string>{"c1", "c3"}));
  ASSERT_EQ(part.geometry.size(), 2u);
  EXPECT_EQ(part.geometry[1].body_b, "c");
  EXPECT_EQ(part.mass_matrix, all.mass_matrix);
  EXPECT_EQ(part.bilateral_velocity, all.bilateral_velocity);
  EXPECT_EQ(part.external_impulse, all.external_impulse);
  EXPECT_EQ(part.approach_limit, all.approach_limit);
  EXPECT_EQ(part.options.threads, 3);
}

TEST(ProblemPart, AnIslandIsCutInSpeedsAndRows) {
  const ImpactProblem all = three_contacts();
  const ImpactProblem part = part_of(all, ProblemPart{{1, 3}, {1}, {0}});
  EXPECT_EQ(part.mass_matrix(0, 1), all.mass_matrix(1, 3));
  EXPECT_EQ(part.velocity[1], all.velocity[3]);
  EXPECT_EQ(part.bilateral(0, 1), all.bilateral(0, 3));
  EXPECT_EQ(part.tangent_jacobian(1, 0), all.tangent_jacobian(3, 1));
  EXPECT_EQ(part.external_impulse[0], all.external_impulse[1]);
}

}  // namespace
}  // namespace clack
