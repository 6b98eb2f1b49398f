// SPDX-License-Identifier: Apache-2.0
// Runs whose answers are known in closed form (docs/theories/newton.md, textbooks of
// mechanics).
#include <numbers>

#include "acceptance/run_support.hpp"

namespace clack::acceptance::closed_forms {
namespace {

constexpr double g = 9.81;

int events_besides_start_and_end(const Trace& trace) {
  int count = 0;
  for (const TraceEvent& event : trace.events)
    if (event.kind != EventKind::start && event.kind != EventKind::end) ++count;
  return count;
}

// ---------------------------------------------------------------------------------------------------
// bouncing ball

TEST(BouncingBall, ImpactTimesAndAccumulationTimeToABillionth) {
  for (const double e : {0.3, 0.8, 0.95}) {
    const double t1 = std::sqrt(2.0 / g), t_infinity = t1 * (1 + e) / (1 - e);
    const Trace trace = run_file("bouncing-ball/bouncing-ball.yaml",
                                 {{"e", exact(e)}, {"run.until", exact(t_infinity + 1)}});
    double expected = t1, flight = 2 * t1;
    const auto impacts = events_of(trace, EventKind::impact);
    ASSERT_GE(impacts.size(), 8u);
    for (const TraceEvent* event : impacts) {
      EXPECT_NEAR(event->t, expected, 1e-9) << "e = " << e;
      flight *= e;
      expected += flight;
    }
    const auto zeno = events_of(trace, EventKind::zeno);
    ASSERT_EQ(zeno.size(), 1u);
    EXPECT_NEAR(zeno[0]->t, t_infinity, 1e-9) << "e = " << e;
    EXPECT_NE(status_after(trace, t_infinity + 0.5, "ground"), ContactStatus::open);
    EXPECT_EQ(final_value(trace, "y"), 0.0);
    EXPECT_EQ(final_value(trace, "y_dot"), 0.0);
    EXPECT_NEAR(trace.energy.dissipated, g, 1e-6 * g);
  }
}

TEST(BouncingBall, AThousandElasticBouncesKeepTheHeight) {
  const double t1 = std::sqrt(2.0 / g);
  const Trace trace =
      run_file("bouncing-ball/bouncing-ball.yaml", {{"e", "1"}, {"run.until", exact(2000 * t1)}});
  EXPECT_EQ(trace.impacts.size(), 1000u);
  EXPECT_NEAR(final_value(trace, "y"), 1.0, 1e-9);  // the end is the top of the last flight
  EXPECT_NEAR(range_of(trace, "y", 1990 * t1, 2000 * t1).high, 1.0, 1e-6);
  EXPECT_NEAR(trace.energy.final, trace.energy.initial, 1e-9 * trace.energy.initial);
  EXPECT_TRUE(events_of(trace, EventKind::zeno).empty());
}

/// A ball thrown up against a ceiling that its path passes by `depth` (negative: it misses).
Trace thrown_up(double depth) {
  const double v = 10.0;
  return run_text(
      "clack: 1\ngravity: [0, -9.81]\ncoordinates: {y: {start: 0, rate: 10}}\n"
      "bodies: {ball: {mass: 1, position: [0, y]}}\n"
      "contacts: {ceiling: {gap: " +
      exact(v * v / (2 * g) - depth) +
      " - y, restitution: 0.5}}\n"
      "run: {until: 2}\n");
}

TEST(BouncingBall, AGrazeOneNanometreDeepInsideALongStepIsCaught) {
  const double depth = 1e-9;
  const Trace trace = thrown_up(depth);
  ASSERT_EQ(trace.impacts.size(), 1u);
  // The path meets the ceiling with a slope of only sqrt(2 g depth) = 1.4e-4 m/s.
  EXPECT_NEAR(trace.impacts[0].t, (10 - std::sqrt(2 * g * depth)) / g, 1e-9);
  EXPECT_NEAR(trace.impacts[0].v_after[0], -0.5 * std::sqrt(2 * g * depth), 1e-9);
  EXPECT_LT(trace.counts.steps, 40) << "steps as long as the motion allows";
}

TEST(BouncingBall, AMissByOneNanometreIsNoEvent) {
  const Trace trace = thrown_up(-1e-9);
  EXPECT_EQ(events_besides_start_and_end(trace), 0);
  EXPECT_NEAR(final_value(trace, "y"), 20 - g * 2, 1e-10);
}

TEST(BouncingBall, RestitutionZeroStaysDownAtOnce) {
  const Trace trace = run_file("bouncing-ball/bouncing-ball.yaml", {{"e", "0"}});
  EXPECT_EQ(trace.impacts.size(), 1u);
  EXPECT_TRUE(events_of(trace, EventKind::zeno).empty());
  EXPECT_EQ(final_value(trace, "y_dot"), 0.0);
  EXPECT_NEAR(
      trace.rows[(trace.row_count() - 1) * trace.columns.size() + column(trace, "normal_ground")],
      g, 1e-12);
}

// ----------------------------------------------------------------------------------------------------
// block on a slope

TEST(BlockOnASlope, BelowTheFrictionAngleNothingMovesInAHundredSeconds) {
  for (const char* angle : {"0", "0.2", "0.2914"}) {  // atan(0.3) = 0.29145679
    const Trace trace = run_file("incline/incline.yaml", {{"angle", angle}, {"run.until", "100"}});
    EXPECT_EQ(trace.status, RunStatus::done);
    EXPECT_EQ(events_besides_start_and_end(trace), 0) << angle;
    EXPECT_LT(std::abs(final_value(trace, "x")), 1e-12) << angle;
    EXPECT_LT(std::abs(final_value(trace, "y") - 0.05), 1e-12) << angle;
    EXPECT_LT(std::abs(final_value(trace, "turn")), 1e-12) << angle;
    EXPECT_TRUE(has_flag(trace, "hyperstatic")) << angle;
  }
}

TEST(BlockOnASlope, AboveTheFrictionAngleItSlidesWithTheClosedFormAcceleration) {
  for (const double angle : {0.2915, 0.5, 1.2}) {
    const Trace trace = run_file("incline/incline.yaml", {{"angle", exact(angle)}});
    const double a = g * (std::sin(angle) - 0.3 * std::cos(angle));
    EXPECT_NEAR(final_value(trace, "x"), 2 * a, 1e-9 * std::max(1.0, 2 * a)) << angle;
    EXPECT_NEAR(final_value(trace, "x_dot"), 2 * a, 1e-9 * std::max(1.0, 2 * a)) << angle;
    EXPECT_LT(std::abs(final_value(trace, "turn")), 1e-10) << angle;
    EXPECT_LT(trace.energy.ledger_error, 1e-9) << angle;
  }
}

TEST(BlockOnASlope, StaticFrictionHoldsWhereDynamicFrictionWouldNot) {
  const Trace held = run_file("incline/incline.yaml",
                              {{"angle", "0.5"}, {"mu_static", "0.6"}});  // tan 0.5 = 0.546
  EXPECT_LT(std::abs(final_value(held, "x")), 1e-12);
  const Trace moving = run_file("incline/incline.yaml",
                                {{"angle", "0.5"}, {"mu_static", "0.6"}, {"x_dot_0", "0.1"}});
  const double a = g * (std::sin(0.5) - 0.3 * std::cos(0.5));
  EXPECT_NEAR(final_value(moving, "x"), 0.2 + 2 * a, 1e-8);
}

TEST(BlockOnASlope, WithoutFrictionItSlidesLikeOnIce) {
  const Trace trace = run_file("incline/incline.yaml", {{"mu", "0"}});
  EXPECT_NEAR(final_value(trace, "x"), 2 * g * std::sin(0.2), 1e-9);
  EXPECT_NEAR(trace.energy.work_of_friction, 0.0, 1e-12);
}

TEST(BlockOnASlope, PushedUphillOnASteepSlopeItTurnsRoundWithoutSticking) {
  const double angle = 0.5, up = g * (std::sin(angle) + 0.3 * std::cos(angle)),
               down = g * (std::sin(angle) - 0.3 * std::cos(angle));
  const Trace trace = run_file("incline/incline.yaml", {{"angle", "0.5"}, {"x_dot_0", "-3"}});
  const double turn = 3 / up;
  const auto reversal = events_of(trace, EventKind::slip_reversal);
  ASSERT_FALSE(reversal.empty());
  EXPECT_NEAR(reversal[0]->t, turn, 1e-10);
  EXPECT_TRUE(involves(trace, *reversal[0], "left") && involves(trace, *reversal[0], "right"));
  EXPECT_TRUE(events_of(trace, EventKind::stick).empty());
  EXPECT_NEAR(final_value(trace, "x"), -4.5 / up + down * (2 - turn) * (2 - turn) / 2, 1e-9);
}

TEST(BlockOnASlope, PushedUphillOnAGentleSlopeItStopsAndStays) {
  const double up = g * (std::sin(0.2) + 0.3 * std::cos(0.2));
  const Trace trace = run_file("incline/incline.yaml", {{"x_dot_0", "-3"}});
  const auto sticks = events_of(trace, EventKind::stick);
  ASSERT_EQ(sticks.size(), 1u);
  EXPECT_NEAR(sticks[0]->t, 3 / up, 1e-10);
  EXPECT_NEAR(final_value(trace, "x"), -4.5 / up, 1e-10);
  EXPECT_EQ(events_besides_start_and_end(trace), 1);
}

TEST(BlockOnASlope, HyperstaticForcesCarryTheWeightWhateverTheirSplit) {
  const Trace trace = run_file("incline/incline.yaml");
  const std::size_t last = trace.row_count() - 1;
  EXPECT_NEAR(at_row(trace, last, "normal_left") + at_row(trace, last, "normal_right"),
              g * std::cos(0.2), 1e-10);
  EXPECT_NEAR(at_row(trace, last, "tangent_left") + at_row(trace, last, "tangent_right"),
              -g * std::sin(0.2), 1e-10);
  // Moments about the centre: 0.2 (N_r - N_l) + 0.05 (T_l + T_r) = 0; equal T is the choice of
  // smallest norm.
  EXPECT_NEAR(0.2 * (at_row(trace, last, "normal_right") - at_row(trace, last, "normal_left")),
              -0.05 * (at_row(trace, last, "tangent_left") + at_row(trace, last, "tangent_right")),
              1e-10);
  EXPECT_NEAR(at_row(trace, last, "tangent_left"), at_row(trace, last, "tangent_right"), 1e-10);
}

// -----------------------------------------------------------------------------------------------
// sliding and rolling

TEST(SlideToRoll, RollsAfterTheClosedFormTimeAtTheClosedFormSpeed) {
  struct Case {
    double v0, w0, k;
  };
  const double mu = 0.2, R = 0.1;
  for (const Case c :
       {Case{2, 0, 0.4}, Case{2, 10, 0.4}, Case{1, -40, 0.5}, Case{0, 30, 1}, Case{-1, 5, 0.4}}) {
    const Trace trace =
        run_file("slide-to-roll/slide-to-roll.yaml",
                 {{"v0", exact(c.v0)}, {"w0", exact(c.w0)}, {"k", exact(c.k)}, {"run.until", "2"}});
    const double slip = c.v0 + R * c.w0, t_roll = std::abs(slip) / (mu * g * (1 + 1 / c.k));
    const double sign = slip > 0 ? 1 : -1, v = c.v0 - sign * mu * g * t_roll;
    const auto sticks = events_of(trace, EventKind::stick);
    ASSERT_EQ(sticks.size(), 1u) << c.v0;
    EXPECT_NEAR(sticks[0]->t, t_roll, 1e-9) << c.v0;
    EXPECT_NEAR(final_value(trace, "x_dot"), v, 1e-9) << c.v0;
    EXPECT_NEAR(final_value(trace, "turn_dot"), -v / R, 1e-8) << c.v0;
    EXPECT_NEAR(final_value(trace, "x"),
                c.v0 * t_roll - sign * mu * g * t_roll * t_roll / 2 + v * (2 - t_roll), 1e-9);
    EXPECT_NEAR(trace.energy.final - trace.energy.initial, -mu * g * std::abs(slip) * t_roll / 2,
                1e-8);
    EXPECT_EQ(events_besides_start_and_end(trace), 1);
  }
}

TEST(SlideToRoll, SolidSphereKeepsFiveSeventhsOfItsSpeed) {
  const Trace trace = run_file("slide-to-roll/slide-to-roll.yaml");
  EXPECT_NEAR(events_of(trace, EventKind::stick).at(0)->t, 2 * 2 / (7 * 0.2 * g), 1e-9);
  EXPECT_NEAR(final_value(trace, "x_dot"), 5.0 / 7 * 2, 1e-9);
  const double t = events_of(trace, EventKind::stick).at(0)->t;
  EXPECT_NEAR(value_after(trace, t, "x"), 12 * 4 / (49 * 0.2 * g), 1e-9);
  EXPECT_NEAR(at_row(trace, trace.row_count() - 1, "tangent_ground"), 0.0, 1e-12);
}

TEST(SphereOnASlope, RollsOnGentleSlopesAndSlipsOnSteepOnes) {
  const double limit = std::atan(3.5 * 0.3);
  for (const double angle : {0.1, limit - 1e-4, limit + 1e-4, 1.3}) {
    const Trace trace = run_file("incline/sphere.yaml", {{"angle", exact(angle)}});
    const bool rolls = angle < limit;
    const double a =
        rolls ? 5.0 / 7 * g * std::sin(angle) : g * (std::sin(angle) - 0.3 * std::cos(angle));
    EXPECT_EQ(status_after(trace, 1.0, "ground"),
              rolls ? ContactStatus::stick : ContactStatus::slip)
        << angle;
    EXPECT_NEAR(final_value(trace, "x"), 2 * a, 1e-9 * std::max(1.0, 2 * a)) << angle;
    EXPECT_NEAR(final_value(trace, "turn_dot"),
                rolls ? -2 * a : -2 * 2.5 * 0.3 * g * std::cos(angle), 1e-8)
        << angle;
  }
}

// -----------------------------------------------------------------------------------------------------------
// pendulums

TEST(PendulumAtTheWall, HitsAfterAQuarterSwingAndReboundsWithPartOfItsSpeed) {
  const Trace trace = run_file("pendulum-wall/pendulum-wall.yaml", {{"run.tolerance", "1e-12"}});
  ASSERT_GE(trace.impacts.size(), 3u);
  // Quarter period of a pendulum of amplitude q: sqrt(l/g) K(sin(q/2)); amplitudes from the energy.
  double speed = std::sqrt(2 * g * (1 - std::cos(0.8))), amplitude = 0.8;
  double t = std::comp_ellint_1(std::sin(amplitude / 2)) / std::sqrt(g);
  for (int n = 0; n < 3; ++n) {
    const TraceImpact& hit = trace.impacts[n];
    EXPECT_NEAR(hit.t, t, 1e-9);
    EXPECT_NEAR(hit.v_before[0], -speed, 1e-9);
    speed *= 0.7;
    EXPECT_NEAR(hit.v_after[0], speed, 1e-9);
    amplitude = 2 * std::asin(speed / (2 * std::sqrt(g)));
    t += 2 * std::comp_ellint_1(std::sin(amplitude / 2)) / std::sqrt(g);
  }
  EXPECT_TRUE(events_of(trace, EventKind::zeno).empty()) << "equal flights do not accumulate";
}

const char* const double_pendulum = R"(clack: 1
parameters: {m1: 1, m2: 0.7, l1: 1, l2: 0.8, g: 9.81}
gravity: [0, -g]
coordinates: {a: 2.0, b: {start: -1.0, rate: 0.5}}
bodies:
  upper: {mass: m1, inertia: m1*l1^2/12, position: [l1/2*sin(a), -l1/2*cos(a)], angle: a}
  lower:
    mass: m2
    inertia: m2*l2^2/12
    position: [l1*sin(a) + l2/2*sin(b), -l1*cos(a) - l2/2*cos(b)]
    angle: b
run: {until: 100, tolerance: 1e-13}
)";

TEST(DoublePendulum, TwoRodsKeepTheirEnergyForAHundredSeconds) {
  const Trace trace = run_text(double_pendulum);
  ASSERT_EQ(trace.status, RunStatus::done);
  // The zero of the potential is at the pivot; the energy is measured against the height of the
  // swing.
  const Range range = range_of(trace, "total", 0.0, 100.0);
  EXPECT_LT(range.high - range.low, 1e-10 * std::abs(trace.energy.initial));
  EXPECT_NEAR(trace.energy.final, trace.energy.initial, 1e-10 * std::abs(trace.energy.initial));
  EXPECT_GT(range_of(trace, "kinetic", 0.0, 100.0).high, 1.0) << "it does move";
}

// ------------------------------------------------------------------------------------------------
// springs and dampers

TEST(Springs, DampedOscillatorFollowsItsClosedForm) {
  const Trace trace = run_text(R"(clack: 1
coordinates: {x: 0.3}
bodies: {mass: {mass: 2, position: [x + 1, 0]}, wall: {fixed: true, position: [0, 0]}}
springs: [{between: [mass, wall], stiffness: 50, damping: 1.2, rest: 1}]
run: {until: 3, tolerance: 1e-12}
)");
  const double d = 1.2 / 4, w = std::sqrt(25 - d * d), t = 3;
  EXPECT_NEAR(final_value(trace, "x"),
              0.3 * std::exp(-d * t) * (std::cos(w * t) + d / w * std::sin(w * t)), 1e-10);
  EXPECT_LT(trace.energy.work_of_forces, 0.0);
  EXPECT_LT(trace.energy.ledger_error, 1e-9);
}

TEST(Springs, TorsionSpringTurnsTwoFreeBodiesAgainstEachOther) {
  const Trace trace = run_text(R"(clack: 1
bodies:
  a: {mass: 1, inertia: 0.2, angle: 0.5}
  b: {mass: 1, inertia: 0.3, position: [3, 0]}
springs: [{torsion: [a, b], stiffness: 4, rest: 0}]
run: {until: 2, tolerance: 1e-12}
)");
  const double w = std::sqrt(4 / 0.2 + 4 / 0.3), relative = 0.5 * std::cos(2 * w);
  EXPECT_NEAR(final_value(trace, "a.angle") - final_value(trace, "b.angle"), relative, 1e-9);
  EXPECT_NEAR(0.2 * final_value(trace, "a.angle") + 0.3 * final_value(trace, "b.angle"), 0.1,
              1e-11);
  EXPECT_LT(std::abs(trace.energy.final - trace.energy.initial), 1e-10);
}

TEST(Springs, DamperForceAndTorqueAgainstTheirClosedForms) {
  const Trace trace = run_text(R"(clack: 1
bodies:
  a: {mass: 2, inertia: 0.5, velocity: [3, 0], position: [1, 0]}
  post: {fixed: true, position: [0, 0]}
dampers: [{between: [a, post], damping: 0.8}]
forces: [{on: a, force: [0, 2*cos(3*t)]}]
torques: [{on: a, torque: 0.4*t}]
run: {until: 1.5, tolerance: 1e-12}
)",
                               {{"a.y_0", "0"}});
  EXPECT_NEAR(final_value(trace, "a.angle"), 0.4 / 0.5 * 1.5 * 1.5 * 1.5 / 6, 1e-10);
  const Trace straight = run_text(R"(clack: 1
coordinates: {x: {start: 1, rate: 3}}
bodies: {a: {mass: 2, position: [x, 0]}, post: {fixed: true, position: [0, 0]}}
dampers: [{between: [a, post], damping: 0.8}]
run: {until: 1.5, tolerance: 1e-12}
)");
  EXPECT_NEAR(final_value(straight, "x_dot"), 3 * std::exp(-0.4 * 1.5), 1e-10);
  EXPECT_NEAR(final_value(straight, "x"), 1 + 3 / 0.4 * (1 - std::exp(-0.4 * 1.5)), 1e-10);
}

// ------------------------------------------------------------------------------------------------
// static friction

TEST(StickSlip, BlockOnABeltHasTheClosedFormPeriod) {
  const double m = 2, k = 80, v = 0.3, mu_s = 0.5, mu_d = 0.3;
  const Trace trace = run_text(R"(clack: 1
coordinates: {x: 0, y: 0}
mass_matrix: [[2, 0], [0, 2]]
force: [-80*x, -2*9.81]
potential: 40*x^2 + 2*9.81*y
contacts: {belt: {gap: y, slip: x_dot, surface_velocity: [0.3], static_friction: 0.5, dynamic_friction: 0.3}}
starts: {x_dot: 0.3}
run: {until: 4, tolerance: 1e-11}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const double w = std::sqrt(k / m), stretch = mu_s * m * g / k, middle = mu_d * m * g / k;
  const double amplitude = std::hypot(stretch - middle, v / w),
               phase = std::asin(v / (amplitude * w));
  const double slipping = (std::numbers::pi + 2 * phase) / w, sticking = 2 * (stretch - middle) / v;
  const auto slips = events_of(trace, EventKind::slip), sticks = events_of(trace, EventKind::stick);
  ASSERT_GE(slips.size(), 2u);
  ASSERT_GE(sticks.size(), 2u);
  EXPECT_NEAR(slips[0]->t, stretch / v, 1e-9);  // it starts stuck at x = 0
  EXPECT_NEAR(sticks[0]->t, stretch / v + slipping, 1e-9);
  EXPECT_NEAR(slips[1]->t - slips[0]->t, slipping + sticking, 1e-9);
  EXPECT_NEAR(value_after(trace, slips[1]->t, "x"), stretch, 1e-10);
}

TEST(StickSlip, ZoneOfOtherFrictionChangesTheDeceleration) {
  const Trace trace = run_text(R"(clack: 1
coordinates: {x: {start: 0, rate: 4}, y: 0}
mass_matrix: [[1, 0], [0, 1]]
force: [0, -9.81]
contacts: {floor: {gap: y, slip: x_dot, friction: 0.1, zones: [{where: x - 1, friction: 0.5}]}}
run: {until: 3}
)");
  const double v1 = std::sqrt(16 - 2 * 0.1 * g), t1 = (4 - v1) / (0.1 * g);
  const auto zone = events_of(trace, EventKind::zone);
  ASSERT_EQ(zone.size(), 1u);
  EXPECT_NEAR(zone[0]->t, t1, 1e-9);
  EXPECT_NEAR(events_of(trace, EventKind::stick).at(0)->t, t1 + v1 / (0.5 * g), 1e-9);
  EXPECT_NEAR(final_value(trace, "x"), 1 + v1 * v1 / (2 * 0.5 * g), 1e-9);
}

}  // namespace
}  // namespace clack::acceptance::closed_forms
