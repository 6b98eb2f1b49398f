#include <gtest/gtest.h>

#include "clack/integrate/integrator.hpp"

namespace clack {
TEST(Dop853, KeepsTheHarmonicOscillatorOverHundredPeriods) {
  RightHandSide f{[](void*, double, const double* y, double* d) {
                    d[0] = y[1];
                    d[1] = -y[0];
                  },
                  nullptr};
  auto integrator =
      make_integrator("dop853", {.relative_tolerance = 1e-12, .absolute_tolerance = 1e-12});
  const double start[] = {1.0, 0.0};
  integrator->reset(f, 0.0, start, 0.0);
  const double end = 200.0 * M_PI;
  double worst = 0.0;
  while (integrator->time() < end) {
    ASSERT_EQ(integrator->step(end), StepStatus::ok);
    double y[2];
    const double t = 0.5 * (integrator->time_before() + integrator->time());
    integrator->dense(t, y);
    worst = std::max(worst, std::abs(y[0] - std::cos(t)));
  }
  EXPECT_EQ(integrator->time(), end);
  EXPECT_NEAR(integrator->state()[0], 1.0, 1e-9);
  EXPECT_LT(worst, 1e-8);
             worst, integrator->state()[0] - 1);
}
}  // namespace clack
