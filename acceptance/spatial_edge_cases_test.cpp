// SPDX-License-Identifier: Apache-2.0
// Edge cases of the automaton in space as whole runs (docs/theories/newton.md).
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "acceptance/run_support.hpp"

namespace clack::acceptance {
namespace {

constexpr double earth = 9.81;

bool mentions(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

/// A rod that leans by theta from the ground and slides on its tip, seen in a turned frame.
Trace leaning_rod(double theta, double mu, double slip) {
  const double heading = 0.6, c = std::cos(theta / 2), s = std::sin(theta / 2);
  const double hc = std::cos(heading / 2), hs = std::sin(heading / 2);
  // Turned by -theta about y, then by the heading about z.
  return run_text(fmt::format(R"(
clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  floor: {{fixed: true, shape: {{half-space: {{normal: [0, 0, 1]}}}}}}
  rod: {{mass: 1, inertia: [0.001, 1/12, 1/12], position: [0, 0, {}], orientation: [{}, {}, {}, {}],
    velocity: [{}, {}, 0], points: {{tip: [-0.5, 0, 0]}}}}
  ball: {{mass: 1, inertia: 1, position: [9, 0, 9], shape: {{sphere: {{radius: 1}}}}}}
contacts: {{tip: {{between: [rod.tip, floor], friction: {}}}, far: {{between: [ball, floor]}}}}
run: {{until: 0.05, theory: newton}}
)",
                              exact(0.5 * std::sin(theta)), exact(hc * c), exact(hs * s),
                              exact(-hc * s), exact(hs * c), exact(-slip * std::cos(heading)),
                              exact(-slip * std::sin(heading)), exact(mu)));
}

// The planar rod of models/rod/painleve.yaml: sliding mobility 1 + 3 cos 1 (cos 1 - mu sin 1) < 0.
TEST(SpatialEdgeCases, APainleveRodInSpaceStopsTheRunAndSaysWhy) {
  const Trace trace = leaning_rod(1.0, 1.5, 1.0);
  EXPECT_EQ(trace.status, RunStatus::stopped);
  EXPECT_TRUE(has_flag(trace, "no-solution"));
  EXPECT_TRUE(mentions(trace.reason, "tip")) << trace.reason;
  EXPECT_TRUE(mentions(trace.reason, "-0.170")) << trace.reason;
  EXPECT_EQ(trace.final_time, 0.0);
}

TEST(SpatialEdgeCases, OutsideTheParadoxTheLeaningRodSlides) {
  for (const auto& [mu, slip] : {std::pair(1.0, 1.0), std::pair(1.5, -1.0)}) {
    const Trace trace = leaning_rod(1.0, mu, slip);
    EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
    EXPECT_EQ(status_after(trace, 0.0, "tip"), ContactStatus::slip);
  }
}

const std::string ball_on_floor = R"(
clack: 1
dimension: 3
parameters: {mu: 0, v: 0, g: 9.81, gx: 0, gy: 0}
gravity: [gx, gy, -g]
bodies:
  floor: {fixed: true, shape: {half-space: {normal: [0, 0, 1]}}}
  ball: {mass: 1, inertia: 0.4, position: [0, 0, 1], velocity: [v, v/2, 0], spin: [0, 1, 2], shape: {sphere: {radius: 1}}}
contacts: {ground: {between: [ball, floor], friction: mu}}
run: {until: 1, theory: newton}
)";

TEST(SpatialEdgeCases, WithoutFrictionAContactSlipsAndNeverPulls) {
  const Trace slides = run_text(ball_on_floor, {{"v", "2"}});
  EXPECT_EQ(status_after(slides, 0.5, "ground"), ContactStatus::slip);
  EXPECT_EQ(final_value(slides, "ball.vx"), 2.0);
  EXPECT_EQ(final_value(slides, "ball.wy"), 1.0);
  EXPECT_EQ(slides.events.size(), 2u) << "start and end";
  const Trace turns = run_text(ball_on_floor, {{"ball.wy_0", "0"}});
  EXPECT_EQ(status_after(turns, 0.5, "ground"), ContactStatus::slip);
  for (const Trace* trace : {&slides, &turns})
    for (std::size_t row = 0; row < trace->row_count(); ++row) {
      EXPECT_EQ(at_row(*trace, row, "tangent1_ground"), 0.0);
      EXPECT_EQ(at_row(*trace, row, "tangent2_ground"), 0.0);
      EXPECT_NEAR(at_row(*trace, row, "normal_ground"), earth, 1e-12);
    }
}

const std::string two_balls = R"(
clack: 1
dimension: 3
parameters: {x: 3, m: 1, R: 1, mu: 0.5, e: 0.5, et: 0}
bodies:
  a: {mass: m, inertia: 0.4, shape: {sphere: {radius: R}}}
  b: {mass: 1, inertia: 0.4, position: [x, 0, 0], velocity: [-1, 0, 0], shape: {sphere: {radius: 1}}}
contacts: {ab: {between: [a, b], friction: mu, restitution: e, tangential_restitution: et}}
run: {until: 0.1, theory: newton}
)";

TEST(SpatialEdgeCases, NumbersOutsideTheirRangeAreInputErrors) {
  EXPECT_EQ(run_text(two_balls).status, RunStatus::done);
  for (const auto& [name, value] :
       {std::pair("m", "-1"), std::pair("m", "0"), std::pair("R", "-1"), std::pair("R", "0"),
        std::pair("mu", "-0.1"), std::pair("e", "-0.1"), std::pair("e", "1.1"),
        std::pair("et", "1.1"), std::pair("et", "-1.1")})
    EXPECT_THROW(run_text(two_balls, {{name, value}}), ModelError) << name << " = " << value;
}

std::string refusal(const std::string& text, const std::vector<Override>& set = {}) {
  try {
    run_text(text, set);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(SpatialEdgeCases, CoincidentCentresAreAStartThatPenetrates) {
  const std::string message = refusal(two_balls, {{"x", "0"}});
  EXPECT_TRUE(mentions(message, "ab (a and b): penetrates by 2 m")) << message;
}

TEST(SpatialEdgeCases, AStartThatPenetratesNamesThePairAndTheDepth) {
  const std::string message = refusal(two_balls, {{"x", "1.75"}});
  EXPECT_TRUE(mentions(message, "ab (a and b): penetrates by 0.25 m")) << message;
}

// Two bars crossed like a plus: no corner of one is in the other.
TEST(SpatialEdgeCases, BoxesDeepInEachOtherAreRefusedWithTheirDepth) {
  const std::string bars = R"(
clack: 1
dimension: 3
parameters: {z: 0.1}
bodies:
  one: {mass: 1, inertia: 1, shape: {box: {width: 4, height: 1, depth: 1}}}
  two: {mass: 1, inertia: 1, position: [0, 0, z], shape: {box: {width: 1, height: 4, depth: 1}}}
contacts: {cross: {between: [one, two]}}
run: {until: 0.1, theory: newton}
)";
  const std::string message = refusal(bars);
  EXPECT_TRUE(mentions(message, "cross (one and two): penetrates by 0.9 m")) << message;
  EXPECT_EQ(refusal(bars, {{"z", "1.1"}}), "");
}

TEST(SpatialEdgeCases, AFreeBodyWithoutContactsHasOneLocationAndNoNodes) {
  const ProgramFolder folder;
  folder.write("top.yaml",
               "clack: 1\ndimension: 3\nbodies: {top: {mass: 1, inertia: [1, 2, 2.5], spin: [1, 3, "
               "-2]}}\nrun: {until: 1, theory: newton}\n");
  const testing::Finished answer = folder.clack("automaton top.yaml --format json");
  ASSERT_EQ(answer.exit_code, 0) << answer.errors;
  const auto document = nlohmann::json::parse(answer.output);
  EXPECT_EQ(document.at("counts").at("locations"), 1);
  EXPECT_EQ(document.at("counts").at("nodes"), 0);
  EXPECT_TRUE(document.at("edges").empty());
}

// b passes a at the distance of the radii: it touches once, with no approach and no impulse.
TEST(SpatialEdgeCases, AGrazingBallGoesOnAsIfAlone) {
  const Trace trace = run_text(two_balls, {{"b.y_0", "2"}, {"run.until", "6"}, {"b.wz_0", "3"}});
  EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
  for (const TraceImpact& impact : trace.impacts)
    for (const double impulse : impact.normal_impulse) EXPECT_NEAR(impulse, 0.0, 1e-7);
  EXPECT_NEAR(final_value(trace, "b.vx"), -1.0, 1e-7);
  EXPECT_NEAR(final_value(trace, "b.vy"), 0.0, 1e-7);
  EXPECT_NEAR(final_value(trace, "b.wz"), 3.0, 1e-7);
}

/// A ball thrown up a slope along a heading that is no axis.
Trace uphill(double angle, double mu, double v) {
  const double heading = 0.7, down = earth * std::sin(angle);
  return run_text(ball_on_floor, {{"mu", exact(mu)},
                                  {"g", exact(earth * std::cos(angle))},
                                  {"gx", exact(down * std::cos(heading))},
                                  {"gy", exact(down * std::sin(heading))},
                                  {"ball.vx_0", exact(-v * std::cos(heading))},
                                  {"ball.vy_0", exact(-v * std::sin(heading))},
                                  {"ball.wy_0", "0"},
                                  {"ball.wz_0", "0"}});
}

// Slip falls with g (sin + 7/2 mu cos); then the ball rolls, or slips down with g (sin - mu cos).
TEST(SpatialEdgeCases, SlipThatVanishesGoesThroughTheNodeToStickOrToTheOppositeSlip) {
  for (const double angle : {0.3, 1.2}) {
    const double mu = 0.3, v = 2.0, sine = std::sin(angle), cosine = std::cos(angle);
    const double turn = v / (earth * (sine + 3.5 * mu * cosine));
    const bool rolls = std::tan(angle) <= 3.5 * mu;
    const Trace trace = uphill(angle, mu, v);
    EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
    const auto sticks = events_of(trace, EventKind::stick, "ground");
    ASSERT_EQ(sticks.size(), rolls ? 1u : 0u);
    if (rolls) {
      EXPECT_NEAR(sticks[0]->t, turn, 1e-9);
    }
    EXPECT_EQ(status_after(trace, 0.9, "ground"),
              rolls ? ContactStatus::stick : ContactStatus::slip);
    const double before = v - earth * (sine + mu * cosine) * turn;
    const double after = rolls ? earth * sine * 5.0 / 7.0 : earth * (sine - mu * cosine);
    const double speed = -(final_value(trace, "ball.vx") * std::cos(0.7) +
                           final_value(trace, "ball.vy") * std::sin(0.7));
    EXPECT_NEAR(speed, before - after * (1.0 - turn), 1e-9);
    // Friction opposes the slip before and after: its sign changes at that instant and nowhere
    // else.
    int changes = 0;
    double last = 0.0;
    for (std::size_t row = 0; row < trace.row_count(); ++row) {
      const double force = at_row(trace, row, "tangent1_ground");
      if (last * force < 0.0) {
        ++changes;
        EXPECT_NEAR(at_row(trace, row, "t"), turn, 1e-9);
      }
      if (force != 0.0) last = force;
    }
    EXPECT_EQ(changes, 1);
  }
}

// One ball begins to roll at t1 = 2 v/(7 mu g); a force lifts the other off at the same instant.
TEST(SpatialEdgeCases, SlipThatVanishesWhileAnotherContactOpensIsOneInstant) {
  const double t1 = 2.0 * 2.0 / (7.0 * 0.2 * earth);
  const Trace trace = run_text(R"(
clack: 1
dimension: 3
parameters: {t1: 2*2/(7*0.2*9.81)}
gravity: [0, 0, -9.81]
bodies:
  floor: {fixed: true, shape: {half-space: {normal: [0, 0, 1]}}}
  ball: {mass: 1, inertia: 0.4, position: [0, 0, 1], velocity: [2, 0, 0], shape: {sphere: {radius: 1}}}
  lifted: {mass: 1, inertia: 0.4, position: [0, 5, 1], shape: {sphere: {radius: 1}}}
forces: [{on: lifted, force: [0, 0, 9.81*t/t1]}]
contacts:
  rolls: {between: [ball, floor], friction: 0.2}
  opens: {between: [lifted, floor], friction: 0.2}
run: {until: 0.5, theory: newton, tolerance: 1e-12}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const auto stick = events_of(trace, EventKind::stick, "rolls"),
             detach = events_of(trace, EventKind::detach, "opens");
  ASSERT_EQ(stick.size(), 1u);
  ASSERT_EQ(detach.size(), 1u);
  EXPECT_NEAR(detach[0]->t, t1, 1e-9);
  // Where a force falls to zero the node looks 1e-6 of a step ahead; the other contact sticks by
  // then.
  EXPECT_NEAR(stick[0]->t, t1, 1e-8);
  EXPECT_EQ(status_after(trace, 0.4, "rolls"), ContactStatus::stick);
  EXPECT_EQ(status_after(trace, 0.4, "opens"), ContactStatus::open);
  EXPECT_NEAR(final_value(trace, "ball.vx"), 10.0 / 7.0, 1e-9);
  const double late = 0.5 - t1;  // acceleration g (t - t1)/t1
  EXPECT_NEAR(final_value(trace, "lifted.vz"), earth * late * late / (2.0 * t1), 1e-9);
}

}  // namespace
}  // namespace clack::acceptance
