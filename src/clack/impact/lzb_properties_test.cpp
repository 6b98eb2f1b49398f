// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "clack/impact/body_impacts.hpp"
#include "clack/impact/conformance.hpp"
#include "clack/impact/lzb.hpp"

namespace clack {
namespace {

using Eigen::VectorXd;
using testing::random_body;
using testing::RandomSystem;

const LzbLaw hertz_law{};

void expect_same_speeds(const VectorXd& a, const VectorXd& b, double scale, double tolerance,
                        const std::string& what) {
  EXPECT_LE((a - b).lpNorm<Eigen::Infinity>(), tolerance * scale) << what;
}

TEST(LzbProperties, NoChangeByOrderMirrorSpeedMassOrStiffness) {
  RandomSystem random(71);
  for (int k = 0; k < 60; ++k) {
    const int dimension = 2 + k % 2;
    const ImpactProblem p = random_body(random, dimension, 2 + k % 3, 0.8);
    const ImpactResult result = hertz_law.resolve(p);
    if (result.status != SolveStatus::solved) continue;
    const double speed = p.velocity.lpNorm<Eigen::Infinity>();
    ImpactProblem q = p;
    q.velocity *= 3.0;
    expect_same_speeds(hertz_law.resolve(q).velocity / 3.0, result.velocity, speed, 1e-10, "speed");
    q = p;
    q.mass_matrix *= 1e3;
    expect_same_speeds(hertz_law.resolve(q).velocity, result.velocity, speed, 1e-10, "mass");
    q = p;
    for (ContactMaterial& m : q.materials) m.stiffness *= 1e3;
    expect_same_speeds(hertz_law.resolve(q).velocity, result.velocity, speed, 1e-10, "stiffness");
    q = p;
    q.tangent_jacobian *= -1.0;
    expect_same_speeds(hertz_law.resolve(q).velocity, result.velocity, speed, 1e-10, "mirror");
    q = p;
    q.normal_jacobian = p.normal_jacobian.colwise().reverse();
    q.tangent_jacobian = p.tangent_jacobian.colwise().reverse();
    std::reverse(q.materials.begin(), q.materials.end());
    expect_same_speeds(hertz_law.resolve(q).velocity, result.velocity, speed, 1e-10, "order");
  }
}

/// Energy balance, no gain, nothing approaches afterwards, no hang; what does not end is counted.
void check_random_impacts(int dimension, int problems, unsigned seed) {
  RandomSystem random(seed);
  int unfinished = 0, failed = 0, phases = 0, locked = 0;
  for (int k = 0; k < problems; ++k) {
    const ImpactProblem p = random_body(random, dimension, 1 + k % 4, k % 5 == 0 ? 2.0 : 0.7);
    const LzbLaw law(1.0 + 0.5 * (k % 3), k % 2 == 0 ? Unloading::mono : Unloading::bi);
    const ImpactResult result = law.resolve(p);
    phases = std::max(phases, result.iterations);
    locked += testing::has_flag(result.flags, "locked") ? 1 : 0;
    const double before = result.energy_before, change = result.energy_after - before;
    EXPECT_NEAR(change, result.normal_work + result.tangential_work, 1e-10 * before) << k;
    EXPECT_LE(change, 0.0) << k;
    EXPECT_GE(result.normal_impulse.minCoeff(), 0.0) << k;
    if (result.status == SolveStatus::unfinished) {
      ++unfinished;
      continue;
    }
    if (result.status != SolveStatus::solved) {
      ++failed;
      ADD_FAILURE() << k << ": " << (result.notes.empty() ? "" : result.notes.front());
      continue;
    }
    const double speed = std::max(p.gap_rates(p.velocity).lpNorm<Eigen::Infinity>(),
                                  p.slips(p.velocity).lpNorm<Eigen::Infinity>());
    EXPECT_GE(p.gap_rates(result.velocity).minCoeff(), -2e-10 * speed) << k;
  }
  std::cout << dimension << "D: " << problems << " impacts, " << unfinished << " unfinished, "
            << failed << " not converged, " << locked << " locked, at most " << phases
            << " phases\n";
  EXPECT_LE(unfinished, problems / 50);
  EXPECT_EQ(failed, 0);
}

TEST(LzbProperties, RandomPlanarImpactsEndWithTheirEnergyBalanced) {
  check_random_impacts(2, 2000, 5);
}
TEST(LzbProperties, RandomSpatialImpactsEndWithTheirEnergyBalanced) {
  check_random_impacts(3, 500, 6);
}

TEST(LzbProperties, WhatEveryLawMustDo) {
  testing::LawClaims claims;
  claims.is_spatial = true;
  claims.never_gains_energy = true;
  claims.tolerance = 1e-8;
  claims.problems = 60;
  testing::check_impact_law(hertz_law, claims);
}

}  // namespace
}  // namespace clack
