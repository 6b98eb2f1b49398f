// SPDX-License-Identifier: Apache-2.0
// A run that is steered from the command line: lines, ticks, streams, checkpoints.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "run_program.hpp"

namespace clack {
namespace {

using testing::Finished;
using testing::ProgramFolder;

const char* const slider =
    "clack: 1\ndimension: 2\ninputs: {push: 0}\ncoordinates: {x: 0, y: {start: 1, rate: 0}}\n"
    "mass_matrix: [[1, 0], [0, 1]]\nforce: [push, -9.81]\n"
    "constraints: {hold: {motion: x_dot, active: false}}\nrun: {until: 1, sample: 0.01}\n";

const char* const some_lines =
    "{\"t\": 0.1, \"input\": {\"push\": [2, 0, -1]}}\n"
    "{\"t\": 0.2, \"contact\": {\"floor\": {\"gap\": \"y\", \"slip\": \"x_dot\", \"friction\": "
    "0.3}}}\n"
    "\n"
    "{\"t\": 0.6, \"on\": \"hold\"}\n"
    "{\"t\": 0.7, \"off\": \"hold\"}\n"
    "{\"t\": 0.75, \"constraint\": {\"rope\": {\"motion\": \"x_dot - 0.5\"}}}\n"
    "{\"t\": 0.9, \"stop\": true}\n";

nlohmann::json document_in(const std::string& text) { return nlohmann::json::parse(text); }

TEST(SteeredRunCommand, LinesOfAFileActAtTheirTimes) {
  const ProgramFolder folder;
  folder.write("slider.yaml", slider);
  folder.write("lines.jsonl", some_lines);
  const Finished run = folder.clack("run slider.yaml --inputs lines.jsonl --out a --json");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const nlohmann::json document = document_in(run.output);
  EXPECT_EQ(document["final"]["t"], 0.9);
  EXPECT_EQ(document["contacts"], nlohmann::json({"floor"}));
  EXPECT_EQ(document["constraints"], nlohmann::json({"hold", "rope"}));
  EXPECT_NEAR(document["final"]["v"][0].get<double>(), 0.5, 1e-12);
  EXPECT_NEAR(document["final"]["q"][1].get<double>(), 0.0, 1e-12);
  EXPECT_NE(folder.read("a/constraints.csv").find("rope,1,"), std::string::npos);
  EXPECT_NE(folder.read("a/contacts.csv").find("floor"), std::string::npos);
  EXPECT_EQ(folder.read("a/trace.csv").find("rope"), std::string::npos);
}

/// A log repeats its run, from a file as from stdin.
TEST(SteeredRunCommand, InputsRepeatARunToTheByte) {
  const ProgramFolder folder;
  folder.write("slider.yaml", slider);
  folder.write("lines.jsonl", some_lines);
  ASSERT_EQ(folder.clack("run slider.yaml --inputs - --out a < lines.jsonl").exit_code, 0);
  const std::string log = folder.read("a/inputs.jsonl");
  EXPECT_EQ(std::ranges::count(log, '\n'), 6);
  ASSERT_EQ(folder.clack("run slider.yaml --inputs a/inputs.jsonl --out b").exit_code, 0);
  for (const char* name :
       {"trace.csv", "events.json", "contacts.csv", "constraints.csv", "inputs.jsonl"}) {
    EXPECT_FALSE(folder.read(std::string("a/") + name).empty()) << name;
    EXPECT_EQ(folder.read(std::string("a/") + name), folder.read(std::string("b/") + name)) << name;
  }
}

TEST(SteeredRunCommand, ALineOfAFileThatCannotBeUsedIsRefusedBeforeAnythingStarts) {
  const ProgramFolder folder;
  folder.write("slider.yaml", slider);
  for (const char* line :
       {"{\"t\": 0.05, \"stop\": true}", "{\"stop\": true}", "{\"t\": 0.5, \"on\": \"held\"}",
        "junk", "{\"t\": 0.5, \"constraint\": {\"hold\": {\"motion\": \"x_dot\"}}}"}) {
    folder.write("lines.jsonl",
                 "{\"t\": 0.1, \"input\": {\"push\": 1}}\n" + std::string(line) + "\n");
    const Finished run = folder.clack("run slider.yaml --inputs lines.jsonl --out a");
    EXPECT_EQ(run.exit_code, 2) << line;
    EXPECT_NE(run.errors.find("(lines.jsonl:2)"), std::string::npos) << run.errors;
    EXPECT_NE(run.errors.find("help: "), std::string::npos);
    EXPECT_TRUE(run.created.empty());
  }
}

TEST(SteeredRunCommand, ABadLineOnStdinIsToldAndTheRunGoesOn) {
  const ProgramFolder folder;
  folder.write("slider.yaml", slider);
  folder.write("lines.jsonl",
               "{\"t\": 0.1, \"input\": {\"pish\": 1}}\n{\"t\": 0.5, \"input\": {\"push\": 1}}\n");
  const Finished run = folder.clack("run slider.yaml --inputs - --out a --json < lines.jsonl");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.errors.find("error: the model has no input pish (stdin:1)"), std::string::npos)
      << run.errors;
  const nlohmann::json document = document_in(run.output);
  EXPECT_NEAR(document["final"]["q"][0].get<double>(), 0.125, 1e-12);
  ASSERT_FALSE(document["notes"].empty());
  EXPECT_NE(document["notes"].back().get<std::string>().find("pish"), std::string::npos);
}

TEST(SteeredRunCommand, TicksKeepTheClockAndCountTheirWork) {
  const ProgramFolder folder;
  folder.write("slider.yaml", slider);
  folder.write("lines.jsonl", "{\"input\": {\"push\": 2}}\n");
  const Finished run = folder.clack(
      "run slider.yaml --until 0.2 --realtime 500Hz --inputs - --out a --json < lines.jsonl");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const nlohmann::json document = document_in(run.output);
  EXPECT_EQ(document["integrator"], "rk4");
  EXPECT_EQ(document["realtime"]["rate"], 500.0);
  EXPECT_EQ(document["realtime"]["ticks"], 100);
  EXPECT_GT(document["realtime"]["step_seconds"]["p50"].get<double>(), 0.0);
  EXPECT_TRUE(document["realtime"]["embeddings"].is_array());
  EXPECT_GT(document["final"]["q"][0].get<double>(), 0.0);
  EXPECT_GE(document["wall_seconds"].get<double>(), 0.19);
  EXPECT_EQ(folder.read("a/events.json").find("realtime"), std::string::npos);
  const Finished again =
      folder.clack("run slider.yaml --until 0.2 --realtime 500Hz --inputs a/inputs.jsonl --out b");
  ASSERT_EQ(again.exit_code, 0) << again.errors;
  EXPECT_EQ(folder.read("a/trace.csv"), folder.read("b/trace.csv"));
  EXPECT_EQ(folder.read("a/events.json"), folder.read("b/events.json"));
}

/// A wall of one row that nobody knew of arrives on stdin while the ticks go on, without a time, behind an input. Each acts
/// where a tick begins: the input at the next one, the wall at the first one at which the worker has made it, and nothing waits.
/// When that is depends on the machine; that it is at a tick, is logged as it acted and can be repeated does not.
TEST(SteeredRunCommand, ArrivalsActAtTheTickAfterTheyWereReady) {
  const ProgramFolder folder;
  folder.write("slider.yaml", slider);
  folder.write("input.jsonl", "{\"input\": {\"push\": 2}}\n");
  folder.write("wall.jsonl", "{\"constraint\": {\"wall\": {\"motion\": \"x_dot - y_dot\"}}}\n");
  const Finished run =
      folder.clack_behind("(sleep 0.1; cat input.jsonl; sleep 0.1; cat wall.jsonl)",
                          "run slider.yaml --until 2 --realtime 1kHz --inputs - --out a --json");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const nlohmann::json document = document_in(run.output);
  const auto tick_of = [](double t) { return std::lround(1e3 * t); };
  const auto expect_at_tick = [&](double t) {
    EXPECT_EQ(t, static_cast<double>(tick_of(t)) / 1e3);
  };
  std::vector<double> acted;
  for (const nlohmann::json& event : document["events"])
    if (event["kind"] == "time") acted.push_back(event["t"]);
  ASSERT_EQ(acted.size(), 2U) << run.output;
  for (const double t : acted) expect_at_tick(t);
  EXPECT_GE(acted[0], 0.05);
  EXPECT_GT(acted[1], acted[0]);
  const nlohmann::json arrivals = document["realtime"]["embeddings"];
  ASSERT_EQ(arrivals.size(), 1U);
  EXPECT_EQ(arrivals[0]["rows"], nlohmann::json({"wall"}));
  expect_at_tick(arrivals[0]["known_at"]);
  EXPECT_GE(acted[1], arrivals[0]["known_at"].get<double>());
  EXPECT_EQ(arrivals[0]["ready_at"], acted[1]);
  std::istringstream log(folder.read("a/inputs.jsonl"));
  std::string line;
  for (const double t : acted) {
    ASSERT_TRUE(std::getline(log, line));
    EXPECT_EQ(document_in(line)["t"], t);
  }
  EXPECT_FALSE(std::getline(log, line)) << line;
  ASSERT_EQ(
      folder.clack("run slider.yaml --until 2 --realtime 1kHz --inputs a/inputs.jsonl --out b")
          .exit_code,
      0);
  EXPECT_EQ(folder.read("a/trace.csv"), folder.read("b/trace.csv"));
  EXPECT_EQ(folder.read("a/events.json"), folder.read("b/events.json"));
}

TEST(SteeredRunCommand, RefusesRatesThatAreNone) {
  const ProgramFolder folder;
  folder.write("slider.yaml", slider);
  for (const char* rate : {"0", "-1kHz", "1GHz", "200kHz", "fast", "0Hz", "1e400Hz", "''", "nan"}) {
    const Finished run = folder.clack(std::string("run slider.yaml --realtime=") + rate);
    EXPECT_EQ(run.exit_code, 2) << rate << run.errors;
    EXPECT_NE(run.errors.find("error: "), std::string::npos) << rate;
    EXPECT_NE(run.errors.find("help: "), std::string::npos) << rate;
    EXPECT_TRUE(run.created.empty());
  }
}

TEST(SteeredRunCommand, StreamsALinePerSample) {
  const ProgramFolder folder;
  folder.write("slider.yaml", slider);
  folder.write("lines.jsonl", "{\"t\": 0.55, \"on\": \"hold\"}\n");
  const Finished run =
      folder.clack("run slider.yaml --sample 0.1 --inputs lines.jsonl --stream --out a");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  std::vector<nlohmann::json> lines;
  std::size_t begin = 0;
  for (std::size_t end; (end = run.output.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(document_in(run.output.substr(begin, end - begin)));
  ASSERT_GE(lines.size(), 10u);
  EXPECT_EQ(lines[0]["t"], 0.0);
  EXPECT_EQ(lines[0]["events"][0], "start");
  EXPECT_NEAR(lines[3]["q"][1].get<double>(), 1.0 - 0.5 * 9.81 * 0.09, 1e-9);
  EXPECT_TRUE(lines[7]["forces"].contains("hold"));
  EXPECT_EQ(folder.clack("run slider.yaml --stream --json").exit_code, 2);
}

/// Killed in the middle and taken up again, twice: the files are those of a run that was left alone.
TEST(SteeredRunCommand, AKilledRunGoesOnFromItsCheckpoint) {
  const ProgramFolder folder;
  const std::string model = CLACK_SOURCE_DIR "/models/woodpecker/three-dof.yaml";
  ASSERT_EQ(folder.clack("run " + model + " --until 4 --out whole").exit_code, 0);
  const std::string keep = " --checkpoint kept --checkpoint-every 0 --out pieces";
  // Paced, so that it lives long enough to be killed; pacing changes no result.
  (void)testing::run_shell("cd '" + folder.inside().string() +
                           "' && timeout -s KILL 1 '" CLACK_PROGRAM "' run " + model +
                           " --until 4 --realtime 2" + keep);
  ASSERT_FALSE(folder.read("kept").empty());
  EXPECT_TRUE(folder.read("pieces/trace.csv").empty());
  const Finished run = folder.clack("run --resume kept");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  for (const char* name : {"trace.csv", "events.json", "model.yaml"}) {
    EXPECT_FALSE(folder.read(std::string("whole/") + name).empty());
    EXPECT_EQ(folder.read(std::string("pieces/") + name), folder.read(std::string("whole/") + name))
        << name;
  }
}

TEST(SteeredRunCommand, RefusesCheckpointsThatAreNone) {
  const ProgramFolder folder;
  folder.write("slider.yaml", slider);
  ASSERT_EQ(folder.clack("run slider.yaml --checkpoint kept --checkpoint-every 0").exit_code, 0);
  const std::string kept = folder.read("kept");
  ASSERT_FALSE(kept.empty());
  folder.write("cut", kept.substr(0, kept.size() / 2));
  folder.write("other", "clack checkpoint 99\n" + kept.substr(19));
  for (const char* command : {"run --resume cut", "run --resume other", "run --resume slider.yaml",
                              "run --resume nothing", "run slider.yaml --resume kept",
                              "run --resume kept --until 3", "run slider.yaml --checkpoint-every 3",
                              "run slider.yaml --checkpoint kept --inputs -", "run"}) {
    const Finished run = folder.clack(command);
    EXPECT_EQ(run.exit_code, 2) << command << run.errors;
    EXPECT_NE(run.errors.find("error: "), std::string::npos) << command;
    EXPECT_NE(run.errors.find("help: "), std::string::npos) << command;
  }
}

}  // namespace
}  // namespace clack
