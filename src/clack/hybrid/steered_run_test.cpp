// SPDX-License-Identifier: Apache-2.0
// Lines from outside: what they say, when they act, and that a log repeats a run.
#include "clack/hybrid/steered_run.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "clack/error.hpp"
#include "clack/hybrid/tick_loop.hpp"
#include "clack/trace/csv.hpp"
#include "clack/trace/json.hpp"

namespace clack {
namespace {

const char* const steered_yaml =
    "clack: 1\ndimension: 2\ninputs: {push: 0}\ncoordinates: {x: 0, y: {start: 1, rate: 0}}\n"
    "mass_matrix: [[1, 0], [0, 1]]\nforce: [push, -9.81]\n"
    "constraints: {hold: {motion: x_dot, active: false}}\nrun: {until: 1, sample: 0.01}\n";

SteeredRun steered() {
  return SteeredRun(std::make_unique<Simulation>(load_model_text(steered_yaml, "model.yaml")));
}

std::string refusal_of(const std::string& line) {
  try {
    SteeredRun run = steered();
    run.put(parse_input_line(line, "stdin:1"));
  } catch (const InputError& e) {
    EXPECT_EQ(e.where(), "stdin:1") << line;
    EXPECT_FALSE(e.remedy().empty());
    return e.what();
  }
  return "";
}

TEST(InputLines, SayWhatIsWrongWithThem) {
  EXPECT_EQ(refusal_of(R"({"t": 1, "input": {"push": 2}})"), "");
  for (const char* bad : {"",
                          "17",
                          "{",
                          R"({"t": 1})",
                          R"({"t": -1, "stop": true})",
                          R"({"t": "x", "stop": true})",
                          R"({"stop": false})",
                          R"({"input": {}})",
                          R"({"input": {"push": "2"}})",
                          R"({"input": {"push": [1, 2]}})",
                          R"({"input": {"pull": 2}})",
                          R"({"on": "held"})",
                          R"({"on": 3})",
                          R"({"on": "hold", "off": "hold"})",
                          R"({"constraint": {"hold": {"motion": "x_dot"}}})",
                          R"({"constraint": {"c": {"motion": "z_dot"}}})",
                          R"({"contact": {"c": {"between": ["a", "b"]}}})",
                          R"({"contact": {"c": {"gap": "y -"}}})",
                          R"({"t": 1e999, "stop": true})",
                          R"({"inputs": {"push": 1}})"})
    EXPECT_NE(refusal_of(bad), "") << bad;
}

/// What acted, fed to another run, gives the same bytes: also lines that had no time of their own and arrivals.
TEST(SteeredRun, ALogRepeatsARun) {
  SteeredRun first = steered();
  first.advance_until(0.1);
  first.put(parse_input_line(R"({"input": {"push": [2, 0, -1]}})", "a"));
  first.put(parse_input_line(
      R"({"contact": {"floor": {"gap": "y", "slip": "x_dot", "friction": 0.3, "restitution": 0.4}}})",
      "b"));
  for (int k = 0; k < 20000 && first.acted().size() < 2; ++k) {  // the worker takes its time
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    first.advance_until(0.1);
  }
  first.put(
      parse_input_line(R"({"t": 0.75, "constraint": {"rope": {"motion": "y_dot - x_dot"}}})", "c"));
  first.put(parse_input_line(R"({"t": 0.8, "off": "rope"})", "d"));
  for (int k = 2; k <= 10; ++k) first.advance_until(0.1 * k);
  first.advance_to_end();
  ASSERT_EQ(first.simulation().trace().status, RunStatus::done)
      << first.simulation().trace().reason;
  ASSERT_EQ(first.acted().size(), 4u);
  std::string log;
  for (const std::string& line : first.acted()) log += line + "\n";
  SteeredRun again = steered();
  for (InputLine& line : parse_input_file(log, "inputs.jsonl")) again.put(std::move(line));
  again.advance_to_end();
  EXPECT_EQ(again.acted(), first.acted());
  EXPECT_EQ(trace_csv(again.simulation().trace()), trace_csv(first.simulation().trace()));
  EXPECT_EQ(events_json(again.simulation().trace()), events_json(first.simulation().trace()));
  EXPECT_EQ(contacts_csv(again.simulation().trace()), contacts_csv(first.simulation().trace()));
  EXPECT_EQ(constraints_csv(again.simulation().trace()),
            constraints_csv(first.simulation().trace()));
}

/// What the worker finds wrong is told later; the run goes on, and what comes behind it acts.
TEST(SteeredRun, WhatTheWorkerRefusesIsToldAndTheRestActs) {
  SteeredRun run = steered();
  run.announce(parse_input_line(R"({"constraint": {"bad": {"motion": "z_dot"}}})", "stdin:1"));
  run.announce(parse_input_line(R"({"constraint": {"rope": {"motion": "y_dot"}}})", "stdin:2"));
  run.announce(parse_input_line(R"({"off": "rope"})", "stdin:3"));
  std::vector<InputError> refused;
  for (int k = 0; k < 20000 && run.acted().size() < 2; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    run.advance_until(0.0);
    for (InputError& e : run.take_refused()) refused.push_back(std::move(e));
  }
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_EQ(refused[0].where(), "stdin:1");
  run.advance_to_end();
  EXPECT_EQ(run.simulation().model().constraints.size(), 2u);
  EXPECT_NEAR(run.simulation().look().q[1], 1.0 - 0.5 * 9.81, 1e-9);
}

/// An arrival with a time acts exactly there, inside a tick.
TEST(TickLoop, TicksAreExactAndEventsLieInside) {
  SteeredRun run = steered();
  TickLoop loop(run, 100.0, 1.0);
  run.put(parse_input_line(R"({"t": 0.0137, "input": {"push": 5}})", "a"));
  int ticks = 0;
  for (; !loop.is_over(); ++ticks) {
    loop.tick();
    if (!run.is_over()) {
      EXPECT_EQ(run.simulation().time(), (ticks + 1) / 100.0);
    }
  }
  run.advance_to_end();
  EXPECT_EQ(ticks, 100);
  EXPECT_EQ(loop.summary().ticks, 100);
  EXPECT_NEAR(run.simulation().look().q[0], 2.5 * (1 - 0.0137) * (1 - 0.0137), 1e-12);
  EXPECT_LE(loop.summary().p50, loop.summary().p99);
  EXPECT_LE(loop.summary().p99, loop.summary().max);
}

}  // namespace
}  // namespace clack
