// SPDX-License-Identifier: Apache-2.0
// Bodies in space as whole runs: docs/theories/newton.md through the executor.
#include "acceptance/spatial_runs.hpp"

namespace clack::acceptance::spatial {
namespace {

// Reference 4.2 and section 5, 1e-9.
TEST(SphereOnAPlane, SlidesIntoRolling) {
  const Ran run("rolling/sphere-3d.yaml");
  const auto stick = run.times(EventKind::stick);
  ASSERT_EQ(stick.size(), 1u);
  EXPECT_NEAR(stick[0], 0.291247997670016, 1e-9);
  EXPECT_NEAR(run.v("ball.vx"), 10.0 / 7, 1e-9);
  EXPECT_NEAR(run.q("ball.x") - 10.0 / 7 * (1.0 - stick[0]), 0.4992822817200275, 1e-9);
}

// t = |slip|/(mu g (1 + 5/2)); momentum about the contact point decides what is left.
TEST(SphereOnAPlane, SidewaysSpinBendsThePathAndDrillingSpinStays) {
  const Ran run("rolling/sphere-3d.yaml", {{"w0x", "3"}, {"w0y", "-2"}, {"w0z", "7"}});
  const Vector3d slip(2.0 - (-2.0), 3.0, 0.0);
  const auto stick = run.times(EventKind::stick);
  ASSERT_EQ(stick.size(), 1u);
  EXPECT_NEAR(stick[0], slip.norm() / (0.2 * 9.81 * 3.5), 1e-9);
  const Vector3d rolling = Vector3d(2, 0, 0) - slip * 2.0 / 7.0;
  EXPECT_NEAR(run.v("ball.vx"), rolling.x(), 1e-9);
  EXPECT_NEAR(run.v("ball.vy"), rolling.y(), 1e-9);
  EXPECT_NEAR(run.v("ball.wz"), 7.0, 1e-12);
  EXPECT_NEAR(run.v("ball.wy"), rolling.x(), 1e-9);
  EXPECT_NEAR(run.v("ball.wx"), -rolling.y(), 1e-9);
}

TEST(SphereOnAPlane, RollingFromTheStartNeedsNoFriction) {
  const Ran run("rolling/sphere-3d.yaml", {{"w0y", "2"}});
  EXPECT_TRUE(run.times(EventKind::stick).empty());
  EXPECT_NEAR(run.v("ball.vx"), 2.0, 1e-12);
  EXPECT_NEAR(run.trace.energy.dissipated, 0.0, 1e-12);
}

// Section 5, incline rows, in space: gravity turned by the angle in a direction that is no axis.
TEST(SphereOnAPlane, OnASlopeItRollsOrSlipsAsTheClosedFormSays) {
  for (const double degrees : {20.0, 60.0}) {
    const double angle = degrees * M_PI / 180.0, heading = 0.7;
    const std::string text = fmt::format(
        "clack: 1\ndimension: 3\ngravity: [{}, {}, {}]\nbodies:\n"
        "  floor: {{fixed: true, shape: {{half-space: {{normal: [0, 0, 1]}}}}}}\n"
        "  ball: {{mass: 1, inertia: 0.4, position: [0, 0, 1], shape: {{sphere: {{radius: 1}}}}}}\n"
        "contacts: {{ground: {{between: [ball, floor], friction: 0.3}}}}\n"
        "run: {{until: 1, theory: newton}}\n",
        9.81 * std::sin(angle) * std::cos(heading), 9.81 * std::sin(angle) * std::sin(heading),
        -9.81 * std::cos(angle));
    const Ran run(read_model_text(text, "slope.yaml"));
    const double speed = std::hypot(run.v("ball.vx"), run.v("ball.vy"));
    const double spin = std::hypot(run.v("ball.wx"), run.v("ball.wy"));
    EXPECT_NEAR(speed, degrees < 30 ? 2.3965840043034365 : 7.024209211125342, 1e-11);
    EXPECT_NEAR(spin, degrees < 30 ? 2.3965840043034365 : 3.67875, 1e-11);
  }
}

// Section 5, two-ball column, 1e-9.
TEST(Column, WithAGapTheBallsCollideOneAfterTheOther) {
  const Ran run("column/column.yaml");
  const auto times = run.times(EventKind::impact);
  ASSERT_GE(times.size(), 3u);
  EXPECT_NEAR(times[0], 0.4515236409857309, 1e-9);
  EXPECT_NEAR(times[1], 0.4516365218959774, 1e-9);
  EXPECT_NEAR(times[2], 0.4519744893655239, 1e-9);
  EXPECT_NEAR(run.after(run.trace.impacts[1], "ball1", "v").z(), -1.4775896677528575, 1e-9);
  EXPECT_NEAR(run.after(run.trace.impacts[1], "ball2", "v").z(), 7.3813041683871825, 1e-9);
}

// Section 4.3: touching balls rebound together with e v; impulses (1 + e) v times the mass above.
TEST(Column, TouchingBallsReboundTogetherAndComeToRest) {
  const Ran run("column/column.yaml", {{"n", "3"}, {"gap", "0"}, {"e", "0.5"}, {"run.until", "2"}});
  const TraceImpact& impact = run.trace.impacts.at(0);
  const double v = std::sqrt(2 * 9.81);
  for (const char* ball : {"ball1", "ball2", "ball3"})
    EXPECT_NEAR(run.after(impact, ball, "v").z(), 0.5 * v, 1e-10);
  EXPECT_NEAR(run.normal_impulse(impact, "ground"), 1.5 * v * 1.75, 1e-9);
  EXPECT_NEAR(run.normal_impulse(impact, "12"), 1.5 * v * 0.75, 1e-9);
  EXPECT_NEAR(run.normal_impulse(impact, "23"), 1.5 * v * 0.25, 1e-9);
  const auto zeno = run.times(EventKind::zeno);
  ASSERT_EQ(zeno.size(), 1u);
  EXPECT_NEAR(zeno[0], std::sqrt(2 / 9.81) * 3.0, 1e-9);  // t1 (1 + e)/(1 - e)
}

// Section 4.4 in space: one ball of the column.
TEST(Column, OneBallBouncesToRestAtTheAccumulationTime) {
  const Ran run("column/column.yaml", {{"n", "1"}, {"e", "0.8"}, {"run.until", "5"}});
  const auto times = run.times(EventKind::impact);
  ASSERT_GE(times.size(), 4u);
  EXPECT_NEAR(times[0], 0.4515236409857309, 1e-9);
  EXPECT_NEAR(times[3], 2.2142719353940246, 1e-9);
  ASSERT_EQ(run.times(EventKind::zeno).size(), 1u);
  EXPECT_NEAR(run.times(EventKind::zeno)[0], 4.063712768871578, 1e-9);
}

// Section 6: a ball on four fixed balls has forces that are not unique; it rests all the same.
TEST(EdgeCases, ABallOnFourBallsRestsAlthoughItsForcesAreNotUnique) {
  const Ran run(read_model_text(R"yaml(
clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  "base{i}": {fixed: true, position: ["cos(pi/2*{i})", "sin(pi/2*{i})", 0], shape: {sphere: {radius: 0.7}}, repeat: {count: 4, as: i}}
  ball: {mass: 1, inertia: 0.1, position: [0, 0, sqrt(1.2^2 - 1)], shape: {sphere: {radius: 0.5}}}
contacts: {"c{i}": {between: [ball, "base{i}"], friction: 0.3, repeat: {count: 4, as: i}}}
run: {until: 0.5, theory: newton}
)yaml",
                                "four.yaml"));
  EXPECT_EQ(run.trace.status, RunStatus::done);
  for (const double speed : run.trace.final_v) EXPECT_NEAR(speed, 0.0, 1e-9);
}

// Section 6: a start deeper than the tolerance names the pair and the depth.
TEST(EdgeCases, AStartThatPenetratesIsRefused) {
  try {
    const Ran run("three-balls/three-balls.yaml", {{"a.y_0", "1.9"}});
    FAIL() << "no error";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("contact ab (a and b): penetrates by 0.1 m"),
              std::string::npos)
        << error.what();
  }
}

// Section 6: a contact that touches but separates is open; a graze has no impulse.
TEST(EdgeCases, BallsThatTouchAndSeparateAreOpen) {
  const Ran run("three-balls/three-balls.yaml",
                {{"distance", "0"}, {"c.vx_0", "1"}, {"run.until", "0.1"}});
  EXPECT_TRUE(run.trace.impacts.empty());
  EXPECT_EQ(run.trace.modes.at(0).status_of(run.contact("bc")), ContactStatus::open);
}

// A cube dropped flat on its face without restitution: four corners land at once and stay.
TEST(Boxes, ACubeDroppedFlatLandsOnFourCorners) {
  const Ran run(read_model_text(R"(
clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  floor: {fixed: true, shape: {half-space: {normal: [0, 0, 1]}}}
  cube: {mass: 1, inertia: 1/6, position: [0, 0, 1.5], velocity: [1, 0.5, 0], shape: {box: {width: 1, height: 1, depth: 1}}}
contacts: {c: {between: [cube, floor], friction: 0.3}}
run: {until: 2, theory: newton}
)",
                                "cube.yaml"));
  ASSERT_EQ(run.trace.impacts.size(), 1u);
  const double fall = std::sqrt(2 / 9.81);
  EXPECT_NEAR(run.trace.impacts[0].t, fall, 1e-12);
  EXPECT_EQ(run.trace.impacts[0].contacts.size(), 4u);
  for (const double speed : run.trace.final_v) EXPECT_NEAR(speed, 0.0, 1e-9);
  EXPECT_NEAR(run.q("cube.z"), 0.5, 1e-12);
  EXPECT_FALSE(run.trace.modes.back().closed.empty());
  for (const TraceStatus& contact : run.trace.modes.back().closed)
    EXPECT_EQ(contact.status, ContactStatus::stick);
}

// With restitution the four corners stay together through all bounces: sqrt(2h/g) (1 + e)/(1 - e).
TEST(Boxes, ACubeDroppedFlatBouncesFlatToRest) {
  const Ran run(read_model_text(R"(
clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  floor: {fixed: true, shape: {half-space: {normal: [0, 0, 1]}}}
  cube: {mass: 1, inertia: 0.04/6, position: [0, 0, 0.3], shape: {box: {width: 0.2, height: 0.2, depth: 0.2}}}
contacts: {c: {between: [cube, floor], friction: 0.4, restitution: 0.5}}
run: {until: 1, theory: newton}
)",
                                "cube.yaml"));
  EXPECT_GT(run.trace.impacts.size(), 15u);
  for (const TraceImpact& impact : run.trace.impacts) EXPECT_EQ(impact.contacts.size(), 4u);
  const auto zeno = std::find_if(run.trace.events.begin(), run.trace.events.end(),
                                 [](const TraceEvent& e) { return e.kind == EventKind::zeno; });
  ASSERT_NE(zeno, run.trace.events.end());
  EXPECT_NEAR(zeno->t, 3.0 * std::sqrt(0.4 / 9.81), 1e-9);
  EXPECT_NEAR(run.q("cube.z"), 0.1, 1e-12);
  for (const char* part : {"cube.qx", "cube.qy", "cube.qz"}) EXPECT_NEAR(run.q(part), 0.0, 1e-12);
}

// A heap of spheres between four walls comes to rest, everything sticking, and no energy appears.
TEST(Pile, EightSpheresComeToRest) {
  const Ran run("pile/spheres.yaml");
  EXPECT_EQ(run.trace.status, RunStatus::done);
  for (const double speed : run.trace.final_v) EXPECT_NEAR(speed, 0.0, 1e-12);
  EXPECT_FALSE(run.trace.modes.back().closed.empty());
  for (const TraceStatus& contact : run.trace.modes.back().closed)
    EXPECT_EQ(contact.status, ContactStatus::stick);
  for (const TraceImpact& impact : run.trace.impacts)
    EXPECT_LE(impact.energy_after, impact.energy_before * (1.0 + 1e-9));
  const auto z = [&](int i) { return run.q("s" + std::to_string(i) + ".z"); };
  for (int i = 1; i <= 4; ++i) EXPECT_NEAR(z(i), 0.1, 1e-9);  // on the floor
  for (int i = 5; i <= 8; ++i) EXPECT_GT(z(i), 0.2);          // carried by the others
}

// On a slope steeper than friction a cube slides with g (sin - mu cos) without turning over.
TEST(Boxes, ACubeSlidesDownASlope) {
  const double angle = 0.5, mu = 0.2;
  const Ran run(read_model_text(fmt::format(R"(
clack: 1
dimension: 3
gravity: [{}, 0, {}]
bodies:
  floor: {{fixed: true, shape: {{half-space: {{normal: [0, 0, 1]}}}}}}
  cube: {{mass: 1, inertia: 1/6, position: [0, 0, 0.5], shape: {{box: {{width: 1, height: 1, depth: 1}}}}}}
contacts: {{c: {{between: [cube, floor], friction: {}}}}}
run: {{until: 0.5, theory: newton}}
)",
                                            9.81 * std::sin(angle), -9.81 * std::cos(angle), mu),
                                "slope.yaml"));
  EXPECT_EQ(run.trace.status, RunStatus::done) << run.trace.reason;
  EXPECT_NEAR(run.v("cube.vx"), 0.5 * 9.81 * (std::sin(angle) - mu * std::cos(angle)), 1e-9);
  EXPECT_NEAR(run.v("cube.wy"), 0.0, 1e-9);
}

// Two boxes balanced on crossed edges: central impact, v+ = -e v-; the edges are 1/4 m apart.
TEST(Boxes, CrossedEdgesHitEachOther) {
  const Ran run(read_model_text(R"(
clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  lower: {fixed: true, orientation: [cos(pi/8), sin(pi/8), 0, 0], shape: {box: {width: 2, height: 2, depth: 2}}}
  upper: {mass: 1, inertia: 2/3, position: [0, 0, 2*sqrt(2) + 0.25], orientation: [cos(pi/8), 0, sin(pi/8), 0], shape: {box: {width: 2, height: 2, depth: 2}}}
contacts: {c: {between: [upper, lower], restitution: 0.5}}
run: {until: 0.3, theory: newton}
)",
                                "edges.yaml"));
  // Of the 160 pairs of features those are listed that touched, the pair has its own columns.
  EXPECT_EQ(run.trace.contacts, std::vector<std::string>{"c.edge8.edge3"});
  EXPECT_EQ(run.trace.pairs, std::vector<std::string>{"c"});
  ASSERT_EQ(run.trace.impacts.size(), 1u);
  const double fall = std::sqrt(2 * 0.25 / 9.81);
  EXPECT_NEAR(run.trace.impacts[0].t, fall, 1e-12);
  EXPECT_NEAR(run.after(run.trace.impacts[0], "upper", "v").z(), 0.5 * 9.81 * fall, 1e-11);
  EXPECT_LT(run.after(run.trace.impacts[0], "upper", "w").norm(), 1e-12);
}

// A box laid on a larger one: four corners carry it; the corners of the lower one stay apart.
TEST(Boxes, ASmallBoxRestsOnALargerOne) {
  const Ran run(read_model_text(R"(
clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  lower: {fixed: true, shape: {box: {width: 4, height: 4, depth: 1}}}
  upper: {mass: 1, inertia: 1/6, position: [0.3, 0.2, 1], shape: {box: {width: 1, height: 1, depth: 1}}}
contacts: {c: {between: [upper, lower], friction: 0.5}}
run: {until: 0.5, theory: newton}
)",
                                "laid.yaml"));
  EXPECT_EQ(run.trace.status, RunStatus::done) << run.trace.reason;
  for (const double speed : run.trace.final_v) EXPECT_NEAR(speed, 0.0, 1e-12);
  EXPECT_EQ(run.trace.modes.back().closed.size(), 4u);
}

}  // namespace
}  // namespace clack::acceptance::spatial
