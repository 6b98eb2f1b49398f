// SPDX-License-Identifier: Apache-2.0
// Gears, racks, drives, rolling, limits, springs, locks and breakable joints in the plane, against closed forms.
#include <gtest/gtest.h>

#include "acceptance/joint_runs.hpp"

namespace clack::acceptance {
namespace {

TEST(Gear, SecondPinTurnsByTheRatio) {
  const Trace trace = run_text(R"(
clack: 1
bodies:
  small: {mass: 1, inertia: 0.02, position: [0, 0], angle: 0.3}
  large: {mass: 4, inertia: 0.3, position: [0.3, 0], angle: -1}
torques: [{on: small, torque: 0.5}]
joints:
  a: {pin: [small, [0, 0]]}
  b: {pin: [large, [0.3, 0]]}
  mesh: {gear: [a, b], ratio: -0.5}
run: {until: 2, tolerance: 1e-12}
)");
  const double turn =
      0.5 / (0.02 + 0.25 * 0.3);  // torque over the inertia that the small wheel feels
  EXPECT_NEAR(final_value(trace, "small.angle"), 0.3 + 0.5 * turn * 4, 1e-9);
  EXPECT_NEAR(final_value(trace, "large.angle"), -1 - 0.25 * turn * 4, 1e-9);
  EXPECT_NEAR(last(trace, "force_mesh"), 0.3 * -0.5 * turn, 1e-10);  // turns the large wheel
}

TEST(Rack, SliderMovesByTheRatio) {
  const Trace trace = run_text(R"(
clack: 1
bodies:
  pinion: {mass: 1, inertia: 0.02, position: [0, 0]}
  bar: {mass: 5, inertia: 1, position: [0, -0.1]}
torques: [{on: pinion, torque: 0.7}]
joints:
  axle: {pin: [pinion, [0, 0]]}
  rail: {slider: [bar, [0, -0.1]], axis: [1, 0]}
  teeth: {rack: [axle, rail], ratio: 0.1}
run: {until: 2, tolerance: 1e-12}
)");
  const double turn = 0.7 / (0.02 + 0.01 * 5);
  EXPECT_NEAR(final_value(trace, "bar.x"), 0.1 * 0.5 * turn * 4, 1e-10);
  EXPECT_NEAR(final_value(trace, "pinion.angle"), 0.5 * turn * 4, 1e-9);
}

TEST(Drive, TorqueIsThatOfInverseDynamicsAndItsWorkIsInTheLedger) {
  const Trace trace = run_text(R"(
clack: 1
parameters: {m: 2, l: 0.8, g: 9.81}
gravity: [0, -g]
bodies: {rod: {mass: m, inertia: m*l^2/12, position: [l/2, 0], spin: 1.5, velocity: [0, 0.6], points: {end: [-l/2, 0]}}}
joints:
  pivot: {pin: [rod.end, [0, 0]]}
  motor: {drive: pivot, angle: 0.5*sin(3*t)}
run: {until: 2, tolerance: 1e-12, sample: 0.01}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_LT(largest_error(trace, "motor.drive",
                          [&](std::size_t r) {
                            const double t = at_row(trace, r, "t"), q = 0.5 * std::sin(3 * t);
                            return 2 * 0.64 / 3 * (-9 * q) + 2 * 9.81 * 0.4 * std::cos(q);
                          }),
            1e-9);
  EXPECT_NEAR(trace.energy.work_of_drives, trace.energy.final - trace.energy.initial, 1e-9);
  EXPECT_GT(std::abs(trace.energy.work_of_drives), 0.1);
  EXPECT_LT(trace.energy.ledger_error, 1e-9);
}

TEST(Drive, MotorOfTheSliderCrankKeepsItsSpeed) {
  const Trace trace = run_file("joints/slider-crank.yaml", {{"motor_on", "1"}});
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_NEAR(final_value(trace, "crank.angle"), 0.5 + 6 * 5.0, 1e-9);
  EXPECT_NEAR(trace.energy.work_of_drives, trace.energy.final - trace.energy.initial, 1e-7);
}

TEST(RollingJoint, DiskOnAnInclineRollsAsInTheTextbook) {
  const Trace trace = run_text(R"(
clack: 1
parameters: {m: 2, r: 0.25, slope: 0.5, g: 9.81}
gravity: [0, -g]
bodies:
  disk: {mass: m, inertia: m*r^2/2, position: [r*sin(slope), r*cos(slope)], shape: {disk: {radius: r}}}
  hill: {fixed: true, angle: -slope, shape: {half-plane: {normal: [0, 1]}}}
joints: {roll: {rolling: [disk, hill]}}
run: {until: 1, tolerance: 1e-12}
)");
  const double g = 9.81, s = std::sin(0.5), c = std::cos(0.5), a = 2.0 / 3.0 * g * s;
  EXPECT_NEAR(final_value(trace, "disk.x"), 0.25 * s + a / 2 * c, 1e-9);
  EXPECT_NEAR(final_value(trace, "disk.angle"), -a / 2 / 0.25, 1e-9);
  const double along = -2 * g * s / 3, up = 2 * g * c;  // friction up the hill, normal force
  EXPECT_NEAR(last(trace, "roll.fx"), along * c + up * s, 1e-9);
  EXPECT_NEAR(last(trace, "roll.fy"), -along * s + up * c, 1e-9);
}

// A disk that rolls on or in a fixed ring: (R +- r) (1 + k) th'' = -+ g sin th for the angle of the line of centres.
TEST(RollingJoint, DiskOnAndInsideOfARingEqualsItsEquation) {
  for (const bool is_inside : {false, true}) {
    const std::string inside = is_inside ? "true" : "false";
    const double R = 1.0, r = 0.2, path = is_inside ? R - r : R + r;
    const Trace ring = run_text(fmt::format(R"(
clack: 1
parameters: {{r: 0.2, L: {}, th: {}}}
gravity: [0, -9.81]
bodies:
  ring: {{fixed: true, shape: {{disk: {{radius: 1}}}}}}
  disk: {{mass: 2, inertia: r^2, position: [L*sin(th), L*cos(th)], shape: {{disk: {{radius: r}}}}}}
joints: {{roll: {{rolling: [disk, ring], inside: {}}}}}
run: {{until: 2, tolerance: 1e-12, sample: 0.1}}
)",
                                            path, is_inside ? 2.5 : 0.2, inside));
    const Trace angle = run_text(fmt::format(R"(
clack: 1
coordinates: {{th: {}}}
mass_matrix: [[{} * 1.5]]
force: [9.81*sin(th)]
run: {{until: 2, tolerance: 1e-12, sample: 0.1}}
)",
                                             is_inside ? 2.5 : 0.2, path));
    ASSERT_EQ(ring.status, RunStatus::done) << ring.reason;
    EXPECT_LT(largest_error(ring, "disk.x",
                            [&](std::size_t i) { return path * std::sin(at_row(angle, i, "th")); }),
              1e-9)
        << inside;
    // No slip: r w = -+ path th' seen from outside.
    EXPECT_LT(largest_error(ring, "disk.angle_dot",
                            [&](std::size_t i) {
                              return (is_inside ? 1.0 : -1.0) * path / r *
                                     at_row(angle, i, "th_dot");
                            }),
              1e-8)
        << inside;
  }
}

TEST(Limits, RodBouncesBetweenTheEndsOfItsHinge) {
  const Trace trace = run_text(R"(
clack: 1
bodies: {rod: {mass: 1, inertia: 0.1, position: [0.5, 0], velocity: [0, 1], spin: 2, points: {end: [-0.5, 0]}}}
joints: {hinge: {pin: [rod.end, [0, 0]], limits: [-1, 0.8], restitution: 0.5}}
run: {until: 2.5, tolerance: 1e-12, impact: newton}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const auto upper = events_of(trace, EventKind::impact, "hinge.upper"),
             lower = events_of(trace, EventKind::impact, "hinge.lower");
  ASSERT_EQ(upper.size(), 1U);
  ASSERT_EQ(lower.size(), 1U);
  EXPECT_NEAR(upper[0]->t, 0.4, 1e-10);
  EXPECT_NEAR(lower[0]->t, 0.4 + 1.8, 1e-10);
  EXPECT_NEAR(final_value(trace, "rod.angle_dot"), 0.5, 1e-10);
}

TEST(JointSpring, HingeWithSpringAndDamperIsALinearOscillator) {
  const Trace trace = run_text(R"(
clack: 1
bodies: {wheel: {mass: 1, inertia: 0.5, position: [0, 0], angle: 0.3}}
joints: {axle: {pin: [wheel, [0, 0]], spring: {stiffness: 8, rest: 0.1}, damping: 0.4}}
run: {until: 3, tolerance: 1e-12}
)");
  const double d = 0.4, w = std::sqrt(16 - d * d);  // c/(2 I), k/I = 16
  const double expected =
      0.1 + 0.2 * std::exp(-d * 3) * (std::cos(w * 3) + d / w * std::sin(w * 3));
  EXPECT_NEAR(final_value(trace, "wheel.angle"), expected, 1e-10);
  EXPECT_NEAR(trace.energy.work_of_forces, trace.energy.final - trace.energy.initial, 1e-9);
}

TEST(JointSpring, SliderRestsWhereItStartedUnlessToldOtherwise) {
  const Trace trace = run_text(R"(
clack: 1
bodies: {block: {mass: 2, inertia: 1, position: [1, 0], velocity: [0.5, 0]}}
joints: {rail: {slider: [block, [0.4, 0]], axis: [1, 0], spring: {stiffness: 18}}}
run: {until: 1, tolerance: 1e-12}
)");
  EXPECT_NEAR(final_value(trace, "block.x"), 1 + 0.5 / 3 * std::sin(3.0), 1e-10);
}

TEST(BreakablePin, LetsGoWhenItsForceReachesTheLimit) {
  const Trace trace = run_text(R"(
clack: 1
parameters: {m: 2, l: 0.5, k: 10, F: 15}
bodies: {link: {mass: m, inertia: m*l^2/12, position: [l/2, 0], points: {root: [-l/2, 0], tip: [l/2, 0]}}}
forces: [{on: link.tip, force: [0, k*t]}]
joints: {root: {pin: [link.root, [0, 0]]}, latch: {pin: [link.tip, [l, 0]]}}
events: [{name: breaks, when: "sqrt(latch.fx^2 + latch.fy^2) - F", direction: rising, do: {constraint_off: latch}}]
run: {until: 2, theory: embedding}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const auto off = events_of(trace, EventKind::constraint_off);
  ASSERT_EQ(off.size(), 1U);
  EXPECT_NEAR(off[0]->t, 1.5, 1e-9);  // the latch holds the whole load at the tip
  EXPECT_NEAR(last(trace, "latch.fy"), 0.0, 0.0);
  EXPECT_NEAR(final_value(trace, "link.angle"), final_value(run_file("latch/breakable.yaml"), "q"),
              1e-7);
}

TEST(Lock, MotionConstraintOnAJointRateStopsItWithAnImpact) {
  const Trace trace = run_text(R"(
clack: 1
bodies: {wheel: {mass: 1, inertia: 0.5, position: [0, 0], spin: 3}}
joints: {axle: {pin: [wheel, [0, 0]]}}
constraints: {lock: {motion: axle.angle_dot, active: false}}
events: [{when: axle.angle - 1, do: {constraint_on: lock}}]
run: {until: 1}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_NEAR(final_value(trace, "wheel.angle"), 1.0, 1e-9);
  ASSERT_EQ(trace.impacts.size(), 1U);
  EXPECT_NEAR(trace.impacts[0].constraint_impulses[0].rows[0], -1.5, 1e-9);
}

}  // namespace
}  // namespace clack::acceptance
