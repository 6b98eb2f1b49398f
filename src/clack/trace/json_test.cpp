// SPDX-License-Identifier: Apache-2.0
#include "clack/trace/json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "clack/trace/example_trace.hpp"

namespace clack {
namespace {

using nlohmann::json;

TEST(EventsJson, HasEveryFieldOfTheContract) {
  const json document = json::parse(events_json(ExampleTrace::make(), WallTime::included));
  for (const char* key :
       {"model",     "theory", "formulation", "decision",    "impact",      "integrator",
        "tolerance", "until",  "status",      "reason",      "coordinates", "speeds",
        "contacts",  "events", "impacts",     "final",       "energy",      "counts",
        "cycle",     "flags",  "notes",       "wall_seconds"})
    EXPECT_TRUE(document.contains(key)) << key;
  for (const char* key : {"t", "kind", "contacts", "from", "to", "iterations", "residual"})
    EXPECT_TRUE(document["events"][1].contains(key)) << key;
  for (const char* key : {"t", "contacts", "v_before", "v_after", "normal_impulse",
                          "tangent_impulse", "energy_before", "energy_after", "flags"})
    EXPECT_TRUE(document["impacts"][0].contains(key)) << key;
  for (const char* key : {"t", "q", "v"}) EXPECT_TRUE(document["final"].contains(key)) << key;
  for (const char* key : {"initial", "final", "dissipated", "ledger_error", "check"})
    EXPECT_TRUE(document["energy"].contains(key)) << key;
  for (const char* key : {"steps", "evaluations", "events", "impacts"})
    EXPECT_TRUE(document["counts"][key].is_number_integer()) << key;
  for (const char* key : {"period", "drop", "multiplier"})
    EXPECT_TRUE(document["cycle"].contains(key)) << key;
}

TEST(EventsJson, NamesContactsAndStatuses) {
  const json document = json::parse(events_json(ExampleTrace::make()));
  const json& event = document["events"][2];
  EXPECT_EQ(event["kind"], "impact");
  EXPECT_EQ(event["contacts"], json({"lower"}));
  EXPECT_EQ(event["from"], json({{"lower", "open"}}));
  EXPECT_EQ(event["to"], json({{"lower", "slip"}}));
  EXPECT_EQ(document["status"], "done");
  EXPECT_EQ(document["impacts"][0]["tangent_impulse"], json::parse("[[-2.1e-4]]"));
}

TEST(EventsJson, KeepsEveryBitOfANumber) {
  Trace trace = ExampleTrace::make();
  trace.energy.final = 0.1 + 0.2;
  trace.final_q[0] = std::nextafter(1.0, 2.0);
  const json document = json::parse(events_json(trace));
  EXPECT_EQ(document["energy"]["final"].get<double>(), 0.1 + 0.2);
  EXPECT_EQ(document["final"]["q"][0].get<double>(), std::nextafter(1.0, 2.0));
}

TEST(EventsJson, LeavesWallTimeOutOfFiles) {
  Trace trace = ExampleTrace::make();
  const std::string first = events_json(trace);
  trace.wall_seconds *= 3.0;
  EXPECT_EQ(events_json(trace), first);
  EXPECT_EQ(first.find("wall_seconds"), std::string::npos);
}

TEST(EventsJson, HasNoCycleWithoutOne) {
  Trace trace = ExampleTrace::make();
  trace.cycle.reset();
  EXPECT_FALSE(json::parse(events_json(trace)).contains("cycle"));
}

TEST(EventsJson, OfAnEmptyTraceIsValidWithEmptyLists) {
  const json document = json::parse(events_json(Trace{}));
  EXPECT_EQ(document["events"], json::array());
  EXPECT_EQ(document["final"]["q"], json::array());
  EXPECT_EQ(document["flags"], json::array());
}

TEST(EventsJson, WritesWhatIsNotFiniteAsNull) {
  Trace trace = ExampleTrace::make();
  trace.final_v[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(json::parse(events_json(trace))["final"]["v"][1].is_null());
}

TEST(EventsJson, ListsVisitedLocationsOfNodesWhenThereAreAny) {
  Trace trace = ExampleTrace::make();
  EXPECT_FALSE(json::parse(events_json(trace)).contains("node_trace"));
  trace.node_visits = {{0.25, "contact", "trans"}};
  EXPECT_EQ(json::parse(events_json(trace))["node_trace"][0]["location"], "trans");
}

}  // namespace
}  // namespace clack
