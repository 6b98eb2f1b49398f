// SPDX-License-Identifier: Apache-2.0
// The recorder alone: it writes what it is told and changes nothing of what it looks at.
#include "clack/hybrid/recorder.hpp"

#include <gtest/gtest.h>

#include "clack/hybrid/executor.hpp"
#include "clack/hybrid/node_fixture.hpp"

namespace clack {
namespace {

const char* const falling_ball = R"(clack: 1
dimension: 2
gravity: [0, -10]
bodies:
  floor: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}
  ball: {mass: 2, inertia: 1, position: [0, 0], velocity: [0, -3], points: {foot: [0, 0]}}
contacts: {foot: {between: [ball.foot, floor], restitution: 0.5}}
run: {until: 1, sample: 0.125}
)";

TEST(RecorderPart, WritesAnInstantAsEventsImpactsModesAndLedger) {
  NodeFixture f(falling_ball);
  RunOptions options;
  options.node_trace = true;
  Recorder recorder(f.model, f.theory, *f.mechanism, f.dynamics, options);
  recorder.begin(0.0, f.state.y.data());
  recorder.instant(resolve_instant(f.tools, f.state, Cause{.is_start = true}));
  const Trace& trace = recorder.trace();
  ASSERT_EQ(trace.events.size(), 2U);
  ASSERT_EQ(trace.impacts.size(), 1U);
  EXPECT_NEAR(trace.impacts[0].normal_impulse[0], 2.0 * 4.5, 1e-12);  // m (1 + e) v
  ASSERT_EQ(trace.modes.size(), 1U);
  EXPECT_TRUE(trace.modes[0].closed.empty());
  EXPECT_FALSE(trace.node_visits.empty());
  EXPECT_EQ(trace.node_visits[0].node, "I{foot}");
  EXPECT_NEAR(recorder.memory().ledger.sums.work_of_impacts, -9.0 * 0.75, 1e-12);
  EXPECT_LT(recorder.memory().ledger.largest_imbalance, 1e-12);
}

TEST(RecorderPart, SamplesAtMultiplesOfTheIntervalInsideTheStepOnly) {
  NodeFixture f(falling_ball);
  f.tools.v(f.state.y)[1] = 5.0;  // up: nothing touches for 1 s
  Recorder recorder(f.model, f.theory, *f.mechanism, f.dynamics, {});
  enter_mode(f.tools, f.state);
  recorder.begin(0.0, f.state.y.data());
  const auto integrator = make_integrator("rk4", {.fixed_step = 0.3});
  integrator->reset(f.dynamics.right_hand_side(), 0.0, f.state.y, 0.0);
  ASSERT_EQ(integrator->step(10.0), StepStatus::ok);
  recorder.sample_step(*integrator, 0.25);  // up to, not at: an event at 0.25 has its own row
  ASSERT_EQ(recorder.trace().row_count(), 1U);
  EXPECT_EQ(recorder.trace().rows[0], 0.125);
  recorder.sample_step(*integrator, 0.3);
  ASSERT_EQ(recorder.trace().row_count(), 2U);
  EXPECT_EQ(recorder.trace().rows[recorder.trace().columns.size()], 0.25);
  EXPECT_EQ(recorder.memory().sample_index, 3);
}

TEST(RecorderPart, ResumedGoesOnWithTheSumsAndAnEmptyTrace) {
  NodeFixture f(falling_ball);
  Recorder recorder(f.model, f.theory, *f.mechanism, f.dynamics, {});
  recorder.begin(0.0, f.state.y.data());
  recorder.instant(resolve_instant(f.tools, f.state, Cause{.is_start = true}));
  Recorder other(f.model, f.theory, *f.mechanism, f.dynamics, {});
  other.resume(recorder.memory(), 0.0, f.state.mode);
  EXPECT_TRUE(other.trace().events.empty());
  EXPECT_EQ(other.trace().modes.size(), 1U);
  EXPECT_EQ(other.memory().ledger.sums.work_of_impacts,
            recorder.memory().ledger.sums.work_of_impacts);
}

TEST(RecorderPart, WithoutFineRowsTheRestOfTheTraceIsTheSame) {
  const Model model = load_model_text(falling_ball, "ball.yaml");
  RunOptions without;
  without.fine_rows = false;
  const Trace drawn = run(model), bare = run(model, without);
  EXPECT_FALSE(drawn.fine_rows.empty());
  EXPECT_TRUE(bare.fine_rows.empty());
  EXPECT_EQ(drawn.rows, bare.rows);
  EXPECT_EQ(drawn.final_q, bare.final_q);
  EXPECT_EQ(drawn.counts.evaluations, bare.counts.evaluations);
}

}  // namespace
}  // namespace clack
