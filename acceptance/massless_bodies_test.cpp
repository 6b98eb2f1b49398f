// SPDX-License-Identifier: Apache-2.0
// Free bodies without mass that joints carry: the cross of a universal joint, links between the joints of one body.
#include <gtest/gtest.h>

#include "acceptance/joint_runs.hpp"

namespace clack::acceptance {
namespace {

const std::string bob = R"(
clack: 1
dimension: 3
gravity: [0, 0, -9.81]
run: {until: 1, tolerance: 1e-11}
bodies:
  bob: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [0, 0, -1], points: {top: [0, 0, 1]}, velocity: [1, 0.5, 0], spin: [0.5, -1, 0]}
)";
const std::string cross = R"(  cross: {mass: 0, inertia: 0, position: [0, 0, 0], spin: [0.5, 0, 0]}
joints:
  outer: {pin: [cross, [0, 0, 0]], axis: [1, 0, 0]}
  inner: {pin: [bob.top, cross], axis: [0, 1, 0]}
)";

TEST(MasslessBody, TwoHingesThroughACrossAreAUniversalJoint) {
  const Trace one = run_text(
      bob + "joints: {hook: {universal: [bob.top, [0, 0, 0]], axes: [[0, 1, 0], [1, 0, 0]]}}\n");
  ASSERT_EQ(one.status, RunStatus::done) << one.reason;
  for (const char* formulation : {"multipliers", "nullspace", "embedding"}) {
    const Trace two = run_text(bob + cross, {{"run.formulation", formulation}});
    ASSERT_EQ(two.status, RunStatus::done) << formulation << ": " << two.reason;
    for (const char* name : {"bob.x", "bob.y", "bob.z", "bob.qw", "bob.qx", "bob.qy", "bob.qz"})
      EXPECT_NEAR(final_value(two, name), final_value(one, name), 1e-8) << formulation << name;
    EXPECT_LT(two.energy.ledger_error, 1e-8) << formulation;
  }
}

// Where the formulation needs masses, and where nothing carries the body, it is said so.
TEST(MasslessBody, IsRefusedWhereItsMotionIsNotDetermined) {
  EXPECT_THROW((void)run_text(bob + cross, {{"run.formulation", "delassus"}}), InputError);
  EXPECT_THROW((void)run_text(bob + "  cross: {mass: 0, inertia: 0, position: [0, 0, 0]}\n"),
               InputError);
  EXPECT_THROW((void)run_text(bob + "  cross: {mass: 0, inertia: 0, position: [0, 0, 0]}\n"
                                    "joints: {hook: {ball: [bob.top, [0, 0, 0]]}}\n",
                              {{"run.formulation", "multipliers"}}),
               InputError);
}

}  // namespace
}  // namespace clack::acceptance
