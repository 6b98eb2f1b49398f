// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "clack/integrate/integrator_checks.hpp"

namespace clack {
namespace {

TEST(Rk4, ObservedOrderIsFour) { check_order("rk4", 4, 3); }

TEST(Rk4, MeetsTheGeneralContract) {
  check_end_is_hit_without_slivers("rk4");
  check_dense_output_meets_the_ends("rk4");
  check_first_step_is_a_bound("rk4");
  check_not_finite("rk4");
  check_step_limit("rk4");
  check_determinism("rk4");
}

TEST(Rk4, ClosedFormOfOneStepOnTheExponential) {
  // For y' = y one step is the Taylor polynomial of degree 4.
  const RightHandSide growth{[](void*, double, const double* y, double* rate) { rate[0] = y[0]; },
                             nullptr};
  auto integrator = make_integrator("rk4", {.fixed_step = 0.1});
  const double start[] = {1.0};
  integrator->reset(growth, 0.0, start, 0.0);
  ASSERT_EQ(integrator->step(1.0), StepStatus::ok);
  EXPECT_NEAR(integrator->state()[0], 1.0 + 0.1 + 0.01 / 2 + 0.001 / 6 + 0.0001 / 24, 1e-15);
}

}  // namespace
}  // namespace clack
