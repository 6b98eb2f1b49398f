// SPDX-License-Identifier: Apache-2.0
// Edges of minimal speeds: none are left or none is determined, several things at one instant, zones, long runs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "clack/error.hpp"
#include "clack/hybrid/embed.hpp"
#include "clack/hybrid/steered_run.hpp"
#include "clack/input_file.hpp"

namespace clack {
namespace {

Trace edge_run(const std::string& yaml) {
  return run(load_model_text("clack: 1\n" + yaml, "model.yaml"));
}

double value_at_end(const Trace& trace, const std::string& column) {
  const auto at = std::ranges::find(trace.columns, column);
  EXPECT_NE(at, trace.columns.end()) << column;
  return trace.rows[trace.rows.size() - trace.columns.size() + (at - trace.columns.begin())];
}

long number_of_events(const Trace& trace, EventKind kind) {
  return std::ranges::count(trace.events, kind, &TraceEvent::kind);
}

std::string gallery_yaml(const std::string& name) {
  return read_input_file(std::string(CLACK_SOURCE_DIR "/models/") + name);
}

TEST(EmbeddingEdges, NoSpeedIsLeftAndTheForcesAreThere) {
  const Trace trace = edge_run(
      "dimension: 2\ncoordinates: {x: 0, y: {start: 0, rate: 1}}\nmass_matrix: [[2, 0], [0, "
      "3]]\nforce: [0, 0]\n"
      "constraints: {lift: {configuration: x - t^2}, slide: {motion: y_dot - 1 - t}}\n"
      "run: {until: 2, theory: embedding}\n");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_NEAR(value_at_end(trace, "x"), 4.0, 1e-9);
  EXPECT_NEAR(value_at_end(trace, "y"), 4.0, 1e-9);
  EXPECT_NEAR(value_at_end(trace, "force_lift"), 4.0, 1e-12);
  EXPECT_NEAR(value_at_end(trace, "force_slide"), 3.0, 1e-12);
}

// Weight and joints balance: accelerations are rounding, and so are the speeds that they add up to. Nothing moves.
TEST(EmbeddingEdges, ALockedMechanismRestsUnderItsWeightForEveryFormulation) {
  std::string yaml = gallery_yaml("slider-crank/slider-crank.yaml");
  yaml.replace(yaml.find("  loop: {"), 0, "  lock: {motion: x_dot}\n");
  for (const char* formulation :
       {"embedding", "multipliers", "nullspace", "delassus", "projection"}) {
    const Trace trace = run(
        load_model_text(yaml, "model.yaml",
                        {{"thd0", "0"}, {"run.until", "30"}, {"run.formulation", formulation}}));
    ASSERT_EQ(trace.status, RunStatus::done) << formulation << ": " << trace.reason;
    EXPECT_NEAR(value_at_end(trace, "th"), 0.5, 1e-9) << formulation;
    EXPECT_NEAR(value_at_end(trace, "th_dot"), 0.0, 1e-9) << formulation;
  }
}

void expect_stopped(const Trace& trace, double from, double to, const std::string& reason,
                    const std::string& remedy) {
  EXPECT_EQ(trace.status, RunStatus::stopped);
  EXPECT_GE(trace.final_time, from);
  EXPECT_LE(trace.final_time, to);
  EXPECT_NE(trace.reason.find(reason), std::string::npos) << trace.reason;
  EXPECT_NE(trace.remedy.find(remedy), std::string::npos) << trace.remedy;
}

// The tip of a double pendulum of unit rods is pulled away at (1, 1/2) m/s from (x, y). On the circle of radius 2 both rods
// are in line and the two rows depend on each other: 5/4 t^2 + (2 x + y) t + x^2 + y^2 = 4.
TEST(EmbeddingEdges, APoseInWhichTheRankFallsIsToldWithTimeRankNamesAndPivot) {
  const double x = std::sin(1.9), y = -1.0 - std::cos(1.9), half = x + 0.5 * y,
               in_line = (-half + std::sqrt(half * half - 1.25 * (x * x + y * y - 4.0))) / 1.25;
  const Trace trace = edge_run(
      "dimension: 2\ncoordinates: {a: {start: 0, rate: 1 - 0.5/tan(1.9)}, b: {start: 1.9, rate: "
      "0.5/sin(1.9)}}\n"
      "bodies:\n  elbow: {mass: 1, position: [sin(a), -cos(a)]}\n"
      "  tip: {mass: 1, position: [sin(a) + sin(b), -cos(a) - cos(b)]}\n"
      "constraints: {pull: {motion: [cos(a)*a_dot + cos(b)*b_dot - 1, sin(a)*a_dot + "
      "sin(b)*b_dot - 0.5]}}\n"
      "run: {until: 9, theory: embedding}\n");
  expect_stopped(trace, in_line - 1e-6, in_line + 1e-6,
                 "the rank of the rows pull 1, pull 2 falls from 2 to 1 here (smallest pivot",
                 "formulation projection");
}

// 2 x' = 1 and x' = 1 at once: there is no such speed.
TEST(EmbeddingEdges, RowsThatContradictEachOtherStopTheRunByName) {
  for (const char* formulation : {"embedding", "multipliers", "nullspace"})
    expect_stopped(
        edge_run(std::string("dimension: 2\ncoordinates: {x: {start: 0, rate: 1}, y: 0}\n"
                             "bodies: {b: {mass: 1, position: [x, y]}}\n"
                             "constraints: {one: {motion: x_dot - 1}, other: {motion: 2*x_dot - 1, "
                             "active: t - 1}}\n"
                             "run: {until: 2, theory: embedding, formulation: ") +
                 formulation + "}\n"),
        1.0, 1.0, "contradict each other", "exclude each other");
}

TEST(EmbeddingEdges, AMotionWithoutInertiaIsNamedWithItsDirection) {
  expect_stopped(
      edge_run("dimension: 2\ncoordinates: {x: 0, s: 0, r: 0}\n"
               "bodies: {b: {mass: 1, position: [x, 0]}}\n"
               "constraints: {both: {motion: s_dot + r_dot - x_dot}, one: {motion: s_dot - x_dot, "
               "active: 1 - t}}\n"
               "run: {until: 2, theory: embedding}\n"),
      1.0, 1.0, "a motion without inertia: s_dot", "give what moves there a mass");
}

// The force on x is 3: rows x = 0 and 2 x = 0 share it as (f, 2 f) with 5 f = -3, the smallest of all pairs that carry it.
TEST(EmbeddingEdges, DependentRowsAreFlaggedAndShareTheSmallestForces) {
  const Trace trace = edge_run(
      "dimension: 2\ncoordinates: {x: 0, y: {start: 0, rate: 1}}\n"
      "bodies: {b: {mass: 2, position: [x, y]}}\nforces: [{on: b, force: [3, 0]}]\n"
      "constraints: {c: {configuration: x}, d: {configuration: 2*x}}\n"
      "run: {until: 2, theory: embedding}\n");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_NE(std::ranges::find(trace.flags, "rows-redundant"), trace.flags.end());
  EXPECT_NEAR(value_at_end(trace, "y"), 2.0, 1e-9);
  EXPECT_NEAR(value_at_end(trace, "force_c"), -0.6, 1e-12);
  EXPECT_NEAR(value_at_end(trace, "force_d"), -1.2, 1e-12);
}

// From the height 1 under g = 10 the bounces with restitution 1/2 end at sqrt(0.2) (1 + e)/(1 - e).
TEST(EmbeddingEdges, ImpactsThatAccumulateCloseTheContactAtTheirLimit) {
  const Trace trace = edge_run(
      "dimension: 2\ncoordinates: {y: 1}\nmass_matrix: [[1]]\nforce: [-10]\n"
      "contacts: {floor: {gap: y, restitution: 0.5}}\nrun: {until: 2, theory: embedding}\n");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const auto limit = std::ranges::find(trace.events, EventKind::zeno, &TraceEvent::kind);
  ASSERT_NE(limit, trace.events.end());
  EXPECT_NEAR(limit->t, 3.0 * std::sqrt(0.2), 1e-8);
  EXPECT_EQ(value_at_end(trace, "y_dot"), 0.0);
}

// A rod of length 2 at 60 degrees whose tip slides with friction 2, beyond 1.347: no force keeps the tip on the floor.
TEST(EmbeddingEdges, SlidingInThePainleveRangeStopsWithTheMobility) {
  const Trace trace = edge_run(
      "dimension: 2\ngravity: [0, -9.8]\n"
      "coordinates: {x: {start: 0, rate: -2}, y: sin(pi/3), th: pi/3}\n"
      "bodies: {rod: {mass: 1, inertia: 1/3, position: [x, y], angle: th}}\n"
      "contacts: {tip: {gap: y - sin(th), slip: x_dot + sin(th)*th_dot, friction: 2}}\n"
      "run: {until: 1, theory: embedding}\n");
  // 1/m + l^2 c (c - mu s)/J with c = cos, s = sin of 60 degrees: 1 + 3*(1/4 - 2*0.4330127) = -0.8480762.
  expect_stopped(trace, 0.0, 0.0, "sliding mobility is -0.848076 1/kg (Painleve)", "painleve");
}

TEST(EmbeddingEdges, NoConstraintIsOnAndAllSpeedsAreIntegrated) {
  const Trace trace = edge_run(
      "dimension: 2\ncoordinates: {x: 0, y: 0}\nmass_matrix: [[2, 0], [0, 3]]\nforce: [4, 6]\n"
      "constraints: {never: {motion: x_dot, active: false}}\nrun: {until: 2, theory: embedding}\n");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_NEAR(value_at_end(trace, "x"), 4.0, 1e-9);
  EXPECT_NEAR(value_at_end(trace, "y"), 4.0, 1e-9);
  EXPECT_EQ(number_of_events(trace, EventKind::reselect), 0);
}

// The order in which events stand decides; one that ends off was never on: nothing jumps.
TEST(EmbeddingEdges, SwitchedOnAndOffAtOneInstantItWasNeverOn) {
  const auto clutch = [](const char* first, const char* second) {
    return edge_run(
        std::string("dimension: 2\ncoordinates: {x: {start: 0, rate: 2}, y: {start: 0, rate: 0}}\n"
                    "mass_matrix: [[1, 0], [0, 3]]\nforce: [0, 0]\n"
                    "constraints: {clutch: {motion: x_dot - y_dot, active: false}}\n"
                    "events: [{name: a, when: t - 0.5, do: {constraint_") +
        first + ": clutch}}, {name: b, when: t - 0.5, do: {constraint_" + second +
        ": clutch}}]\nrun: {until: 1, theory: embedding}\n");
  };
  const Trace never = clutch("on", "off"), stays = clutch("off", "on");
  ASSERT_EQ(never.status, RunStatus::done) << never.reason;
  EXPECT_TRUE(never.impacts.empty());
  EXPECT_EQ(value_at_end(never, "x_dot"), 2.0);
  ASSERT_EQ(stays.status, RunStatus::done) << stays.reason;
  EXPECT_EQ(stays.impacts.size(), 1U);
  EXPECT_NEAR(value_at_end(stays, "x_dot"), 0.5, 1e-12);
}

TEST(EmbeddingEdges, AnEventInTheStepOfAReselectionChangesNothing) {
  const std::vector<Override> rocking = {
      {"a", "1.2"}, {"b", "1"}, {"thd0", "3"}, {"run.until", "3"}};
  const std::string yaml = gallery_yaml("slider-crank/slider-crank.yaml");
  const Trace alone = run(load_model_text(yaml, "model.yaml", rocking));
  const auto found = std::ranges::find(alone.events, EventKind::reselect, &TraceEvent::kind);
  ASSERT_NE(found, alone.events.end());
  for (const double shift : {0.0, -1e-6, 1e-6}) {
    const Trace marked = run(
        load_model_text(fmt::format("{}\nevents: [{{name: mark, when: t - {:.17g}, do: record}}]\n",
                                    yaml, found->t + shift),
                        "model.yaml", rocking));
    ASSERT_EQ(marked.status, RunStatus::done) << marked.reason;
    EXPECT_GE(number_of_events(marked, EventKind::reselect), 1);
    for (const char* name : {"th", "ph", "x", "th_dot", "ph_dot", "x_dot"})
      EXPECT_NEAR(value_at_end(marked, name), value_at_end(alone, name), 1e-6) << name;
  }
}

TEST(EmbeddingEdges, TwoConstraintsThatArriveAtOnceActAtOneInstant) {
  SteeredRun steered(std::make_unique<Simulation>(load_model_text(
      "clack: 1\ndimension: 2\ncoordinates: {x: {start: 0, rate: 2}, y: {start: 0, rate: 1}}\n"
      "mass_matrix: [[1, 0], [0, 3]]\nforce: [0, 0]\nrun: {until: 1, theory: embedding}\n",
      "model.yaml")));
  steered.put(parse_input_line(
      R"({"t": 0.25, "constraint": {"one": {"motion": "x_dot - 1"}, "two": {"motion": "y_dot + 1"}}})",
      "a"));
  steered.advance_to_end();
  const Trace& trace = steered.simulation().trace();
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  ASSERT_EQ(trace.impacts.size(), 1U);
  EXPECT_EQ(trace.impacts[0].t, 0.25);
  EXPECT_NEAR(value_at_end(trace, "x"), 0.5 + 0.75, 1e-9);
  EXPECT_NEAR(value_at_end(trace, "y"), 0.25 - 0.75, 1e-9);
  ASSERT_EQ(steered.embeddings().size(), 1U);
  EXPECT_EQ(steered.embeddings()[0].rows, (std::vector<std::string>{"one", "two"}));
}

// A gap that is zero and opens is no event; the one when it comes back is.
TEST(EmbeddingEdges, AContactThatOpensAtTheStartOfAStepIsNotMet) {
  const Trace trace = edge_run(
      "dimension: 2\ncoordinates: {y: {start: 0, rate: 1}}\nmass_matrix: [[1]]\nforce: [-10]\n"
      "contacts: {floor: {gap: y, restitution: 0.5}}\nrun: {until: 0.25, theory: embedding}\n");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  ASSERT_EQ(trace.impacts.size(), 1U);
  EXPECT_NEAR(trace.impacts[0].t, 0.2, 1e-9);
}

// tan(phi) = 0.75, beyond friction 0.5: from rest it slides downhill with g (sin phi - mu cos phi) = 2.
TEST(EmbeddingEdges, WithoutSlipAtTheStartItSlidesWhereStickingWouldPush) {
  const Trace trace = edge_run(
      "dimension: 2\ncoordinates: {x: 0, y: 0}\nmass_matrix: [[1, 0], [0, 1]]\nforce: [-6, -8]\n"
      "contacts: {incline: {gap: y, slip: x_dot, friction: 0.5}}\nrun: {until: 1, theory: "
      "embedding}\n");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_NEAR(value_at_end(trace, "x"), -1.0, 1e-9);
  EXPECT_NEAR(value_at_end(trace, "normal_incline"), 8.0, 1e-12);
}

TEST(EmbeddingEdges, FrictionIsThatOfTheZoneAtTheState) {
  for (const bool is_smooth : {false, true}) {
    const Model model = load_model(CLACK_SOURCE_DIR "/models/disk-ramp/disk-ramp.yaml",
                                   {{"q10", is_smooth ? "23" : "14"}});
    EmbedRequest request;
    request.names = {"rolling:slip"};
    request.linearize = true;
    const EmbedAnswer answer = embed(model, request);
    const double friction = is_smooth ? 0.0 : 0.2 * 9.8 * std::cos(std::numbers::pi / 12);
    EXPECT_NEAR(std::abs(answer.forces[0].values[1]), friction, 1e-12);
    EXPECT_NEAR(answer.acceleration[1], -friction / 0.5, 1e-12);
  }
}

// What is lost in 100 s is what the integrator loses: below 1e-10 of the energy at a tolerance of 1e-13.
TEST(EmbeddingEdges, UnforcedMechanismsKeepTheirEnergyForAHundredSeconds) {
  for (const char* name :
       {"four-bar/four-bar.yaml", "slider-crank/slider-crank.yaml", "chain/chain-2.yaml"}) {
    std::vector<Override> overrides = {{"run.until", "100"}, {"run.tolerance", "1e-13"}};
    if (std::string(name).find("chain") == std::string::npos) overrides.push_back({"torque", "0"});
    const Trace trace = run(load_model(std::string(CLACK_SOURCE_DIR "/models/") + name, overrides));
    ASSERT_EQ(trace.status, RunStatus::done) << name << ": " << trace.reason;
    EXPECT_LE(trace.energy.ledger_error, 1e-10) << name;
    EXPECT_LE(std::abs(trace.energy.final - trace.energy.initial),
              1e-10 * std::abs(trace.energy.initial))
        << name;
  }
}

// A free body and one that is placed by a formula, tied by a spring: the same as two that are placed.
TEST(EmbeddingEdges, FreeAndPlacedBodiesInSpaceMoveTogether) {
  const std::string placed =
      "  arm: {mass: 2, inertia: [0.1, 0.1, 0.02, 0, 0, 0], rotation: [[y, th]], position: "
      "[0.5*sin(th), 0, -0.5*cos(th)], "
      "points: {tip: [0, 0, -0.5]}}\n";
  const std::string rest =
      "springs: [{between: [bob, arm.tip], stiffness: 20, rest: 0.3}]\ngravity: [0, 0, -9.81]\n"
      "run: {until: 1.5, theory: newton, tolerance: 1e-12}\n";
  const Trace mixed =
      edge_run("dimension: 3\ncoordinates: {th: {start: 0.4, rate: 1}}\nbodies:\n" + placed +
               "  bob: {free: true, mass: 1, inertia: 0.1, position: [1, 0.2, -1.5], velocity: [0, "
               "0.3, 0]}\n" +
               rest);
  const Trace formulas = edge_run(
      "dimension: 3\ncoordinates: {th: {start: 0.4, rate: 1}, x: 1, y: {start: 0.2, rate: 0.3}, z: "
      "-1.5}\nbodies:\n" +
      placed + "  bob: {mass: 1, inertia: 0, position: [x, y, z]}\n" + rest);
  ASSERT_EQ(mixed.status, RunStatus::done) << mixed.reason;
  ASSERT_EQ(formulas.status, RunStatus::done) << formulas.reason;
  EXPECT_NEAR(value_at_end(mixed, "th"), value_at_end(formulas, "th"), 1e-9);
  EXPECT_NEAR(value_at_end(mixed, "bob.x"), value_at_end(formulas, "x"), 1e-9);
  EXPECT_NEAR(value_at_end(mixed, "bob.y"), value_at_end(formulas, "y"), 1e-9);
  EXPECT_NEAR(value_at_end(mixed, "bob.z"), value_at_end(formulas, "z"), 1e-9);
  EXPECT_LT(mixed.energy.ledger_error, 1e-10);
}

}  // namespace
}  // namespace clack
