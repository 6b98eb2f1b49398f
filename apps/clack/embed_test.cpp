// SPDX-License-Identifier: Apache-2.0
// `clack embed` as a user meets it.
#include <cmath>
#include <nlohmann/json.hpp>

#include "run_program.hpp"

namespace {

clack::testing::Finished embed(const std::string& arguments) {
  return clack::testing::run_shell("cd '" CLACK_SOURCE_DIR "' && exec '" CLACK_PROGRAM "' embed " +
                                   arguments);
}

TEST(EmbedCommand, FourBarHasOneIndependentSpeedAndTwoForces) {
  const auto answer = embed("models/four-bar/four-bar.yaml --constraints loop --json");
  ASSERT_EQ(answer.exit_code, 0) << answer.errors;
  const auto json = nlohmann::json::parse(answer.output);
  EXPECT_EQ(json["independent"].size(), 1U);
  EXPECT_EQ(json["dependent"].size(), 2U);
  EXPECT_EQ(json["rank"], 2);
  EXPECT_EQ(json["constraint_forces"]["loop"].size(), 2U);
  EXPECT_GE(json["condition"].get<double>(), 1.0);
  EXPECT_GT(json["operations"].get<int>(), 10);
  for (const char* key : {"form_seconds", "embed_seconds", "compile_seconds"})
    EXPECT_GT(json[key].get<double>(), 0.0) << key;
  EXPECT_NEAR(json["state"]["q"][1].get<double>(), 0.8043168833, 1e-9);
  EXPECT_NEAR(json["state"]["q"][2].get<double>(), 1.7574189468, 1e-9);
}

// Stuck to the belt nothing is left to integrate.
TEST(EmbedCommand, StickingTipHasNoIndependentSpeed) {
  const auto answer = embed("models/conveyor/conveyor.yaml --constraints belt:stick --json");
  ASSERT_EQ(answer.exit_code, 0) << answer.errors;
  const auto json = nlohmann::json::parse(answer.output);
  EXPECT_TRUE(json["independent"].empty());
  EXPECT_EQ(json["constraint_forces"]["belt"].size(), 2U);
}

TEST(EmbedCommand, AllFormulationsAnswerAlike) {
  const auto of = [](const std::string& name) {
    return nlohmann::json::parse(
        embed("models/slider-crank/slider-crank.yaml --constraints loop --json --formulation " +
              name)
            .output);
  };
  const auto one = of("embedding");
  for (const char* name : {"multipliers", "nullspace", "delassus", "projection"}) {
    const auto other = of(name);
    for (int j = 0; j < 3; ++j)
      EXPECT_NEAR(one["acceleration"][j].get<double>(), other["acceleration"][j].get<double>(),
                  1e-9)
          << name;
  }
}

TEST(EmbedCommand, MistakesAreNamed) {
  const auto unknown = embed("models/four-bar/four-bar.yaml --constraints lopp");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.errors.find("did you mean loop"), std::string::npos) << unknown.errors;
  clack::testing::ProgramFolder folder;
  folder.write("short.json", R"({"t": 0, "q": [1], "v": [0, 0, 0]})");
  folder.write("off.json", R"({"t": 0, "q": [0.3, 0.8, 1.7], "v": [0, 0, 0]})");
  const std::string model =
      "embed '" CLACK_SOURCE_DIR "/models/four-bar/four-bar.yaml' --constraints loop";
  EXPECT_EQ(folder.clack(model + " --state short.json").exit_code, 2);
  const auto off = folder.clack(model + " --state off.json");
  EXPECT_EQ(off.exit_code, 2);
  EXPECT_NE(off.errors.find("loop 1 is"), std::string::npos) << off.errors;
  EXPECT_EQ(folder.clack(model + " --state off.json --project").exit_code, 0);
}

// Equal links, folded: both rows say the same.
TEST(EmbedCommand, DeficientRankIsNamedWithItsPivot) {
  const auto answer = embed("models/projection/cranks.yaml --constraints crank1,crank2,crank3");
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_NE(answer.errors.find("rank"), std::string::npos) << answer.errors;
  EXPECT_NE(answer.errors.find("pivot"), std::string::npos) << answer.errors;
}

}  // namespace
