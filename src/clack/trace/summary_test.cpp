// SPDX-License-Identifier: Apache-2.0
#include "clack/trace/summary.hpp"

#include <gtest/gtest.h>

#include "clack/trace/example_trace.hpp"

namespace clack {
namespace {

TEST(RunSummary, HasStateEnergyFlagsAndNotes) {
  const std::string text = run_summary(ExampleTrace::make());
  for (const char* part :
       {"final state at t = 0.437928195 s", "phi_M_dot", "dissipated 0.00232 J",
        "ledger error 3.1e-13", "flags: not-unique", "note: forces at <beak>", "820 us"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(RunSummary, ListsAtMostTwentyFourCoordinates) {
  Trace trace;
  for (int k = 0; k < 30; ++k) {
    trace.coordinates.push_back("q" + std::to_string(k));
    trace.final_q.push_back(k);
  }
  const std::string text = run_summary(trace);
  EXPECT_NE(text.find("... 6 more in events.json"), std::string::npos) << text;
  EXPECT_EQ(text.find("q24"), std::string::npos);
}

TEST(RunHeader, NamesModelFileAndChoices) {
  EXPECT_EQ(run_header(ExampleTrace::make()),
            "a toy <that> falls & knocks  (toy.yaml)\n"
            "theory poisson: delassus, lcp, poisson; dop853, tolerance 1e-09, until 0.437928 s\n");
}

TEST(ShortDuration, ChoosesItsUnit) {
  EXPECT_EQ(short_duration(8.2e-4), "820 us");
  EXPECT_EQ(short_duration(0.25), "250 ms");
  EXPECT_EQ(short_duration(12.34), "12.3 s");
  EXPECT_EQ(short_duration(125.0), "2 min 5 s");
  EXPECT_EQ(short_duration(7500.0), "2 h 5 min");
}

}  // namespace
}  // namespace clack
