// SPDX-License-Identifier: Apache-2.0
// The woodpecker toy of Slavic and Boltezar 2005: every number of
// docs/theories/poisson.md Oracle there: an independent event-driven integration (DOP853 at
// 1e-12), confirmed by matrix exponentials per phase (3-DOF) and by a time-stepping scheme (4-DOF).
// Times are demanded to 1e-4 ms (3-DOF) and 0.01 ms (4-DOF).
#include "acceptance/woodpecker_runs.hpp"

namespace clack::acceptance::woodpecker {
namespace {

class ThreeDof : public ::testing::Test {
 protected:
  static const Settled& limit() {
    static const Settled settled = settle(three, "lower", "upper", {}, "15", "2e-6");
    return settled;
  }
  static double time_of(EventKind kind, const std::string& contact, double after_ms) {
    for (const TraceEvent* event : events_of(limit().cycle, kind, contact))
      if (event->t > limit().begin + after_ms * 1e-3) return event->t;
    throw std::runtime_error("no such event");
  }
};

TEST_F(ThreeDof, LimitCycleEventsHappenAtTheOraclesTimes) {
  expect_lines(limit().cycle, limit().begin,
               {{0.0, impact, "lower", open},  // lifts off in the same event
                {2.728734, impact, "lower", slip},
                {48.848856, EventKind::stick, "lower", stick},
                {88.442263, EventKind::slip, "lower", slip},
                {94.263020, detach, "lower", open},
                {105.152088, impact, "upper", open},
                {108.253442, impact, "beak", open},
                {108.832964, impact, "upper", slip},
                {110.687654, detach, "upper", open}},
               1e-4);
}

TEST_F(ThreeDof, OnePeriodHasExactlyTheNineEventsOfTheTable) {
  int count = 0;
  for (const TraceEvent& event : limit().cycle.events)
    if (event.t >= limit().begin && event.t < limit().end) ++count;
  EXPECT_EQ(count, 9);
}

TEST_F(ThreeDof, PeriodAndDropAreTheOraclesToOneMillionth) {
  EXPECT_NEAR(limit().period(), 145.976065144e-3, 1e-6 * 145.976065144e-3);
  EXPECT_NEAR(limit().drop(), 19.445379285e-3, 1e-6 * 19.445379285e-3);
}

TEST_F(ThreeDof, TheModelFileAsItIsReportsPeriodAndDropToOneMillionth) {
  const Trace trace = run_file(three);
  ASSERT_TRUE(trace.cycle.has_value());
  EXPECT_NEAR(trace.cycle->period, 145.976065144e-3, 1e-6 * 145.976065144e-3);
  EXPECT_NEAR(trace.cycle->drop, 19.445379285e-3, 1e-6 * 19.445379285e-3);
  EXPECT_NEAR(trace.cycle->multiplier, -0.83916, 1e-3);  // a secant over the last resolved returns
}

TEST_F(ThreeDof, ReturnMapApproachesOscillatingWithItsMultiplier) {
  // Five printed digits; second differences of return times above 1e-8 s are resolved to about
  // 1e-4.
  EXPECT_NEAR(multiplier_of(returns_of(limit().approach, "lower", "upper")), -0.83916, 2e-4);
}

TEST_F(ThreeDof, SpeedsWhereStickingBeginsAndEnds) {
  const double begins = time_of(EventKind::stick, "lower", 0.0),
               ends = time_of(EventKind::slip, "lower", 0.0);
  EXPECT_NEAR(value_after(limit().cycle, begins, "phi_S"), -0.46865159, 1e-7);
  EXPECT_NEAR(value_after(limit().cycle, begins, "phi_S_dot"), -10.503799, 1e-5);
  EXPECT_NEAR(value_after(limit().cycle, ends, "phi_S"), -0.20513535, 1e-7);
  EXPECT_NEAR(value_after(limit().cycle, ends, "phi_S_dot"), 17.574666206, 1e-6 * 17.57);
}

TEST_F(ThreeDof, LowerEdgeDetachesExactlyWhereTheSpringIsRelaxed) {
  const double t = time_of(detach, "lower", 50.0);
  EXPECT_NEAR(value_after(limit().cycle, t, "phi_S"), value_after(limit().cycle, t, "phi_M"), 1e-9);
}

TEST_F(ThreeDof, BeakReboundsWithHalfItsSpeedAndTheOraclesImpulse) {
  const TraceImpact& beak = impact_at(limit().cycle, time_of(impact, "beak", 0.0));
  EXPECT_NEAR(beak.v_before[2], 16.911177, 1e-5);
  EXPECT_NEAR(beak.v_after[2], -8.455589, 1e-5);
  ASSERT_EQ(beak.contacts.size(), 1u);
  EXPECT_NEAR(beak.normal_impulse[0], 1.28450e-3, 1e-8);
}

TEST_F(ThreeDof, AnglesAndRatesStayInTheOraclesRanges) {
  const auto check = [](const std::string& name, double low, double high, double tolerance) {
    const Range range = range_of(limit().cycle, name, limit().begin, limit().end);
    EXPECT_NEAR(range.low, low, tolerance) << name;
    EXPECT_NEAR(range.high, high, tolerance) << name;
  };
  check("phi_M", -0.103448276, 0.103448276, 1e-9);
  check("phi_S", -0.529472, 0.12, 1e-5);
  check("phi_M_dot", -11.41411, 31.85604, 1e-3);
  check("phi_S_dot", -10.503799, 17.60016, 1e-4);
  check("y_M_dot", -0.375963, 0.082831, 1e-5);
}

TEST_F(ThreeDof, SmallestBirdRateIsReachedWhereSlidingTurnsIntoSticking) {
  const double t = time_of(EventKind::stick, "lower", 0.0);
  EXPECT_NEAR(range_of(limit().cycle, "phi_S_dot", limit().begin, limit().end).low,
              value_after(limit().cycle, t, "phi_S_dot"), 1e-6);
}

TEST_F(ThreeDof, LedgerClosesOverAHundredPeriods) {
  const EnergyLedger& e = limit().approach.energy;
  EXPECT_LT(e.ledger_error, 1e-9);
  EXPECT_LE(e.work_of_friction, 0.0);
  EXPECT_LE(e.work_of_impacts, 0.0);
  EXPECT_NEAR(e.final - e.initial,
              e.work_of_friction + e.work_of_impacts + e.work_of_forces + e.corrections,
              1e-9 * std::abs(e.final));
}

TEST_F(ThreeDof, FirstPeriodFromTheCustomaryStart) {
  const Trace trace = run_file(three, {{"run.until", "0.2"}});
  expect_lines(trace, 0.0,
               {{21.636314, EventKind::stick, "lower", stick},
                {61.213931, EventKind::slip, "lower", slip},
                {67.023398, detach, "lower", open},
                {77.877992, impact, "upper", open},
                {80.988805, impact, "beak", open},
                {81.575329, impact, "upper", slip},
                {83.416386, detach, "upper", open},
                {118.675113, impact, "lower", open},
                {121.335471, impact, "lower", slip},
                {167.389523, EventKind::stick, "lower", stick}},
               1e-4);
  const double t = events_of(trace, EventKind::stick, "lower").at(1)->t;
  EXPECT_NEAR(value_after(trace, t, "y_M"), -0.0236983, 5e-8);  // half of the last printed digit
}

TEST_F(ThreeDof, HasFallenByTheOraclesHeightAtThirtyHundredths) {
  EXPECT_NEAR(final_value(run_file(three, {{"run.until", "0.29998"}}), "y_M"), -41.322e-3, 0.5e-6);
}

TEST_F(ThreeDof, SlipStartsWhereStaticsSays) {
  // Balance of the stuck sleeve, friction at its bound (reference figures, part 5, static check),
  // solved by bisection.
  const double m_M = 0.0003, m_S = 0.0045, J_S = 7e-7, c = 0.0056, r_0 = 0.0025, r_M = 0.0031,
               h_M = 0.0058, l_M = 0.010, l_G = 0.015, mu = 0.3, g = 9.81,
               phi_M = -(r_M - r_0) / h_M;
  const auto reserve = [&](double phi_S) {
    const double k = c * (phi_S - phi_M), dd = -(g * l_G * m_S + k) / (J_S + l_G * l_G * m_S);
    const double tangential = (m_S + m_M) * g + l_G * m_S * dd;
    return mu * (g * l_M * m_S - k + l_G * l_M * m_S * dd - r_M * tangential) / h_M - tangential;
  };
  double low = -0.3, high = -0.15;
  ASSERT_LT(reserve(low) * reserve(high), 0.0);
  for (int i = 0; i < 80; ++i)
    (reserve(low) * reserve((low + high) / 2) > 0.0 ? low : high) = (low + high) / 2;
  EXPECT_NEAR(low, -0.2051353492, 1e-10);
  const double t = time_of(EventKind::slip, "lower", 0.0);
  EXPECT_NEAR(value_after(limit().cycle, t, "phi_S"), low, 1e-9);
}

TEST_F(ThreeDof, ShorterBeakHasThePeriodThatIsKnown) {
  // reference figures, part 5, remark (ii): l_S = 0.0200; two printed decimals of a ms for events,
  // T to 1e-4 ms.
  const Settled settled = settle(three, "lower", "upper", {{"l_S", "0.0200"}}, "12", "1e-3");
  expect_lines(settled.cycle, settled.begin,
               {{50.96, EventKind::stick, "lower", stick},
                {90.34, EventKind::slip, "lower", slip},
                {96.06, detach, "lower", open},
                {106.66, impact, "upper", open},
                {110.12, impact, "beak", open},
                {110.72, impact, "upper", slip},
                {113.42, detach, "upper", open}},
               0.0051);
  EXPECT_NEAR(settled.period() * 1e3, 149.2844, 1e-4);
  EXPECT_NEAR(settled.drop() * 1e3, 21.31, 0.0051);
}

/// The motion may fall, stop, double its period or become irregular, or the run may stop with a
/// reason; it may not hang, penetrate, gain energy or end without explanation.
void expect_sensible(const std::string& file, const std::string& setting) {
  std::vector<Override> overrides = {{"run.until", "1.5"}, {"tolerances.event_limit", "20000"}};
  overrides.push_back(
      {setting.substr(0, setting.find('=')), setting.substr(setting.find('=') + 1)});
  const Trace trace = run_file(file, overrides);
  if (trace.status == RunStatus::done) {
    EXPECT_EQ(trace.final_time, 1.5) << file << " " << setting;
  } else {
    EXPECT_FALSE(trace.reason.empty()) << file << " " << setting;
    EXPECT_FALSE(trace.remedy.empty()) << file << " " << setting;
    EXPECT_TRUE(has_flag(trace, "no-solution") || has_flag(trace, "several-solutions"))
        << file << " " << setting << ": " << trace.reason;
  }
  for (const double value : trace.final_q)
    EXPECT_TRUE(std::isfinite(value)) << file << " " << setting;
  EXPECT_LT(trace.energy.ledger_error, 1e-6) << file << " " << setting;
  EXPECT_LE(trace.energy.final, trace.energy.initial + 1e-9) << file << " " << setting;
  for (const std::string& contact : trace.contacts)
    EXPECT_GT(range_of(trace, "gap_" + contact, 0.0, 1.5).low, -1e-9)
        << file << " " << setting << " " << contact;
}

TEST(OtherToys, ThreeDofRunsToItsEndOrExplainsItselfForOtherNumbers) {
  for (const char* setting :
       {"mu=0",         "mu=0.1",     "mu=0.6",         "mu=1",           "mu=3",      "eps_beak=0",
        "eps_beak=0.9", "eps_beak=1", "eps_sleeve=0.3", "eps_sleeve=0.8", "g=1.62",    "g=25",
        "c_phi=0.002",  "c_phi=0.02", "m_S=0.01",       "J_S=1e-5",       "J_M=1e-10", "r_M=0.0035",
        "r_M=0.0028",   "h_M=0.01",   "phi_S_dot_0=0",  "phi_S_0=0"})
    expect_sensible(three, setting);
}

TEST(OtherToys, FourDofRunsToItsEndOrExplainsItselfForOtherNumbers) {
  for (const char* setting :
       {"mu=0",           "mu=0.1",         "mu=0.6",         "mu=1",
        "mu=3",           "eps_beak=0",     "eps_beak=0.9",   "eps_beak=1",
        "g=1.62",         "g=25",           "c_phi=0.002",    "c_phi=0.02",
        "m_S=0.01",       "J_S=1e-5",       "J_M=1e-10",      "r_M=0.0035",
        "r_M=0.0028",     "h_M=0.01",       "phi_S_dot_0=0",  "phi_S_0=0",
        "eps_sleeve=0.2", "eps_sleeve=0.5", "eps_sleeve=0.8", "tolerances.zeno_speed=1e-8"})
    expect_sensible(four, setting);
}

TEST(OtherToys, WithoutFrictionTheToyFallsFreely) {
  // The mass centre of sleeve and bird falls with g whatever the pole does sideways.
  const Trace trace = run_file(four, {{"mu", "0"}, {"run.until", "1"}});
  const auto height = [](double y, double a, double b) {
    return y + 0.0045 / 0.0048 * (0.010 * std::sin(a) + 0.015 * std::sin(b));
  };
  const double a0 = at_row(trace, 0, "phi_M"), b0 = -0.2788;
  const double rate0 = -0.3411 + 0.0045 / 0.0048 * 0.015 * std::cos(b0) * -7.4583;
  EXPECT_NEAR(
      height(final_value(trace, "y_M"), final_value(trace, "phi_M"), final_value(trace, "phi_S")),
      height(0.0, a0, b0) + rate0 - 9.81 / 2, 1e-8);
}

}  // namespace
}  // namespace clack::acceptance::woodpecker
