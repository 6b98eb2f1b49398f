// SPDX-License-Identifier: Apache-2.0
// Boxes in space as whole runs: contacts that come to the border of a face or of an edge.
#include <gtest/gtest.h>

#include "acceptance/run_support.hpp"

namespace clack::acceptance {
namespace {

const std::string sliding_box = R"(
clack: 1
dimension: 3
parameters: {breadth: 4, mu: 0.1, v: 2}
gravity: [0, 0, -9.81]
bodies:
  lower: {fixed: true, shape: {box: {width: 4, height: breadth, depth: 1}}}
  upper: {mass: 1, inertia: 1/6, position: [1.2, 0, 1], velocity: [v, 0, 0], shape: {box: {width: 1, height: 1, depth: 1}}}
contacts: {c: {between: [upper, lower], friction: mu}}
run: {until: 1.2, theory: newton}
)";

double smallest_gap(const Trace& trace) {
  double smallest = 0.0;
  for (std::size_t row = 0; row < trace.row_count(); ++row)
    smallest = std::min(smallest, at_row(trace, row, "gap_c"));
  return smallest;
}

/// When a box that slides with v and is slowed by mu g has come as far as `way`.
double time_for(double way, double v, double mu) {
  const double a = mu * 9.81;
  return (v - std::sqrt(v * v - 2 * a * way)) / a;
}

// The front corners leave the face after 0.3 m and edges take over; friction shifts the load to the
// front by mu/2, so that the rear corners lift when the centre is 0.05 m before the edge.
TEST(Boxes, ABoxSlidesOverTheEdgeOfAnotherTipsAndFalls) {
  for (const char* breadth : {"4", "0.6"}) {  // wider and narrower than the box that slides
    SCOPED_TRACE(breadth);
    const Trace trace = run_text(sliding_box, {{"breadth", breadth}});
    ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
    const auto handed = events_of(trace, EventKind::feature),
               opened = events_of(trace, EventKind::detach);
    ASSERT_EQ(handed.size(), 1u);
    EXPECT_NEAR(handed[0]->t, time_for(0.3, 2, 0.1), 1e-9);
    ASSERT_EQ(handed[0]->features.size(), 2u);  // two corners, each continued by a pair of edges
    for (const FeatureChange& feature : handed[0]->features)
      EXPECT_EQ(feature.after.size(), 1u) << trace.contacts[feature.contact];
    ASSERT_GE(opened.size(), 2u);
    EXPECT_NEAR(opened[0]->t, time_for(0.75, 2, 0.1), 1e-9);
    EXPECT_TRUE(trace.impacts.empty());
    int closed = 0;  // two corners of the narrower side and two pairs of edges
    for (const std::string& contact : trace.contacts)
      closed += status_after(trace, 0.3, contact) != ContactStatus::open ? 1 : 0;
    EXPECT_EQ(closed, 4);
    EXPECT_GE(smallest_gap(trace), -1e-8);
    EXPECT_LT(final_value(trace, "upper.z"), -0.5);
    EXPECT_GT(final_value(trace, "upper.wy"), 0.5);
    EXPECT_NEAR(final_value(trace, "upper.vy"), 0.0, 1e-9);
    EXPECT_LE(trace.energy.ledger_error, 1e-8);
  }
}

TEST(Boxes, BoxesOfOneSizeStandOnEachOther) {
  const Trace trace = run_text(R"(
clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  floor: {fixed: true, shape: {half-space: {normal: [0, 0, 1]}}}
  "box{i}": {mass: 1, inertia: 1/6, position: [0, 0, "{i} - 0.5"], shape: {box: {width: 1, height: 1, depth: 1}}, repeat: {count: 2, as: i}}
contacts:
  ground: {between: [box1, floor], friction: 0.5}
  stack: {between: [box2, box1], friction: 0.5}
run: {until: 0.2, theory: newton}
)");
  EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
  for (const double speed : trace.final_v) EXPECT_NEAR(speed, 0.0, 1e-9);
}

// A ball rolls from a face over the edge: it pivots without slip about the edge with
// v^2 = v0^2 + 2 g R (1 - cos a)/1.4 until friction 2/7 m g sin a = mu (m g cos a - m v^2/R).
TEST(Boxes, ABallRollsFromAFaceOverAnEdge) {
  const double R = 0.5, v0 = 0.5, mu = 0.5, g = 9.81;
  const Trace trace = run_text(R"(
clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  lower: {fixed: true, shape: {box: {width: 4, height: 4, depth: 1}}}
  ball: {mass: 1, inertia: 0.1, position: [1.5, 0.2, 1], velocity: [0.5, 0, 0], spin: [0, 1, 0], shape: {sphere: {radius: 0.5}}}
contacts: {c: {between: [ball, lower], friction: 0.5}}
run: {until: 1.5, theory: newton, tolerance: 1e-11}
)");
  double last_stick = 1.0;  // the angle where the ball begins to slip
  for (int k = 0; k < 60; ++k) {
    const double v2 = v0 * v0 + 2 * g * R * (1 - std::cos(last_stick)) / 1.4;
    const double reserve =
        mu * (g * std::cos(last_stick) - v2 / R) - 2.0 / 7.0 * g * std::sin(last_stick);
    const double slope = mu * (-g * std::sin(last_stick) - 2 * g * std::sin(last_stick) / 1.4) -
                         2.0 / 7.0 * g * std::cos(last_stick);
    last_stick -= reserve / slope;
  }
  double slips = 0.0;
  for (const TraceMode& mode : trace.modes)
    if (slips == 0.0 && mode.status_of(0) == ContactStatus::slip) slips = mode.begin;
  ASSERT_GT(slips, 1.0);  // it reaches the edge at t = 1
  EXPECT_NEAR(std::acos((value_after(trace, slips, "ball.z") - 0.5) / R), last_stick, 1e-7);
  for (std::size_t row = 0; row < trace.row_count(); ++row) {
    const double t = at_row(trace, row, "t");
    if (t <= 1.001 || t >= slips - 1e-3) continue;
    const double cosine = (at_row(trace, row, "ball.z") - 0.5) / R;
    const double v2 = v0 * v0 + 2 * g * R * (1 - cosine) / 1.4;
    EXPECT_NEAR(std::hypot(at_row(trace, row, "ball.vx"), at_row(trace, row, "ball.vz")),
                std::sqrt(v2), 1e-8);
    EXPECT_NEAR(at_row(trace, row, "normal_c"), g * cosine - v2 / R, 1e-6);
    EXPECT_NEAR(at_row(trace, row, "gap_c"), 0.0, 1e-9);
  }
}

}  // namespace
}  // namespace clack::acceptance
