// SPDX-License-Identifier: Apache-2.0
// Models of acceptance/reproducers/ that random mechanisms found, reduced, each with what is right.
#include "acceptance/run_support.hpp"

namespace clack::acceptance::random_findings {
namespace {

Trace reproduce(const std::string& name, const std::vector<Override>& overrides = {}) {
  return run(load_model(CLACK_SOURCE_DIR "/acceptance/reproducers/" + name + ".yaml", overrides));
}

TEST(BoxesInSpace, DoNotPassWhereACornerLeavesAFaceOverItsBorder) {
  const Trace trace = reproduce("box-over-a-border");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  // Bodies of 1e-4 m and a tolerance of 1e-9. The missed touch left an overlap of 8e-7 m.
  EXPECT_GE(range_of(trace, "gap_pair", 0.0, trace.final_time).low, -1e-13);
  EXPECT_GE(events_of(trace, EventKind::impact, "pair.edge11.edge3").size(), 1u);
  for (std::size_t row = 1; row < trace.row_count(); ++row)
    EXPECT_LE(at_row(trace, row, "total"), at_row(trace, row - 1, "total") + 1e-12);
}

// It stopped before the touch: two edges whose lines had passed each other beyond a corner counted as an overlap.
TEST(ATetrahedronBesideAPrism, TouchesWhereItsBodyDoes) {
  const Trace trace = reproduce("tetrahedron-beside-a-prism");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const auto impacts = events_of(trace, EventKind::impact);
  ASSERT_FALSE(impacts.empty());
  // To 1e-7 the time of conservative advancement by brute force (RandomMotionsInSpace).
  EXPECT_NEAR(impacts[0]->t, 0.036697075609, 1e-10);
  EXPECT_GE(range_of(trace, "gap_hit", 0.0, trace.final_time).low, -1e-12);
}

TEST(ASphereThatSlidesOffABox, LeavesAtTheEdgeAndIsNeverPulled) {
  const Trace trace = reproduce("sphere-over-an-edge");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  // On the face it carries its weight, on the edge it would take m v^2/r more than that to hold it.
  const Range normal = range_of(trace, "normal_pair", 0.0, trace.final_time);
  EXPECT_GE(normal.low, 0.0);
  EXPECT_NEAR(normal.high, 1300 * 9.81, 1e-6);
  const auto leaves = events_of(trace, EventKind::feature);
  ASSERT_EQ(leaves.size(), 1u);
  // It slides with mu g against its way, until its centre is over the border, y = -0.0609 m.
  const double speed = std::hypot(0.61305, 1.2344), t = leaves[0]->t;
  const double travelled = speed * t - 0.5 * 0.08193 * 9.81 * t * t;
  EXPECT_NEAR(0.048716 - travelled * 1.2344 / speed, -0.0609, 1e-9);
}

TEST(ADiskInAValleyOfOneGap, StopsWithWhatItNeeds) {
  const Trace trace = reproduce("disk-in-a-valley");
  EXPECT_EQ(trace.status, RunStatus::stopped);
  EXPECT_NE(trace.reason.find("lead nowhere; contacts ground"), std::string::npos) << trace.reason;
  EXPECT_NE(trace.remedy.find("is two contacts"), std::string::npos) << trace.remedy;
  EXPECT_LT(trace.counts.events, 20000);
}

TEST(AGrainBesideABlock, RestsInEveryFormulation) {
  for (const char* formulation : {"embedding", "multipliers", "nullspace", "delassus"}) {
    Model model = load_model(CLACK_SOURCE_DIR "/acceptance/reproducers/grain-beside-a-block.yaml");
    model.run.formulation = formulation;
    const Trace trace = run(model);
    ASSERT_EQ(trace.status, RunStatus::done) << formulation << ": " << trace.reason;
    EXPECT_NEAR(at_row(trace, trace.row_count() - 1, "normal_grain"), 3.5e-8 * 9.81, 1e-18);
    EXPECT_NEAR(at_row(trace, trace.row_count() - 1, "normal_block"), 0.57 * 9.81, 1e-12);
  }
}

}  // namespace
}  // namespace clack::acceptance::random_findings
