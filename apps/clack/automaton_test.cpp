// SPDX-License-Identifier: Apache-2.0
// `clack automaton` and `clack check` as a user meets them: exit codes, files, documents.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "run_program.hpp"

namespace {

namespace fs = std::filesystem;

using Answer = clack::testing::Finished;

class AutomatonCommand : public ::testing::Test, protected clack::testing::ProgramFolder {
 protected:
  void write_contacts(int count) const {
    nlohmann::json contacts = nlohmann::json::array();
    for (int c = 0; c < count; ++c) contacts.push_back("c" + std::to_string(c));
    write("contacts.json", nlohmann::json{{"contacts", contacts}}.dump());
  }

  const std::string ball_ = "'" CLACK_SOURCE_DIR "/models/bouncing-ball/bouncing-ball.yaml'";
  const std::string woodpecker_ = "'" CLACK_SOURCE_DIR "/models/woodpecker/three-dof.yaml'";
};

TEST_F(AutomatonCommand, CountsTheThreeBallsOfAContactList) {
  write("balls.json", R"({"contacts": ["ab", "ac", "bc"]})");
  const Answer answer = clack("automaton balls.json --format json");
  ASSERT_EQ(answer.exit_code, 0) << answer.errors;
  const auto counts = nlohmann::json::parse(answer.output).at("counts");
  EXPECT_EQ(counts.at("locations"), 64);
  EXPECT_EQ(counts.at("edges").at("F7"), 216);
  write("balls.json", R"({"contacts": ["ab", "ac", "bc"], "exclusive": [["ab", "ac"]]})");
  EXPECT_EQ(nlohmann::json::parse(clack("automaton balls.json").output).at("counts").at("vertices"),
            6);
}

TEST_F(AutomatonCommand, RefusesToListTooMuchButGivesTheExactCounts) {
  write_contacts(40);
  const Answer answer = clack("automaton contacts.json");
  EXPECT_EQ(answer.exit_code, 1);
  const auto json = nlohmann::json::parse(answer.output);
  EXPECT_EQ(json.at("counts").at("locations"), "1208925819614629174706176");  // 4^40
  EXPECT_TRUE(json.at("locations").empty());
  EXPECT_NE(answer.errors.find("about 1.2e24 locations"), std::string::npos) << answer.errors;
  EXPECT_EQ(clack("automaton contacts.json --format dot -o x.dot").exit_code, 1);
  EXPECT_FALSE(fs::exists(inside() / "x.dot"));
  write_contacts(3);
  EXPECT_EQ(clack("automaton contacts.json --limit 63").exit_code, 1);
  EXPECT_EQ(clack("automaton contacts.json --limit 64").exit_code, 0);
}

TEST_F(AutomatonCommand, ShowsWhatARunVisits) {
  const Answer answer = clack("automaton " + woodpecker_ + " --visited --format json");
  ASSERT_EQ(answer.exit_code, 0) << answer.errors;
  const auto json = nlohmann::json::parse(answer.output);
  double time = 0.0;
  for (const auto& location : json.at("locations")) time += location.at("time").get<double>();
  EXPECT_NEAR(time, json.at("execution").back().at("end").get<double>(), 1e-9);
  EXPECT_EQ(clack("automaton " + ball_ + " --visited --format dot -o ball.dot").exit_code, 0);
  EXPECT_EQ(read("ball.dot").rfind("digraph", 0), 0U);
}

TEST_F(AutomatonCommand, WritesSpaceExFilesAndNothingElse) {
  const Answer answer = clack("automaton " + ball_ + " --format spaceex -o ball.xml");
  ASSERT_EQ(answer.exit_code, 0) << answer.errors;
  EXPECT_TRUE(answer.output.empty());
  EXPECT_NE(read("ball.xml").find("y_dot := -0.8*y_dot"), std::string::npos);
  EXPECT_EQ(std::distance(fs::directory_iterator(inside()), fs::directory_iterator()), 1);
}

TEST_F(AutomatonCommand, RefusesBadInput) {
  write("bad.json", R"({"contacts": ["a", "b"], "exclusive": [["a", "c"]]})");
  for (const std::string& arguments :
       {std::string("automaton nowhere.yaml"), std::string("automaton bad.json"),
        "automaton " + ball_ + " --format svg", "automaton " + ball_ + " --limit 0",
        "automaton " + ball_ + " -o no/such/folder/x", std::string("check nowhere.yaml"),
        std::string("automaton bad.json --visited")}) {
    const Answer answer = clack(arguments);
    EXPECT_EQ(answer.exit_code, 2) << arguments << answer.errors;
    EXPECT_EQ(answer.errors.rfind("error: ", 0), 0U) << answer.errors;
    EXPECT_NE(answer.errors.find("\nhelp: "), std::string::npos) << answer.errors;
  }
}

TEST_F(AutomatonCommand, ChecksAModelBeforeItRuns) {
  const Answer text = clack("check " + woodpecker_);
  ASSERT_EQ(text.exit_code, 0) << text.errors;
  EXPECT_NE(text.output.find("8 contact combinations, 19 inclusions, 64 locations"),
            std::string::npos)
      << text.output;
  EXPECT_NE(text.output.find("F8 63+7 F9 54+7"), std::string::npos) << text.output;
  const Answer answer = clack("check " + woodpecker_ + " --json");
  const auto json = nlohmann::json::parse(answer.output);
  EXPECT_EQ(json.at("coordinates").size(), 3U);
  EXPECT_EQ(json.at("contacts").at(0).at("name"), "beak");
  EXPECT_TRUE(json.at("theory").at("impact").at("fits"));
  EXPECT_EQ(json.at("automaton").at("node_locations"), 138);
}

TEST_F(AutomatonCommand, ChecksAStartThatPenetrates) {
  write("deep.yaml",
        "clack: 1\nname: deep\ndimension: 2\ncoordinates: {y: {start: -0.1, rate: 0}, z: {start: "
        "1, rate: 0}}\n"
        "mass_matrix: [[1, 0], [0, 1]]\nforce: [0, 0]\ncontacts: {floor: {gap: y}, wall: {gap: "
        "z}}\nrun: {until: 1}\n");
  const Answer answer = clack("check deep.yaml");
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_NE(answer.output.find("penetrating"), std::string::npos) << answer.output;
  EXPECT_EQ(answer.errors.rfind("error: contact floor: penetrates by 0.1 m", 0), 0U)
      << answer.errors;
}

}  // namespace
