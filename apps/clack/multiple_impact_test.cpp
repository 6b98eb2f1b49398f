// SPDX-License-Identifier: Apache-2.0
// `clack impact` with several contacts in space (law energetic) and with law lzb, as a user would run
// it: answers, exit codes, bad input.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "run_program.hpp"

namespace {

using clack::testing::Finished;
using nlohmann::json;

class MultipleImpact : public ::testing::Test, protected clack::testing::ProgramFolder {
 protected:
  static json problem_of(const std::string& name) {
    return json::parse(std::ifstream(CLACK_SOURCE_DIR "/docs/problems/" + name + ".json"));
  }
  static json corner() { return problem_of("sphere-in-corner"); }
  static json changed(json document, const std::string& path, const json& value) {
    document[json::json_pointer(path)] = value;
    return document;
  }
  static json without(json document, const std::string& key) {
    document["contacts"][1].erase(key);
    return document;
  }
  Finished ask(const std::string& law, const json& document) const {
    std::ofstream(inside().parent_path() / "problem.json") << document.dump();
    return clack("impact ../problem.json --json --law " + law);
  }
  json answer(const std::string& law, const json& document, int exit_code = 0) const {
    const Finished r = ask(law, document);
    EXPECT_EQ(r.exit_code, exit_code) << r.errors;
    return json::parse(r.output);
  }
  void expect_refused(const std::string& law, const json& document,
                      const std::string& words) const {
    const Finished r = ask(law, document);
    EXPECT_EQ(r.exit_code, 2) << law << ": " << words << "\n" << r.errors;
    EXPECT_EQ(r.output, "") << words;
    EXPECT_EQ(std::count(r.errors.begin(), r.errors.end(), '\n'), 2) << words << "\n" << r.errors;
    EXPECT_NE(r.errors.find("\nhelp: "), std::string::npos) << words << "\n" << r.errors;
    EXPECT_NE(r.errors.find(words), std::string::npos) << words << "\n" << r.errors;
  }
};

void expect_velocity(const json& document, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(document["velocity"].size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(document["velocity"][i].get<double>(), expected[i], tolerance) << i;
}

TEST_F(MultipleImpact, TheSphereInTheCornerLeavesAsTheHubSays) {
  const json first = answer("energetic", corner());
  expect_velocity(
      first,
      {-0.8699819152, 1.3970734945, 0.3600631247, -1.7692084428, -0.7531047272, -0.9832790440},
      4e-7);
  EXPECT_EQ(first["history"]["columns"][5], "tangent_impulse1_floor");
  expect_velocity(
      answer("energetic", changed(corner(), "/options/hub", "wall-x")),
      {-0.8701269930, 1.3823047314, 0.3608124699, -1.6463398987, -0.7423420935, -0.8343491913},
      4e-7);
  expect_velocity(
      answer("lzb", corner()),
      {-0.9349102141, 0.7181380669, 1.0090921661, 0.4967778400, -0.2457882210, 0.5511569918}, 4e-8);
}

// Exit 1, the document says which pair and which ratio.
TEST_F(MultipleImpact, AClosureThatWouldPullIsNoAnswer) {
  json document = corner();
  for (json& contact : document["contacts"])
    contact["static_friction"] = contact["dynamic_friction"] = 1.8;
  const Finished r = ask("energetic", document);
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.errors.find("infeasible rigid-body constraint between contacts wall-y and floor: the "
                          "ratio of their normal impulses comes to "),
            std::string::npos)
      << r.errors;
  EXPECT_EQ(json::parse(r.output)["flags"].back(), "not-converged");
}

TEST_F(MultipleImpact, BadInputInSpaceIsRefused) {
  const std::string law = "energetic";
  expect_refused(law, changed(corner(), "/contacts/1/restitution", 1.5), "must be in [-1, 1]");
  expect_refused(law, changed(corner(), "/contacts/1/restitution", 0.3),
                 "contacts floor and wall-x have restitutions 0.5 and 0.3");
  expect_refused(law, changed(corner(), "/options/restitution_sequence", json::array()),
                 "empty list");
  expect_refused(law, changed(corner(), "/options/restitution_sequence", {0.5, "a"}),
                 "must be a number");
  expect_refused(law, changed(corner(), "/contacts/1/static_friction", 0.1),
                 "below dynamic_friction");
  for (const char* key : {"bodies", "point", "normal", "tangents"}) {
    expect_refused(law, without(corner(), key), std::string("contact wall-x has no ") + key);
    expect_refused(law, without(corner(), key), "or use law lzb, which needs none");
  }
  expect_refused(law, without(problem_of("ball-in-corner"), "bodies"),
                 "or use law lzb, which needs none");
  expect_refused(law, changed(corner(), "/contacts/1/point", {0, 0, -0.5}),
                 "duplicate contact point");
  expect_refused(law, changed(corner(), "/contacts/1/normal", {0, 0, 0}), "has length 0");
  expect_refused(law, changed(corner(), "/contacts/1/normal", {-1.00001, 0, 0}), "must be 1");
  expect_refused(law, changed(corner(), "/contacts/1/tangents", {{0.6, 0.8, 0}, {0, 0, 1}}),
                 "not orthogonal");
  expect_refused(law, changed(corner(), "/options/hub", "nobody"), "hub nobody is no contact");
  expect_refused(law, changed(corner(), "/options/closure", "magic"), "rigid-body, signed");
  expect_refused(law, changed(corner(), "/options/closure", "signed"), "is for the plane");
  expect_refused(law, changed(corner(), "/options/closure_rows", {{1, 2, 3, 4, 5, 6, 7, 8, 9}}),
                 "closure_rows are for the plane");
  expect_refused(law, changed(corner(), "/contacts/1/bodies", {"other", "ball"}),
                 "use law newton or lzb");
  expect_refused(law, changed(corner(), "/bilateral", {{1, 0, 0, 0, 0, 0}}),
                 "use law newton or lzb");
  expect_refused(law, changed(corner(), "/contacts/0/surface_velocity", {1, 0, 0}),
                 "moving surfaces");
  expect_refused(law, changed(corner(), "/options/max_events", 0), "max_events is 0");
  expect_refused(law, changed(corner(), "/mass_matrix/5/5", -1), "smallest eigenvalue is -1");
  json both = corner();
  both["options"] = {{"restitution_sequence", {0.5}}, {"simultaneous", false}};
  expect_refused(law, both, "exclude each other");
}

TEST_F(MultipleImpact, BadInputOfLawLzbIsRefused) {
  for (const char* name : {"sphere-in-corner", "ball-in-corner"}) {
    const json good = problem_of(name);
    expect_refused("lzb", changed(good, "/contacts/1/stiffness", 0),
                   "stiffness is 0, must be above 0");
    expect_refused("lzb", changed(good, "/contacts/1/stiffness", -2), "stiffness is -2");
    expect_refused("lzb", changed(good, "/contacts/1/stiffness", "hard"), "stiffness");
    expect_refused("lzb", changed(good, "/options/elasticity", 0.9), "must be in [1, 4]");
    expect_refused("lzb", changed(good, "/options/elasticity", 4.1), "must be in [1, 4]");
    expect_refused("lzb", changed(good, "/options/unloading", "tri"), "one of mono, bi");
    expect_refused("lzb", changed(good, "/contacts/1/restitution", -0.5), "must be in [0, 1]");
    expect_refused("lzb", changed(good, "/contacts/1/restitution", 1.5), "must be in [0, 1]");
    expect_refused("lzb", changed(good, "/contacts/1/static_friction", 0.1),
                   "below dynamic_friction");
    expect_refused("lzb", changed(good, "/mass_matrix/0/0", -1), "not positive definite");
    expect_refused("lzb", changed(good, "/options/max_events", 3), "not by impact law lzb");
    expect_refused("energetic", changed(good, "/options/unloading", "bi"),
                   "read by impact law lzb");
  }
}

// A number that is none, wherever it stands.
TEST_F(MultipleImpact, NumbersThatAreNoneAreRefused) {
  for (const char* place :
       {"/velocity/0", "/mass_matrix/0/0", "/contacts/1/restitution",
        "/contacts/1/dynamic_friction", "/contacts/1/stiffness", "/contacts/1/normal/0",
        "/contacts/1/point/0", "/contacts/1/normal_row/0", "/contacts/1/tangent_rows/0/0"}) {
    std::string text = changed(problem_of("ball-in-corner"), place, "@").dump();
    for (const auto& [number, words] :
         {std::pair{"NaN", "not valid JSON"}, std::pair{"1e999", "number overflow"},
          std::pair{"null", "is null, must be a number"},
          std::pair{"\"nan\"", "must be a number"}}) {
      std::string document = text;
      std::ofstream(inside().parent_path() / "problem.json")
          << document.replace(document.find("\"@\""), 3, number);
      for (const char* law : {"energetic", "lzb"}) {
        const Finished r = clack(std::string("impact ../problem.json --json --law ") + law);
        EXPECT_EQ(r.exit_code, 2) << law << " " << place << " " << number;
        EXPECT_NE(r.errors.find(words), std::string::npos) << place << "\n" << r.errors;
        EXPECT_NE(r.errors.find("\nhelp: "), std::string::npos) << place << "\n" << r.errors;
      }
    }
  }
}

// It needs rows and coefficients only, and says which options it passes over.
TEST_F(MultipleImpact, LawLzbNeedsNoGeometry) {
  json bare = corner();
  for (const char* key : {"bodies", "point", "normal", "tangents"})
    for (json& contact : bare["contacts"]) contact.erase(key);
  EXPECT_EQ(answer("lzb", bare)["velocity"], answer("lzb", corner())["velocity"]);
  const json noted = answer("lzb", changed(corner(), "/options/hub", "floor"));
  EXPECT_NE(noted["notes"].dump().find("does not read options hub"), std::string::npos);
}

}  // namespace
