// The answers of `clack project` on the documents of the theory's page, run as a user would.
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

TEST(ProjectCommand, AMissingFileIsAnInputError) {
  const Finished r = run("project no-such-file.json");
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_NE(r.errors.find("error:"), std::string::npos);
  EXPECT_NE(r.errors.find("help:"), std::string::npos);
}

}  // namespace
