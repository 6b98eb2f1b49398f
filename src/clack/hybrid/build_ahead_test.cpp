// SPDX-License-Identifier: Apache-2.0
// When modes are built changes nothing: before the start, by workers, when they are needed.
#include "clack/hybrid/build_ahead.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>

#include "clack/error.hpp"
#include "clack/hybrid/mode_plan.hpp"
#include "clack/hybrid/simulation.hpp"
#include "clack/trace/csv.hpp"
#include "clack/trace/json.hpp"

namespace clack {
namespace {

struct RunBytes {
  std::string rows, events;
};

RunBytes bytes_of(const std::string& name, std::vector<Override> overrides, int threads = 1) {
  const Model model = load_model(CLACK_SOURCE_DIR "/models/" + name, overrides);
  RunOptions options;
  options.threads = threads;
  const Trace trace = run(model, options);
  EXPECT_EQ(trace.status, RunStatus::done) << name << ": " << trace.reason;
  return {trace_csv(trace), events_json(trace)};
}

TEST(Embedding, OfflineAndOnlineGiveTheSameBytesWithOneThreadAndFour) {
  for (const auto& [name, until] : std::initializer_list<std::pair<const char*, const char*>>{
           {"fence/fence.yaml", "9.5"},
           {"conveyor/conveyor.yaml", "1.2"},
           {"disk-ramp/disk-ramp.yaml", "8"},
           {"slider-crank/slider-crank.yaml", "2"},
           {"four-bar/four-bar.yaml", "2"},
           {"latch/breakable.yaml", "2"},
           {"chain/chain-4.yaml", "1"}}) {
    const RunBytes online = bytes_of(name, {{"run.until", until}});
    for (const int threads : {1, 4}) {
      const RunBytes offline =
          bytes_of(name, {{"run.until", until}, {"policies.embedding", "offline"}}, threads);
      EXPECT_TRUE(offline.rows == online.rows) << name << " with " << threads << " threads";
      EXPECT_TRUE(offline.events == online.events) << name << " with " << threads << " threads";
    }
  }
}

/// All programs of a plan at some states: dependent speeds, M~, f~ and the powers.
std::vector<double> evaluated(const ModePrograms& programs, int coordinates, int speeds) {
  std::vector<double> numbers;
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> draw(-1.0, 1.0);
  std::vector<double> q(coordinates), v(speeds), rate(speeds);
  for (const auto& [key, program] : programs.embedded)
    for (int trial = 0; trial < 4; ++trial) {
      for (double& x : q) x = draw(engine);
      for (double& x : v) x = draw(engine);
      const EmbeddedProgram::Powers powers = program->rates(0.3, q.data(), v.data(), rate.data());
      numbers.insert(numbers.end(), v.begin(), v.end());
      const int p = program->independent();
      numbers.insert(numbers.end(), program->mass(), program->mass() + p * p);
      numbers.insert(numbers.end(), program->force(), program->force() + p);
      numbers.insert(numbers.end(), {powers.forces, powers.drives});
    }
  return numbers;
}

TEST(Embedding, ProgramsDoNotDependOnTheOrderInWhichModesAreBuilt) {
  for (const char* name : {"fence/fence.yaml", "four-bar/four-bar.yaml", "conveyor/conveyor.yaml",
                           "chain/chain-4.yaml", "bicycle/whipple.yaml"}) {
    const Model model = load_model(std::string(CLACK_SOURCE_DIR "/models/") + name);
    std::mt19937 engine(3);
    std::vector<double> first;
    for (int trial = 0; trial < 6; ++trial) {
      Mechanism mechanism(model);
      std::vector<ModePlan> plans = plan_all_modes(model, mechanism, 1000);
      if (trial > 0) {
        std::ranges::shuffle(plans, engine);
        for (ModePlan& plan : plans) std::ranges::shuffle(plan.choices, engine);
      }
      ModePrograms programs;
      for (const ModePlan& plan : plans) mechanism.build(plan, programs);
      ASSERT_FALSE(programs.embedded.empty()) << name;
      const std::vector<double> numbers =
          evaluated(programs, mechanism.coordinates(), mechanism.speeds());
      if (trial == 0) first = numbers;
      ASSERT_EQ(numbers.size(), first.size());
      for (std::size_t i = 0; i < numbers.size(); ++i)
        ASSERT_EQ(std::bit_cast<std::uint64_t>(numbers[i]), std::bit_cast<std::uint64_t>(first[i]))
            << name << ", number " << i << ": " << numbers[i] << " and " << first[i];
    }
  }
}

Model offline_model(const std::string& yaml) {
  return load_model_text("clack: 1\n" + yaml, "model.yaml");
}

std::string offline_refusal(const Model& model) {
  try {
    Simulation simulation(model);
  } catch (const InputError& e) {
    EXPECT_NE(e.remedy().find("online"), std::string::npos) << e.remedy();
    return e.what();
  }
  return "";
}

/// Ten speeds that come and go, each alone: 2^10 modes, and all sets of dependent speeds that have a row of their own.
const std::string ten_latches = [] {
  std::string yaml = "dimension: 2\ncoordinates: {", rows = "constraints:\n",
              mass = "mass_matrix: [", force = "force: [";
  for (int k = 0; k < 10; ++k) {
    const std::string comma = k < 9 ? ", " : "";
    yaml += "x" + std::to_string(k) + ": 0" + comma;
    rows += "  c" + std::to_string(k) + ": {motion: x" + std::to_string(k) + "_dot + x" +
            std::to_string((k + 1) % 10) + "_dot, active: t - " + std::to_string(k + 1) + "}\n";
    mass += "[";
    for (int j = 0; j < 10; ++j) mass += std::string(j == k ? "1" : "0") + (j < 9 ? ", " : "");
    mass += "]" + comma;
    force += "0" + comma;
  }
  return yaml + "}\n" + mass + "]\n" + force + "]\n" + rows +
         "policies: {embedding: offline}\nrun: {until: 1, theory: embedding}\n";
}();

TEST(Embedding, OfflineIsRefusedWithTheNumberOfModes) {
  // A set of edges of a ring of ten: each path of e edges leaves one of its e + 1 vertices independent, so prod (e + 1)
  // choices; the whole ring has one. All sets together: 15126.
  const std::string refusal = offline_refusal(offline_model(ten_latches));
  EXPECT_NE(refusal.find("modes with their choices of speeds"), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("15126"), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("at most 10000"), std::string::npos) << refusal;
}

TEST(Embedding, OfflineHasNoListOfContactsThatAreMadeWhereBodiesTouch) {
  const Model model =
      load_model(CLACK_SOURCE_DIR "/models/polygons/square-flat.yaml",
                 {{"run.formulation", "embedding"}, {"policies.embedding", "offline"}});
  EXPECT_NE(offline_refusal(model).find("made where its bodies touch"), std::string::npos);
}

const char* const two_sliders =
    "dimension: 2\ninputs: {push: 0}\ncoordinates: {x: 0, y: 0, z: 0}\n"
    "mass_matrix: [[1, 0, 0], [0, 2, 0], [0, 0, 3]]\nforce: [1, push, 0]\n"
    "constraints: {bar: {motion: x_dot - y_dot}}\n"
    "policies: {embedding: offline}\nrun: {until: 1, theory: embedding}\n";

TEST(Embedding, OfflineTakesNothingInAfterTheStart) {
  Simulation simulation(offline_model(two_sliders));
  simulation.advance_until(0.2);
  try {
    simulation.add_constraint("late", "{motion: y_dot - z_dot}");
    ADD_FAILURE() << "it arrived";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("constraint late"), std::string::npos) << e.what();
    EXPECT_NE(e.remedy().find("online"), std::string::npos);
  }
  simulation.advance_to_end();
  EXPECT_EQ(simulation.trace().status, RunStatus::done);
}

TEST(Embedding, AModeThatNothingInTheModelLeadsToWasNotBuilt) {
  Simulation simulation(offline_model(two_sliders));
  simulation.advance_until(0.2);
  simulation.switch_constraint(
      "bar", false);  // all speeds are free now: nothing is eliminated, so nothing is missing
  simulation.advance_until(0.4);
  EXPECT_FALSE(simulation.is_over());
  const char* const three =
      "dimension: 2\ncoordinates: {x: 0, y: 0, z: 0}\n"
      "mass_matrix: [[1, 0, 0], [0, 2, 0], [0, 0, 3]]\nforce: [1, 0, 0]\n"
      "constraints: {bar: {motion: x_dot - y_dot}, rod: {motion: y_dot - z_dot}}\n"
      "policies: {embedding: offline}\nrun: {until: 1, theory: embedding}\n";
  Simulation other(offline_model(three));
  other.advance_until(0.2);
  other.switch_constraint("bar", false);  // rod alone: no formula and no event of the model says so
  ASSERT_TRUE(other.is_over());
  ASSERT_TRUE(other.stop_reason());
  EXPECT_NE(other.stop_reason()->reason.find("rod"), std::string::npos)
      << other.stop_reason()->reason;
  EXPECT_NE(other.stop_reason()->reason.find("was not built before the start"), std::string::npos);
}

TEST(Embedding, WhatBecomesKnownIsBuiltByAWorkerMeanwhile) {
  Simulation simulation(load_model(CLACK_SOURCE_DIR "/models/fence/fence.yaml"));
  simulation.advance_until(6.9);
  ASSERT_EQ(simulation.run().embeddings().size(), 1U);
  EXPECT_EQ(simulation.run().embeddings()[0].rows,
            (std::vector<std::string>{"fence", "fence_roll"}));
  EXPECT_EQ(simulation.run().embeddings()[0].known_at, 7.0);
  simulation.advance_to_end();
  EXPECT_GE(simulation.run().embeddings()[0].ready_at, 7.0);
  EXPECT_EQ(simulation.trace().status, RunStatus::done);
}

TEST(Embedding, PlansOfNewcomersBeginWithTheModeThatIsNear) {
  const Model model = load_model(CLACK_SOURCE_DIR "/models/fence/fence.yaml");
  const Mechanism mechanism(model);
  Mode near;
  near.constraints = {true, true, false, false, false, false};  // on the ramp
  const std::vector<ModePlan> plans =
      plan_modes_ahead(model, mechanism, near, {.constraints = {3, 4}, .contacts = {}}, 24);
  ASSERT_GE(plans.size(), 3U);
  EXPECT_EQ(plans[0].rows.constraints, (std::vector<int>{0, 1}));
  bool has_fence = false;
  for (const ModePlan& plan : plans) has_fence |= plan.rows.constraints == std::vector<int>{3, 4};
  EXPECT_TRUE(has_fence);
}

}  // namespace
}  // namespace clack
