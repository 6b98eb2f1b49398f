// SPDX-License-Identifier: Apache-2.0
#include "clack/report/recorded.hpp"

#include <gtest/gtest.h>

namespace clack::report {
namespace {

Trace fine_trace() {
  Trace trace;
  trace.coordinates = {"q"};
  trace.speeds = {"u"};
  trace.columns = {"t", "q", "u", "kinetic"};
  trace.rows = {0, 1, 2, 3, 1, 4, 5, 6, 1, 7, 8, 9, 2, 10, 11, 12};  // an event at t = 1
  trace.fine_rows = {0.5, 20, 21, 1, 4, 5, 1.5, 22, 23};
  return trace;
}

TEST(Recorded, PutsFineRowsOfCoordinatesBetweenTheRows) {
  const Trace trace = fine_trace();
  const RecordedLine q = Recorded(trace).line("q");
  EXPECT_EQ(q.t, (std::vector<double>{0, 0.5, 1, 1, 1.5, 2}));
  EXPECT_EQ(q.y, (std::vector<double>{1, 20, 4, 7, 22, 10}));
}

TEST(Recorded, HasOtherColumnsRowByRow) {
  const Trace trace = fine_trace();
  EXPECT_EQ(Recorded(trace).line("kinetic").y, (std::vector<double>{3, 6, 9, 12}));
  EXPECT_TRUE(Recorded(trace).line("nothing").t.empty());
}

}  // namespace
}  // namespace clack::report
