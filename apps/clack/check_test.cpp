// SPDX-License-Identifier: Apache-2.0
// `clack check` and `clack run` agree: what a run refuses or stops at before its first step, the check says.
#include <nlohmann/json.hpp>

#include "run_program.hpp"

namespace {

using clack::testing::ProgramFolder;

/// A point held on the line x = 1 by a joint that its start misses or meets.
std::string held_point(const std::string& start, const std::string& more = "") {
  return "clack: 1\ndimension: 2\ncoordinates: {x: {start: " + start +
         ", rate: 0}, y: {start: 1, rate: 0}}\nmass_matrix: [[1, 0], [0, 1]]\nforce: [0, -9.81]\n"
         "constraints:\n  line: {configuration: x - 1}\ncontacts:\n  floor: {gap: y}\nrun: {until: "
         "0.1}\n" +
         more;
}

/// Both commands on one model: same exit code, and the same error with the same place and remedy.
void expect_agreement(const ProgramFolder& folder, const std::string& what) {
  const auto checked = folder.clack("check m.yaml"), ran = folder.clack("run m.yaml --out out");
  EXPECT_EQ(checked.exit_code, 2) << what << checked.output << checked.errors;
  EXPECT_EQ(ran.exit_code, 2) << what << ran.errors;
  EXPECT_EQ(checked.errors, ran.errors) << what;
  EXPECT_NE(checked.errors.find(what), std::string::npos) << checked.errors;
}

TEST(CheckCommand, SaysWhatARunRefusesAtItsStart) {
  const ProgramFolder folder;
  folder.write("m.yaml", held_point("1.5"));
  expect_agreement(folder, "constraint line is violated by 0.5 at the start");
  const auto json = folder.clack("check m.yaml --json");
  EXPECT_FALSE(nlohmann::json::parse(json.output).at("ready").get<bool>());
  folder.write("m.yaml", held_point("1", "formulation: none\n"));
  EXPECT_EQ(folder.clack("check m.yaml").exit_code, folder.clack("run m.yaml --out out").exit_code);
  folder.write("m.yaml", held_point("1"));
  EXPECT_EQ(folder.clack("check m.yaml").exit_code, 0);
  EXPECT_EQ(folder.clack("run m.yaml --out out").exit_code, 0);
}

TEST(CheckCommand, SaysThatARunStopsAtOnce) {
  // The rod of Painleve: with mu = 1.5 there are no forces at its start, below 4/3 at most angles there are.
  const ProgramFolder folder;
  const std::string model = std::string(CLACK_SOURCE_DIR) + "/models/rod/painleve.yaml";
  for (const char* friction : {" --set mu=1.5", " --set mu=0.5"}) {
    const auto checked = folder.clack("check " + model + friction + " --json");
    const auto ran = folder.clack("run " + model + friction + " --out out --until 0.01");
    ASSERT_EQ(checked.exit_code, 0) << checked.errors;
    const auto json = nlohmann::json::parse(checked.output);
    const bool stops = ran.errors.find("t = 0 s") != std::string::npos;
    EXPECT_EQ(stops, std::string(friction).find("1.5") != std::string::npos) << ran.errors;
    EXPECT_EQ(json.contains("stops_at_start"), stops) << checked.output;
  }
}

}  // namespace
