// SPDX-License-Identifier: Apache-2.0
// The answers of `clack project` on the documents of the theory's page, run as a user would.
#include <fstream>
#include <nlohmann/json.hpp>

#include "run_program.hpp"

namespace {

using clack::testing::Finished;

Finished run(const std::string& arguments) {
  return clack::testing::run_shell("exec '" CLACK_PROGRAM "' " + arguments);
}

const std::string problems = CLACK_SOURCE_DIR "/docs/theories/problems/";

// Numbers of the page docs/theories/projection.md (EX4), block with restitution (1, 0).
TEST(ProjectCommand, BlockIsAnsweredAsInconsistentWithTheWayOut) {
  const Finished r = run("project " + problems + "block.json --json");
  ASSERT_EQ(r.exit_code, 0) << r.errors;
  const auto out = nlohmann::json::parse(r.output);
  EXPECT_EQ(out.at("rank"), 2);
  EXPECT_FALSE(out.at("consistent").get<bool>());
  EXPECT_NEAR(out.at("t_max").get<double>(), 0.8426500884694862, 1e-11);
  EXPECT_NEAR(out.at("nearest").at(0).get<double>(), 0.8537863888586749, 1e-6);
  EXPECT_NEAR(out.at("velocity").at(1).get<double>(), 0.5, 1e-12);
  EXPECT_NEAR(out.at("velocity").at(2).get<double>(), -1.0, 1e-12);
  EXPECT_NEAR(out.at("row_impulses").at(1).get<double>(), -0.95, 1e-12);
  EXPECT_NEAR(out.at("energy_after").get<double>() - out.at("energy_before").get<double>(), 0.095,
              1e-12);
  EXPECT_EQ(out.at("P").size(), 3u);
  EXPECT_EQ(out.at("energy_matrix").size(), 2u);
  EXPECT_FALSE(out.contains("acceleration"));
  const auto flags = out.at("flags").get<std::vector<std::string>>();
  for (const char* flag : {"negative-impulse", "energy-gain", "restitution-inconsistent"}) {
    EXPECT_NE(std::find(flags.begin(), flags.end(), flag), flags.end()) << flag;
  }
}

TEST(ProjectCommand, CradleIsConsistentAndKeepsItsEnergy) {
  const Finished r = run("project " + problems + "cradle.json --json");
  ASSERT_EQ(r.exit_code, 0) << r.errors;
  const auto out = nlohmann::json::parse(r.output);
  EXPECT_TRUE(out.at("consistent").get<bool>());
  EXPECT_NEAR(out.at("velocity").at(0).get<double>(), -1.0 / 3, 1e-13);
  EXPECT_NEAR(out.at("t_max").get<double>(), 1.0, 1e-12);
  EXPECT_TRUE(out.at("flags").empty());
}

TEST(ProjectCommand, PeopleGetTenDigitsAndTheNameOfTheContactThatPulls) {
  const Finished r = run("project " + problems + "block.json");
  ASSERT_EQ(r.exit_code, 0) << r.errors;
  for (const char* line :
       {"velocity             [0, 0.5, -1]\n", "row_impulses         [2.05, -0.95]\n",
        "t_max                0.8426500885\n", "nearest              [0.85378638",
        "contact right would have to pull: impulse -0.95 N s"})
    EXPECT_NE(r.output.find(line), std::string::npos) << line << "\n" << r.output;
}

TEST(ProjectCommand, DependentFeetAreAnsweredInLeastSquares) {
  const Finished r = run("project " + problems + "three-feet.json --json");
  ASSERT_EQ(r.exit_code, 0) << r.errors;
  const auto out = nlohmann::json::parse(r.output);
  EXPECT_EQ(out.at("rank"), 2);
  EXPECT_NEAR(out.at("velocity").at(1).get<double>(), 0.49333333333333333, 1e-12);
  EXPECT_NEAR(out.at("velocity").at(2).get<double>(), 0.14, 1e-12);
  EXPECT_EQ(out.at("flags"), nlohmann::json({"restitution-least-squares", "hyperstatic"}));
  EXPECT_NE(out.at("notes").at(0).get<std::string>().find("residual 0.4066666667"),
            std::string::npos);
}

// The spherical pendulum of the page (EX6): forces without contacts.
TEST(ProjectCommand, PendulumHasItsAccelerationAndNoImpact) {
  const clack::testing::ProgramFolder folder;
  folder.write("p.json", R"({"dimension": 3, "mass_matrix": [[1,0,0],[0,1,0],[0,0,1]],
    "velocity": [0.8,0.5,0.6], "bilateral": [[0.6,0,-0.8]], "bilateral_bias": [1.25],
    "force": [0,0,-9.81], "contacts": []})");
  const Finished r = folder.clack("project p.json --json");
  ASSERT_EQ(r.exit_code, 0) << r.errors;
  const auto out = nlohmann::json::parse(r.output);
  EXPECT_NEAR(out.at("acceleration").at(0).get<double>(), -5.4588, 1e-12);
  EXPECT_NEAR(out.at("acceleration").at(2).get<double>(), -2.5316, 1e-12);
  EXPECT_NEAR(out.at("constraint_force").at(2).get<double>(), 7.2784, 1e-12);
  EXPECT_FALSE(out.contains("velocity"));
}

TEST(ProjectCommand, BadProblemsAreRefusedInTwoLinesThatNameTheMistake) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"("mass_matrix": [[1,0.5],[0,1]], "velocity": [1,1])", "not symmetric: (1, 2) is 0.5"},
      {R"("mass_matrix": [[1,0],[0,-0.25]], "velocity": [1,1])", "smallest eigenvalue is -0.25"},
      {R"("mass_matrix": [[1,0],[0,0]], "velocity": [1,1])", "smallest eigenvalue is 0"},
      {R"("mass_matrix": [[1]], "velocity": [1,1])", "numbers"},
      {R"("mass_matrix": [[1]], "velocity": [NaN])", "not valid JSON"},
      {R"("mass_matrix": [[1]], "velocity": [1], "bilateral": [[1, 2]])", "bilateral[0]"},
      {R"("mass_matrix": [[1]], "velocity": [1], "contacts": [{"name": "foot", "normal_row": [1],
          "restitution": 1.2}])",
       "contact foot: restitution is 1.2"},
      {R"("mass_matrix": [[1]], "velocity": [1], "contacts": [{"name": "foot", "normal_row": [1],
          "restitution": -0.1}])",
       "contact foot: restitution is -0.1"}};
  for (const auto& [text, mistake] : cases) {
    const clack::testing::ProgramFolder folder;
    folder.write("p.json", "{\"dimension\": 2, " + text + "}");
    for (const char* command : {"project p.json", "impact p.json --law projection"}) {
      const Finished r = folder.clack(command);
      EXPECT_EQ(r.exit_code, 2) << command << text;
      EXPECT_EQ(r.output, "") << command << text;
      EXPECT_NE(r.errors.find(mistake), std::string::npos) << r.errors;
      EXPECT_NE(r.errors.find("(p.json"), std::string::npos) << r.errors;
      EXPECT_EQ(std::count(r.errors.begin(), r.errors.end(), '\n'), 2) << r.errors;
      EXPECT_NE(r.errors.find("\nhelp: "), std::string::npos) << r.errors;
    }
  }
}

TEST(ProjectCommand, InconsistentRestitutionIsRefusedAllowedOrProjectedAsTheProblemSays) {
  const clack::testing::ProgramFolder folder;
  std::ifstream file(problems + "block.json");
  auto block = nlohmann::json::parse(file);
  const auto impact = [&](const char* policy) {
    block["options"] = {{"mode", "closed-form"}};
    if (*policy) block["options"]["inconsistent"] = policy;
    folder.write("p.json", block.dump());
    return folder.clack("impact p.json --law projection --json");
  };
  for (const char* policy : {"", "error"}) {
    const Finished refused = impact(policy);
    EXPECT_EQ(refused.exit_code, 2);
    for (const char* words : {"t_max = 0.8426500885", "(0.85378638", "(p.json)"})
      EXPECT_NE(refused.errors.find(words), std::string::npos) << refused.errors;
    EXPECT_EQ(std::count(refused.errors.begin(), refused.errors.end(), '\n'), 2) << refused.errors;
  }
  const auto allowed = nlohmann::json::parse(impact("allow").output);
  EXPECT_FALSE(allowed.at("consistent").get<bool>());
  EXPECT_NEAR(allowed.at("contacts").at(1).at("normal_impulse").get<double>(), -0.95, 1e-12);
  EXPECT_EQ(allowed.at("flags"),
            nlohmann::json({"restitution-inconsistent", "negative-impulse", "energy-gain"}));
  const auto projected = nlohmann::json::parse(impact("project").output);
  EXPECT_TRUE(projected.at("consistent").get<bool>());
  EXPECT_NEAR(projected.at("contacts").at(0).at("gap_rate_after").get<double>(), 0.8537863888586749,
              1e-9);
}

TEST(ProjectCommand, APinchedBodyEndsWithOneAndNamesItsContacts) {
  const clack::testing::ProgramFolder folder;
  folder.write("p.json", R"({"dimension": 2, "mass_matrix": [[1]], "velocity": [0], "contacts": [
    {"name": "left", "normal_row": [1], "surface_velocity": [0, 0.5]},
    {"name": "right", "normal_row": [-1], "surface_velocity": [0, 0.5]}]})");
  const Finished r = folder.clack("impact p.json --law projection --json");
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.errors.find("contacts left, right: no motion satisfies all rows"), std::string::npos)
      << r.errors;
  EXPECT_EQ(r.errors.find("friction"), std::string::npos) << r.errors;
}

TEST(ProjectCommand, AMissingFileIsAnInputError) {
  const Finished r = run("project no-such-file.json");
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_NE(r.errors.find("error:"), std::string::npos);
  EXPECT_NE(r.errors.find("help:"), std::string::npos);
}

}  // namespace
