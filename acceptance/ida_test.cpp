// SPDX-License-Identifier: Apache-2.0
// Integrator `ida`: the stabilised index-2 equations keep constraints and closed contacts without projection.
#include <gtest/gtest.h>

#include <cmath>

#include "acceptance/run_support.hpp"

namespace clack::acceptance {
namespace {

/// Largest height of the tip off its line, and largest speed across it.
struct TipError {
  double position = 0.0, speed = 0.0;
};

TipError tip_error(const Trace& trace) {
  TipError worst;
  const double line = -1.577583;
  for (std::size_t row = 0; row < trace.row_count(); ++row) {
    const double q1 = at_row(trace, row, "q1"), q2 = at_row(trace, row, "q2");
    worst.position = std::max(worst.position, std::abs(-std::cos(q1) - std::cos(q2) - line));
    worst.speed = std::max(worst.speed, std::abs(std::sin(q1) * at_row(trace, row, "q1_dot") +
                                                 std::sin(q2) * at_row(trace, row, "q2_dot")));
  }
  return worst;
}

Trace chain_left_to_drift(const std::string& integrator) {
  return run_file("chain/chain-2.yaml", {{"run.formulation", "multipliers"},
                                         {"run.integrator", integrator},
                                         {"run.tolerance", "1e-8"},
                                         {"policies.drift", "leave"},
                                         {"run.until", "40"}});
}

TEST(IdaRuns, ConstraintsHoldWhereTheOtherImplicitMethodDrifts) {
  const Trace ida = chain_left_to_drift("ida"), cvode = chain_left_to_drift("cvode");
  ASSERT_EQ(ida.status, RunStatus::done) << ida.reason;
  EXPECT_LT(tip_error(ida).position, 1e-7);
  EXPECT_LT(tip_error(ida).speed, 1e-6);
  EXPECT_GT(tip_error(cvode).position, 10.0 * tip_error(ida).position);
}

TEST(IdaRuns, MotionIsThatOfTheOtherIntegrators) {
  const Trace reference = run_file("chain/chain-2.yaml", {{"run.tolerance", "1e-12"}});
  const Trace ida = run_file("chain/chain-2.yaml", {{"run.formulation", "multipliers"},
                                                    {"run.integrator", "ida"},
                                                    {"run.tolerance", "1e-11"}});
  ASSERT_EQ(ida.status, RunStatus::done) << ida.reason;
  EXPECT_NEAR(final_value(ida, "q1"), final_value(reference, "q1"), 1e-7);
  EXPECT_NEAR(final_value(ida, "q2"), final_value(reference, "q2"), 1e-7);
}

// Redundant rows, contacts that come and go, quaternions: every kind of row it has to keep.
TEST(IdaRuns, KeepsJointsInSpaceAndFindsEvents) {
  const Trace reference = run_file("joints/spatial-slider-crank.yaml", {{"run.until", "0.5"}});
  const Trace ida = run_file("joints/spatial-slider-crank.yaml", {{"run.until", "0.5"},
                                                                  {"run.formulation", "multipliers"},
                                                                  {"run.integrator", "ida"},
                                                                  {"run.tolerance", "1e-10"}});
  ASSERT_EQ(ida.status, RunStatus::done) << ida.reason;
  EXPECT_NEAR(final_value(ida, "main.angle"), final_value(reference, "main.angle"), 1e-6);
  const Trace slip = run_file("slide-to-roll/slide-to-roll.yaml", {{"run.integrator", "ida"}}),
              same = run_file("slide-to-roll/slide-to-roll.yaml");
  ASSERT_EQ(slip.status, RunStatus::done) << slip.reason;
  ASSERT_FALSE(events_of(slip, EventKind::stick).empty());
  EXPECT_NEAR(events_of(slip, EventKind::stick)[0]->t, events_of(same, EventKind::stick)[0]->t, 1e-7);
}

}  // namespace
}  // namespace clack::acceptance
