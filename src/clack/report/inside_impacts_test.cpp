// SPDX-License-Identifier: Apache-2.0
#include "clack/report/inside_impacts.hpp"

#include <gtest/gtest.h>

namespace clack::report {
namespace {

Trace two_stretches() {
  Trace trace;
  trace.contacts = {"floor", "wall"};
  TraceImpact& impact = trace.impacts.emplace_back();
  impact.t = 0.25;
  impact.energy_before = 2.0;
  ImpactEvent& event = impact.events.emplace_back();
  event.contacts = {0};
  event.restitution = 0.5;
  event.energy_after = 1.0;
  impact.history.columns = {"event",
                            "impulse",
                            "work",
                            "kinetic",
                            "normal_impulse_floor",
                            "tangent_impulse_floor",
                            "gap_rate_floor",
                            "slip_floor",
                            "status_floor",
                            "normal_impulse_wall",
                            "tangent_impulse_wall",
                            "gap_rate_wall",
                            "slip_wall",
                            "status_wall"};
  for (const double p : {0.0, 1.0, 1.0, 2.0, 3.0})
    impact.history.rows.push_back(
        {0, p, p * (p - 3), 2 - p / 3, p, 0, p - 2, 1 - p, p < 1 ? 2.0 : 1.0, 0, 0, 1, 1, 0});
  return trace;
}

TEST(InsideImpacts, ShowsEventsWorkMarksAndShades) {
  const std::string html = inside_impacts(two_stretches());
  EXPECT_NE(html.find("Inside the impacts"), std::string::npos);
  EXPECT_NE(html.find("impact 0 at t = 0.25 s"), std::string::npos);
  EXPECT_NE(html.find(">C</text>"), std::string::npos) << "end of compression";
  EXPECT_NE(html.find(">F</text>"), std::string::npos) << "end of the event";
  EXPECT_NE(html.find("fill-opacity:0.08"), std::string::npos) << "sticking is shaded";
  EXPECT_EQ(html.find("data-name=\"wall\""), std::string::npos) << "takes no part";
}

/// A spring contact over impact time; an engagement ends on the way.
Trace two_engagements() {
  Trace trace = two_stretches();
  ImpactHistory& history = trace.impacts[0].history;
  history.columns[1] = "time";
  for (const char* name : {"stored_floor", "force_floor", "stored_wall", "force_wall"})
    history.columns.emplace_back(name);
  const HistoryRows plain = std::move(history.rows);
  history.rows = {};
  for (std::size_t k = 0; k < plain.size(); ++k) {
    std::vector<double> row(plain[k].begin(), plain[k].end());
    row[0] = k < 3 ? 0.0 : 1.0;
    row[1] /= 3.0;
    row.insert(row.end(), {0.25, 3.0, 0.0, 0.0});
    history.rows.push_back(row);
  }
  return trace;
}

TEST(InsideImpacts, OfSpringsShowForcesAndStoredEnergyOverImpactTime) {
  const std::string html = inside_impacts(two_engagements());
  for (const char* title : {"normal force: N s per unit of impact time", "normal impulse in N s",
                            "energy stored in J", "impact time, 0 to 1"})
    EXPECT_NE(html.find(title), std::string::npos) << title;
  EXPECT_EQ(html.find(">1.5</text>"), std::string::npos) << "time ends at 1, whatever has ended";
  EXPECT_EQ(inside_impacts(two_stretches()).find("energy stored"), std::string::npos);
}

TEST(InsideImpacts, AreLeftOutWithoutHistoriesAndAfterTheFirstFew) {
  Trace trace = two_stretches();
  for (int k = 0; k < 10; ++k) trace.impacts.push_back(trace.impacts[0]);
  EXPECT_NE(inside_impacts(trace).find("7 more impacts are in histories.json"), std::string::npos);
  for (TraceImpact& impact : trace.impacts) impact.history = {};
  EXPECT_EQ(inside_impacts(trace), "");
}

}  // namespace
}  // namespace clack::report
