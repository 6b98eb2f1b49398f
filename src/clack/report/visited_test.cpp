// SPDX-License-Identifier: Apache-2.0
#include "clack/report/visited.hpp"

#include <gtest/gtest.h>

#include "clack/report/well_formed.hpp"

namespace clack::report {
namespace {

/// Open, stick, open, open (a bounce), slip.
Trace wandering() {
  Trace trace;
  trace.contacts = {"<foot>"};
  const auto add = [&](double begin, double end, std::vector<TraceStatus> closed) {
    trace.modes.push_back({begin, end, std::move(closed), {}, {}, 0});
  };
  add(0, 1, {});
  add(1, 3, {{0, ContactStatus::stick}});
  add(3, 4, {});
  add(4, 4.5, {});
  add(4.5, 5, {{0, ContactStatus::slip}});
  return trace;
}

TEST(VisitedAutomaton, CountsVisitsTimesAndWays) {
  const VisitedAutomaton automaton = visited_automaton(wandering());
  ASSERT_EQ(automaton.locations.size(), 3u);
  EXPECT_EQ(automaton.locations[0].lines, std::vector<std::string>{"all open"});
  EXPECT_EQ(automaton.locations[0].visits, 2);
  EXPECT_DOUBLE_EQ(automaton.locations[0].dwell, 2.5);
  EXPECT_EQ(automaton.locations[1].lines, std::vector<std::string>{"<foot> stick"});
  EXPECT_EQ(automaton.of_mode, (std::vector<int>{0, 1, 0, 0, 2}));
  EXPECT_EQ(automaton.passes.at({0, 0}), 1);
  EXPECT_EQ(automaton.passes.at({0, 1}), 1);
  EXPECT_EQ(automaton.passes.at({1, 0}), 1);
}

TEST(VisitedAutomaton, IsDrawnWithEveryLocationAndWayOnce) {
  const std::string svg = draw_automaton(visited_automaton(wandering()));
  EXPECT_EQ(WellFormed::problem(svg), "");
  for (const char* piece : {"data-location=\"0\"", "data-location=\"2\"", "data-way=\"0-1\"",
                            "data-way=\"1-0\"", "data-way=\"0-2\"", "&lt;foot&gt; slip", "↻ 1"})
    EXPECT_NE(svg.find(piece), std::string::npos) << piece;
  EXPECT_EQ(svg.find("data-way=\"0-0\""), std::string::npos);
}

TEST(VisitedAutomaton, OfManyLocationsShowsTheMostVisited) {
  Trace trace;
  for (int k = 0; k < 100; ++k) trace.contacts.push_back("c" + std::to_string(k));
  for (int k = 0; k < 300; ++k)
    trace.modes.push_back(
        {1.0 * k, k + 1.0, {{k < 200 ? k % 100 : 99, ContactStatus::stick}}, {}, {}, 0});
  const std::string svg = draw_automaton(visited_automaton(trace), 10);
  std::size_t count = 0;
  for (std::size_t at = svg.find("data-location"); at != std::string::npos;
       at = svg.find("data-location", at + 1))
    ++count;
  EXPECT_EQ(count, 10u);
}

}  // namespace
}  // namespace clack::report
