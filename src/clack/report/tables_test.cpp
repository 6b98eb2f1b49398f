// SPDX-License-Identifier: Apache-2.0
#include "clack/report/tables.hpp"

#include <gtest/gtest.h>

#include "clack/report/well_formed.hpp"
#include "clack/trace/example_trace.hpp"

namespace clack::report {
namespace {

std::size_t rows_of(const std::string& html) {
  std::size_t count = 0;
  for (std::size_t at = html.find("<tr"); at != std::string::npos; at = html.find("<tr", at + 1))
    ++count;
  return count - 1;  // the head
}

TEST(Tables, AreWellFormedWithAnyNames) {
  Trace trace = ExampleTrace::make();
  trace.contacts = {"<script>alert(1)</script>", "a & b", "\"c\""};
  trace.events[3].label = "<zone>";
  for (const std::string& html :
       {events_table(trace), impacts_table(trace), cycle_table(trace), ledger_table({})}) {
    EXPECT_EQ(WellFormed::problem("<div>" + html + "</div>"), "");
    EXPECT_EQ(html.find("<script>"), std::string::npos);
  }
}

TEST(EventsTable, HasARowPerEventAndSaysWhatItLeavesOut) {
  const Trace trace = ExampleTrace::make(4);  // 38 events
  EXPECT_EQ(rows_of(events_table(trace)), 38U);
  const std::string cut = events_table(trace, 8);
  EXPECT_EQ(rows_of(cut), 9U);
  EXPECT_NE(cut.find("30 more rows are in events.json"), std::string::npos);
}

TEST(ImpactsTable, HasARowPerImpactWithItsFlags) {
  const std::string html = impacts_table(ExampleTrace::make(4));
  EXPECT_EQ(rows_of(html), 20U);
  EXPECT_NE(html.find("<a href=\"#about-not-unique\" class=\"flag\">not-unique</a>"),
            std::string::npos);
}

TEST(CycleTable, CountsTimeFromTheFirstEventOfThePeriod) {
  const std::string html = cycle_table(ExampleTrace::make(4));
  EXPECT_EQ(rows_of(html), 9U);
  EXPECT_NE(html.find(">48.848856<"), std::string::npos);
  EXPECT_EQ(cycle_table(ExampleTrace::make(1)), "");
}

TEST(LedgerTable, ClosesWithTheImbalance) {
  EnergyLedger energy;
  energy.initial = 3.0;
  energy.work_of_friction = -0.5;
  energy.work_of_impacts = -0.75;
  energy.final = 2.0;  // 0.25 J that nothing explains
  EXPECT_NE(ledger_table(energy).find("<td>imbalance</td><td class=\"n\">0.25 J</td>"),
            std::string::npos);
}

TEST(Pretty, WritesNumbersAsPeopleDo) {
  EXPECT_EQ(pretty(-0.5), "−0.5");
  EXPECT_EQ(pretty(3.1e-13), "3.1×10⁻¹³");
  EXPECT_EQ(pretty(-2e20, 3), "−2×10²⁰");
  EXPECT_EQ(pretty(std::numeric_limits<double>::quiet_NaN()), "–");
}

}  // namespace
}  // namespace clack::report
