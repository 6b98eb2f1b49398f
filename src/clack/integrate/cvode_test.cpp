// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "clack/integrate/integrator_checks.hpp"

namespace clack {
namespace {

TEST(Cvode, MeetsTheGeneralContract) {
  check_end_is_hit_without_slivers("cvode");
  check_dense_output_meets_the_ends("cvode");
  check_first_step_is_a_bound("cvode");
  check_not_finite("cvode");
  check_step_limit("cvode");
  check_determinism("cvode");
}

TEST(Cvode, AgreesWithDop853OnKepler) {
  auto cvode = make_integrator("cvode", tolerance(1e-11));
  auto dop853 = make_integrator("dop853", tolerance(1e-13));
  run(*cvode, kepler, kepler_start, 10.0);
  run(*dop853, kepler, kepler_start, 10.0);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(cvode->state()[i], dop853->state()[i], 1e-7) << i;
}

TEST(Cvode, DenseOutputIsAsAccurateAsTheSteps) {
  auto cvode = make_integrator("cvode", tolerance(1e-10));
  cvode->reset(oscillator, 0.0, waves_start, 0.0);
  while (cvode->time() < 5.0) {
    ASSERT_EQ(cvode->step(5.0), StepStatus::ok);
    const double t = 0.3 * cvode->time_before() + 0.7 * cvode->time();
    double y[2];
    cvode->dense(t, y);
    EXPECT_NEAR(y[0], std::cos(t), 1e-7);
  }
}

TEST(Cvode, TakesFewStepsOnAStiffProblemWhereExplicitMethodsTakeMany) {
  const RightHandSide stiff{[](void*, double t, const double* y, double* rate) {
                              rate[0] = -1e6 * (y[0] - std::cos(t)) - std::sin(t);  // y = cos t
                            },
                            nullptr};
  const double start[] = {1.0};
  auto cvode = make_integrator("cvode", tolerance(1e-7));
  run(*cvode, stiff, start, 1.0);
  EXPECT_NEAR(cvode->state()[0], std::cos(1.0), 1e-6);
  EXPECT_LT(cvode->counts().accepted, 500);
}

}  // namespace
}  // namespace clack
