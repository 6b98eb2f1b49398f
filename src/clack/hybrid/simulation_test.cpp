// SPDX-License-Identifier: Apache-2.0
// A run that is steered: inputs, forces, constraints and contacts from outside, cut, kept and cloned.
#include "clack/hybrid/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "clack/error.hpp"
#include "clack/hybrid/checkpoint.hpp"
#include "clack/input_file.hpp"
#include "clack/trace/csv.hpp"
#include "clack/trace/json.hpp"

namespace clack {
namespace {

Model simulated_text(const std::string& yaml) {
  return load_model_text("clack: 1\n" + yaml, "model.yaml");
}

const char* const cart_yaml =
    "dimension: 2\n"
    "parameters: {m: 2}\n"
    "inputs: {push: 0}\n"
    "coordinates: {x: {start: 0.3, rate: -0.1}}\n"
    "mass_matrix: [[m]]\n"
    "force: [push]\n"
    "run: {until: 2}\n";

/// Every third cut the run is cloned, every third it goes through the bytes of a checkpoint.
void expect_cuts_change_nothing(const std::string& name, double until) {
  const std::string path = CLACK_SOURCE_DIR "/models/" + name;
  const std::vector<Override> overrides = {{"run.until", std::to_string(until)}};
  Simulation uncut(load_model(path, overrides));
  uncut.advance_to_end();
  std::mt19937 random(7);
  std::uniform_real_distribution<double> anywhere(0.0, until);
  std::vector<double> cuts(1000);
  for (double& t : cuts) t = anywhere(random);
  std::ranges::sort(cuts);
  Checkpoint frame;
  frame.model_text = read_input_file(path);
  frame.model_file = path;
  frame.overrides = overrides;
  auto run = std::make_unique<Simulation>(load_model(path, overrides));
  for (std::size_t k = 0; k < cuts.size(); ++k) {
    run->advance_until(cuts[k]);
    if (run->is_over()) break;
    if (k % 3 == 1) run = run->clone();
    if (k % 30 != 2) continue;
    frame.run = run->run().save();
    frame.record = run->run().save_record();
    run = resumed(checkpoint_from(to_bytes(frame), "kept"), {});
  }
  run->advance_to_end();
  EXPECT_EQ(trace_csv(run->trace()), trace_csv(uncut.trace())) << name;
  EXPECT_EQ(events_json(run->trace()), events_json(uncut.trace())) << name;
}

TEST(Simulation, ThousandCutsChangeNoBitOfTheWoodpecker) {
  expect_cuts_change_nothing("woodpecker/three-dof.yaml", 1.0);
}
TEST(Simulation, ThousandCutsChangeNoBitOfTheRockingBlock) {
  expect_cuts_change_nothing("rocking-block/planar-friction.yaml", 1.0);
}
TEST(Simulation, ThousandCutsChangeNoBitOfBallsInSpace) {
  expect_cuts_change_nothing("three-balls/three-balls.yaml", 1.0);
}

/// x'' = u/m, u held over each sample: x+ = x + v h + u h^2/(2 m), v+ = v + u h/m, exactly.
TEST(Simulation, ASampledControllerIsTheZeroOrderHold) {
  Simulation simulation(simulated_text(cart_yaml));
  double x = 0.3, v = -0.1;
  const double h = 0.01, m = 2.0;
  for (int k = 0; k < 150; ++k) {
    const RunView view = simulation.look();
    EXPECT_NEAR(view.q[0], x, 1e-13) << k;
    EXPECT_NEAR(view.v[0], v, 1e-13) << k;
    const double u = -40.0 * x - 9.0 * v;
    simulation.set_input("push", u);
    const double t = simulation.time(), step = (k + 1) * h - t;
    simulation.advance_until((k + 1) * h);
    x += v * step + 0.5 * u / m * step * step;
    v += u / m * step;
  }
  EXPECT_LT(simulation.ledger().ledger_error, 1e-10);
}

/// With rate and acceleration the force is a parabola, and so x a polynomial of degree four.
TEST(Simulation, AnInputWithRateAndAccelerationIsAParabola) {
  Simulation simulation(simulated_text(cart_yaml));
  simulation.advance_until(0.5);
  const double x0 = 0.3 - 0.05, v0 = -0.1;
  simulation.set_input("push", Signal{.value = 1.0, .rate = -2.0, .acceleration = 6.0});
  simulation.advance_until(1.25);
  const double s = 0.75, m = 2.0;
  const double x = x0 + v0 * s + (s * s / 2 - 2.0 * s * s * s / 6 + 6.0 * s * s * s * s / 24) / m;
  EXPECT_NEAR(simulation.look().q[0], x, 1e-12);
  EXPECT_EQ(simulation.input("push").at(1.25), 1.0 - 2.0 * s + 3.0 * s * s);
}

/// A change is an event, and columns tell the value.
TEST(Simulation, AChangeIsAnEventOfTheRun) {
  Simulation simulation(simulated_text(cart_yaml));
  simulation.advance_until(0.75);
  simulation.set_input("push", 3.0);
  simulation.advance_to_end();
  const Trace& trace = simulation.trace();
  ASSERT_EQ(trace.events.size(), 3u);  // start, change, end
  EXPECT_EQ(trace.events[1].t, 0.75);
  EXPECT_EQ(trace.events[1].label, "input push");
  const std::size_t column = std::ranges::find(trace.columns, "push") - trace.columns.begin();
  ASSERT_LT(column, trace.csv_columns);
  EXPECT_EQ(trace.rows[column], 0.0);
  EXPECT_EQ(trace.rows[trace.rows.size() - trace.columns.size() + column], 3.0);
  EXPECT_EQ(trace.modes.size(), 2u);
}

/// The other end of a spring jumps by d: the energy of the spring jumps by k d^2/2, which the drive has put in.
TEST(Simulation, WorkOfAJumpingSpringEndIsBooked) {
  Simulation simulation(
      simulated_text("dimension: 2\ninputs: {d: 0}\ncoordinates: {x: 0}\nmass_matrix: [[1]]\n"
                     "force: [-50*(x - d)]\npotential: 25*(x - d)^2\nrun: {until: 1}\n"));
  simulation.advance_until(0.25);
  simulation.set_input("d", 0.2);
  simulation.advance_to_end();
  EXPECT_NEAR(simulation.trace().energy.work_of_drives, 25 * 0.04, 1e-12);
  EXPECT_LT(simulation.trace().energy.ledger_error, 1e-9);
  EXPECT_NEAR(simulation.look().q[0], 0.2 - 0.2 * std::cos(std::sqrt(50.0) * 0.75), 1e-8);
}

const char* const pendulum_on_cart =
    "dimension: 2\ninputs: {w: 0}\ngravity: [0, 0]\ncoordinates: {q: 0.5}\n"
    "bodies: {bob: {mass: 1, inertia: 0.0, position: [w + 2*sin(q), -2*cos(q)]}}\n"
    "run: {until: 1}\n";

/// A cart that suddenly moves pulls along its rod only: the speed of the bob across it stays, 2 q' + w' cos q.
TEST(Simulation, ASuddenRateOfTheSupportKicksThePendulum) {
  Simulation simulation(simulated_text(pendulum_on_cart));
  simulation.advance_until(0.1);
  simulation.set_input("w", Signal{.value = 0.0, .rate = 3.0});
  EXPECT_NEAR(simulation.look().v[0], -3.0 * std::cos(0.5) / 2.0, 1e-12);
  simulation.advance_to_end();
  EXPECT_LT(simulation.trace().energy.ledger_error, 1e-8);
}

TEST(Simulation, ASupportThatJumpsStopsTheRun) {
  Simulation simulation(simulated_text(pendulum_on_cart));
  simulation.advance_until(0.1);
  simulation.set_input("w", 0.3);
  ASSERT_TRUE(simulation.is_over());
  EXPECT_NE(simulation.trace().reason.find("input w jumps by 0.3"), std::string::npos)
      << simulation.trace().reason;
}

/// A row that is driven by an input: its value, rate and acceleration; the force is that of the motion it prescribes.
TEST(Simulation, AConstraintFollowsAnInput) {
  Simulation simulation(simulated_text(
      "dimension: 2\ninputs: {w: [0, 0, 2]}\ncoordinates: {x: 0}\nmass_matrix: [[3]]\nforce: [0]\n"
      "constraints: {drive: {configuration: x - w}}\nrun: {until: 2}\n"));
  simulation.advance_until(1.0);
  RunView view = simulation.look();
  EXPECT_NEAR(view.q[0], 1.0, 1e-9);
  EXPECT_NEAR(view.v[0], 2.0, 1e-9);
  EXPECT_NEAR(view.constraints[0].force[0], 6.0, 1e-9);
  simulation.set_input("w", Signal{.value = 1.0, .rate = 0.5, .acceleration = 0.0});
  view = simulation.look();
  EXPECT_NEAR(view.v[0], 0.5, 1e-12);  // by an impact
  EXPECT_NEAR(view.constraints[0].force[0], 0.0, 1e-12);
  ASSERT_EQ(simulation.trace().impacts.size(), 1u);
  EXPECT_NEAR(simulation.trace().impacts[0].constraint_impulses[0].rows[0], 3.0 * -1.5, 1e-9);
  simulation.advance_to_end();
  EXPECT_LT(simulation.trace().energy.ledger_error, 1e-8);
  EXPECT_NEAR(simulation.look().q[0], 1.5, 1e-9);
}

/// An event of the model that waits for an input happens when the input jumps over it.
TEST(Simulation, AModelEventSeesAnInputJump) {
  Simulation simulation(simulated_text(
      "dimension: 2\ninputs: {w: 0}\ncoordinates: {x: {start: 0, rate: 1}}\nmass_matrix: [[1]]\n"
      "force: [0]\nevents: [{name: go, when: w - 1, do: stop}]\nrun: {until: 2}\n"));
  simulation.advance_until(0.5);
  simulation.set_input("w", 0.7);
  EXPECT_FALSE(simulation.is_over());
  simulation.set_input("w", 1.7);
  EXPECT_TRUE(simulation.is_over());
  EXPECT_EQ(simulation.trace().final_time, 0.5);
}

const char* const puck_yaml =
    "dimension: 2\ngravity: [0, -10]\nbodies: {puck: {mass: 2, inertia: 0.5, position: [0, 1]}}\n"
    "run: {until: 1}\n";

TEST(Simulation, ForcesOnCoordinatesAndBodiesHoldUntilTheyChange) {
  Simulation simulation(simulated_text(puck_yaml));
  simulation.set_force("puck.x", 4.0);
  simulation.advance_until(0.5);
  simulation.set_body_force("puck", {-4.0, 20.0, 0.0});  // 0 along x from here on, and no weight
  simulation.set_body_torque("puck", {0.0, 0.0, 1.0});
  simulation.advance_to_end();
  const RunView view = simulation.look();
  EXPECT_NEAR(view.q[0], 0.25 + 0.5, 1e-12);
  EXPECT_NEAR(view.q[1], 1.0 - 1.25 - 5.0 * 0.5, 1e-12);
  EXPECT_NEAR(view.q[2], 0.25, 1e-12);
  EXPECT_LT(simulation.trace().energy.ledger_error, 1e-10);
  EXPECT_EQ(simulation.trace().columns.size(), 1 + 6 + 4);  // forces from outside have no columns
}

/// A constraint that nobody knew: y stops by a plastic impact, x goes on.
TEST(Simulation, AConstraintThatArrivesActsFromThenOn) {
  Simulation simulation(simulated_text(puck_yaml));
  simulation.advance_until(0.5);
  simulation.add_constraint("hold", "{motion: puck.y_dot}");
  simulation.advance_to_end();
  ASSERT_EQ(simulation.trace().status, RunStatus::done) << simulation.trace().reason;
  const RunView view = simulation.look();
  EXPECT_NEAR(view.q[1], 1.0 - 1.25, 1e-12);
  EXPECT_NEAR(view.v[1], 0.0, 1e-12);
  ASSERT_EQ(simulation.trace().impacts.size(), 1u);
  EXPECT_NEAR(simulation.trace().impacts[0].constraint_impulses[0].rows[0], 10.0, 1e-9);
  EXPECT_LT(simulation.trace().energy.ledger_error, 1e-10);
  ASSERT_FALSE(simulation.trace().constraint_rows.empty());
  EXPECT_NEAR(simulation.trace().constraint_rows.back().force, 20.0, 1e-9);
  simulation.trace();
}

/// A floor that arrives in flight is hit as one that was always there.
TEST(Simulation, AContactThatArrivesIsHitLikeOneThatWasThere) {
  const std::string floor = "{gap: puck.y, slip: puck.x_dot, restitution: 0.5}";
  Simulation known(simulated_text(puck_yaml + ("contacts: {floor: " + floor + "}\n")));
  known.advance_to_end();
  Simulation late(simulated_text(puck_yaml));
  late.advance_until(0.2);
  late.add_contact("floor", floor);
  late.advance_to_end();
  ASSERT_EQ(late.trace().impacts.size(), known.trace().impacts.size());
  for (std::size_t i = 0; i < known.trace().impacts.size(); ++i)
    EXPECT_NEAR(late.trace().impacts[i].t, known.trace().impacts[i].t, 1e-12);
  EXPECT_NEAR(late.look().q[1], known.look().q[1], 1e-10);
  EXPECT_EQ(late.trace().contacts, std::vector<std::string>{"floor"});
}

TEST(Simulation, ConstraintsAreSwitchedFromOutside) {
  Simulation simulation(simulated_text(
      puck_yaml + std::string("constraints: {hold: {motion: puck.y_dot, active: false}}\n")));
  simulation.advance_until(0.2);
  simulation.switch_constraint("hold", true);
  simulation.advance_until(0.6);
  simulation.switch_constraint("hold", false);
  simulation.advance_to_end();
  EXPECT_NEAR(simulation.look().q[1], 1.0 - 0.2 - 0.8, 1e-12);
}

TEST(Simulation, MistakesAreNamedAndChangeNothing) {
  Simulation simulation(simulated_text(cart_yaml));
  EXPECT_THROW(simulation.set_input("pish", 1.0), InputError);
  EXPECT_THROW(simulation.set_input("push", std::nan("")), InputError);
  EXPECT_THROW(simulation.switch_constraint("hold", true), InputError);
  EXPECT_THROW(simulation.set_body_force("nobody", {}), InputError);
  EXPECT_THROW(simulation.add_constraint("bad", "{motion: x_dot*x_dot}"), InputError);
  EXPECT_THROW(simulation.add_constraint("bad", "{motion: y_dot}"), InputError);
  simulation.advance_to_end();
  EXPECT_EQ(simulation.trace().events.size(), 2u);
  EXPECT_THROW(simulation.set_input("push", 1.0), InputError);
  EXPECT_THROW(simulation.add_constraint("late", "{motion: x_dot}"), InputError);
}

TEST(Simulation, WhatWasSavedIsRestoredWithItsInputs) {
  Simulation simulation(simulated_text(cart_yaml));
  simulation.set_input("push", 3.0);
  simulation.advance_until(0.4);
  const Simulation::Saved saved = simulation.save();
  simulation.set_input("push", -7.0);
  simulation.set_force("x", 2.0);
  simulation.advance_until(0.8);
  simulation.restore(saved);
  EXPECT_EQ(simulation.time(), 0.4);
  simulation.advance_until(0.8);
  const double x = simulation.look().q[0];
  EXPECT_NEAR(x, 0.3 - 0.08 + 0.5 * 1.5 * 0.64, 1e-12);
}

TEST(Checkpoint, RefusesWhatIsDamagedForeignOrOfAnotherVersion) {
  Simulation simulation(simulated_text(cart_yaml));
  simulation.advance_until(0.5);
  Checkpoint frame;
  frame.model_text = std::string("clack: 1\n") + cart_yaml;
  frame.model_file = "model.yaml";
  frame.run = simulation.run().save();
  frame.record = simulation.run().save_record();
  const std::string bytes = to_bytes(frame);
  const auto refusal = [](const std::string& text) {
    try {
      (void)checkpoint_from(text, "file");
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal(bytes), "");
  EXPECT_EQ(refusal("clack: 1\n"), "this is no checkpoint");
  EXPECT_EQ(refusal(""), "this is no checkpoint");
  std::string other = bytes;
  other[17] = '9';
  EXPECT_NE(refusal(other).find("has format 9"), std::string::npos) << refusal(other);
  for (std::size_t at = 19; at < bytes.size(); at += 101) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    EXPECT_EQ(refusal(damaged), "the checkpoint is damaged") << at;
    EXPECT_EQ(refusal(bytes.substr(0, at)), "the checkpoint is damaged") << at;
  }
}

// What arrives stands behind the rows of joints, which keep their numbers, forces and columns; one arrival after the other.
TEST(Simulation, ConstraintsAndContactsArriveInAModelWithJoints) {
  const auto load = [] { return load_model(CLACK_SOURCE_DIR "/models/joints/slider-crank.yaml"); };
  Simulation simulation(load());
  const std::size_t own = simulation.model().constraints.size();
  const std::vector<std::string> columns = simulation.trace().columns;
  simulation.advance_until(0.1);
  simulation.add_contact("buffer", "{gap: slider.x - 0.75, restitution: 0.5}");
  simulation.advance_until(0.2);
  simulation.add_constraint("brake", "{motion: crank.angle_dot, active: false}");
  simulation.advance_until(0.3);
  EXPECT_GT(std::abs(simulation.look().v[2]), 1.0);
  simulation.switch_constraint("brake", true);
  simulation.add_constraint("never", "{motion: rod.angle_dot, active: false}");
  simulation.advance_until(0.5);
  EXPECT_NEAR(simulation.look().v[2], 0.0, 1e-9);  // one degree of freedom: everything rests
  const Model& model = simulation.model();
  ASSERT_EQ(model.constraints.size(), own + 2);
  EXPECT_EQ(model.constraints[own].name, "brake");
  EXPECT_EQ(model.constraints[own + 1].name, "never");
  for (std::size_t j = 0; j < model.joints.size(); ++j)
    EXPECT_EQ(model.constraints[model.joints[j].constraint].name, model.joints[j].name);
  simulation.switch_constraint("brake", false);
  simulation.advance_to_end();
  const Trace& trace = simulation.trace();
  EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_EQ(trace.columns, columns);
  EXPECT_LT(trace.energy.ledger_error, 1e-7);
  // Taken in again from its additions, all at once, it is the same model.
  const auto again = Simulation::resumed(load(), simulation.run().options(), simulation.additions(),
                                         simulation.run().save(), simulation.run().save_record());
  ASSERT_EQ(again->model().constraints.size(), own + 2);
  EXPECT_EQ(again->model().constraints[own].name, "brake");
}

}  // namespace
}  // namespace clack
