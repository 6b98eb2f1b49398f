// SPDX-License-Identifier: Apache-2.0
// Joints by name in the plane: closed forms, and the same mechanisms written in coordinates.
#include <gtest/gtest.h>

#include "acceptance/joint_runs.hpp"

namespace clack::acceptance {
namespace {

// A uniform rod of length l that hangs from its end, at the angle q0 from the downward vertical; its own angle is 0 when it
// points along x.
const std::string pendulum = R"(
clack: 1
parameters: {m: 2, l: 0.8, g: 9.81, q0: 2.5, a0: q0 - pi/2}
gravity: [0, -g]
bodies:
  rod: {mass: m, inertia: m*l^2/12, position: [l/2*cos(a0), l/2*sin(a0)], angle: a0, points: {top: [-l/2, 0]}}
joints: {pivot: {pin: [rod.top, [0, 0]]}}
run: {until: 1, tolerance: 1e-12, sample: 0.01}
)";

TEST(Pin, PhysicalPendulumComesBackAfterThePeriodOfTheEllipticIntegral) {
  const double l = 0.8, g = 9.81, q0 = 2.5;
  const double period = 4.0 * std::comp_ellint_1(std::sin(q0 / 2.0)) / std::sqrt(1.5 * g / l);
  for (const char* formulation :
       {"delassus", "projection", "multipliers", "nullspace", "embedding"}) {
    const Trace trace =
        run_text(pendulum, {{"run.until", exact(period)}, {"run.formulation", formulation}});
    ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
    EXPECT_NEAR(final_value(trace, "rod.angle"), q0 - M_PI / 2, 1e-9) << formulation;
    EXPECT_NEAR(final_value(trace, "rod.angle_dot"), 0.0, 1e-9) << formulation;
  }
}

TEST(Pin, ReactionCarriesWeightAndCentripetalForce) {
  const Trace trace = run_text(pendulum);
  // m a = weight + reaction, the centre on a circle of radius l/2; w' = -3 g/(2 l) sin q, w^2 = 3 g/l (cos q - cos q0)
  const double m = 2, l = 0.8, g = 9.81, q0 = 2.5;
  const auto angle = [&](std::size_t row) { return at_row(trace, row, "rod.angle") + M_PI / 2; };
  const auto force = [&](std::size_t row, bool is_x) {
    const double q = angle(row), turn = -1.5 * g / l * std::sin(q),
                 w2 = 3.0 * g / l * (std::cos(q) - std::cos(q0));
    const double ax = l / 2 * (turn * std::cos(q) - w2 * std::sin(q)),
                 ay = l / 2 * (turn * std::sin(q) + w2 * std::cos(q));
    return is_x ? m * ax : m * (ay + g);
  };
  EXPECT_LT(largest_error(trace, "pivot.fx", [&](std::size_t r) { return force(r, true); }), 1e-8);
  EXPECT_LT(largest_error(trace, "pivot.fy", [&](std::size_t r) { return force(r, false); }), 1e-8);
}

TEST(Pin, DoublePendulumEqualsTheSameInAngles) {
  const std::string head = R"(
clack: 1
parameters: {m1: 1, m2: 0.7, l1: 1, l2: 0.6, g: 9.8, a1: 0.4, a2: -0.9, w1: 1, w2: -2}
gravity: [0, -g]
run: {until: 3, tolerance: 1e-12, sample: 0.01}
)";
  const Trace angles = run_text(head + R"(
coordinates: {q1: {start: a1, rate: w1}, q2: {start: a2, rate: w2}}
bodies:
  rod1: {mass: m1, inertia: m1*l1^2/12, position: [l1/2*cos(q1), l1/2*sin(q1)], angle: q1}
  rod2: {mass: m2, inertia: m2*l2^2/12, position: [l1*cos(q1) + l2/2*cos(q2), l1*sin(q1) + l2/2*sin(q2)], angle: q2}
)");
  const Trace joints = run_text(head + R"(
bodies:
  rod1: {mass: m1, inertia: m1*l1^2/12, position: [l1/2*cos(a1), l1/2*sin(a1)], angle: a1, spin: w1,
         velocity: [-l1/2*sin(a1)*w1, l1/2*cos(a1)*w1], points: {top: [-l1/2, 0], tip: [l1/2, 0]}}
  rod2: {mass: m2, inertia: m2*l2^2/12, position: [l1*cos(a1) + l2/2*cos(a2), l1*sin(a1) + l2/2*sin(a2)], angle: a2, spin: w2,
         velocity: [-l1*sin(a1)*w1 - l2/2*sin(a2)*w2, l1*cos(a1)*w1 + l2/2*cos(a2)*w2], points: {top: [-l2/2, 0]}}
joints: {shoulder: {pin: [rod1.top, [0, 0]]}, elbow: {pin: [rod2.top, rod1.tip]}}
)");
  ASSERT_EQ(angles.row_count(), joints.row_count());
  EXPECT_LT(
      largest_error(angles, "q1", [&](std::size_t r) { return at_row(joints, r, "rod1.angle"); }),
      1e-9);
  EXPECT_LT(
      largest_error(angles, "q2", [&](std::size_t r) { return at_row(joints, r, "rod2.angle"); }),
      1e-9);
}

TEST(Joints, SliderCrankEqualsTheOneInCoordinates) {
  for (const char* a : {"0.3", "1.2"}) {  // turning, rocking
    const Trace coordinates =
        run_file("slider-crank/slider-crank.yaml", {{"a", a}, {"run.tolerance", "1e-12"}});
    const Trace joints =
        run_file("joints/slider-crank.yaml", {{"a", a}, {"run.tolerance", "1e-12"}});
    ASSERT_EQ(joints.status, RunStatus::done) << joints.reason;
    EXPECT_NEAR(final_value(joints, "crank.angle"), final_value(coordinates, "th"), 1e-8);
    EXPECT_NEAR(final_value(joints, "rod.angle"), final_value(coordinates, "ph"), 1e-8);
    EXPECT_NEAR(final_value(joints, "slider.x"), final_value(coordinates, "x"), 1e-8);
    // The loop pushes the rod towards the slider: its force is that of the wrist.
    EXPECT_NEAR(last(joints, "wrist.fx"), last(coordinates, "force_loop_1"), 1e-6);
  }
}

TEST(Joints, FourBarEqualsTheOneInCoordinates) {
  const Trace coordinates = run_file("four-bar/four-bar.yaml", {{"run.tolerance", "1e-12"}});
  const auto start = [&](const std::string& name) { return exact(at_row(coordinates, 0, name)); };
  const Trace joints = run_text(R"(
clack: 1
parameters: {a: 0.2, b: 0.6, c: 0.5, d: 0.7, m1: 1, m2: 2, m3: 1.5, g: 9.8, th: 0, be: 0, ga: 0, thd: 0, bed: 0, gad: 0}
gravity: [0, -g]
bodies:
  crank: {mass: m1, inertia: m1*a^2/12, position: [a/2*cos(th), a/2*sin(th)], angle: th, velocity: [-a/2*sin(th)*thd, a/2*cos(th)*thd], spin: thd,
          points: {s: [-a/2, 0], e: [a/2, 0]}}
  coupler: {mass: m2, inertia: m2*b^2/12, position: [a*cos(th) + b/2*cos(be), a*sin(th) + b/2*sin(be)], angle: be, spin: bed,
            velocity: [-a*sin(th)*thd - b/2*sin(be)*bed, a*cos(th)*thd + b/2*cos(be)*bed], points: {s: [-b/2, 0], e: [b/2, 0]}}
  rocker: {mass: m3, inertia: m3*c^2/12, position: [d + c/2*cos(ga), c/2*sin(ga)], angle: ga, velocity: [-c/2*sin(ga)*gad, c/2*cos(ga)*gad], spin: gad,
           points: {s: [-c/2, 0], e: [c/2, 0]}}
joints:
  A: {pin: [crank.s, [0, 0]]}
  B: {pin: [coupler.s, crank.e]}
  C: {pin: [coupler.e, rocker.e]}
  D: {pin: [rocker.s, [d, 0]]}
run: {until: 5, theory: embedding, tolerance: 1e-12}
)",
                                {{"th", start("th")},
                                 {"be", start("be")},
                                 {"ga", start("ga")},
                                 {"thd", start("th_dot")},
                                 {"bed", start("be_dot")},
                                 {"gad", start("ga_dot")}});
  ASSERT_EQ(joints.status, RunStatus::done) << joints.reason;
  EXPECT_NEAR(final_value(joints, "crank.angle"), final_value(coordinates, "th"), 1e-8);
  EXPECT_NEAR(final_value(joints, "coupler.angle"), final_value(coordinates, "be"), 1e-8);
  EXPECT_NEAR(final_value(joints, "rocker.angle"), final_value(coordinates, "ga"), 1e-8);
}

// Embedding chooses its one independent speed anew 360 times on the way, which costs it a digit.
TEST(Joints, EnergyOfAnUnforcedMechanismHoldsFor100Seconds) {
  for (const auto& [formulation, part] :
       {std::pair("delassus", 1e-10), std::pair("embedding", 1e-9)}) {
    const Trace trace = run_file("joints/slider-crank.yaml", {{"run.until", "100"},
                                                              {"run.tolerance", "1e-13"},
                                                              {"run.sample", "1"},
                                                              {"run.formulation", formulation}});
    ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
    const double start = at_row(trace, 0, "total"), kinetic = at_row(trace, 0, "kinetic");
    EXPECT_LT(largest_error(trace, "total", [&](std::size_t) { return start; }), part * kinetic)
        << formulation;
  }
}

TEST(Weld, CantileverCarriesWeightAndMoment) {
  const Trace trace = run_text(R"(
clack: 1
parameters: {m: 3, l: 2, g: 9.81}
gravity: [0, -g]
bodies: {beam: {mass: m, inertia: m*l^2/12, position: [l/2, 0], points: {root: [-l/2, 0]}}}
joints: {wall: {weld: [beam.root, [0, 0]]}}
run: {until: 0.1}
)");
  EXPECT_NEAR(last(trace, "wall.fx"), 0.0, 1e-12);
  EXPECT_NEAR(last(trace, "wall.fy"), 3 * 9.81, 1e-12);
  EXPECT_NEAR(last(trace, "wall.mz"), 3 * 9.81, 1e-12);  // m g l/2
}

TEST(Slider, BodySlidesDownItsInclineWithoutTurning) {
  const Trace trace = run_text(R"(
clack: 1
parameters: {m: 2, g: 9.81, slope: 0.4}
gravity: [0, -g]
bodies: {block: {mass: m, inertia: 0.3, position: [cos(slope), sin(slope)], angle: slope, points: {foot: [0, -0.1]}}}
joints: {rail: {slider: [block.foot, [0.1*sin(slope), -0.1*cos(slope)]], axis: [1, 0]}}
run: {until: 1, tolerance: 1e-12}
events: [{name: half, when: rail.position - 0.5, do: stop}]
)");
  const double a = 9.81 * std::sin(0.4);
  EXPECT_NEAR(trace.final_time, std::sqrt(2 * 0.5 / a), 1e-11);
  EXPECT_NEAR(last(trace, "rail.fx"), -2 * 9.81 * std::cos(0.4) * std::sin(0.4), 1e-10);
  EXPECT_NEAR(last(trace, "rail.fy"), 2 * 9.81 * std::cos(0.4) * std::cos(0.4), 1e-10);
  EXPECT_NEAR(last(trace, "rail.mz"), 0.0, 1e-10);  // the force passes through the mass centre
}

TEST(Distance, BodyOnAStringIsAPendulum) {
  const std::string tail = "run: {until: 4, tolerance: 1e-12, sample: 0.1}\n";
  const Trace bob = run_text(R"(
clack: 1
gravity: [0, -9.81]
bodies: {bob: {mass: 2, inertia: 1, position: [0.6, -0.8]}}
joints: {string: {distance: [bob, [0, 0]]}}
)" + tail);
  const Trace angle = run_text(R"(
clack: 1
gravity: [0, -9.81]
coordinates: {q: asin(0.6)}
bodies: {bob: {mass: 2, position: [sin(q), -cos(q)]}}
)" + tail);
  EXPECT_LT(
      largest_error(bob, "bob.x", [&](std::size_t r) { return std::sin(at_row(angle, r, "q")); }),
      1e-9);
  // Pull of the string on the bob: m (v^2 + g cos q), towards the origin.
  EXPECT_LT(largest_error(bob, "string.fy",
                          [&](std::size_t r) {
                            const double q = at_row(angle, r, "q"), w = at_row(angle, r, "q_dot");
                            return 2 * (w * w + 9.81 * std::cos(q)) * std::cos(q);
                          }),
            1e-8);
}

// A pendulum whose pivot is shaken, against the same with its pivot in the formulas of its body.
TEST(Pin, HoldsABodyOnOneWhoseMotionIsPrescribed) {
  const std::string tail = "run: {until: 2, tolerance: 1e-12, sample: 0.1}\ngravity: [0, -9.81]\n";
  const Trace pin = run_text(R"(
clack: 1
bodies:
  cart: {motion: {position: [0.2*sin(5*t), 0]}}
  rod: {mass: 2, inertia: 0.1, position: [0.4, 0], velocity: [1, 0], points: {end: [-0.4, 0]}}
joints: {pivot: {pin: [rod.end, cart]}}
)" + tail);
  const Trace formulas = run_text(R"(
clack: 1
coordinates: {q: 0}
bodies: {rod: {mass: 2, inertia: 0.1, position: [0.2*sin(5*t) + 0.4*cos(q), 0.4*sin(q)], angle: q}}
)" + tail);
  ASSERT_EQ(pin.status, RunStatus::done) << pin.reason;
  EXPECT_LT(
      largest_error(pin, "rod.angle", [&](std::size_t r) { return at_row(formulas, r, "q"); }),
      1e-9);
  EXPECT_NEAR(pin.energy.work_of_drives, pin.energy.final - pin.energy.initial, 1e-9);
  EXPECT_GT(std::abs(pin.energy.work_of_drives), 0.1);
}

TEST(Pin, HoldsAFreeBodyOnOnePlacedByFormulas) {
  const std::string head = R"(
clack: 1
gravity: [0, -9.81]
run: {until: 2, tolerance: 1e-12, sample: 0.1}
coordinates: {x: {start: 0, rate: 0.5}}
)";
  const Trace mixed = run_text(head + R"(
bodies:
  cart: {mass: 3, inertia: 0, position: [x, 0], angle: 0}
  rod: {free: true, mass: 2, inertia: 0.1, position: [0.4, 0], velocity: [0.5, 0], points: {end: [-0.4, 0]}}
joints: {pivot: {pin: [rod.end, cart]}}
)");
  const Trace placed = run_text(R"(
clack: 1
gravity: [0, -9.81]
run: {until: 2, tolerance: 1e-12, sample: 0.1}
coordinates: {x: {start: 0, rate: 0.5}, q: 0}
bodies:
  cart: {mass: 3, inertia: 0, position: [x, 0], angle: 0}
  rod: {mass: 2, inertia: 0.1, position: [x + 0.4*cos(q), 0.4*sin(q)], angle: q}
)");
  ASSERT_EQ(mixed.status, RunStatus::done) << mixed.reason;
  EXPECT_LT(largest_error(mixed, "x", [&](std::size_t r) { return at_row(placed, r, "x"); }), 1e-9);
  EXPECT_LT(
      largest_error(mixed, "rod.angle", [&](std::size_t r) { return at_row(placed, r, "q"); }),
      1e-9);
}

// The rod starts 1 cm off its pin.
const std::string apart = R"(
clack: 1
bodies: {rod: {mass: 2, inertia: 0.1, position: [0.41, 0], points: {end: [-0.4, 0]}}}
joints: {pivot: {pin: [rod.end, [0, 0]]}}
run: {until: 0.1}
)";

TEST(JointStart, ThatDoesNotFitIsRefusedWithNameAndSize) {
  try {
    run_text(apart);
    FAIL();
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("joint pivot is violated by 0.01 at the start"),
              std::string::npos)
        << e.what();
    EXPECT_EQ(e.where(), "test.yaml:4:10");
    EXPECT_NE(e.remedy().find("--project"), std::string::npos);
  }
}

TEST(JointStart, ProjectMovesItOntoTheJointAndSaysByHowMuch) {
  RunOptions options;
  options.project = true;
  const Trace trace = run(load_model_text(apart, "test.yaml", {}), options);
  ASSERT_EQ(trace.status, RunStatus::done);
  EXPECT_NEAR(at_row(trace, 0, "rod.x"), 0.4, 1e-12);
  ASSERT_FALSE(trace.notes.empty());
  EXPECT_NE(trace.notes[0].find("moved onto it by 0.01"), std::string::npos) << trace.notes[0];
}

}  // namespace
}  // namespace clack::acceptance
