// SPDX-License-Identifier: Apache-2.0
// The anchor escapement: a drawn mechanism with thousands of contacts that come and go.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "acceptance/run_support.hpp"

namespace clack::acceptance {
namespace {

// One tooth per period of the pendulum, whose period is that of the free one to a percent.
TEST(Escapement, ThePendulumCountsTheTeeth) {
  const Trace trace = run_file("polygons/escapement.yaml", {{"run.until", "10"}});
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_LT(trace.energy.ledger_error, 1e-8);
  const double inertia = 1e-4 + 0.2 * 0.25 * 0.25,
               period = 2 * std::numbers::pi * std::sqrt(inertia / (0.2 * 9.81 * 0.25));
  const double turned = 3 * std::numbers::pi / 4 - final_value(trace, "theta");
  const double teeth = turned / (2 * std::numbers::pi / 30);
  EXPECT_NEAR(teeth, 10.0 / period, 1.0);
  // Ticks: every landing on a lock, two per period.
  int ticks = 0;
  for (const TraceEvent& event : trace.events)
    if (event.kind == EventKind::impact)
      for (const int c : event.contacts)
        ticks +=
            trace.contacts[c].ends_with("anchor.e10") || trace.contacts[c].ends_with("anchor.e5");
  EXPECT_NEAR(ticks, 20, 1);
}

// At a slip that turns round inside a step a contact is known as well as the dense output is: it stays closed, though its
// gap is larger than the drift that is tolerated at the ends of steps. (It was released there, below zero, and the wheel
// ran through the anchor.)
TEST(Escapement, AContactWhoseSlipTurnsRoundStaysClosed) {
  const Trace trace = run_file("polygons/escapement.yaml", {{"run.until", "2"}, {"phi0", "0.12"}});
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  for (const TraceEvent& event : trace.events) EXPECT_NE(event.kind, EventKind::detach) << event.t;
}

}  // namespace
}  // namespace clack::acceptance
