// SPDX-License-Identifier: Apache-2.0
// `clack impact --law energetic` as a user would run it: answers, exit codes, bad input.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "run_program.hpp"

namespace {

namespace fs = std::filesystem;
using clack::testing::Finished;

class EnergeticImpact : public ::testing::Test, protected clack::testing::ProgramFolder {
 protected:
  static nlohmann::json corner() {
    return nlohmann::json::parse(
        std::ifstream(CLACK_SOURCE_DIR "/docs/problems/ball-in-corner.json"));
  }
  Finished ask(const nlohmann::json& document) const {
    std::ofstream(inside().parent_path() / "problem.json") << document.dump();
    return clack("impact ../problem.json --law energetic --json");
  }
  void expect_refused(const std::string& what, const nlohmann::json& document,
                      const std::string& words) const {
    const Finished r = ask(document);
    EXPECT_EQ(r.exit_code, 2) << what << "\n" << r.errors;
    EXPECT_EQ(r.output, "") << what;
    EXPECT_EQ(std::count(r.errors.begin(), r.errors.end(), '\n'), 2) << what << "\n" << r.errors;
    EXPECT_NE(r.errors.find("\nhelp: "), std::string::npos) << what << "\n" << r.errors;
    EXPECT_NE(r.errors.find(words), std::string::npos) << what << "\n" << r.errors;
  }
};

TEST_F(EnergeticImpact, AnswersTheBallInTheCornerWithEventsAndHistory) {
  const Finished r = ask(corner());
  ASSERT_EQ(r.exit_code, 0) << r.errors;
  const auto out = nlohmann::json::parse(r.output);
  EXPECT_NEAR(out["velocity"][0].get<double>(), -2.52988565929, 1e-9);
  ASSERT_EQ(out["events"].size(), 1u);
  EXPECT_EQ(out["events"][0]["contacts"], nlohmann::json({"floor", "wall"}));
  EXPECT_NEAR(out["events"][0]["terminal_impulse"].get<double>(), 9.51503339955, 1e-8);
  EXPECT_EQ(out["history"]["columns"][1], "impulse");
  EXPECT_EQ(out["history"]["rows"].size(), 48u);
  const Finished text =
      clack("impact " CLACK_SOURCE_DIR "/docs/problems/ball-in-corner.json --law energetic");
  EXPECT_NE(text.output.find("event 1: floor, wall; e 0.715, work -11.06"), std::string::npos)
      << text.output;
}

TEST_F(EnergeticImpact, ACutChainIsNoFailureAndAnEndlessOneIs) {
  nlohmann::json document = corner();
  document["options"] = {{"restitution_sequence", {-0.5}}, {"max_events", 2}};
  const Finished cut = ask(document);
  EXPECT_EQ(cut.exit_code, 0) << cut.errors;
  EXPECT_EQ(nlohmann::json::parse(cut.output)["flags"].back(), "chain-cut");
  document["options"] = {{"restitution_sequence", {-1}}};
  const Finished endless = ask(document);
  EXPECT_EQ(endless.exit_code, 1) << endless.errors;
  EXPECT_EQ(nlohmann::json::parse(endless.output)["events"].size(), 2000u);
  EXPECT_NE(endless.errors.find("contacts still approach"), std::string::npos) << endless.errors;
}

TEST_F(EnergeticImpact, BadInputIsRefusedWithPlaceNumbersAndRemedy) {
  const auto changed = [](const std::string& path, const nlohmann::json& value) {
    nlohmann::json document = corner();
    document[nlohmann::json::json_pointer(path)] = value;
    return document;
  };
  const auto without = [](const std::string& key) {
    nlohmann::json document = corner();
    document["contacts"][1].erase(key);
    return document;
  };
  expect_refused("restitution -1.2", changed("/contacts/0/restitution", -1.2),
                 "must be in [-1, 1]");
  expect_refused("restitution 1.1", changed("/contacts/0/restitution", 1.1), "must be in [-1, 1]");
  expect_refused("unequal", changed("/contacts/0/restitution", 0.5),
                 "contacts floor and wall have restitutions 0.5 and 0.715");
  expect_refused("empty sequence",
                 changed("/options/restitution_sequence", nlohmann::json::array()), "empty list");
  expect_refused("text in sequence", changed("/options/restitution_sequence", {"a"}),
                 "restitution_sequence");
  expect_refused("sequence out of range", changed("/options/restitution_sequence", {1.5}),
                 "must be in [-1, 1]");
  expect_refused("static below dynamic", changed("/contacts/0/static_friction", 0.1),
                 "below dynamic_friction");
  expect_refused("no bodies", without("bodies"), "contact wall has no bodies");
  expect_refused("no point", without("point"), "contact wall has no point");
  expect_refused("no normal", without("normal"), "contact wall has no normal");
  expect_refused("coincident", changed("/contacts/1/point", {0, -0.5}), "duplicate contact point");
  expect_refused("zero normal", changed("/contacts/1/normal", {0, 0}), "has length 0");
  expect_refused("long normal", changed("/contacts/1/normal", {-1.01, 0}), "has length 1.01");
  expect_refused("skew tangent", changed("/contacts/1/tangents", {{0.6, 0.8}}), "not orthogonal");
  expect_refused("unknown closure", changed("/options/closure", "rigid"), "closure");
  expect_refused("rows of wrong size", changed("/options/closure_rows", {{1, 2, 3}}),
                 "closure_rows is 1 x 3, must be 1 x 4");
  expect_refused("max_events 0", changed("/options/max_events", 0), "max_events");
  nlohmann::json both = corner();
  both["options"] = {{"restitution_sequence", {0.5}}, {"simultaneous", false}};
  expect_refused("sequence one by one", both, "exclude each other");
  expect_refused("singular mass", changed("/mass_matrix/2/2", 0.0), "not positive definite");
  expect_refused("in space", changed("/dimension", 3), "");
}

}  // namespace
