// SPDX-License-Identifier: Apache-2.0
// Small models of acceptance/reproducers/ on which a run once went wrong without a word, each with what is right.
#include "acceptance/run_support.hpp"

namespace clack::acceptance::motion_reproducers {
namespace {

Trace reproduce(const std::string& name,
                const std::vector<Override>& overrides = std::vector<Override>()) {
  const Model model =
      load_model(CLACK_SOURCE_DIR "/acceptance/reproducers/" + name + ".yaml", overrides);
  return clack::run(model);
}

std::string message_of(const std::string& name, const RunOptions& options = RunOptions()) {
  try {
    const Model model = load_model(CLACK_SOURCE_DIR "/acceptance/reproducers/" + name + ".yaml");
    clack::run(model, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// The largest rise of the total energy between two rows, J.
double largest_rise(const Trace& trace) {
  double rise = 0.0;
  for (std::size_t row = 1; row < trace.row_count(); ++row)
    rise = std::max(rise, at_row(trace, row, "total") - at_row(trace, row - 1, "total"));
  return rise;
}

void expect_nothing_penetrates(const Trace& trace, double rounding = 1e-9) {
  for (const std::string& name : trace.columns) {
    if (!name.starts_with("gap_")) continue;
    EXPECT_GE(range_of(trace, name, 0.0, trace.final_time).low, -rounding) << name;
  }
}

void expect_nothing_pulls(const Trace& trace, double rounding = 1e-7) {
  for (const std::string& name : trace.columns) {
    if (!name.starts_with("normal_")) continue;
    EXPECT_GE(range_of(trace, name, 0.0, trace.final_time).low, -rounding) << name;
  }
}

void expect_rest(const Trace& trace) {
  for (std::size_t i = 0; i < trace.speeds.size(); ++i)
    EXPECT_NEAR(trace.final_v[i], 0.0, 1e-9) << trace.speeds[i];
}

// -------------------------------------------------------------------------------------------------------
// accumulations

TEST(AccumulatingImpacts, OfWhichOneIsFastGoOnToTheEndOfTheRun) {
  const Trace trace = reproduce("zeno-explosion");
  EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_EQ(trace.final_time, 1.332);
  EXPECT_LT(largest_rise(trace), 1e-9);
  expect_nothing_penetrates(trace);
}

TEST(AccumulatingImpacts, LeaveABystanderToItsOwnMotion) {
  for (const char* fast : {"1", "100"}) {
    const Trace trace = reproduce("zeno-bystander", {{"V", fast}});
    EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
    EXPECT_NEAR(final_value(trace, "mass.x_dot"), std::cos(200.0), 1e-5) << fast;
  }
}

TEST(AccumulatingImpacts, DoNotHideAnEventOfTheModel) {
  const Trace trace = reproduce("zeno-event");
  EXPECT_NEAR(trace.final_time, 0.004, 1e-12);
  EXPECT_EQ(events_of(trace, EventKind::time).size(), 1u);
}

TEST(AccumulatingImpacts, OfARockingBlockEndInRest) {
  for (const auto& [name, friction] : {std::pair{"block-on-rubber", ""},
                                       {"rocking-block", "2"},
                                       {"rocking-block", "1.4"},
                                       {"rocking-block", "0.8"}}) {
    const Trace trace = reproduce(
        name, *friction ? std::vector<Override>{{"mu", friction}} : std::vector<Override>{});
    ASSERT_EQ(trace.status, RunStatus::done) << name << " " << friction << ": " << trace.reason;
    expect_rest(trace);
    // Drift of the integrator's tolerance, 1e-9, on energies of 30 J.
    EXPECT_LT(std::abs(trace.energy.corrections), 3e-8) << name << " " << friction;
    EXPECT_LT(largest_rise(trace), 3e-8) << name << " " << friction;
  }
}

// -------------------------------------------------------------------------------------------------------
// slip that is rounding

TEST(SlipOfAnImpact, BelowItsErrorIsNone) {
  const Trace trace = reproduce("biped");
  EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
  expect_nothing_pulls(trace);
  EXPECT_LT(largest_rise(trace), 5e-8);
}

// -------------------------------------------------------------------------------------------------------
// formulas that switch

TEST(SwitchingFormula, ABeltThatStartsTakesTheBlockAlong) {
  const Trace trace = reproduce("belt-step");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  // It slides with mu g until it has the speed of the belt: 1/(2 mu g) behind.
  EXPECT_NEAR(final_value(trace, "block.x"), 1.5 - 0.5 / (0.3 * 9.81), 1e-9);
  EXPECT_NEAR(final_value(trace, "block.x_dot"), 1.0, 1e-9);
  EXPECT_EQ(events_of(trace, EventKind::time).size(), 1u);
}

TEST(SwitchingFormula, AShortForceIsNotSteppedOver) {
  for (const double duration : {0.2, 0.1, 1e-3, 1e-6}) {
    const Trace trace = reproduce("pulse", {{"d", exact(duration)}});
    EXPECT_NEAR(final_value(trace, "ball.x_dot"), 100.0 * duration, 1e-9) << duration;
  }
}

TEST(SwitchingFormula, AForceThatBeginsLaterIsInTheLedger) {
  const Trace trace = reproduce("late-force");
  EXPECT_NEAR(final_value(trace, "ball.x_dot"), 9.1, 1e-9);
  EXPECT_NEAR(trace.energy.work_of_forces, 0.5 * (9.1 * 9.1 - 0.01), 1e-7);
  EXPECT_LT(trace.energy.ledger_error, 1e-9);
}

TEST(SwitchingFormula, AStartOnTheBorderOfAZoneBelongsWhereItsRateLeads) {
  const Trace trace = reproduce("zone-start");
  EXPECT_NEAR(final_value(trace, "block.x"), 2 * 2 - 0.5 * 0.981 * 4, 1e-9);
}

TEST(ZoneWithoutFriction, ADiskThatRollsIntoItSlidesThereAndRollsAgainLater) {
  const Trace trace = reproduce("smooth-zone");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const auto sticks = events_of(trace, EventKind::stick);
  ASSERT_EQ(sticks.size(), 2u);
  EXPECT_NEAR(sticks[0]->t, 0.365138054717, 1e-9);
  EXPECT_NEAR(sticks[1]->t, 6.125464535146, 1e-9);
  const auto zones = events_of(trace, EventKind::zone);
  ASSERT_EQ(zones.size(), 2u);
  EXPECT_NEAR(zones[0]->t, 1.719574967448, 1e-9);
  EXPECT_NEAR(zones[1]->t, 4.157873615804, 1e-9);
  EXPECT_NEAR(final_value(trace, "q1"), 3.530715116150, 1e-8);
  EXPECT_NEAR(final_value(trace, "q1_dot"), -7.527608757358, 1e-8);
  EXPECT_EQ(status_after(trace, 3.0, "rolling"), ContactStatus::slip);
}

TEST(ZoneWithoutFriction, ABallAtRestOnASmoothFloorIsNotSaidToStick) {
  const Trace smooth = run_text(
      "clack: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n"
      "  ball: {mass: 1, inertia: 0.1, position: [0, 0.1], shape: {disk: {radius: 0.1}}}\n"
      "  floor: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}\n"
      "contacts: {c: {between: [ball, floor]}}\nrun: {until: 1}\n");
  for (const TraceMode& mode : smooth.modes)
    for (const TraceStatus& c : mode.closed) EXPECT_EQ(c.status, ContactStatus::slip);
  EXPECT_EQ(smooth.modes[0].closed.size(), 1u);
}

TEST(ModelEvents, WhoseFormulasVanishAtOneInstantAllHappen) {
  // x = t/3: three formulas vanish at t = 0.6, each with its own rounding; the order is the model's.
  for (const char* second : {"t - 0.6", "5*t - 3", "10*ball.x - 2"}) {
    const Trace trace = run_text(std::string(R"(clack: 1
dimension: 2
bodies: {ball: {mass: 1, inertia: 1, velocity: [1/3, 0]}}
constraints: {level: {configuration: ball.y, active: false}, upright: {configuration: ball.angle, active: false}}
events:
  - {name: first, when: ball.x - 0.2, do: {constraint_on: level}}
  - {name: third, when: 9*ball.x + 2*t - 3, do: {constraint_off: level}}
  - {name: second, do: {constraint_on: upright}, when: )") +
                                 second + "}\nrun: {until: 1}\n");
    std::vector<std::string> names;
    for (const TraceEvent* event : events_of(trace, EventKind::time)) {
      EXPECT_NEAR(event->t, 0.6, 1e-12) << second;
      names.push_back(event->label);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"first", "third", "second"})) << second;
  }
}

// -------------------------------------------------------------------------------------------------------
// joints

TEST(Joints, ThatDoNotHoldAtTheStartAreRefusedWithNameAndSize) {
  EXPECT_NE(message_of("teleport").find("constraint k is violated by 6 at the start"),
            std::string::npos)
      << message_of("teleport");
  EXPECT_NE(message_of("unsolvable-constraint").find("constraint k is violated by 1"),
            std::string::npos)
      << message_of("unsolvable-constraint");
}

TEST(Joints, ThatCannotHoldAreNotProjected) {
  RunOptions options;
  options.project = true;
  EXPECT_NE(message_of("unsolvable-constraint", options).find("no state nearby"), std::string::npos)
      << message_of("unsolvable-constraint", options);
}

TEST(Joints, SwitchedOnWhereTheyDoNotHoldStopTheRun) {
  const Trace trace = reproduce("constraint-on");
  EXPECT_EQ(trace.status, RunStatus::stopped);
  EXPECT_NEAR(trace.final_time, 0.5, 1e-12);
  EXPECT_NE(trace.reason.find("constraint k is violated by -4.3"), std::string::npos)
      << trace.reason;
}

// -------------------------------------------------------------------------------------------------------
// guards

TEST(Guards, SeeALandingSoonAfterTheTakeOff) {
  const Trace trace = reproduce("missed-landing");
  EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
  expect_nothing_penetrates(trace);
  EXPECT_LT(largest_rise(trace), 1e-9);
}

TEST(Guards, SeeARodThatTurnsManyTimesInAStep) {
  for (const char* spin : {"200", "1000", "-3000"}) {
    const Trace trace = reproduce("spin-rod", {{"w", spin}});
    EXPECT_FALSE(trace.impacts.empty()) << spin;
    expect_nothing_penetrates(trace);
  }
}

// -------------------------------------------------------------------------------------------------------
// progress

TEST(Progress, IsMadeBesideWallsOnSlopesAndFarFromTheOrigin) {
  for (const char* name : {"hang-slide", "hang-wall", "hang-shifted", "topple-box"}) {
    const Trace trace = reproduce(name);
    EXPECT_EQ(trace.status, RunStatus::done) << name << ": " << trace.reason;
    EXPECT_LT(trace.counts.events, 2000) << name;
  }
}

TEST(Progress, OfABoxThatIsPinnedAndStandsOnTheFloor) {
  const Trace trace = reproduce("hang-reselect");
  EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_LT(trace.counts.events, 2000);
}

TEST(Progress, AnImpactElsewhereDoesNotLiftWhatSlides) {
  // Drift of a gap rate (7e-10 m/s) once let the rod fly, to bounce on with restitution 1 for ever.
  const Trace trace = reproduce("impact-elsewhere");
  EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_LT(trace.counts.events, 200);
}

TEST(LettingGo, IsNoImpact) {
  for (const char* friction : {"0", "0.1", "0.2"}) {
    const Trace trace = reproduce("ladder", {{"mu", friction}});
    for (const TraceImpact& impact : trace.impacts)
      EXPECT_GT(impact.energy_before - impact.energy_after, 1e-6) << friction << " at " << impact.t;
  }
}

// -------------------------------------------------------------------------------------------------------
// scales belong to contacts

TEST(ContactScales, WhatTouchesToTheDigitsOfItsStartIsNotRefused) {
  const Trace trace = reproduce("touch-refused");
  EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
  ASSERT_FALSE(trace.modes.empty());
  EXPECT_EQ(trace.modes[0].closed.size(), 1u);
}

TEST(ContactScales, AFarWallDoesNotMakeABallTouchTheFloor) {
  for (const char* far : {"1", "1e3", "1e7"}) {
    const Trace trace = reproduce("far-wall", {{"L", far}});
    ASSERT_FALSE(trace.impacts.empty()) << far;
    EXPECT_NEAR(trace.impacts[0].t, std::sqrt(2 * 0.001 / 9.81), 1e-9) << far;
    EXPECT_EQ(trace.modes[0].closed.size(), 0u) << far;
  }
}

}  // namespace
}  // namespace clack::acceptance::motion_reproducers
