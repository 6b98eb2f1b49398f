// SPDX-License-Identifier: Apache-2.0
// Kane's method: speeds of one's own choice, whole runs.
#include <gtest/gtest.h>

#include "acceptance/run_support.hpp"

namespace clack::acceptance {
namespace {

// Guide example 1, from the closed solution of its phases.
TEST(DiskOnRamp, EndsWhereTheClosedSolutionDoes) {
  const Trace trace = run_file("disk-ramp/disk-ramp.yaml");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_NEAR(final_value(trace, "q1"), 3.530715116150, 1e-8);
  EXPECT_NEAR(final_value(trace, "q1_dot"), -7.527608757358, 1e-8);
}

TEST(OwnSpeeds, TheSleighMovesTheSameInRatesAndInBodySpeeds) {
  const std::vector<Override> fine{{"run.tolerance", "1e-12"}, {"th0", "1.2"}};
  const Trace rates = run_file("sleigh/sleigh.yaml", fine),
              body = run_file("sleigh/body-speeds.yaml", fine);
  ASSERT_EQ(rates.status, RunStatus::done) << rates.reason;
  ASSERT_EQ(body.status, RunStatus::done) << body.reason;
  EXPECT_EQ(body.speeds, (std::vector<std::string>{"u1", "u2", "u3"}));
  for (const char* name : {"x", "y", "th"})
    EXPECT_NEAR(final_value(body, name), final_value(rates, name), 1e-9) << name;
  const double th = final_value(rates, "th");
  EXPECT_NEAR(
      final_value(body, "u1"),
      std::cos(th) * final_value(rates, "x_dot") + std::sin(th) * final_value(rates, "y_dot"),
      1e-9);
  // The lateral force is the same number: both rows are metres.
  int compared = 0;  // a run in rates has rows of its own where it chooses its speeds anew
  for (std::size_t a = 0, b = 0; a < body.row_count() && b < rates.row_count(); ++a) {
    while (b < rates.row_count() && at_row(rates, b, "t") < at_row(body, a, "t")) ++b;
    if (b == rates.row_count() || at_row(rates, b, "t") != at_row(body, a, "t")) continue;
    EXPECT_NEAR(at_row(body, a, "force_blade"), at_row(rates, b, "force_blade"), 1e-8);
    ++compared;
  }
  EXPECT_GT(compared, 900);
}

// A pendulum with a massless slider and a driven pivot, its speed measured against the pivot's own motion: u = l q' + c(t).
// Drives work in the ledger as they do in rates.
TEST(OwnSpeeds, WhatMovesByItselfWorksTheSame) {
  const std::string head =
      "clack: 1\ngravity: [0, -9.8]\ncoordinates: {q: {start: 0.3, rate: 1}}\n";
  const std::string tail =
      "bodies: {bob: {mass: 2, position: [0.2*sin(3*t) + sin(q), -cos(q)]}}\n"
      "forces: [{coordinate: q, force: -0.1*q_dot}]\nrun: {until: 3, tolerance: 1e-12}\n";
  const Trace rates = run_text(head + tail),
              own = run_text(head + "speeds: {u: {is: 2*q_dot + cos(3*t)}}\n" + tail);
  ASSERT_EQ(own.status, RunStatus::done) << own.reason;
  EXPECT_NEAR(final_value(own, "q"), final_value(rates, "q"), 1e-9);
  EXPECT_NEAR(final_value(own, "u"), 2.0 * final_value(rates, "q_dot") + std::cos(9.0), 1e-9);
  EXPECT_LT(own.energy.ledger_error, 1e-9);
  EXPECT_NEAR(own.energy.work_of_forces, rates.energy.work_of_forces, 1e-8);
}

// More coordinates than speeds: a knife edge by q' = W u, steered at a constant rate, runs on a circle of radius u/w.
TEST(OwnSpeeds, MayBeFewerThanCoordinates) {
  const Trace trace = run_text(
      "clack: 1\ncoordinates: {x: 0, y: 0, th: 0}\nspeeds: {u: 2, w: 0.5}\n"
      "kinematics: {x: u*cos(th), y: u*sin(th), th: w}\n"
      "bodies: {edge: {mass: 1, inertia: 0.2, position: [x, y], angle: th}}\n"
      "run: {until: 3, tolerance: 1e-12}\n");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_NEAR(final_value(trace, "x"), 4.0 * std::sin(1.5), 1e-10);
  EXPECT_NEAR(final_value(trace, "y"), 4.0 * (1.0 - std::cos(1.5)), 1e-10);
}

// Contacts, impacts and drift correction in own speeds: a bead dropped on a line.
TEST(OwnSpeeds, ImpactsAreThoseOfTheRates) {
  const std::string head =
      "clack: 1\ngravity: [0, -9.8]\ncoordinates: {x: {start: 0, rate: 1}, y: 1}\n";
  const std::string tail =
      "bodies:\n  bead: {mass: 1, position: [x, y], shape: {point: {}}}\n"
      "  line: {fixed: true, angle: 0.2, shape: {half-plane: {normal: [0, 1]}}}\n"
      "contacts: {floor: {between: [bead, line], friction: 0.1, restitution: 0.5}}\n"
      "run: {until: 2, tolerance: 1e-12}\n";
  const Trace rates = run_text(head + tail),
              own = run_text(
                  head +
                  "speeds: {a: {is: 2*x_dot + sin(x)*y_dot}, b: {is: y_dot - cos(x)*x_dot}}\n" +
                  tail);
  ASSERT_EQ(own.status, RunStatus::done) << own.reason;
  ASSERT_EQ(own.impacts.size(), rates.impacts.size());
  ASSERT_GT(own.impacts.size(), 3U);
  EXPECT_NEAR(own.impacts[2].t, rates.impacts[2].t, 1e-9);
  EXPECT_NEAR(final_value(own, "x"), final_value(rates, "x"), 1e-7);
}

// Formulas that switch inside a mode of minimal speeds: a pendulum on a bar, braked by |q'|.
TEST(Embedding, FollowsFormulasThatSwitch) {
  const std::string yaml =
      "clack: 1\ngravity: [0, -9.8]\ncoordinates: {q: {start: 1, rate: 0}, x: {guess: 1}}\n"
      "bodies: {bob: {mass: 1, position: [sin(q), -cos(q)]}, ring: {mass: 1, position: [x, 0]}}\n"
      "constraints: {bar: {configuration: x - sin(q)}}\n"
      "forces: [{coordinate: q, force: -0.3*abs(q_dot)*q_dot}]\n"
      "run: {until: 3, tolerance: 1e-11}\n";
  const Trace embedded = run_text(yaml, {{"run.theory", "embedding"}}), other = run_text(yaml);
  ASSERT_EQ(embedded.status, RunStatus::done) << embedded.reason;
  EXPECT_NEAR(final_value(embedded, "q"), final_value(other, "q"), 1e-8);
}

}  // namespace
}  // namespace clack::acceptance
