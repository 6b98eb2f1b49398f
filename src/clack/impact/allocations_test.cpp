// SPDX-License-Identifier: Apache-2.0
// Memory that laws take while they answer. The counter stands in for malloc of the whole test program.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include "clack/impact/energetic.hpp"
#include "clack/impact/planar_scene.hpp"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__GLIBC__)

namespace {
std::atomic<long> taken{0};
}
extern "C" void* __libc_malloc(std::size_t);
extern "C" void* malloc(std::size_t size) {
  taken.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}

namespace clack {
namespace {

TEST(Allocations, AreCountedHere) {
  const long before = taken;
  const std::vector<double> some(1000);
  EXPECT_GT(taken, before);
  EXPECT_EQ(some[7], 0.0);
}

// After the first impact of its size the planar law takes no memory: chains of several events, slips
// that stop, and problems of another size in between.
TEST(Allocations, LawEnergeticTakesNoneInThePlaneAfterWarmUp) {
  const std::vector<ImpactProblem> problems = {
      testing::ball_in_corner(0.715), testing::balls_on_strings({1, 1, 1, 1, 1}, 1.304, 0.8),
      testing::rocking_block(0.0, 0.0, 0.0), testing::balls_on_strings({1, 2, 1}, 1.0, 0.5)};
  const EnergeticLaw law;
  std::vector<ImpactResult> results(problems.size());
  for (int round = 0; round < 3; ++round)
    for (std::size_t k = 0; k < problems.size(); ++k) {
      law.resolve_into(problems[k], results[k]);
      if (round == 0) continue;
      const Eigen::VectorXd first = results[k].velocity;
      const long before = taken;
      law.resolve_into(problems[k], results[k]);
      const long after = taken;
      EXPECT_EQ(after - before, 0) << "problem " << k;
      EXPECT_EQ(results[k].velocity, first) << "problem " << k;
      EXPECT_TRUE(results[k].notes.empty()) << "what is said takes memory";
    }
}

}  // namespace
}  // namespace clack
#endif
