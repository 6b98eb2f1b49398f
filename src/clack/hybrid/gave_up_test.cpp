// SPDX-License-Identifier: Apache-2.0
// A decision that gave up is not physics: no policy is for it.
#include "clack/hybrid/executor.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

/// Painleve's rod (models/rod/painleve.yaml) on `tips` coincident tips, which push as one tip does: no forces exist. Up
/// to eight tips that is proved by trying every state (each refuted by Farkas' multipliers); fourteen are too many to
/// try, and Lemke ends on a ray, which proves nothing.
Trace rod_on(int tips) {
  std::string points, contacts;
  for (int k = 1; k <= tips; ++k) {
    points += fmt::format("tip{}: [-0.5, 0], ", k);
    contacts += fmt::format("tip{0}: {{between: [rod.tip{0}, floor], friction: 1.5}}, ", k);
  }
  return run(read_model_text(fmt::format(R"(
clack: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  rod: {{mass: 1, inertia: 1/12, position: [0, 0.5*sin(1)], angle: 1, velocity: [-1, 0],
    points: {{{}}}}}
  floor: {{fixed: true, shape: {{half-plane: {{normal: [0, 1]}}}}}}
contacts: {{{}}}
policies: {{painleve: tangential-impact}}
run: {{until: 0.01, theory: poisson}}
)",
                                         points, contacts),
                             "rod.yaml"));
}

bool has(const Trace& trace, std::string_view flag) {
  return std::find(trace.flags.begin(), trace.flags.end(), flag) != trace.flags.end();
}

TEST(GaveUp, AProofFiresThePolicy) {
  const Trace trace = rod_on(1);
  EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_TRUE(has(trace, "no-solution"));
  EXPECT_FALSE(trace.impacts.empty());
}

TEST(GaveUp, SevenTipsThatPushAsOneAreRefutedAsOneIs) {
  const Trace one = rod_on(1), seven = rod_on(7);
  EXPECT_EQ(seven.status, RunStatus::done) << seven.reason;
  EXPECT_TRUE(has(seven, "no-solution"));
  EXPECT_FALSE(has(seven, "not-converged"));
  for (std::size_t i = 0; i < one.final_v.size(); ++i)
    EXPECT_NEAR(seven.final_v[i], one.final_v[i], 1e-9) << one.speeds[i];
}

TEST(GaveUp, ADecisionThatDidNotConvergeStopsTheRunWithItsResidual) {
  const Trace trace = rod_on(14);
  EXPECT_EQ(trace.status, RunStatus::stopped);
  EXPECT_TRUE(has(trace, "not-converged"));
  EXPECT_FALSE(has(trace, "no-solution"));
  EXPECT_TRUE(trace.impacts.empty()) << "the policy has fired";
  EXPECT_NE(trace.reason.find("did not converge (residual"), std::string::npos) << trace.reason;
}

}  // namespace
}  // namespace clack
