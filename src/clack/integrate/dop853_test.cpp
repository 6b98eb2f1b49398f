// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "clack/integrate/dop853_tableau.hpp"
#include "clack/integrate/integrator_checks.hpp"

namespace clack {
namespace {

using T = Dop853Tableau;

double power(double x, int k) { return k == 0 ? 1.0 : std::pow(x, k); }

TEST(Dop853Tableau, RowsSumToTheirNodes) {
  for (int s = 1; s < T::all_stages; ++s) {
    double sum = 0.0;
    for (int j = 0; j < s; ++j) sum += T::a[s][j];
    EXPECT_NEAR(sum, T::c[s], 1e-14) << "stage " << s;  // entries up to 43, rounding of double
  }
}

TEST(Dop853Tableau, IntegratesPolynomialsOfDegreeSevenExactly) {
  for (int k = 0; k < 8; ++k) {
    double sum = 0.0, fifth = 0.0, third = 0.0;
    for (int j = 0; j < T::stages; ++j) {
      sum += T::b[j] * power(T::c[j], k);
      fifth += T::error5[j] * power(T::c[j], k);
      third += T::b3[j] * power(T::c[j], k);
    }
    EXPECT_NEAR(sum, 1.0 / (k + 1), 1e-15) << k;
    if (k < 5) {  // both methods are exact up to degree 4
      EXPECT_NEAR(fifth, 0.0, 1e-15) << k;
    }
    if (k == 5) {
      EXPECT_GT(std::abs(fifth), 1e-4);
    }
    if (k < 3) {
      EXPECT_NEAR(third, 1.0 / (k + 1), 1e-15) << k;
    }
  }
}

TEST(Dop853Tableau, LateStagesHaveOrderFourThemselves) {
  for (int s = 5; s < T::all_stages; ++s)
    for (int k = 1; k <= 4; ++k) {
      double sum = 0.0;
      for (int j = 0; j < s; ++j) sum += T::a[s][j] * power(T::c[j], k);
      EXPECT_NEAR(sum, power(T::c[s], k + 1) / (k + 1), 1e-14) << s << " " << k;
    }
}

TEST(Dop853, ObservedOrderIsEight) { check_order("dop853", 8, 7); }
TEST(Dop853, MeetsTheGeneralContract) { check_integrator("dop853"); }

TEST(Dop853, SpendsTwelveEvaluationsPerAcceptedStepAndThreeForDenseOutput) {
  auto integrator = make_integrator("dop853", {});
  const double start[] = {1.0, 0.0};
  integrator->reset(oscillator, 0.0, start, 1e-3);
  const long at_start = integrator->counts().evaluations;
  ASSERT_EQ(integrator->step(10.0), StepStatus::ok);
  ASSERT_EQ(integrator->step(10.0), StepStatus::ok);
  ASSERT_EQ(integrator->counts().rejected, 0);
  EXPECT_EQ(integrator->counts().evaluations - at_start, 24);
  double y[2];
  integrator->dense(integrator->time(), y);
  integrator->dense(integrator->time_before(), y);
  EXPECT_EQ(integrator->counts().evaluations - at_start, 27);
}

TEST(Dop853, NeedsLessThanHalfTheEvaluationsOfDopri5AtTightTolerance) {
  long evaluations[2];
  for (int i = 0; i < 2; ++i) {
    auto integrator = make_integrator(i == 0 ? "dop853" : "dopri5", tolerance(1e-10));
    run(*integrator, kepler, kepler_start, 20.0);
    evaluations[i] = integrator->counts().evaluations;
  }
  EXPECT_LT(2 * evaluations[0], evaluations[1]);
}

}  // namespace
}  // namespace clack
