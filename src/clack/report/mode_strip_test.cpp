// SPDX-License-Identifier: Apache-2.0
#include "clack/report/mode_strip.hpp"

#include <gtest/gtest.h>

#include "clack/report/well_formed.hpp"
#include "clack/trace/example_trace.hpp"

namespace clack::report {
namespace {

Trace two_modes() {
  Trace trace;
  trace.contacts = {"left", "right"};
  trace.modes.push_back({0.0, 0.5, {{0, ContactStatus::stick}}, {}, {}});
  trace.modes.push_back({0.5, 1.0, {{0, ContactStatus::slip}}, {}, {}});
  return trace;
}

TEST(ModeStrip, DrawsOneRectanglePerStretchOfAStatus) {
  const ModeStrip strip = draw_mode_strip(two_modes(), 500.0);
  EXPECT_EQ(WellFormed::problem(strip.svg), "");
  // 500 pixels without 49 for the name (14 and five letters of 6.6 are 47) and 12 to the right:
  // half of it per status
  EXPECT_NE(strip.svg.find("<rect class=\"stick\" x=\"0\""), std::string::npos) << strip.svg;
  EXPECT_NE(strip.svg.find("<rect class=\"slip\""), std::string::npos);
}

TEST(ModeStrip, NamesContactsThatNeverTouch) {
  const ModeStrip strip = draw_mode_strip(two_modes(), 500.0);
  EXPECT_EQ(strip.untouched, std::vector<std::string>{"right"});
  EXPECT_EQ(strip.svg.find("right"), std::string::npos);
}

TEST(ModeStrip, DoesNotLoseAMomentOfContact) {
  Trace trace = two_modes();
  trace.modes = {{0.0, 0.5, {}, {}, {}},
                 {0.5, 0.5 + 1e-9, {{0, ContactStatus::stick}}, {}, {}},
                 {0.5 + 1e-9, 1.0, {}, {}, {}}};
  EXPECT_NE(draw_mode_strip(trace, 500.0).svg.find("<rect class=\"stick\" x"), std::string::npos);
}

TEST(ModeStrip, MarksImpactsOfAContactThatStaysOpen) {
  const ModeStrip strip = draw_mode_strip(ExampleTrace::make(2), 800.0);
  EXPECT_TRUE(strip.untouched.empty());
  EXPECT_NE(strip.svg.find(">beak<"), std::string::npos);
  EXPECT_NE(strip.svg.find("class=\"hit\""), std::string::npos);
}

TEST(ModeStrip, SaysHowManyContactsDoNotFit) {
  const ModeStrip strip = draw_mode_strip(ExampleTrace::make(2), 800.0, 2);
  EXPECT_EQ(strip.left_out, 1U);
}

TEST(ModeStrip, ShowsWhenConstraintsAreOn) {
  Trace trace = two_modes();
  trace.constraints = {"guide"};
  trace.modes[1].constraints = {true};
  EXPECT_NE(draw_mode_strip(trace, 500.0).svg.find("class=\"on\""), std::string::npos);
}

TEST(ModeStrip, OfAnEmptyTraceIsEmpty) { EXPECT_EQ(draw_mode_strip(Trace{}, 500.0).svg, ""); }

}  // namespace
}  // namespace clack::report
