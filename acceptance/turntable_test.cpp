// SPDX-License-Identifier: Apache-2.0
// Bodies of prescribed motion that turn in space.
#include <gtest/gtest.h>

#include "run_support.hpp"

namespace clack::acceptance {
namespace {

// A ball that rolls on a turntable (rate W) runs in a circle at the rate W I/(I + m r^2) = 2 W/7, wherever it starts:
// dv/dt = 2/7 W z x v (Pars, A Treatise on Analytical Dynamics). r = 0.1 at x = 1 with v = (0, 0.5, 0) rolls when its
// contact point moves with the table: v + w x (0, 0, -r) = W z x (1, 0, 0), so w = (5, 0, 0) for W = 1 (0.5 + 0.1 wx = 1).
std::string turntable(const std::string& turning) {
  return R"(clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  ball: {mass: 1, inertia: 0.004, position: [1, 0, 0.1], velocity: [0, 0.5, 0], spin: [5, 0, 0], shape: {sphere: {radius: 0.1}}}
  table: {motion: {)" +
         turning + R"(}, shape: {half-space: {normal: [0, 0, 1]}}}
contacts: {foot: {between: [ball, table], friction: 0.8}}
run: {until: 4, theory: newton}
)";
}

TEST(Turntable, ABallRunsInACircleAtTwoSeventhsOfItsRate) {
  for (const char* turning : {"rotation: [[z, t]]", "orientation: [cos(t/2), 0, 0, sin(t/2)]",
                              "orientation: [3*cos(t/2), 0, 0, 3*sin(t/2)]"}) {
    const Trace trace = run_text(turntable(turning));
    ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
    const double rate = 2.0 / 7.0, angle = rate * 4.0;
    EXPECT_NEAR(final_value(trace, "ball.vx"), -0.5 * std::sin(angle), 1e-8) << turning;
    EXPECT_NEAR(final_value(trace, "ball.vy"), 0.5 * std::cos(angle), 1e-8) << turning;
    EXPECT_NEAR(final_value(trace, "ball.x"), 1.0 - 0.5 / rate * (1.0 - std::cos(angle)), 1e-8);
    EXPECT_NEAR(final_value(trace, "ball.y"), 0.5 / rate * std::sin(angle), 1e-8);
    EXPECT_LT(trace.energy.ledger_error, 1e-8);
    EXPECT_NEAR(trace.energy.dissipated, 0.0, 1e-9);
  }
}

// A table that tips about the x axis with a = 0.2 sin(t): the ball stays on it, its normal is that of the table.
TEST(Turntable, ATippingTableCarriesTheBallOnItsNormal) {
  const Trace trace = run_text(turntable("rotation: [[x, 0.2*sin(t)]]"));
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const double a = 0.2 * std::sin(4.0);
  EXPECT_NEAR(
      -std::sin(a) * final_value(trace, "ball.y") + std::cos(a) * final_value(trace, "ball.z"), 0.1,
      1e-9);
  EXPECT_LT(trace.energy.ledger_error, 1e-7);
}

TEST(Turntable, KeysOfATurningMotionAreChecked) {
  const auto refusal = [](const std::string& turning) -> std::string {
    try {
      load_model_text(turntable(turning), "test.yaml", {});
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(refusal("rotation: [[w, t]]").find("there is no axis w"), std::string::npos);
  EXPECT_NE(refusal("rotation: [[z, t]], orientation: [1, 0, 0, 0]").find("say the same"),
            std::string::npos);
  EXPECT_NE(refusal("orientation: [1, 0, 0]").find("entries, must have 4"), std::string::npos);
  EXPECT_NE(refusal("rotation: [[z, ball.x]]").find("ball.x"), std::string::npos);
}

}  // namespace
}  // namespace clack::acceptance
