// SPDX-License-Identifier: Apache-2.0
#include "clack/integrate/dense_curve.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace clack {
namespace {

// All integrators: the curve is their dense output, and what it does on any part of a step is inside of its range.
TEST(DenseCurve, EnclosesTheDenseOutputAndItsDerivatives) {
  for (const std::string_view name : integrator_names()) {
    SCOPED_TRACE(std::string(name));
    IntegratorOptions options{.relative_tolerance = 1e-6, .absolute_tolerance = 1e-6};
    if (name == "rk4") options.fixed_step = 0.1;
    const auto integrator = make_integrator(name, options);
    const RightHandSide pendulum{[](void*, double t, const double* y, double* dydt) {
      dydt[0] = y[1];
      dydt[1] = -std::sin(y[0]) + 0.1 * std::cos(3 * t);
    }};
    const std::vector<double> start{1.0, 0.3};
    integrator->reset(pendulum, 0.0, start, 0.0);
    DenseCurve curve;
    while (integrator->time() < 5.0 && integrator->step(5.0) == StepStatus::ok) {
      curve.take(*integrator, 2);
      const double a = integrator->time_before(), h = integrator->time() - a;
      const double from = a + 0.2 * h, to = a + 0.7 * h;
      const auto value = curve.range(0, 0, from, to), rate = curve.range(0, 1, from, to),
                 bend = curve.range(0, 2, from, to);
      EXPECT_LT(rate.high - rate.low, 2 * h + 1e-9);  // no wider than the motion bends
      for (int k = 0; k <= 10; ++k) {
        const double t = from + 0.1 * k * (to - from), d = 1e-4 * h;
        std::vector<double> y(2), ahead(2), back(2), by_curve(2), slope(2);
        integrator->dense(t, y);
        curve.values(t, by_curve.data());
        curve.rates(t, slope.data());
        EXPECT_NEAR(by_curve[0], y[0], 1e-13);
        EXPECT_GE(y[0], value.low);
        EXPECT_LE(y[0], value.high);
        EXPECT_GE(slope[0], rate.low);
        EXPECT_LE(slope[0], rate.high);
        if (k == 0 || k == 10) continue;
        curve.rates(t + d, ahead.data());
        curve.rates(t - d, back.data());
        const double second = (ahead[0] - back[0]) / (2 * d), slack = 1e-9 / h;
        EXPECT_GE(second, bend.low - slack);
        EXPECT_LE(second, bend.high + slack);
      }
    }
  }
}

}  // namespace
}  // namespace clack
