// SPDX-License-Identifier: Apache-2.0
#include "clack/trace/trace.hpp"
#include "clack/index.hpp"

#include <gtest/gtest.h>

#include <set>

#include "clack/trace/example_trace.hpp"

namespace clack {
namespace {

TEST(EventKinds, HaveFifteenDifferentNames) {
  std::set<std::string_view> names;
  for (int kind = 0; kind <= static_cast<int>(EventKind::end); ++kind)
    names.insert(to_string(static_cast<EventKind>(kind)));
  EXPECT_EQ(names.size(), 15U);
  EXPECT_EQ(names.count(""), 0U);
  EXPECT_EQ(to_string(EventKind::slip_reversal), "slip-reversal");
  EXPECT_EQ(to_string(EventKind::constraint_on), "constraint-on");
  EXPECT_EQ(to_string(RunStatus::stopped), "stopped");
}

TEST(ImpactsOfEvents, AddUpToAllImpactsOfTheTrace) {
  const Trace trace = ExampleTrace::make(2);
  double by_events = 0.0, by_impacts = 0.0;
  for (const TraceEvent& event : trace.events) {
    EXPECT_EQ(event.impacts > 0, event.kind == EventKind::impact);
    by_events += impact_sum(trace, event).normal_impulse;
  }
  for (const TraceImpact& impact : trace.impacts)
    for (const double part : impact.normal_impulse) by_impacts += part;
  EXPECT_GT(by_impacts, 0.0);
  EXPECT_NEAR(by_events, by_impacts, 1e-15);
}

TEST(EmptyTrace, HasNoRows) { EXPECT_EQ(Trace{}.row_count(), 0U); }

}  // namespace
}  // namespace clack
