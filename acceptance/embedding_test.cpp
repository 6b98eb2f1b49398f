// SPDX-License-Identifier: Apache-2.0
// Constraint embedding: the numbers of docs/theories/embedding.md, whole runs.
#include <gtest/gtest.h>

#include "acceptance/run_support.hpp"

namespace clack::acceptance {
namespace {

std::vector<const TraceEvent*> events_of_kind(const Trace& trace, EventKind kind) {
  std::vector<const TraceEvent*> found;
  for (const TraceEvent& event : trace.events)
    if (event.kind == kind) found.push_back(&event);
  return found;
}

double time_of_kind(const Trace& trace, EventKind kind, std::size_t which) {
  const auto found = events_of_kind(trace, kind);
  return which < found.size() ? found[which]->t : -1.0;
}

double label_time(const Trace& trace, const std::string& label) {
  for (const TraceEvent& event : trace.events)
    if (event.label == label) return event.t;
  return -1.0;
}

// ------------------------------------------------------------------ example 3: over a belt

TEST(Conveyor, TipGripsTheBeltTwiceSlidesOnceAndSticks) {
  const Trace trace = run_file("conveyor/conveyor.yaml");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  ASSERT_GE(trace.impacts.size(), 3U);
  struct Impact {
    double t, u1, u2, tangent, normal;
  };
  const Impact expected[] = {
      {0.072642086676, 2.668685332270, -0.840762512026, -0.788443339791, 1.795142884202},
      {0.251849625148, 2.651482690317, 0.413695925740, 0.391169080038, 1.803385822503},
      {0.408378424309, 2.093036342876, 1.787378216967, 0.185790622882, 0.928953114412}};
  for (int i = 0; i < 3; ++i) {
    const TraceImpact& impact = trace.impacts[i];
    EXPECT_NEAR(impact.t, expected[i].t, 1e-9);
    EXPECT_NEAR(impact.v_after[0], expected[i].u1, 1e-9);
    EXPECT_NEAR(impact.v_after[1], expected[i].u2, 1e-9);
    EXPECT_NEAR(impact.tangent_impulse[0][0], expected[i].tangent, 1e-9);
    EXPECT_NEAR(impact.normal_impulse[0], expected[i].normal, 1e-9);
  }
  EXPECT_NEAR(trace.impacts[1].energy_after - trace.impacts[1].energy_before, 0.909, 5e-4);
  const double stick = time_of_kind(trace, EventKind::stick, 0);
  EXPECT_NEAR(stick, 0.873112060393, 1e-8);
  EXPECT_NEAR(value_after(trace, stick, "q1"), 1.368237863414, 1e-8);
  EXPECT_NEAR(value_after(trace, stick, "q2"), -0.048505111395, 1e-8);
  EXPECT_NEAR(value_after(trace, stick, "tangent_belt"), 0.165947141, 1e-7);
  EXPECT_NEAR(value_after(trace, stick, "normal_belt"), 13.218546459, 1e-7);
  EXPECT_NEAR(time_of_kind(trace, EventKind::slip, 0), 1.034010179137, 1e-8);
}

TEST(Conveyor, WithAnotherGravityAndAsPrinted) {
  const Trace other = run_file("conveyor/conveyor.yaml", {{"g", "9.81"}});
  const double expected[] = {0.072615637, 0.251726999, 0.408170261};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(other.impacts.at(i).t, expected[i], 1e-8);
  EXPECT_NEAR(time_of_kind(other, EventKind::stick, 0), 0.873734290, 1e-8);
  const Trace printed = run_file("conveyor/as-printed.yaml");
  const double times[] = {0.079535727, 0.350678107, 0.586579690};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(printed.impacts.at(i).t, times[i], 1e-8);
  EXPECT_NEAR(time_of_kind(printed, EventKind::stick, 0), 0.830793255, 1e-8);
}

// ------------------------------------------------------------------ example 2: ramp and fence

TEST(Fence, DiskReachesTheFenceThatWasBuiltLateAndItsEnd) {
  const Trace trace = run_file("fence/fence.yaml");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const double at_fence = label_time(trace, "end-of-the-ramp"),
               at_end = label_time(trace, "end-of-the-fence");
  EXPECT_NEAR(at_fence, 7.699912792779, 1e-9);
  EXPECT_NEAR(at_end, 8.999316533946, 1e-9);
  const auto speed = [&](double t) {
    return std::hypot(value_after(trace, t, "q1_dot"), value_after(trace, t, "q2_dot"));
  };
  EXPECT_NEAR(speed(at_fence), 6.576697861759, 1e-9);
  EXPECT_NEAR(value_after(trace, at_fence, "q4_dot"), 6.745331140266, 1e-9);
  EXPECT_NEAR(speed(at_end), 4.954657666277, 1e-9);
  EXPECT_NEAR(value_after(trace, at_end, "q1"), -33.216075962847, 1e-9);
  EXPECT_NEAR(value_after(trace, at_end, "q2"), -0.754383905546, 1e-9);
  EXPECT_NEAR(at_row(trace, 5, "force_ramp"), 9.762708041299, 1e-9);
  EXPECT_NEAR(value_after(trace, at_fence, "force_fence"), 11.980808285651, 1e-9);
  double last = 0.0;  // in the last row on the fence
  for (std::size_t row = 0; row < trace.row_count(); ++row)
    if (at_row(trace, row, "force_fence") != 0.0) last = at_row(trace, row, "force_fence");
  EXPECT_NEAR(last, 10.542014272200, 1e-9);
  EXPECT_EQ(value_after(trace, at_end, "force_fence"), 0.0);
}

TEST(Fence, StateOnTheFence) {
  const Trace trace = run_file("fence/fence.yaml", {{"run.until", "8.4"}});
  EXPECT_NEAR(final_value(trace, "q1"), -29.877036700571, 1e-8);
  EXPECT_NEAR(final_value(trace, "q2"), -1.564495092472, 1e-8);
  EXPECT_NEAR(final_value(trace, "q4"), 30.061417182567, 1e-8);
  EXPECT_NEAR(final_value(trace, "q4_dot"), 6.521239206846, 1e-8);
}

TEST(Fence, WithoutAFenceTheDiskFliesOnAndWhenItComesLaterNothingHappens) {
  const Trace trace = run_file("fence/fence.yaml", {{"t_known", "8"}});
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_NEAR(label_time(trace, "end-of-the-ramp"), 7.699912792779, 1e-9);
  EXPECT_EQ(label_time(trace, "fence"), -1.0);
  for (std::size_t row = 0; row < trace.row_count(); ++row)
    EXPECT_EQ(at_row(trace, row, "force_fence"), 0.0);
  EXPECT_NEAR(final_value(trace, "q3"), 0.0, 1e-12);
}

TEST(Fence, RollingDiskGoesSlower) {
  // On the ramp s'' = g sin(phi) / (1 + J/(m r^2)) = 2/3 of sliding.
  const Trace trace = run_file("fence/fence.yaml", {{"rolling", "1"}, {"run.until", "5"}});
  const double slope = 9.8 * std::sin(std::numbers::pi / 36) / 1.5;
  EXPECT_NEAR(final_value(trace, "q4"), 0.5 * slope * 25, 1e-9);
  EXPECT_NEAR(final_value(trace, "q3_dot"), slope * 5 / 0.5, 1e-9);
}

// Designs that need every speed to carry inertia say which do not.
TEST(Fence, FormulationsThatInvertTheMassNameOneThatDoesNot) {
  for (const char* name : {"delassus", "projection"}) {
    try {
      static_cast<void>(run_file("fence/fence.yaml", {{"run.formulation", name}}));
      FAIL() << name;
    } catch (const InputError& e) {
      EXPECT_NE(std::string(e.what()).find("q4_dot carries no inertia"), std::string::npos);
      EXPECT_NE(std::string(e.what()).find("embedding"), std::string::npos);
    }
  }
  for (const char* name : {"multipliers", "nullspace"}) {
    const Trace trace = run_file("fence/fence.yaml", {{"run.formulation", name}});
    EXPECT_NEAR(label_time(trace, "end-of-the-fence"), 8.999316533946, 1e-9) << name;
  }
}

// ------------------------------------------------------------------ forces of constraints

TEST(Latch, PinCarriesTheLoadAndBreaksAtItsForce) {
  const Trace trace = run_file("latch/breakable.yaml");
  const double breaks = label_time(trace, "breaks");
  EXPECT_NEAR(breaks, 1.5, 1e-12);
  EXPECT_NEAR(at_row(trace, 100, "force_pin"), -10.0 * at_row(trace, 100, "t"), 1e-12);
  EXPECT_EQ(value_after(trace, breaks, "force_pin"), 0.0);
  EXPECT_GT(final_value(trace, "q"), 0.1);
}

// A pin that is hit: its force jumps over the limit with the mode, and it breaks at that instant.
TEST(Latch, ForceThatJumpsOverTheLimitBreaksThePinAtOnce) {
  const Trace trace = run_text(
      "clack: 1\nname: two\ndimension: 2\ncoordinates: {x: 0, y: {start: 0, rate: 1}}\n"
      "mass_matrix: [[1, 0], [0, 1]]\nforce: ['if(y > 0.5, 7, 2)', 0]\n"
      "constraints: {pin: {configuration: x}, late: {configuration: y - 0.25, active: false}}\n"
      "events:\n  - {name: load, when: y - 0.5, do: {constraint_off: late}}\n"
      "  - {name: breaks, when: abs(force_pin) - 5, direction: rising, do: {constraint_off: pin}}\n"
      "run: {until: 1, theory: embedding}\n");
  EXPECT_NEAR(label_time(trace, "breaks"), 0.5, 1e-12);
  EXPECT_NEAR(final_value(trace, "x"), 0.5 * 7 * 0.25, 1e-9);
}

// Switched on in motion: a plastic impact with the impulse of its rows.
TEST(Latch, ImpulseOfAConstraintThatIsSwitchedOnIsRecorded) {
  for (const char* law : {"smith", "newton", "poisson", "projection"}) {
    const Trace trace = run_text(
        "clack: 1\nname: catch\ndimension: 2\ncoordinates: {x: {start: 0, rate: 2}, y: 0}\n"
        "mass_matrix: [[1, 0], [0, 3]]\nforce: [0, 0]\n"
        "constraints: {clutch: {motion: x_dot - y_dot, active: false}}\n"
        "events: [{name: on, when: t - 0.5, do: {constraint_on: clutch}}]\n"
        "run: {until: 1, theory: embedding, impact: " +
        std::string(law) + "}\n");
    ASSERT_EQ(trace.impacts.size(), 1U) << law;
    ASSERT_EQ(trace.impacts[0].constraint_impulses.size(), 1U) << law;
    EXPECT_NEAR(trace.impacts[0].constraint_impulses[0].rows.at(0), -1.5, 1e-12) << law;
    EXPECT_NEAR(final_value(trace, "y_dot"), 0.5, 1e-12) << law;
  }
}

// ------------------------------------------------------------------ reselection

void expect_smooth_reselections(const Trace& trace, std::size_t least) {
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const auto events = events_of_kind(trace, EventKind::reselect);
  EXPECT_GE(events.size(), least);
  for (const TraceEvent* event : events) {
    EXPECT_FALSE(event->independent.empty());
    // The two rows of the event: before and after.
    for (std::size_t row = 1; row < trace.row_count(); ++row) {
      if (at_row(trace, row, "t") != event->t || at_row(trace, row - 1, "t") != event->t) continue;
      double size = 0.0;
      for (const std::string& name : trace.speeds)
        size = std::max(size, std::abs(at_row(trace, row, name)));
      for (const std::string& name : trace.speeds)
        EXPECT_LE(std::abs(at_row(trace, row, name) - at_row(trace, row - 1, name)), 1e-13 * size);
      for (const std::string& name : trace.coordinates)
        EXPECT_EQ(at_row(trace, row, name), at_row(trace, row - 1, name));
    }
  }
  EXPECT_LE(std::abs(trace.energy.final - trace.energy.initial),
            1e-8 * std::abs(trace.energy.initial));
}

TEST(SliderCrank, PassesItsDeadCentresWithoutAnyJump) {
  expect_smooth_reselections(run_file("slider-crank/slider-crank.yaml"), 0);
}

TEST(SliderCrank, RockingCrankPassesTheRodStandingAcross) {
  expect_smooth_reselections(
      run_file("slider-crank/slider-crank.yaml", {{"a", "1.2"}, {"b", "1"}, {"thd0", "3"}}), 1);
}

TEST(FourBar, RunsThroughEveryPoseWithItsEnergy) {
  expect_smooth_reselections(run_file("four-bar/four-bar.yaml"), 0);
}

// The same motion as with multipliers, which chooses nothing.
TEST(SliderCrank, MovesAsWithMultipliers) {
  const Trace one = run_file("slider-crank/slider-crank.yaml", {{"run.until", "2"}}),
              other = run_file("slider-crank/slider-crank.yaml",
                               {{"run.until", "2"}, {"run.formulation", "multipliers"}});
  for (const char* name : {"th", "ph", "x", "th_dot", "ph_dot", "x_dot"})
    EXPECT_NEAR(final_value(one, name), final_value(other, name), 1e-6) << name;
}

// ------------------------------------------------------------------ drift of the designs

struct Errors {
  double position = 0.0, velocity = 0.0;
};

/// The unit double pendulum with its tip on the line y = -1.2, classical Runge-Kutta with h = 0.01, drift left alone.
Errors drift_of(const std::string& formulation, const std::string& policies, double until) {
  const Trace trace = run_text(
      "clack: 1\nname: tip on a line\ndimension: 2\nparameters: {g: 9.8, q20: -acos(1.2 - "
      "cos(0.5))}\n"
      "gravity: [0, -g]\ncoordinates:\n  q1: {start: 0.5, rate: 1}\n"
      "  q2: {start: q20, rate: -sin(0.5)/sin(q20)}\nbodies:\n"
      "  first: {mass: 1, position: [sin(q1), -cos(q1)]}\n"
      "  tip: {mass: 1, position: [sin(q1) + sin(q2), -cos(q1) - cos(q2)]}\n"
      "constraints: {line: {configuration: 1.2 - cos(q1) - cos(q2)}}\n"
      "policies: {drift: leave" +
      policies + "}\nrun: {until: " + std::to_string(until) +
      ", theory: embedding, integrator: rk4, step: 0.01, sample: 0.01, formulation: " +
      formulation + "}\n");
  Errors errors;
  for (std::size_t row = 0; row < trace.row_count(); ++row) {
    const double q1 = at_row(trace, row, "q1"), q2 = at_row(trace, row, "q2"),
                 u1 = at_row(trace, row, "q1_dot"), u2 = at_row(trace, row, "q2_dot");
    errors.position = std::max(errors.position, std::abs(1.2 - std::cos(q1) - std::cos(q2)));
    errors.velocity = std::max(errors.velocity, std::abs(std::sin(q1) * u1 + std::sin(q2) * u2));
  }
  return errors;
}

void expect_within_two(double value, double expected) {
  EXPECT_GT(value, 0.5 * expected);
  EXPECT_LT(value, 2.0 * expected);
}

TEST(Drift, PlainMultipliersAndNullspaceDriftWithTheSquareOfTheTime) {
  for (const char* name : {"multipliers", "nullspace", "delassus"}) {
    const Errors ten = drift_of(name, "", 10), twenty = drift_of(name, "", 20),
                 forty = drift_of(name, "", 40);
    expect_within_two(ten.position, 1.3e-7);
    expect_within_two(ten.velocity, 3.4e-8);
    expect_within_two(twenty.position, 5.7e-7);
    expect_within_two(twenty.velocity, 6.0e-8);
    expect_within_two(forty.position, 2.4e-6);
    expect_within_two(forty.velocity, 1.2e-7);
  }
}

TEST(Drift, BaumgarteHoldsIt) {
  for (const double until : {10.0, 40.0}) {
    const Errors held = drift_of("multipliers", ", baumgarte: [10, 10]", until);
    expect_within_two(held.position, 3.5e-8);
    expect_within_two(held.velocity, 5.7e-7);
  }
}

TEST(Drift, EmbeddedSpeedsAreExactAndPositionsDriftSlowly) {
  const double expected[] = {2.3e-9, 2.6e-9, 3.2e-9};
  for (int i = 0; i < 3; ++i) {
    const Errors errors = drift_of("embedding", "", 10.0 * (1 << i));
    expect_within_two(errors.position, expected[i]);
    EXPECT_LT(errors.velocity, 1e-14);
  }
}

// ------------------------------------------------------------------ chains, sleigh

TEST(Chain, FormulationsMoveAllChainsAlike) {
  for (const int n : {2, 5, 10}) {
    const std::string file = "chain/chain-" + std::to_string(n) + ".yaml";
    const Trace one = run_file(file, {{"run.until", "1"}, {"tip_yd", "0.1"}, {"tip_ydd", "-0.2"}}),
                other = run_file(file, {{"run.until", "1"},
                                        {"tip_yd", "0.1"},
                                        {"tip_ydd", "-0.2"},
                                        {"run.formulation", "delassus"}});
    for (const std::string& name : one.coordinates)
      EXPECT_NEAR(final_value(one, name), final_value(other, name), 1e-7) << n << " " << name;
    EXPECT_NEAR(at_row(one, one.row_count() - 1, "force_tip"),
                at_row(other, other.row_count() - 1, "force_tip"), 1e-6);
    EXPECT_LT(one.energy.ledger_error, 1e-8);
  }
}

// Energy is kept; the blade's own speed has nothing to lose it to.
TEST(Sleigh, KeepsItsEnergyAndEndsUpStraight) {
  const Trace trace =
      run_file("sleigh/sleigh.yaml", {{"run.until", "40"}, {"run.tolerance", "1e-11"}});
  EXPECT_LT(std::abs(trace.energy.final - trace.energy.initial), 1e-9);
  EXPECT_NEAR(final_value(trace, "th_dot"), 0.0, 1e-6);
}

}  // namespace
}  // namespace clack::acceptance
