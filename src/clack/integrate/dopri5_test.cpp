// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "clack/integrate/integrator_checks.hpp"

namespace clack {
namespace {

TEST(Dopri5, ObservedOrderIsFive) { check_order("dopri5", 5, 4); }
TEST(Dopri5, MeetsTheGeneralContract) { check_integrator("dopri5"); }

TEST(Dopri5, SpendsSixEvaluationsPerStepAndNoneForDenseOutput) {
  auto integrator = make_integrator("dopri5", {});
  integrator->reset(oscillator, 0.0, waves_start, 1e-4);
  const long at_start = integrator->counts().evaluations;
  ASSERT_EQ(integrator->step(10.0), StepStatus::ok);
  ASSERT_EQ(integrator->counts().rejected, 0);
  double y[2];
  integrator->dense(0.5 * integrator->time(), y);
  EXPECT_EQ(integrator->counts().evaluations - at_start, 6);
}

}  // namespace
}  // namespace clack
