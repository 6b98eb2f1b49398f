// SPDX-License-Identifier: Apache-2.0
// Edge cases of docs/theories/poisson.md and of the executor (docs/executor.md), each with
// a known answer.
#include "acceptance/run_support.hpp"

namespace clack::acceptance::edge_cases {
namespace {

constexpr double gravity = 9.81;

// -------------------------------------------------------------------------------------------------------
// Painleve's rod

const std::string rod = "rod/painleve.yaml";

bool says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

TEST(PainleveRod, AtRestTheRunStopsAndSaysThatThereIsNoSolution) {
  const Trace trace = run_file(rod);
  EXPECT_EQ(trace.status, RunStatus::stopped);
  EXPECT_TRUE(has_flag(trace, "no-solution"));
  EXPECT_TRUE(says(trace.reason, "no admissible forces")) << trace.reason;
  EXPECT_TRUE(says(trace.reason, "tip")) << trace.reason;
  // p = 1 + 3 cos 1 (cos 1 - 1.5 sin 1) = -0.1701 for m = 1
  EXPECT_TRUE(says(trace.reason, "-0.170")) << trace.reason;
  EXPECT_TRUE(says(trace.remedy, "tangential-impact")) << trace.remedy;
  EXPECT_EQ(trace.final_time, 0.0);
  EXPECT_EQ(trace.final_q.size(), 3u) << "what there is is kept";
}

TEST(PainleveRod, SpinningFastItHasSeveralSolutionsAndTheRunSaysSo) {
  const Trace trace = run_file(rod, {{"spin0", "6"}});  // b = 0.5 36 sin 1 - g > 0
  EXPECT_EQ(trace.status, RunStatus::stopped);
  EXPECT_TRUE(has_flag(trace, "several-solutions"));
  EXPECT_TRUE(says(trace.reason, "several solutions (2)")) << trace.reason;
  EXPECT_TRUE(says(trace.remedy, "continuous-force")) << trace.remedy;
}

TEST(PainleveRod, OutsideTheParadoxTheRunGoesOn) {
  for (const std::vector<Override>& settings :
       {std::vector<Override>{{"slip0", "-1"}}, std::vector<Override>{{"mu", "1.0"}}})
    EXPECT_EQ(run_file(rod,
                       [&] {
                         auto all = settings;
                         all.push_back({"run.until", "0.05"});
                         return all;
                       }())
                  .status,
              RunStatus::done);
}

TEST(PainleveRod, TangentialImpactEndsTheSlipWithAdmissibleImpulses) {
  const Trace trace =
      run_file(rod, {{"policies.painleve", "tangential-impact"}, {"run.until", "0.2"}});
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  ASSERT_FALSE(trace.impacts.empty());
  const TraceImpact& shock = trace.impacts[0];
  EXPECT_EQ(shock.t, 0.0);
  // The tip: velocity (x' + l sin(th) th', y' - l cos(th) th') with l = 1/2.
  const double slip = shock.v_after[0] + 0.5 * std::sin(1.0) * shock.v_after[2];
  const double rate = shock.v_after[1] - 0.5 * std::cos(1.0) * shock.v_after[2];
  EXPECT_NEAR(slip, 0.0, 1e-12);
  EXPECT_GE(rate, -1e-12);
  EXPECT_GE(shock.normal_impulse[0], 0.0);
  EXPECT_LE(std::abs(shock.tangent_impulse[0][0]), 1.5 * shock.normal_impulse[0] * (1 + 1e-9));
  EXPECT_LT(shock.energy_after, shock.energy_before);
}

TEST(PainleveRod, ContinuousForceChoosesOneOfSeveralAndGoesOn) {
  const Trace trace = run_file(
      rod, {{"spin0", "6"}, {"policies.painleve", "continuous-force"}, {"run.until", "0.1"}});
  EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_TRUE(has_flag(trace, "several-solutions"));
  // Nothing pushed before the start, so of lifting off and sliding with a force the first is nearer.
  EXPECT_TRUE(trace.modes.at(0).closed.empty());
}

TEST(PainleveRod, ContinuousForceCannotInventAForceThatDoesNotExist) {
  const Trace trace = run_file(rod, {{"policies.painleve", "continuous-force"}});
  EXPECT_EQ(trace.status, RunStatus::stopped);
  EXPECT_TRUE(says(trace.remedy, "tangential-impact")) << trace.remedy;
}

// ---------------------------------------------------------------------------------------------------
// impacts and release

TEST(Impact, WithoutRestitutionIsFollowedByLiftOffInTheSameEvent) {
  // The ground pulls up here: it hits with speed 2, stops, and accelerates away at once.
  const Trace trace = run_text(R"(clack: 1
gravity: [0, 1]
coordinates: {y: {start: 1.5, rate: -2}}
bodies: {ball: {mass: 3, position: [0, y]}}
contacts: {ground: {gap: y}}
run: {until: 4}
)");
  ASSERT_EQ(trace.impacts.size(), 1u);
  const double t = trace.impacts[0].t;
  EXPECT_NEAR(t, 1.0, 1e-10);  // 1.5 - 2 t + t^2/2 = 0
  EXPECT_EQ(status_after(trace, t, "ground"), ContactStatus::open);
  EXPECT_TRUE(events_of(trace, EventKind::detach).empty());
  EXPECT_NEAR(final_value(trace, "y"), 4.5, 1e-8);
}

const char* const two_masses = R"(clack: 1
parameters: {v2: -3}
coordinates: {a: {start: 0, rate: 1}, b: {start: 0, rate: v2}}
mass_matrix: [[1, 0], [0, 1]]
force: [0, 0]
contacts: {ground: {gap: a}, pair: {gap: b - a}}
run: {until: 1}
)";

TEST(Impact, ASeparatingClosedContactTakesPartWhenAnotherOneHits) {
  // a leaves the ground with 1, b pushes it back with -3: both stop, impulses 2 and 3 (two-contact
  // LCP by hand).
  const Trace trace = run_text(two_masses);
  ASSERT_EQ(trace.impacts.size(), 1u);
  EXPECT_NEAR(trace.impacts[0].v_after[0], 0.0, 1e-12);
  EXPECT_NEAR(trace.impacts[0].v_after[1], 0.0, 1e-12);
  EXPECT_NEAR(trace.impacts[0].normal_impulse[0], 2.0, 1e-12);
  EXPECT_NEAR(trace.impacts[0].normal_impulse[1], 3.0, 1e-12);
}

TEST(Impact, ASeparatingClosedContactGetsNoImpulseWhenItGoesOnSeparating) {
  const Trace trace = run_text(two_masses, {{"v2", "-0.5"}});
  ASSERT_EQ(trace.impacts.size(), 1u);
  EXPECT_NEAR(trace.impacts[0].v_after[0], 0.25, 1e-12);
  EXPECT_NEAR(trace.impacts[0].v_after[1], 0.25, 1e-12);
  EXPECT_EQ(trace.impacts[0].normal_impulse[0], 0.0);
  EXPECT_EQ(status_after(trace, 0.5, "ground"), ContactStatus::open);
  EXPECT_NEAR(final_value(trace, "a"), 0.25, 1e-12);
}

TEST(Impact, IllScaledMassesStackUpAndCarryTheirWeights) {
  const Trace trace = run_text(R"(clack: 1
coordinates: {a: 0.1, b: 0.3}
mass_matrix: [[1e-9, 0], [0, 1e-3]]
force: [-9.81e-9, -9.81e-3]
contacts: {ground: {gap: a}, pair: {gap: b - a}}
tolerances: {event_limit: 200}
run: {until: 1}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const std::size_t last = trace.row_count() - 1;
  EXPECT_NEAR(at_row(trace, last, "normal_pair"), gravity * 1e-3, 1e-9 * 1e-2);
  EXPECT_NEAR(at_row(trace, last, "normal_ground"), gravity * (1e-3 + 1e-9), 1e-9 * 1e-2);
  EXPECT_NEAR(final_value(trace, "a"), 0.0, 1e-12);
  EXPECT_NEAR(final_value(trace, "b"), 0.0, 1e-12);
}

/// A block on a slope of 0.5 rad whose lower left corner is a contact once or twice.
Trace sliding_block(bool is_doubled, const std::string& more) {
  const std::string coefficients = ", friction: 0.3, restitution: 0.2}\n";
  return run_text(
      "clack: 1\ngravity: [9.81*sin(0.5), -9.81*cos(0.5)]\nbodies:\n"
      "  block: {coordinates: [x, y, turn], mass: 1, inertia: 0.02, position: [0, 0.05],\n"
      "          points: {left: [-0.2, -0.05], right: [0.2, -0.05]}}\n"
      "  slope: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}\ncontacts:\n"
      "  left: {between: [block.left, slope]" +
      coefficients + (is_doubled ? "  again: {between: [block.left, slope]" + coefficients : "") +
      "  right: {between: [block.right, slope]" + coefficients + "run: {until: 1" + more + "}\n");
}

TEST(DuplicateContacts, SlideLikeSingleOnes) {
  const Trace trace = sliding_block(true, "");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_NEAR(final_value(trace, "x"), gravity * (std::sin(0.5) - 0.3 * std::cos(0.5)) / 2, 1e-9);
  EXPECT_TRUE(has_flag(trace, "hyperstatic"));
  const std::size_t last = trace.row_count() - 1;
  EXPECT_NEAR(at_row(trace, last, "normal_left") + at_row(trace, last, "normal_again") +
                  at_row(trace, last, "normal_right"),
              gravity * std::cos(0.5), 1e-9);
}

// ------------------------------------------------------------------------------------------------------------
// Zeno

TEST(Accumulation, OfARodThatClattersBetweenItsTipsEndsAtRest) {
  const Trace trace = run_file("rod/falling.yaml");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_TRUE(has_flag(trace, "zeno-completed"));
  EXPECT_NEAR(final_value(trace, "y"), 0.0, 1e-9);
  EXPECT_NEAR(final_value(trace, "theta"), 0.0, 1e-9);
  EXPECT_NEAR(final_value(trace, "theta_dot"), 0.0, 1e-9);
  EXPECT_LT(trace.energy.ledger_error, 1e-6);
}

TEST(Accumulation, OfATumblingBlockEndsAtRest) {
  const Trace trace = run_file("block/tumbling.yaml", {{"tolerances.event_limit", "3000"}});
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_NEAR(final_value(trace, "y"), 0.1, 1e-9);
  EXPECT_NEAR(final_value(trace, "theta"), 0.0, 1e-9);
  EXPECT_NEAR(final_value(trace, "x_dot"), 0.0, 1e-9);
}

TEST(EventLimit, EndsTheRunWithAnExplanationAndKeepsWhatThereIs) {
  const Trace trace =
      run_file("bouncing-ball/bouncing-ball.yaml",
               {{"e", "1"}, {"tolerances.event_limit", "50"}, {"run.until", "1000"}});
  EXPECT_EQ(trace.status, RunStatus::stopped);
  EXPECT_TRUE(says(trace.reason, "limit of 50 events")) << trace.reason;
  EXPECT_TRUE(says(trace.remedy, "event_limit")) << trace.remedy;
  EXPECT_GE(trace.impacts.size(), 45u);
  EXPECT_GT(trace.row_count(), 50u);
  EXPECT_NEAR(trace.final_time, trace.impacts.back().t, 1e-12);
}

// ----------------------------------------------------------------------------------------------------------
// constraints

TEST(Constraints, SwitchedOnByAnEventStopTheMotionAcrossThemAndOffLetItGo) {
  const Trace trace = run_text(R"(clack: 1
coordinates: {x: {start: 0, rate: 2}, y: {start: 0, rate: 1}}
mass_matrix: [[2, 0], [0, 3]]
force: [4, 0]
constraints: {wall: {configuration: x - 3, active: false}}
events:
  - {name: arrive, when: x - 3, direction: rising, do: [{constraint_on: wall}]}
  - {name: leave, when: t - 2, do: [{constraint_off: wall}]}
run: {until: 3, tolerance: 1e-11}
)");
  // x = 2 t + t^2 reaches 3 at t = 1 with speed 4.
  const auto on = events_of(trace, EventKind::constraint_on),
             off = events_of(trace, EventKind::constraint_off);
  ASSERT_EQ(on.size(), 1u);
  ASSERT_EQ(off.size(), 1u);
  EXPECT_NEAR(on[0]->t, 1.0, 1e-10);
  EXPECT_NEAR(off[0]->t, 2.0, 1e-12);
  ASSERT_EQ(trace.impacts.size(), 1u);
  EXPECT_NEAR(trace.impacts[0].v_before[0], 4.0, 1e-9);
  EXPECT_NEAR(trace.impacts[0].v_after[0], 0.0, 1e-12);
  EXPECT_NEAR(trace.impacts[0].v_after[1], 1.0, 1e-12);
  EXPECT_NEAR(trace.impacts[0].energy_before - trace.impacts[0].energy_after, 16.0, 1e-8);
  EXPECT_NEAR(value_after(trace, off[0]->t, "x"), 3.0, 1e-12);
  EXPECT_NEAR(final_value(trace, "x"), 4.0, 1e-9);  // from rest with acceleration 2 for one second
  EXPECT_NEAR(final_value(trace, "y"), 3.0, 1e-10);
}

TEST(Constraints, KnownFromATimeJumpToTheNearestSpeedInTheKineticMetric) {
  const Trace trace = run_text(R"(clack: 1
coordinates: {x: {start: 0, rate: 1}, y: 0}
mass_matrix: [[1, 0], [0, 3]]
force: [0, 0]
constraints: {together: {motion: x_dot - y_dot, known_from: 1}}
run: {until: 2}
)");
  ASSERT_EQ(trace.impacts.size(), 1u);
  EXPECT_EQ(trace.impacts[0].t, 1.0);
  EXPECT_NEAR(final_value(trace, "x_dot"), 0.25, 1e-12);  // momentum 1 over mass 4
  EXPECT_NEAR(final_value(trace, "y_dot"), 0.25, 1e-12);
  EXPECT_NEAR(final_value(trace, "x"), 1.25, 1e-10);
}

TEST(Constraints, PrescribedMotionIsFollowedAndItsWorkIsInTheLedger) {
  const Trace trace = run_text(R"(clack: 1
coordinates: {x: {start: 0, rate: 1}}
mass_matrix: [[2]]
force: [0]
constraints: {drive: {configuration: x - sin(t)}}
run: {until: 2, tolerance: 1e-12}
)");
  EXPECT_NEAR(final_value(trace, "x"), std::sin(2.0), 1e-10);
  EXPECT_NEAR(final_value(trace, "x_dot"), std::cos(2.0), 1e-10);
  EXPECT_NEAR(trace.energy.final - trace.energy.initial, std::cos(2.0) * std::cos(2.0) - 1, 1e-9);
  EXPECT_LT(trace.energy.ledger_error, 1e-8);
}

TEST(Constraints, AnActivityFormulaSwitchesThem) {
  const Trace trace = run_text(R"(clack: 1
coordinates: {x: {start: 0, rate: 1}, y: {start: 0, rate: 1}}
mass_matrix: [[1, 0], [0, 1]]
force: [0, 0]
constraints: {rail: {motion: y_dot, active: x - 1}}
run: {until: 2}
)");
  EXPECT_EQ(events_of(trace, EventKind::constraint_on).size(), 1u);
  EXPECT_NEAR(final_value(trace, "y"), 1.0, 1e-9);
  EXPECT_NEAR(final_value(trace, "x"), 2.0, 1e-12);
}

TEST(MovingBodies, AShakingTableThrowsWhatLiesOnItWhenItFallsFasterThanGravity) {
  const double amplitude = 0.05, w = 20;  // amplitude w^2 = 20 > g
  const Trace trace = run_text(R"(clack: 1
gravity: [0, -9.81]
bodies:
  ball: {coordinates: [x, y, turn], mass: 1, inertia: 0.001, position: [0, 0.1], velocity: [0, 1], shape: {disk: {radius: 0.1}}}
  table: {motion: {position: [0, 0.05*sin(20*t)], angle: 0}, shape: {half-plane: {normal: [0, 1]}}}
contacts: {table: {between: [ball, table], friction: 0.3}}
run: {until: 0.06, tolerance: 1e-11}
)");
  const auto leaves = events_of(trace, EventKind::detach);
  ASSERT_EQ(leaves.size(), 1u);
  const double t = std::asin(gravity / (amplitude * w * w)) / w;
  EXPECT_NEAR(leaves[0]->t, t, 1e-9);
  const double rest = 0.06 - t;
  EXPECT_NEAR(final_value(trace, "y"),
              0.1 + amplitude * std::sin(w * t) + amplitude * w * std::cos(w * t) * rest -
                  gravity * rest * rest / 2,
              1e-9);
}

}  // namespace
}  // namespace clack::acceptance::edge_cases
