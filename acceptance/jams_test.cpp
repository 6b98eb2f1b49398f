// SPDX-License-Identifier: Apache-2.0
// When does it jam: instants, causes and load factors against closed forms.
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "acceptance/run_support.hpp"
#include "clack/json_input.hpp"
#include "clack/report/report.hpp"
#include "clack/trace/event_table.hpp"
#include "clack/trace/json.hpp"

namespace clack::acceptance {
namespace {

using Names = std::vector<std::string>;

Names jam_contacts(const Trace& trace, const TraceJam& jam) {
  Names names;
  for (const int c : jam.contacts) names.push_back(trace.contacts[c]);
  return names;
}
bool is_flagged(const Trace& trace) {
  return std::ranges::find(trace.flags, "jam") != trace.flags.end();
}

// Guide to polygon contact, section 5: both contacts stick from 0.2155892 s on. Hung over a corner it would slip off
// without friction.
TEST(Jams, AHookIsHeldByFriction) {
  const Trace trace = run_file("polygons/hook.yaml", {{"run.until", "0.3"}});
  ASSERT_EQ(trace.jams.size(), 1u);
  const TraceJam& jam = trace.jams[0];
  EXPECT_NEAR(jam.t, 0.2155892, 1e-6);
  EXPECT_EQ(jam.bodies, Names{"L"});
  EXPECT_EQ(jam.contacts.size(), 2u);
  EXPECT_EQ(jam.by, JamCause::friction);
  EXPECT_FALSE(jam.load_factor);  // nothing but its weight: any multiple of that
  EXPECT_TRUE(is_flagged(trace));
  EXPECT_TRUE(run_file("polygons/hook.yaml", {{"run.until", "0.21"}}).jams.empty());
}

// The tip is in the root of a tooth: the wheel would stay without friction.
TEST(Jams, ALockedRatchetIsHeldByItsShape) {
  const Trace trace = run_file("polygons/ratchet-locked.yaml");
  ASSERT_EQ(trace.jams.size(), 1u);
  const TraceJam& jam = trace.jams[0];
  EXPECT_NEAR(jam.t, 0.092919262082, 1e-9);
  EXPECT_EQ(jam.bodies, (Names{"wheel", "pawl"}));
  EXPECT_EQ(jam.contacts.size(), 2u);
  EXPECT_EQ(jam.by, JamCause::shape);
  EXPECT_FALSE(jam.load_factor);
  EXPECT_TRUE(run_file("polygons/ratchet.yaml").jams.empty());
}

// 2 mu (arm of the pull) = (distance of the two contacts along the guide), as in the header of the model.
TEST(Jams, ADrawerJamsAboveTheFrictionOfTheClosedFormAndNotBelow) {
  const double a = 0.15, b = 0.2, w = 0.3, c = 0.001;
  double phi = 0.01;
  for (int k = 0; k < 20; ++k)
    phi -= (w * std::cos(phi) + b * std::sin(phi) - w - 2 * c) /
           (b * std::cos(phi) - w * std::sin(phi));
  const double mu = (b * std::cos(phi) - w * std::sin(phi)) / (2 * a * std::cos(phi));
  const Trace jams = run_file("polygons/drawer.yaml", {{"mu", fmt::format("{:.17g}", 1.001 * mu)}});
  ASSERT_EQ(jams.jams.size(), 1u);
  EXPECT_EQ(jams.jams[0].bodies, Names{"drawer"});
  EXPECT_EQ(jams.jams[0].by, JamCause::friction);
  EXPECT_FALSE(jams.jams[0].load_factor);  // self-locking
  EXPECT_TRUE(
      run_file("polygons/drawer.yaml", {{"mu", fmt::format("{:.17g}", 0.999 * mu)}}).jams.empty());
}

const std::string weights = R"yaml(
clack: 1
dimension: 2
parameters: {slope: 0}
gravity: ["9.81*sin(slope)", "-9.81*cos(slope)"]
bodies:
  low: {mass: 1, inertia: shape, position: [0, 0.1], shape: {polygon: [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]}}
  high: {mass: 1, inertia: shape, position: [0, 0.35], shape: {polygon: [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]}}
  floor: {fixed: true, shape: {polygon: [[-1, -1], [1, -1], [1, 0], [-1, 0]]}}
contacts:
  ground: {between: [low, floor], friction: 0.6}
  pile: {between: [high, low], friction: 0.6}
run: {until: 0.6}
)yaml";

TEST(Jams, ABlockAtRestOnAFloorASlopeOrAnotherBlockIsNone) {
  for (const char* slope : {"0", "0.3"}) {
    const Trace trace = run_text(weights, {{"slope", slope}});
    ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
    for (const double v : trace.final_v) EXPECT_NEAR(v, 0.0, 1e-9);
    EXPECT_TRUE(trace.jams.empty()) << slope;
    EXPECT_FALSE(is_flagged(trace));
  }
  EXPECT_TRUE(run_file("polygons/square-flat.yaml", {{"run.until", "1"}}).jams.empty());
}

const std::string ladder = R"yaml(
clack: 1
dimension: 2
parameters: {th: 1.1, mu: 0.6, P: 0.1, shake: 0}
gravity: [0, -9.81]
bodies:
  ladder: {mass: 1, inertia: 1/3, position: ["cos(th)", "sin(th)"], angle: th, points: {foot: [-1, 0], top: [1, 0]}}
  floor: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}
  wall: {fixed: true, shape: {half-plane: {normal: [-1, 0], point: ["2*cos(th)", 0]}}}
forces:
  - {on: ladder.foot, force: ["-P*(1 + shake*sin(t))", 0]}
contacts:
  foot: {between: [ladder.foot, floor], friction: mu}
  top: {between: [ladder.top, wall], friction: mu}
run: {until: 0.1}
)yaml";

// The most is held where the floor gives all its friction and that of the wall presses the ladder down: T1 = mu N1,
// T2 = -mu N2, T1 - N2 = P, N1 + T2 = m g, and moments about the middle.
double largest_pull(double th, double mu, double weight) {
  const double c = std::cos(th), s = std::sin(th);
  Eigen::Matrix3d a;
  a << mu, -1, -1, 1, -mu, 0, -c + s * mu, s - c * mu, -s;
  return a.colPivHouseholderQr().solve(Eigen::Vector3d(0, weight, 0))[2];
}

// Two disks between the walls of a bin and a square on its corner between them: held from both sides. Each disk lies at
// its wall and on the floor.
TEST(Jams, AHeapInABinIsHeldByItsWalls) {
  const Trace trace = run_text(R"(
clack: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  a: {mass: 1, inertia: 0.005, position: [-0.13, 0.12], shape: {disk: {radius: 0.1}}}
  b: {mass: 1, inertia: 0.005, position: [0.12, 0.15], shape: {disk: {radius: 0.1}}}
  c: {mass: 2, inertia: shape, position: [0.01, 0.5], angle: 0.7, shape: {polygon: [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]}}
  bin: {fixed: true, shape: {polygon: [[-0.4, -0.1], [0.4, -0.1], [0.4, 1], [0.25, 1], [0.25, 0], [-0.25, 0], [-0.25, 1], [-0.4, 1]]}}
contacts: {pile: {among: all, friction: 0.1, restitution: 0}}
run: {until: 1, tolerance: 1.0e-10}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  for (const double v : trace.final_v) EXPECT_NEAR(v, 0.0, 1e-9);
  for (const auto& [disk, x] : {std::pair("a", -0.15), std::pair("b", 0.15)}) {
    EXPECT_NEAR(final_value(trace, std::string(disk) + ".x"), x, 1e-9);
    EXPECT_NEAR(final_value(trace, std::string(disk) + ".y"), 0.1, 1e-9);
  }
  ASSERT_EQ(trace.jams.size(), 1u);
  EXPECT_EQ(trace.jams[0].bodies, (Names{"a", "b", "c"}));
  EXPECT_EQ(trace.jams[0].by, JamCause::friction);
  EXPECT_TRUE(is_flagged(trace));
}

// The pull is the live load, the weight the dead one.
TEST(Jams, TheLoadFactorOfALadderIsTheClosedForm) {
  const Trace trace = run_text(ladder);
  ASSERT_EQ(trace.jams.size(), 1u);
  EXPECT_EQ(trace.jams[0].t, 0.0);
  EXPECT_EQ(trace.jams[0].by, JamCause::friction);
  EXPECT_EQ(jam_contacts(trace, trace.jams[0]), (Names{"foot", "top"}));
  ASSERT_TRUE(trace.jams[0].load_factor);
  const double factor = largest_pull(1.1, 0.6, 9.81) / 0.1;
  EXPECT_NEAR(*trace.jams[0].load_factor, factor, 1e-6 * factor);
}

// A second method: just below that pull the ladder stays, just above it does not.
TEST(Jams, BeyondTheLoadFactorItMoves) {
  const double largest = largest_pull(1.1, 0.6, 9.81);
  const Trace stays = run_text(ladder, {{"P", fmt::format("{:.17g}", 0.9999 * largest)}});
  ASSERT_EQ(stays.jams.size(), 1u);
  EXPECT_NEAR(*stays.jams[0].load_factor, 1.0 / 0.9999, 1e-6);
  const Trace moves = run_text(ladder, {{"P", fmt::format("{:.17g}", 1.0001 * largest)}});
  EXPECT_TRUE(moves.jams.empty());
  EXPECT_NE(moves.final_v[0], 0.0);
}

TEST(Jams, WhatALoadThatDependsOnTimeHoldsIsNotHeldForGood) {
  EXPECT_TRUE(run_text(ladder, {{"shake", "0.01"}}).jams.empty());
}

// A square in a groove of two slopes stays there without friction, too.
TEST(Jams, ABodyInAGrooveIsHeldByShape) {
  const Trace trace = run_text(R"(
clack: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  square: {mass: 1, inertia: shape, position: [0, 0.16], angle: pi/4, shape: {polygon: [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]}}
  groove: {fixed: true, shape: {polygon: [[-1, -1], [1, -1], [1, 1], [0, 0], [-1, 1]]}}
contacts: {fit: {between: [square, groove], friction: 0.3}}
run: {until: 1}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  ASSERT_EQ(trace.jams.size(), 1u);
  EXPECT_EQ(trace.jams[0].by, JamCause::shape);
}

TEST(Jams, AreInTheDocumentTheTableAndTheReport) {
  const Trace trace = run_file("polygons/ratchet-locked.yaml");
  const nlohmann::json document = nlohmann::json::parse(events_json(trace));
  ASSERT_EQ(document["jams"].size(), 1u);
  const auto& jam = document["jams"][0];
  EXPECT_EQ(jam["by"], "shape");
  EXPECT_TRUE(jam["load_factor"].is_null());
  EXPECT_EQ(jam["bodies"], nlohmann::json({"wheel", "pawl"}));
  EXPECT_EQ(jam["contacts"].size(), 2u);
  EXPECT_EQ(jam["t"].get<double>(), trace.jams[0].t);
  const std::string words = "wheel, pawl by shape, holds any multiple of the load";
  EXPECT_NE(event_table(trace).find(words), std::string::npos) << event_table(trace);
  EXPECT_NE(report_html(trace, {}).find(words), std::string::npos);
}

}  // namespace
}  // namespace clack::acceptance
