// SPDX-License-Identifier: Apache-2.0
// Memory that laws take while they answer. The counter stands in for malloc of the whole test program.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include "clack/impact/body_impacts.hpp"
#include "clack/impact/energetic.hpp"
#include "clack/impact/lzb.hpp"
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

/// Answers each problem twice to warm up, then once more, counted.
template <class Law>
void expect_no_memory(const Law& law, const std::vector<ImpactProblem>& problems) {
  int silent = 0;
  for (std::size_t k = 0; k < problems.size(); ++k) {
    ImpactResult result;
    for (int round = 0; round < 2; ++round) law.resolve_into(problems[k], result);
    const Eigen::VectorXd first = result.velocity;
    const long before = taken;
    law.resolve_into(problems[k], result);
    const long after = taken;
    EXPECT_EQ(result.velocity, first) << "problem " << k;
    if (!result.notes.empty() || !result.flags.empty()) continue;  // what is said takes memory
    ++silent;
    EXPECT_EQ(after - before, 0) << "problem " << k << ", " << problems[k].contacts()
                                 << " contacts";
  }
  EXPECT_GE(silent, 3 * static_cast<int>(problems.size()) / 4);
}

/// Chains of several events, slips that stop, points that stop together, corners, random bodies.
std::vector<ImpactProblem> planar_problems() {
  using testing::material;
  std::vector<ImpactProblem> problems = {
      testing::ball_in_corner(0.715),
      testing::balls_on_strings({1, 1, 1, 1, 1}, 1.304, 0.8),
      testing::rocking_block(0.0, 0.0, 0.0),
      testing::rocking_block(0.35, 0.6, 0.0),
      testing::balls_on_strings({1, 2, 1}, 1.0, 0.5),
      testing::planar_block(material(0.5, 0.35, 0.6), material(0.5, 0.35, 0.6)),
      testing::rod(1.0, -0.8, -1, material(0.6, 2.4, 2.4))};
  testing::RandomSystem random(5);
  for (int k = 0; k < 200; ++k) {
    const double mu = random.uniform(0.0, 0.7);
    const ContactMaterial m = material(random.uniform(0.2, 1.0), mu, 1.2 * mu);
    problems.push_back(testing::random_body(random, 2, 1 + k % 4, 0.5, &m));
    if (k % 3 == 0) problems.back().velocity.head<2>().setZero();
  }
  return problems;
}

// After an impact of as many speeds and contacts the laws that follow the inside of an impact take no
// memory in the plane, whatever happens inside.
TEST(Allocations, LawEnergeticTakesNoneInThePlaneAfterWarmUp) {
  expect_no_memory(EnergeticLaw{}, planar_problems());
}

TEST(Allocations, LawLzbTakesNoneInThePlaneAfterWarmUp) {
  expect_no_memory(LzbLaw{}, planar_problems());
  expect_no_memory(LzbLaw{1.0, Unloading::bi}, planar_problems());
}

}  // namespace
}  // namespace clack
#endif
