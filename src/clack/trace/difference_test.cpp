// SPDX-License-Identifier: Apache-2.0
#include "clack/trace/difference.hpp"

#include <gtest/gtest.h>

#include "clack/trace/example_trace.hpp"

namespace clack {
namespace {

TEST(Difference, IsNoneOfEqualRuns) {
  EXPECT_FALSE(first_difference(ExampleTrace::make(2), ExampleTrace::make(2)));
}

TEST(Difference, NamesTheSpeedThatDiffersMostAfterAnImpact) {
  const Trace a = ExampleTrace::make(2);
  Trace b = a;
  std::size_t event = 0;
  while (a.events[event].impacts == 0) ++event;
  TraceImpact& impact = b.impacts[a.events[event].first_impact + a.events[event].impacts - 1];
  impact.v_after.back() += 1.0;
  const auto found = first_difference(a, b);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->event, event);
  EXPECT_EQ(found->what, "speeds after the impact");
  EXPECT_EQ(found->quantity, a.speeds.back());
  EXPECT_DOUBLE_EQ(found->other - found->first, 1.0);
}

TEST(Difference, IsTheTimeBeyondAPartInAMillion) {
  const Trace a = ExampleTrace::make(2);
  Trace b = a;
  TraceEvent& event =
      *std::ranges::find_if(b.events, [](const TraceEvent& e) { return e.t > 0.0; });
  event.t *= 1.0 + 0.5 * events_alike;
  EXPECT_FALSE(first_difference(a, b));
  event.t *= 1.0 + 2.0 * events_alike;
  EXPECT_EQ(first_difference(a, b)->what, "time");
  b.events.resize(1);
  EXPECT_EQ(first_difference(a, b)->what, "one run has no further event");
}

}  // namespace
}  // namespace clack
