// SPDX-License-Identifier: Apache-2.0
// Dry friction of constant size in joints and pressed contacts: stick and slip against closed forms.
#include <gtest/gtest.h>

#include "acceptance/joint_runs.hpp"

namespace clack::acceptance {
namespace {

const std::vector<std::string> sliding_formulations = {"delassus", "multipliers", "embedding"};

double heat_of(const Trace& trace) { return -trace.energy.work_of_friction; }

const std::string flywheel = R"(
clack: 1
parameters: {J: 0.3, w0: 4, tau: 0.5}
bodies: {wheel: {mass: 2, inertia: J, position: [0, 0], spin: w0}}
joints: {axle: {pin: [wheel, [0, 0]], friction: tau}}
run: {until: 5, tolerance: 1e-11}
)";

TEST(JointFriction, AFlywheelStopsAfterItsMomentumOverTheMoment) {
  const double J = 0.3, w0 = 4, tau = 0.5;
  for (const std::string& formulation : sliding_formulations) {
    const Trace trace = run_text(flywheel, {{"run.formulation", formulation}});
    ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
    const auto stuck = events_of(trace, EventKind::stick, "axle.friction");
    ASSERT_EQ(stuck.size(), 1U) << formulation;
    EXPECT_NEAR(stuck[0]->t, J * w0 / tau, 1e-11) << formulation;
    EXPECT_NEAR(final_value(trace, "wheel.angle"), J * w0 * w0 / (2 * tau), 1e-10) << formulation;
    EXPECT_EQ(final_value(trace, "wheel.angle_dot"), 0.0) << formulation;
    EXPECT_NEAR(heat_of(trace), J * w0 * w0 / 2, 1e-10) << formulation;
    EXPECT_LT(trace.energy.ledger_error, 1e-9) << formulation;
  }
}

TEST(JointFriction, AHingeInSpaceStopsAsTheOneInThePlane) {
  // About the axis (1, 2, 2)/3 the inertia diag(0.2, 0.3, 0.4) is (0.2 + 4*0.3 + 4*0.4)/9.
  const Trace trace = run_text(R"(
clack: 1
dimension: 3
parameters: {w0: 3, tau: 0.5}
bodies: {wheel: {mass: 2, inertia: [0.2, 0.3, 0.4], position: [0, 0, 0], spin: [w0/3, 2*w0/3, 2*w0/3]}}
joints: {axle: {pin: [wheel, [0, 0, 0]], axis: [1, 2, 2], friction: tau}}
run: {until: 3, tolerance: 1e-11}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const double J = 3.0 / 9.0, stop = J * 3.0 / 0.5;
  const auto stuck = events_of(trace, EventKind::stick, "axle.friction");
  ASSERT_EQ(stuck.size(), 1U);
  EXPECT_NEAR(stuck[0]->t, stop, 1e-10);
  EXPECT_NEAR(last(trace, "axle.angle"), J * 9.0 / (2 * 0.5), 1e-9);
  EXPECT_NEAR(heat_of(trace), J * 9.0 / 2, 1e-9);
  EXPECT_NEAR(last(trace, "axle.friction.across"), 0.0, 1e-20);  // rounding of drift corrections
  EXPECT_FALSE(has_flag(trace, "hyperstatic"));
}

TEST(JointFriction, ASliderStopsAfterItsMomentumOverTheForce) {
  const double m = 2, v0 = 3, F = 1.5;
  for (const bool is_spatial : {false, true}) {
    const std::string plane = R"(
bodies: {cart: {mass: m, inertia: 1, position: [0, 0], velocity: [0.6*v0, 0.8*v0]}}
joints: {rail: {slider: [cart, [0, 0]], axis: [3, 4], friction: F}}
)";
    const std::string space = R"(
dimension: 3
bodies: {cart: {mass: m, inertia: 1, position: [0, 0, 0], velocity: [0.6*v0, 0, 0.8*v0]}}
joints: {rail: {slider: [cart, [0, 0, 0]], axis: [3, 0, 4], friction: F}}
)";
    const Trace trace = run_text("clack: 1\nparameters: {m: 2, v0: 3, F: 1.5}\nrun: {until: 6}" +
                                 (is_spatial ? space : plane));
    ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
    const auto stuck = events_of(trace, EventKind::stick, "rail.friction");
    ASSERT_EQ(stuck.size(), 1U) << is_spatial;
    EXPECT_NEAR(stuck[0]->t, m * v0 / F, 1e-10) << is_spatial;
    EXPECT_NEAR(final_value(trace, "cart.x"), 0.6 * m * v0 * v0 / (2 * F), 1e-9) << is_spatial;
  }
}

// A force k t is held until it is as large as the friction; then  x = k s^3/(6 m)  with s since then.
TEST(JointFriction, HoldsALoadUpToItsSizeAndThenLetsItSlide) {
  const double m = 2, F = 1.5, k = 0.5, loose = F / k, until = 5;
  const Trace trace = run_text(R"(
clack: 1
parameters: {m: 2, F: 1.5, k: 0.5}
bodies: {cart: {mass: m, inertia: 1, position: [0, 0]}}
forces: [{on: cart, force: [k*t, 0]}]
joints: {rail: {slider: [cart, [0, 0]], axis: [1, 0], friction: F}}
run: {until: 5, tolerance: 1e-11, sample: 0.1}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const auto slips = events_of(trace, EventKind::slip, "rail.friction");
  ASSERT_EQ(slips.size(), 1U);
  EXPECT_NEAR(slips[0]->t, loose, 1e-10);
  const double s = until - loose;
  EXPECT_NEAR(final_value(trace, "cart.x"), k * s * s * s / (6 * m), 1e-9);
  EXPECT_LT(largest_error(trace, "tangent_rail.friction",
                          [&](std::size_t r) { return -std::min(F, k * at_row(trace, r, "t")); }),
            1e-10);
  EXPECT_LT(largest_error(trace, "normal_rail.friction", [&](std::size_t) { return F; }), 1e-12);
}

// Between two turning points the spring's centre is shifted by F/k: each half swing takes pi sqrt(m/k) and 2 F/k of the
// amplitude; the mass stays where the spring is weaker than the friction.
TEST(JointFriction, ASpringLosesTheSameAmplitudeInEveryHalfSwing) {
  const double m = 0.5, k = 8, F = 0.6, x0 = 1, half = M_PI * std::sqrt(m / k);
  const Trace trace = run_text(R"(
clack: 1
parameters: {m: 0.5, k: 8, F: 0.6, x0: 1}
bodies: {cart: {mass: m, inertia: 1, position: [x0, 0]}}
joints: {rail: {slider: [cart, [0, 0]], axis: [1, 0], friction: F, spring: {stiffness: k, rest: 0}}}
run: {until: 10, tolerance: 1e-11}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  double x = x0;
  int swings = 0;
  for (const TraceEvent& event : trace.events) {
    if (event.kind != EventKind::slip_reversal && event.kind != EventKind::stick) continue;
    ++swings;
    x = x > 0 ? x - 2 * F / k : x + 2 * F / k;
    x = -x;
    EXPECT_NEAR(event.t, swings * half, 1e-9);
    EXPECT_NEAR(value_after(trace, event.t, "cart.x"), x, 1e-9);
  }
  EXPECT_EQ(swings, 7);  // 1 - 7*0.15 = -0.05 is within F/k = 0.075
  EXPECT_NEAR(final_value(trace, "cart.x"), 0.05, 1e-9);
  EXPECT_NEAR(heat_of(trace), k / 2 * (x0 * x0 - 0.05 * 0.05), 1e-9);
}

// From one turning point to the next the weight gives back what friction takes: m g l |cos b - cos a| = tau |b - a|.
TEST(JointFriction, APendulumTurnsWhereItsEnergyIsSpent) {
  const Trace trace = run_file("joints/dry-pendulum.yaml");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const double weight = 9.81 * 0.7, tau = 0.4;
  double angle = 1.8;
  int turns = 0;
  for (const TraceEvent& event : trace.events) {
    if (event.kind != EventKind::slip_reversal && event.kind != EventKind::stick) continue;
    const double next = value_after(trace, event.t, "bob.angle");
    EXPECT_NEAR(weight * (std::cos(next) - std::cos(angle)), tau * std::abs(next - angle), 1e-8);
    angle = next;
    ++turns;
  }
  EXPECT_GE(turns, 8);
  EXPECT_LT(weight * std::abs(std::sin(angle)), tau);  // there it stays
  EXPECT_NEAR(final_value(trace, "bob.angle_dot"), 0.0, 1e-20);
}

// A force has no impulse: a rod with friction in its pin rebounds from a wall as one without, by every law.
TEST(JointFriction, HasNoImpulseInAnImpact) {
  const std::string rod = R"(
clack: 1
parameters: {tau: 0.5, w0: 2}
bodies:
  rod: {mass: 1, inertia: 0.1, position: [0.5, 0], spin: -w0, velocity: [0, -0.5*w0], points: {end: [-0.5, 0], tip: [0.5, 0]}}
  wall: {fixed: true, shape: {half-plane: {normal: [0, 1], point: [0, -0.3]}}}
joints: {pin: {pin: [rod.end, [0, 0]], friction: tau}}
contacts: {hit: {between: [rod.tip, wall], friction: 0.2, restitution: 0.6}}
run: {until: 0.5, tolerance: 1e-11}
)";
  for (const char* law : {"newton", "poisson", "smith", "energetic", "lzb"}) {
    const auto jump = [&](const char* tau) {
      const Trace trace = run_text(rod, {{"run.impact", law}, {"tau", tau}});
      EXPECT_EQ(trace.status, RunStatus::done) << law << ": " << trace.reason;
      EXPECT_EQ(trace.impacts.size(), 1U) << law;
      const TraceImpact& impact = trace.impacts.at(0);
      const auto spin = static_cast<std::size_t>(
          std::find(trace.speeds.begin(), trace.speeds.end(), "rod.angle_dot") -
          trace.speeds.begin());
      return std::pair(impact.v_before.at(spin),
                       impact.v_after.at(spin) / impact.v_before.at(spin));
    };
    const auto [slow, ratio] = jump("0.5");
    const auto [fast, ratio_without] = jump("0");
    // On the way down by sin q = -0.3 friction took tau |q| of (J + m/4) w^2/2.
    const double J = 0.1 + 0.25, q = std::asin(0.3);
    EXPECT_NEAR(slow, -std::sqrt(4.0 - 2.0 * 0.5 * q / J), 1e-9) << law;
    EXPECT_NEAR(fast, -2.0, 1e-9) << law;
    EXPECT_NEAR(ratio, ratio_without, 1e-9) << law;
  }
}

// A motor that turns a wheel evenly gives just the moment of friction, and all of its work becomes heat.
TEST(JointFriction, IsWhatAMotorHasToOvercome) {
  const Trace trace =
      run_text(flywheel + "  # drives come last\n", {{"w0", "0"}, {"run.until", "0.1"}});
  EXPECT_EQ(final_value(trace, "wheel.angle"), 0.0);  // nothing moves by itself
  const Trace driven = run_text(R"(
clack: 1
parameters: {J: 0.3, tau: 0.5}
bodies: {wheel: {mass: 2, inertia: J, position: [0, 0], spin: 2}}
joints: {axle: {pin: [wheel, [0, 0]], friction: tau}, motor: {drive: axle, speed: 2}}
run: {until: 1, sample: 0.1}
)");
  ASSERT_EQ(driven.status, RunStatus::done) << driven.reason;
  EXPECT_LT(largest_error(driven, "motor.drive", [](std::size_t) { return 0.5; }), 1e-12);
  EXPECT_NEAR(heat_of(driven), 0.5 * 2 * 1, 1e-10);
  EXPECT_NEAR(driven.energy.work_of_drives, 1.0, 1e-10);
}

// A block on a brake whose surface runs with u: taken along with mu F/m until it is as fast.
TEST(PressedContact, TakesAlongUntilTheSpeedsAreEqual) {
  for (const char* mechanics :
       {"coordinates: {x: 0}\nmass_matrix: [[2]]\nforce: [0]\n",
        "coordinates: {x: 0}\nbodies: {block: {mass: 2, position: [x, 0]}}\n"}) {
    const Trace trace = run_text(std::string("clack: 1\n") + mechanics + R"(
contacts: {brake: {pressed: 5, slip: x_dot, friction: 0.2, surface_velocity: [3]}}
run: {until: 10, tolerance: 1e-11}
)");
    ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
    const auto stuck = events_of(trace, EventKind::stick, "brake");
    ASSERT_EQ(stuck.size(), 1U);
    EXPECT_NEAR(stuck[0]->t, 3 / (0.2 * 5 / 2), 1e-10);  // u/(mu F/m) = 6 s
    EXPECT_NEAR(final_value(trace, "x"), 3 * 6 / 2.0 + 3 * 4, 1e-9);
  }
}

// On a disc that is pressed in space friction points against the velocity: the block stops on a straight line.
TEST(PressedContact, InSpaceFrictionPointsAgainstTheVelocity) {
  const Trace trace = run_text(R"(
clack: 1
dimension: 3
coordinates: {x: {start: 0, rate: 3}, y: {start: 0, rate: 4}}
bodies: {block: {mass: 2, position: [x, y, 0]}}
contacts: {brake: {pressed: 5, slip: [x_dot, y_dot], friction: 0.2}}
run: {until: 12, tolerance: 1e-11}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const auto stuck = events_of(trace, EventKind::stick, "brake");
  ASSERT_EQ(stuck.size(), 1U);
  EXPECT_NEAR(stuck[0]->t, 5 / 0.5, 1e-8);
  EXPECT_NEAR(final_value(trace, "x"), 0.6 * 25, 1e-8);
  EXPECT_NEAR(final_value(trace, "y"), 0.8 * 25, 1e-8);
}

}  // namespace
}  // namespace clack::acceptance
