// SPDX-License-Identifier: Apache-2.0
// The woodpecker toy with four degrees of freedom: numbers and oracle as in woodpecker_test.cpp, times to 0.01 ms.
#include "acceptance/woodpecker_runs.hpp"

namespace clack::acceptance::woodpecker {
namespace {

class FourDof : public ::testing::Test {
 protected:
  static const Settled& limit() {
    static const Settled settled = settle(four, "LR", "UR", {}, "6", "2e-6");
    return settled;
  }
};

TEST_F(FourDof, LimitCycleEventsHappenAtTheOraclesTimes) {
  expect_lines(limit().cycle, limit().begin,
               {{0.0, impact, "LR", slip},
                {13.591, detach, "LR", open},
                {13.958, impact, "UL", open},
                {14.017, impact, "UL", slip},
                {22.845, impact, "LR", slip},
                {26.295, impact, "UL", slip},
                {27.919, impact, "LR", slip},
                {28.691, impact, "UL", slip},
                {29.085, impact, "LR", slip},
                {29.489, EventKind::zeno, "LR", slip},
                {29.489, EventKind::zeno, "UL", slip},
                {48.915, EventKind::stick, "LR", stick},
                {48.915, EventKind::stick, "UL", stick},
                {91.704, EventKind::slip, "LR", slip},
                {91.704, EventKind::slip, "UL", slip},
                {96.202, detach, "LR", open},
                {97.087, detach, "UL", open},
                {106.175, impact, "LL", open},
                {110.273, impact, "LL", slip},
                {112.140, impact, "beak", open},
                {115.013, EventKind::slip_reversal, "LL", slip},
                {122.806, detach, "LL", open},
                {124.107, impact, "UR", open},
                {136.098, impact, "UR", open}},
               0.01);
}

TEST_F(FourDof, PeriodAndDropAreTheOracles) {
  EXPECT_NEAR(limit().period(), 139.7623e-3, 1e-4 * 139.7623e-3);
  EXPECT_NEAR(limit().drop(), 13.0154e-3, 1e-4 * 13.0154e-3);
  const Trace as_it_is = run_file(four);
  ASSERT_TRUE(as_it_is.cycle.has_value());
  EXPECT_NEAR(as_it_is.cycle->period, 139.7623e-3, 1e-4 * 139.7623e-3);
  EXPECT_NEAR(as_it_is.cycle->drop, 13.0154e-3, 1e-4 * 13.0154e-3);
  EXPECT_NEAR(as_it_is.cycle->multiplier, -0.545, 1e-3);
}

TEST_F(FourDof, ReturnMapApproachesOscillatingWithItsMultiplier) {
  EXPECT_NEAR(multiplier_of(returns_of(limit().approach, "LR", "UR")), -0.545, 1e-3);
}

TEST_F(FourDof, BeakHitsWhileLowerLeftCornerStaysClosedAndReversesItsSlip) {
  for (const TraceEvent* event : events_of(limit().cycle, impact, "beak")) {
    EXPECT_TRUE(involves(limit().cycle, *event, "LL"));
    EXPECT_EQ(status_after(limit().cycle, event->t, "LL"), slip);
    const TraceImpact& hit = impact_at(limit().cycle, event->t);
    // Slip of LL: y' + (-r_M cos a + h_M sin a) a'.
    const double a = value_after(limit().cycle, event->t, "phi_M");
    const double arm = -0.0031 * std::cos(a) + 0.0058 * std::sin(a);
    EXPECT_LT((hit.v_before[1] + arm * hit.v_before[2]) * (hit.v_after[1] + arm * hit.v_after[2]),
              0.0);
  }
}

TEST_F(FourDof, RockingImpactsShrinkByAboutTheKnownRatioAndAccumulateOnce) {
  // Approach speeds of LR and UL shrink by about 0.26 per pair (reference figures, part 6).
  std::vector<double> times;
  for (const TraceEvent* event : events_of(limit().cycle, impact, "UL"))
    if (event->t > limit().begin + 26e-3 && event->t < limit().begin + 29.489e-3)
      times.push_back(event->t);
  ASSERT_GE(times.size(), 5u);
  const std::size_t n = times.size() - 1;
  EXPECT_NEAR((times[n] - times[n - 1]) / (times[n - 1] - times[n - 2]), 0.26, 0.01);
  int zeno = 0;
  for (const TraceEvent* event : events_of(limit().cycle, EventKind::zeno))
    if (event->t > limit().begin && event->t < limit().end) ++zeno;
  EXPECT_EQ(zeno, 1);
}

TEST_F(FourDof, CompletingTheAccumulationEarlierDoesNotMoveThePeriod) {
  // reference figures, part 6: T changes by less than 1e-4 ms. Ten times the speed at which
  // accumulations are completed by default.
  const Settled early = settle(four, "LR", "UR", {{"tolerances.zeno_speed", "1e-5"}}, "5", "1e-3");
  EXPECT_NEAR(early.period() * 1e3, limit().period() * 1e3, 1e-4);
}

TEST_F(FourDof, JammedCornersAreHyperstaticAndTheRunGoesOn) {
  EXPECT_TRUE(has_flag(limit().cycle, "hyperstatic"));
  EXPECT_EQ(limit().cycle.status, RunStatus::done);
}

TEST_F(FourDof, AnglesRatesAndPlayStayInTheOraclesRanges) {
  const auto check = [](const std::string& name, double low, double high, double tolerance) {
    const Range range = range_of(limit().cycle, name, limit().begin, limit().end);
    EXPECT_NEAR(range.low, low, tolerance) << name;
    EXPECT_NEAR(range.high, high, tolerance) << name;
  };
  // One unit of the last printed digit.
  check("phi_M", -0.100901, 0.100238, 1e-6);
  check("phi_S", -0.515305, 0.135584, 1e-6);
  check("phi_M_dot", -15.0024, 31.2266, 1e-3);
  check("phi_S_dot", -12.9487, 17.4039, 1e-4);
  check("x_M", -0.54308e-3, 0.39308e-3, 1e-8);
}

TEST_F(FourDof, FirstPeriodFromTheFixedStart) {
  const Trace trace = run_file(four, {{"run.until", "0.11"}});
  expect_lines(trace, 0.0,
               {{16.984699, EventKind::stick, "LR", stick},
                {16.984699, EventKind::stick, "UL", stick},
                {57.947898, EventKind::slip, "LR", slip},
                {57.947898, EventKind::slip, "UL", slip},
                {62.323746, detach, "LR", open},
                {63.234931, detach, "UL", open},
                {72.086759, impact, "LL", open},
                {76.000567, impact, "LL", slip},
                {77.852275, impact, "beak", open},
                {80.929885, EventKind::slip_reversal, "LL", slip},
                {88.699582, detach, "LL", open},
                {90.043483, impact, "UR", open},
                {101.746764, impact, "UR", open},
                {105.249725, impact, "LR", slip}},
               1e-3);
}

TEST_F(FourDof, PointedBeakHasItsOwnPeriodAndDrop) {
  const Settled pointed = settle(four, "LR", "UR", {{"r_S", "0"}}, "5", "1e-3");
  EXPECT_NEAR(pointed.period(), 140.1630e-3, 1e-4 * 140.1630e-3);
  EXPECT_NEAR(pointed.drop(), 13.1647e-3, 1e-4 * 13.1647e-3);
}

TEST_F(FourDof, LedgerClosesOverManyPeriods) {
  EXPECT_LT(limit().approach.energy.ledger_error, 1e-8);
}

}  // namespace
}  // namespace clack::acceptance::woodpecker
