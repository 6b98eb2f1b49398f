// SPDX-License-Identifier: Apache-2.0
// Joints by name in space: closed forms, and the same mechanisms in coordinates or in the plane.
#include <gtest/gtest.h>

#include "acceptance/joint_runs.hpp"
#include "clack/hybrid/start_check.hpp"

namespace clack::acceptance {
namespace {

// A heavy top whose tip a ball joint holds, against the one in angles (models/top).
TEST(BallJoint, HeldTipMakesTheHeavyTop) {
  const Trace angles = run_file("top/top.yaml", {{"run.until", "1"}, {"run.sample", "0.01"}});
  const Trace ball = run_text(R"(
clack: 1
dimension: 3
parameters: {m: 1, J1: 0.06, J3: 0.02, l: 0.2, g: 9.81, th0: 0.4, phd0: 1, psd0: 60}
gravity: [0, 0, -g]
bodies:
  top: {mass: m, inertia: [J1 - m*l^2, J1 - m*l^2, J3], position: [0, -l*sin(th0), l*cos(th0)], orientation: [cos(th0/2), sin(th0/2), 0, 0],
        velocity: [phd0*l*sin(th0), 0, 0], spin: [0, -psd0*sin(th0), phd0 + psd0*cos(th0)], points: {tip: [0, 0, -l]}}
joints: {tip: {ball: [top.tip, [0, 0, 0]]}}
run: {until: 1, sample: 0.01, theory: embedding, tolerance: 1e-11}
)");
  ASSERT_EQ(ball.status, RunStatus::done) << ball.reason;
  ASSERT_EQ(ball.row_count(), angles.row_count());
  const auto angle = [&](std::size_t r, const char* name) { return at_row(angles, r, name); };
  EXPECT_LT(
      largest_error(ball, "top.z", [&](std::size_t r) { return 0.2 * std::cos(angle(r, "th")); }),
      1e-8);
  EXPECT_LT(largest_error(ball, "top.x",
                          [&](std::size_t r) {
                            return 0.2 * std::sin(angle(r, "th")) * std::sin(angle(r, "ph"));
                          }),
            1e-8);
}

const std::string hinged_rod = R"(
clack: 1
dimension: 3
parameters: {m: 2, l: 0.8, g: 9.81, a0: 0.9}
gravity: [0, -g, 0]
bodies:
  rod: {mass: m, inertia: [0.01, m*l^2/12, m*l^2/12], position: [l/2*cos(a0), l/2*sin(a0), 0.3], orientation: [cos(a0/2), 0, 0, sin(a0/2)],
        points: {top: [-l/2, 0, 0]}}
joints: {pivot: {pin: [rod.top, [0, 0, 0.3]], axis: [0, 0, 1]}}
run: {until: 2, tolerance: 1e-12, sample: 0.02}
)";

TEST(Hinge, PendulumInSpaceEqualsThatInThePlaneForEveryFormulation) {
  const Trace plane = run_text(R"(
clack: 1
parameters: {m: 2, l: 0.8, g: 9.81, a0: 0.9}
gravity: [0, -g]
bodies: {rod: {mass: m, inertia: m*l^2/12, position: [l/2*cos(a0), l/2*sin(a0)], angle: a0, points: {top: [-l/2, 0]}}}
joints: {pivot: {pin: [rod.top, [0, 0]]}}
run: {until: 2, tolerance: 1e-12, sample: 0.02}
)");
  for (const char* formulation :
       {"delassus", "projection", "multipliers", "nullspace", "embedding"}) {
    const Trace space = run_text(hinged_rod, {{"run.formulation", formulation}});
    ASSERT_EQ(space.status, RunStatus::done) << space.reason;
    const auto same = [&](const char* name) {
      return [&plane, name](std::size_t r) { return at_row(plane, r, name); };
    };
    EXPECT_NEAR(final_value(space, "pivot.angle"), final_value(plane, "rod.angle"), 1e-9)
        << formulation;
    EXPECT_NEAR(last(space, "pivot.fx"), last(plane, "pivot.fx"), 1e-7) << formulation;
    if (space.row_count() != plane.row_count()) continue;  // rows of reselections in between
    EXPECT_LT(largest_error(space, "pivot.angle", same("rod.angle")), 1e-9) << formulation;
    EXPECT_LT(largest_error(space, "rod.x", same("rod.x")), 1e-9) << formulation;
    EXPECT_LT(largest_error(space, "pivot.fx", same("pivot.fx")), 1e-7) << formulation;
    EXPECT_LT(largest_error(space, "pivot.fy", same("pivot.fy")), 1e-7) << formulation;
    EXPECT_LT(largest_error(space, "pivot.mx", [](std::size_t) { return 0.0; }), 1e-9)
        << formulation;
  }
}

// A wheel whose mass centre is off its axle turns many times; the angle keeps counting.
TEST(Hinge, AngleCountsTurnsAndADriveMayPrescribeIt) {
  const Trace trace = run_text(R"(
clack: 1
dimension: 3
bodies: {wheel: {mass: 1, inertia: [0.3, 0.3, 0.5], position: [0.1, 0, 0], velocity: [0, 0.8, 0], spin: [0, 0, 8], points: {hub: [-0.1, 0, 0]}}}
joints:
  axle: {pin: [wheel.hub, [0, 0, 0]], axis: [0, 0, 1]}
  motor: {drive: axle, angle: 8*t + t^2}
run: {until: 3, tolerance: 1e-12}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_NEAR(final_value(trace, "axle.angle"), 33.0, 1e-9);
  EXPECT_NEAR(final_value(trace, "wheel.x"), 0.1 * std::cos(33.0), 1e-9);
  EXPECT_NEAR(last(trace, "motor.drive"), 2 * (0.5 + 0.01),
              1e-9);  // torque of the angular acceleration 2
  EXPECT_NEAR(trace.energy.work_of_drives, 0.5 * 0.51 * (14 * 14 - 64), 1e-8);
}

// Two shafts at an angle: the forks (0, -sin in, cos in) and cos out (-sin beta, cos beta, 0) + sin out (0, 0, 1) stay at
// right angles, so that tan(out) = tan(in) cos(beta).
TEST(Universal, CardanShaftTurnsUnevenly) {
  const Trace trace = run_text(R"(
clack: 1
dimension: 3
parameters: {beta: 0.6, w: 5}
bodies:
  driver: {mass: 1, inertia: [0.02, 0.02, 0.02], position: [0, 0, 0], spin: [w, 0, 0]}
  follower: {mass: 1, inertia: [0.03, 0.03, 0.03], position: [0, 0, 0], orientation: [cos(beta/2), 0, 0, sin(beta/2)],
             spin: [w*cos(beta)^2, w*cos(beta)*sin(beta), 0], points: {far: [1, 0, 0]}}
joints:
  in: {pin: [driver, [0, 0, 0]], axis: [1, 0, 0]}
  cross: {universal: [driver, follower], axes: [[0, 0, 1], [0, 1, 0]]}
  out: {pin: [follower.far, [cos(beta), sin(beta), 0]], axis: [1, 0, 0]}
  motor: {drive: in, speed: w}
run: {until: 2, tolerance: 1e-12, sample: 0.02, theory: embedding}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const double c = std::cos(0.6);
  EXPECT_LT(largest_error(trace, "out.angle",
                          [&](std::size_t r) {
                            const double in = 5 * at_row(trace, r, "t"),
                                         turns = std::round(in / M_PI);
                            return std::atan(std::tan(in - turns * M_PI) * c) + turns * M_PI;
                          }),
            1e-8);
}

TEST(Cylinder, BodyFallsAndTurnsFreelyAboutItsAxis) {
  const Trace trace = run_text(R"(
clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  sleeve: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [0.5, 0, 1], velocity: [0, 2, 0], spin: [0, 0, 4], points: {bore: [-0.5, 0, 0]}}
joints: {pole: {cylinder: [sleeve.bore, [0, 0, 0]], axis: [0, 0, 1]}}
run: {until: 1, tolerance: 1e-12}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_NEAR(final_value(trace, "sleeve.z"), 1 - 9.81 / 2, 1e-10);
  EXPECT_NEAR(final_value(trace, "pole.angle"), 4.0, 1e-10);
  EXPECT_NEAR(final_value(trace, "sleeve.x"), 0.5 * std::cos(4.0), 1e-9);
  EXPECT_NEAR(last(trace, "pole.fx"), -2 * 16 * 0.5 * std::cos(4.0), 1e-8);  // m w^2 r, inwards
  EXPECT_NEAR(last(trace, "pole.fz"), 0.0, 1e-12);
}

TEST(Weld, ArmInSpaceCarriesWeightAndMoment) {
  const Trace trace = run_text(R"(
clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies: {arm: {mass: 3, inertia: [0.1, 0.2, 0.3], position: [1, 0.5, 0], orientation: [0.6, 0.8, 0, 0], points: {root: [-1, 0, 0]}}}
joints: {wall: {weld: [arm.root, [0, 0.5, 0]]}}
run: {until: 0.1}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_NEAR(last(trace, "wall.fz"), 3 * 9.81, 1e-11);
  EXPECT_NEAR(last(trace, "wall.my"), -3 * 9.81, 1e-11);  // against the weight, 1 m out along x
  EXPECT_NEAR(last(trace, "wall.mx"), 0.0, 1e-11);
}

TEST(Slider, InSpaceBodySlidesDownItsRailWithoutTurning) {
  const Trace trace = run_text(R"(
clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies: {block: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [0, 0, 0]}}
joints: {rail: {slider: [block, [0, 0, 0]], axis: [2, 1, 2]}}
run: {until: 1, tolerance: 1e-12}
)");
  EXPECT_NEAR(final_value(trace, "block.z"), -0.5 * 9.81 * 4 / 9, 1e-10);  // g (axis z)^2
  EXPECT_NEAR(final_value(trace, "block.x"), -0.5 * 9.81 * 4 / 9, 1e-10);
  EXPECT_NEAR(last(trace, "rail.fz"), 2 * 9.81 * 5 / 9, 1e-10);
}

// A planar four-bar made of hinges in space: each loop of parallel axes has three rows too many.
TEST(Hinge, PlanarFourBarInSpaceIsFlaggedAndMovesAsInThePlane) {
  const Trace plane =
      run_file("four-bar/four-bar.yaml", {{"run.until", "2"}, {"run.tolerance", "1e-12"}});
  const auto start = [&](const std::string& name) { return exact(at_row(plane, 0, name)); };
  const std::string yaml = R"(
clack: 1
dimension: 3
parameters: {a: 0.2, b: 0.6, c: 0.5, d: 0.7, m1: 1, m2: 2, m3: 1.5, g: 9.8, th: 0, be: 0, ga: 0, thd: 0, bed: 0, gad: 0}
gravity: [0, -g, 0]
bodies:
  crank: {mass: m1, inertia: [0.01, 0.01, m1*a^2/12], position: [a/2*cos(th), a/2*sin(th), 0], orientation: [cos(th/2), 0, 0, sin(th/2)],
          velocity: [-a/2*sin(th)*thd, a/2*cos(th)*thd, 0], spin: [0, 0, thd], points: {s: [-a/2, 0, 0], e: [a/2, 0, 0]}}
  coupler: {mass: m2, inertia: [0.01, 0.06, m2*b^2/12], position: [a*cos(th) + b/2*cos(be), a*sin(th) + b/2*sin(be), 0], spin: [0, 0, bed],
            orientation: [cos(be/2), 0, 0, sin(be/2)],
            velocity: [-a*sin(th)*thd - b/2*sin(be)*bed, a*cos(th)*thd + b/2*cos(be)*bed, 0], points: {s: [-b/2, 0, 0], e: [b/2, 0, 0]}}
  rocker: {mass: m3, inertia: [0.01, 0.03, m3*c^2/12], position: [d + c/2*cos(ga), c/2*sin(ga), 0], orientation: [cos(ga/2), 0, 0, sin(ga/2)],
           velocity: [-c/2*sin(ga)*gad, c/2*cos(ga)*gad, 0], spin: [0, 0, gad], points: {s: [-c/2, 0, 0], e: [c/2, 0, 0]}}
joints:
  A: {pin: [crank.s, [0, 0, 0]], axis: [0, 0, 1]}
  B: {pin: [coupler.s, crank.e], axis: [0, 0, 1]}
  C: {pin: [coupler.e, rocker.e], axis: [0, 0, 1]}
  D: {pin: [rocker.s, [d, 0, 0]], axis: [0, 0, 1]}
run: {until: 2, theory: embedding, tolerance: 1e-12}
)";
  const std::vector<Override> at_start = {{"th", start("th")},      {"be", start("be")},
                                          {"ga", start("ga")},      {"thd", start("th_dot")},
                                          {"bed", start("be_dot")}, {"gad", start("ga_dot")}};
  const StartReport report = inspect_start(load_model_text(yaml, "test.yaml", at_start));
  EXPECT_EQ(report.freedom.degrees, 1);
  EXPECT_EQ(report.freedom.redundant.size(), 3U);
  const Trace space = run_text(yaml, at_start);
  ASSERT_EQ(space.status, RunStatus::done) << space.reason;
  EXPECT_TRUE(has_flag(space, "rows-redundant"));
  EXPECT_NEAR(final_value(space, "A.angle"), final_value(plane, "th"), 1e-8);
  EXPECT_NEAR(final_value(space, "rocker.x"), 0.7 + 0.25 * std::cos(final_value(plane, "ga")),
              1e-8);
}

TEST(Gear, HingesInSpaceTurnByTheRatioForManyTurns) {
  const Trace trace = run_text(R"(
clack: 1
dimension: 3
bodies:
  sun: {mass: 1, inertia: [0.02, 0.02, 0.02], position: [0, 0, 0]}
  bevel: {mass: 1, inertia: [0.3, 0.3, 0.3], position: [1, 0, 0]}
torques: [{on: sun, torque: [0, 0, 2]}]
joints:
  a: {pin: [sun, [0, 0, 0]], axis: [0, 0, 1]}
  b: {pin: [bevel, [1, 0, 0]], axis: [1, 0, 0]}
  mesh: {gear: [a, b], ratio: -0.5}
run: {until: 3, tolerance: 1e-12}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const double turn = 2 / (0.02 + 0.25 * 0.3);
  EXPECT_NEAR(final_value(trace, "a.angle"), 4.5 * turn, 1e-8);  // 15 turns
  EXPECT_NEAR(final_value(trace, "b.angle"), -2.25 * turn, 1e-8);
}

TEST(JointSpring, HingeInSpaceIsALinearOscillatorOverManyTurns) {
  const Trace trace = run_text(R"(
clack: 1
dimension: 3
bodies: {wheel: {mass: 1, inertia: [0.3, 0.4, 0.5], position: [0, 0, 0], spin: [0, 0, 40]}}
joints: {axle: {pin: [wheel, [0, 0, 0]], axis: [0, 0, 1], spring: {stiffness: 8}, damping: 0.4}}
run: {until: 1, tolerance: 1e-12}
)");
  const double d = 0.4, w = std::sqrt(16 - d * d);
  EXPECT_NEAR(final_value(trace, "axle.angle"), 40 / w * std::exp(-d) * std::sin(w), 1e-9);
  EXPECT_GT(40 / w * std::exp(-d * 0.4) * std::sin(w * 0.4),
            2 * M_PI);  // it wound up by more than a turn
}

TEST(Limits, HingeInSpaceBouncesAtItsEnd) {
  const Trace trace = run_text(R"(
clack: 1
dimension: 3
bodies: {door: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0], velocity: [0, 1, 0], spin: [0, 0, 2], points: {edge: [-0.5, 0, 0]}}}
joints: {hinge: {pin: [door.edge, [0, 0, 0]], axis: [0, 0, 1], limits: [-1, 0.8], restitution: 0.5}}
run: {until: 1, tolerance: 1e-12, impact: newton}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const auto upper = events_of(trace, EventKind::impact, "hinge.upper");
  ASSERT_EQ(upper.size(), 1U);
  EXPECT_NEAR(upper[0]->t, 0.4, 1e-10);
  EXPECT_NEAR(final_value(trace, "hinge.angle"), 0.8 - 0.6, 1e-9);
}

TEST(RollingJoint, ThinDiskEqualsTheRollingConstraint) {
  const std::string head = R"(
clack: 1
dimension: 3
parameters: {r: 0.4, tilt: 0.3}
gravity: [0, 0, -9.81]
bodies:
  disk: {mass: 1, inertia: [r^2/4, r^2/4, r^2/2], position: [0, 0, r*cos(tilt)], orientation: [cos(pi/4 - tilt/2), sin(pi/4 - tilt/2), 0, 0],
         spin: [0, 6*cos(tilt), -6*sin(tilt)], velocity: [6*r, 0, 0]}
  table: {fixed: true, shape: {half-space: {normal: [0, 0, 1]}}}
run: {until: 1, tolerance: 1e-12, sample: 0.02}
)";
  const Trace joint =
      run_text(head + "joints: {roll: {rolling: [disk, table], radius: r, axis: [0, 0, 1]}}\n", {});
  const Trace rows = run_text(
      head + "constraints: {roll: {rolling: [disk, table], radius: r, axis: [0, 0, 1]}}\n", {});
  ASSERT_EQ(joint.status, RunStatus::done) << joint.reason;
  for (const char* name : {"disk.x", "disk.y", "disk.z", "disk.qw"})
    EXPECT_LT(largest_error(joint, name, [&](std::size_t r) { return at_row(rows, r, name); }),
              1e-9)
        << name;
  EXPECT_LT(largest_error(joint, "roll.fz",
                          [&](std::size_t r) { return at_row(rows, r, "force_roll_3"); }),
            1e-7);
}

// A ball rolls down a plane with 5/7 of g sin(al), whatever it does across, and the plane carries m g cos(al).
TEST(RollingJoint, BallOnAPlaneRollsAsInTheTextbook) {
  const Trace ball = run_text(R"(
clack: 1
dimension: 3
parameters: {r: 0.1, al: 0.3, m: 2}
gravity: [10*sin(al), 0, -10*cos(al)]
bodies:
  ball: {mass: m, inertia: 0.4*m*r^2, position: [0, 0, r], velocity: [0, 1, 0], spin: [-1/r, 0, 0], shape: {sphere: {radius: r}}}
  plane: {fixed: true, shape: {half-space: {normal: [0, 0, 1]}}}
joints: {roll: {rolling: [ball, plane]}}
run: {until: 2, theory: embedding, sample: 0.05}
)");
  ASSERT_EQ(ball.status, RunStatus::done) << ball.reason;
  const double down = 5.0 / 7.0 * 10.0 * std::sin(0.3);
  const auto t = [&](std::size_t row) { return at_row(ball, row, "t"); };
  EXPECT_LT(largest_error(ball, "ball.x", [&](std::size_t r) { return 0.5 * down * t(r) * t(r); }),
            1e-9);
  EXPECT_LT(largest_error(ball, "ball.y", [&](std::size_t r) { return t(r); }), 1e-9);
  EXPECT_LT(largest_error(ball, "ball.wy", [&](std::size_t r) { return down * t(r) / 0.1; }), 1e-8);
  EXPECT_LT(largest_error(ball, "roll.fz", [&](std::size_t) { return 2.0 * 10.0 * std::cos(0.3); }),
            1e-8);
}

// A ball that rolls from the top of a fixed one: (R + r) (1 + 2/5) th'' = g sin th, in any vertical plane.
TEST(RollingJoint, BallOnABallEqualsItsEquation) {
  const Trace ball = run_text(R"(
clack: 1
dimension: 3
parameters: {r: 0.2, th: 0.2, way: 0.7}
gravity: [0, 0, -9.81]
bodies:
  globe: {fixed: true, shape: {sphere: {radius: 1}}}
  ball: {mass: 2, inertia: 2/5*2*r^2, position: [1.2*sin(th)*cos(way), 1.2*sin(th)*sin(way), 1.2*cos(th)], shape: {sphere: {radius: r}}}
joints: {roll: {rolling: [ball, globe]}}
run: {until: 1.5, tolerance: 1e-12, sample: 0.05}
)");
  const Trace angle = run_text(R"(
clack: 1
coordinates: {th: 0.2}
mass_matrix: [[1.2*1.4]]
force: [9.81*sin(th)]
run: {until: 1.5, tolerance: 1e-12, sample: 0.05}
)");
  ASSERT_EQ(ball.status, RunStatus::done) << ball.reason;
  const auto th = [&](std::size_t r) { return at_row(angle, r, "th"); };
  EXPECT_LT(largest_error(ball, "ball.z", [&](std::size_t r) { return 1.2 * std::cos(th(r)); }),
            1e-9);
  EXPECT_LT(largest_error(ball, "ball.y",
                          [&](std::size_t r) { return 1.2 * std::sin(th(r)) * std::sin(0.7); }),
            1e-9);
}

TEST(Joints, SpatialSliderCrankFollowsItsClosedFormAndKeepsItsEnergy) {
  const Trace trace = run_file("joints/spatial-slider-crank.yaml");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_LT(largest_error(trace, "slider.x",
                          [&](std::size_t r) {
                            const double q = at_row(trace, r, "main.angle");
                            return std::sqrt(1 - std::pow(0.2 * std::cos(q) - 0.15, 2) -
                                             std::pow(0.2 * std::sin(q), 2));
                          }),
            1e-9);
  EXPECT_GT(final_value(trace, "main.angle"), 2 * M_PI);
  const double start = at_row(trace, 0, "total");
  EXPECT_LT(largest_error(trace, "total", [&](std::size_t) { return start; }), 1e-8);
}

// A platform placed by formulas turns about z; a pendulum hangs on it by a hinge that turns with it: the same in coordinates.
TEST(Hinge, HoldsAFreeBodyOnOnePlacedByFormulasInSpace) {
  const std::string head = R"(
clack: 1
dimension: 3
gravity: [0, 0, -9.81]
run: {until: 2, tolerance: 1e-12, sample: 0.05}
)";
  const Trace placed = run_text(head + R"(
coordinates: {q: {start: 0, rate: 2}, p: 0.5}
bodies:
  platform: {mass: 5, inertia: [1, 1, 1], position: [0, 0, 0], rotation: [[z, q]]}
  bob: {mass: 2, inertia: [0.1, 0.12, 0.05], position: [(1 + 0.6*sin(p))*cos(q), (1 + 0.6*sin(p))*sin(q), -0.6*cos(p)], rotation: [[z, q], [y, -p]]}
)");
  const Trace mixed = run_text(head + R"(
coordinates: {q: {start: 0, rate: 2}}
bodies:
  platform: {mass: 5, inertia: [1, 1, 1], position: [0, 0, 0], rotation: [[z, q]], points: {rim: [1, 0, 0]}}
  bob: {free: true, mass: 2, inertia: [0.1, 0.12, 0.05], position: [1 + 0.6*sin(0.5), 0, -0.6*cos(0.5)], orientation: [cos(0.25), 0, -sin(0.25), 0],
        velocity: [0, 2 + 1.2*sin(0.5), 0], spin: [0, 0, 2], points: {top: [0, 0, 0.6]}}
joints: {hinge: {pin: [bob.top, platform.rim], axis: [0, 1, 0]}}
)");
  ASSERT_EQ(mixed.status, RunStatus::done) << mixed.reason;
  EXPECT_LT(largest_error(mixed, "q", [&](std::size_t r) { return at_row(placed, r, "q"); }), 1e-9);
  EXPECT_LT(
      largest_error(mixed, "hinge.angle", [&](std::size_t r) { return -at_row(placed, r, "p"); }),
      1e-9);
}

}  // namespace
}  // namespace clack::acceptance
