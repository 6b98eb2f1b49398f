// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "clack/integrate/integrator_checks.hpp"

namespace clack {
namespace {

TEST(Ida, MeetsTheGeneralContract) {
  check_end_is_hit_without_slivers("ida");
  check_dense_output_meets_the_ends("ida");
  check_first_step_is_a_bound("ida");
  check_not_finite("ida");
  check_step_limit("ida");
  check_determinism("ida");
}

TEST(Ida, AgreesWithDop853OnKepler) {
  auto ida = make_integrator("ida", tolerance(1e-11));
  auto dop853 = make_integrator("dop853", tolerance(1e-13));
  run(*ida, kepler, kepler_start, 10.0);
  run(*dop853, kepler, kepler_start, 10.0);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(ida->state()[i], dop853->state()[i], 1e-7) << i;
}

// The oscillator on its circle: g = (|y|^2 - 1)/2, moved back along y.
const Invariants circle{1,
                        [](void*, double, const double* y, double* g) {
                          g[0] = 0.5 * (y[0] * y[0] + y[1] * y[1] - 1.0);
                        },
                        [](void*, double, const double* y, const double* mu, double* dy) {
                          dy[0] = y[0] * mu[0];
                          dy[1] = y[1] * mu[0];
                        },
                        nullptr};

TEST(Ida, KeepsAnInvariantThatOthersLose) {
  const auto distance = [](const Invariants& kept) {
    auto ida = make_integrator("ida", tolerance(1e-6));
    ida->keep(kept);
    run(*ida, oscillator, waves_start, 100.0);
    return std::abs(std::hypot(ida->state()[0], ida->state()[1]) - 1.0);
  };
  EXPECT_LT(distance(circle), 1e-7);
  EXPECT_GT(distance({}), 1e-5);
}

TEST(Ida, AnInvariantDoesNotMoveTheSolution) {
  auto ida = make_integrator("ida", tolerance(1e-11));
  ida->keep(circle);
  run(*ida, oscillator, waves_start, 10.0);
  EXPECT_NEAR(ida->state()[0], std::cos(10.0), 1e-8);
}

}  // namespace
}  // namespace clack
