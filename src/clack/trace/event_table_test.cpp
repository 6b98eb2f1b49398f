// SPDX-License-Identifier: Apache-2.0
#include "clack/trace/event_table.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "clack/trace/example_trace.hpp"

namespace clack {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(PeriodTable, ShowsTheEventsOfTheLastPeriodFromItsFirst) {
  const std::vector<std::string> lines = lines_of(period_table(ExampleTrace::make(3)));
  ASSERT_EQ(lines.size(), 12U);  // head, nine events, period, drop
  EXPECT_NE(lines[1].find("0.0000  impact  lower     stays open"), std::string::npos) << lines[1];
  EXPECT_NE(lines[3].find("48.8489  stick   lower     slip -> stick"), std::string::npos)
      << lines[3];
  EXPECT_EQ(lines[10], "period 145.976 ms");
  EXPECT_EQ(lines[11], "drop 19.445 mm");
}

TEST(PeriodTable, SaysPeriodOnceOnly) {
  const std::string text = period_table(ExampleTrace::make(3));
  EXPECT_EQ(text.find("period"), text.rfind("period"));
}

TEST(PeriodTable, IsEmptyWithoutACycle) { EXPECT_EQ(period_table(ExampleTrace::make(1)), ""); }

TEST(EventTable, AlignsItsColumns) {
  const std::vector<std::string> lines = lines_of(event_table(ExampleTrace::make(2)));
  const std::size_t kind = lines[0].find("event"), contacts = lines[0].find("contacts");
  for (std::size_t k = 2; k + 1 < lines.size(); ++k) {
    EXPECT_EQ(lines[k][kind - 1], ' ');
    EXPECT_NE(lines[k][kind], ' ');
    EXPECT_NE(lines[k][contacts], ' ');
    EXPECT_EQ(lines[k][contacts - 1], ' ');
  }
}

TEST(EventTable, ChoosesMillisecondsForShortRuns) {
  EXPECT_NE(event_table(ExampleTrace::make(2)).find("time/ms"), std::string::npos);
  EXPECT_NE(event_table(ExampleTrace::make(12)).find("time/s"), std::string::npos);
}

TEST(EventTable, SaysHowManyRowsItLeavesOut) {
  const Trace trace = ExampleTrace::make(20);
  const std::vector<std::string> lines = lines_of(event_table(trace, {false, 20}));
  EXPECT_EQ(lines.size(), 22U);
  EXPECT_EQ(lines[16], "  ... 162 more in events.json ...");  // 20 * 9 + start and end - 20
  EXPECT_EQ(lines_of(event_table(trace, {false, 0})).size(), trace.events.size() + 1);
}

TEST(EventTable, HasColoursOnlyWhenAsked) {
  const Trace trace = ExampleTrace::make(1);
  EXPECT_EQ(event_table(trace).find('\033'), std::string::npos);
  EXPECT_NE(event_table(trace, {true, 40}).find('\033'), std::string::npos);
}

TEST(EventTable, OfAnEmptyTraceIsItsHead) { EXPECT_EQ(lines_of(event_table(Trace{})).size(), 1U); }

TEST(DescribeChanges, NamesTheContactsWhenThereAreSeveral) {
  const Trace trace = ExampleTrace::make(1);
  TraceEvent event;
  event.contacts = {0, 1};
  event.changes = {{0, ContactStatus::open, ContactStatus::slip},
                   {1, ContactStatus::stick, ContactStatus::open}};
  EXPECT_EQ(describe_changes(trace, event), "beak open -> slip, lower stick -> open");
  EXPECT_EQ(describe_changes(trace, event, 1), "beak open -> slip and 1 more");
  EXPECT_EQ(describe_contacts(trace, event, 1), "beak and 1 more");
}

TEST(DescribeContacts, BeginsWithTheLabel) {
  const Trace trace = ExampleTrace::make(1);
  TraceEvent event;
  event.label = "fence";
  EXPECT_EQ(describe_contacts(trace, event), "fence");
  event.contacts = {2};
  EXPECT_EQ(describe_contacts(trace, event), "fence: upper");
}

}  // namespace
}  // namespace clack
