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

TEST(ImpactsOfEvents, GiveEveryImpactToTheEventOfItsInstant) {
  const Trace trace = ExampleTrace::make(2);
  const std::vector<int> impact_of = impacts_of_events(trace);
  int found = 0;
  for (std::size_t k = 0; k < trace.events.size(); ++k) {
    EXPECT_EQ(impact_of[k] >= 0, trace.events[k].kind == EventKind::impact);
    if (impact_of[k] < 0) continue;
    EXPECT_EQ(trace.impacts[impact_of[k]].t, trace.events[k].t);
    ++found;
  }
  EXPECT_EQ(found, number_of(trace.impacts));
}

TEST(ImpactsOfEvents, KeepTheOrderOfAChainAtOneInstant) {
  Trace trace;
  for (int k = 0; k < 3; ++k) {
    trace.events.push_back({0.5, EventKind::impact, {}, {}, {}, "", 0, 0.0, 0.0});
    trace.impacts.push_back({});
    trace.impacts.back().t = 0.5;
  }
  EXPECT_EQ(impacts_of_events(trace), (std::vector<int>{0, 1, 2}));
}

TEST(EmptyTrace, HasNoRows) { EXPECT_EQ(Trace{}.row_count(), 0U); }

}  // namespace
}  // namespace clack
