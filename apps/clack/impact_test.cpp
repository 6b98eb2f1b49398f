// SPDX-License-Identifier: Apache-2.0
// `clack impact` and `clack contact` run as a user would: answers, exit codes, and what bad input
// meets.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "run_program.hpp"

namespace {

namespace fs = std::filesystem;

using clack::testing::Finished;

/// A folder of its own for every test; programs run inside it, the problem lies beside it.
class ProblemCommands : public ::testing::Test, protected clack::testing::ProgramFolder {
 protected:
  Finished run(const std::string& arguments) const { return clack(arguments); }
  std::string store(const std::string& text) const {
    std::ofstream(inside().parent_path() / "problem.json", std::ios::binary) << text;
    return "../problem.json";
  }
  /// Exit code 2 within a second, exactly the two lines, nothing on stdout, nothing left on disk.
  void expect_refused(const std::string& what, const Finished& r) const {
    EXPECT_EQ(r.exit_code, 2) << what << "\n" << r.errors;
    EXPECT_LT(r.processor_seconds, 1.0) << what;
    EXPECT_EQ(r.output, "") << what;
    EXPECT_EQ(r.errors.rfind("error: ", 0), 0u) << what << "\n" << r.errors;
    EXPECT_NE(r.errors.find("\nhelp: "), std::string::npos) << what << "\n" << r.errors;
    EXPECT_EQ(std::count(r.errors.begin(), r.errors.end(), '\n'), 2) << what << "\n" << r.errors;
    EXPECT_TRUE(fs::is_empty(inside())) << what;
  }
};

const std::string problems = CLACK_SOURCE_DIR "/docs/problems/";

const std::string good = R"({"dimension": 2, "mass_matrix": [[1,0,0],[0,1,0],[0,0,0.5]],
  "velocity": [4,-1,0], "contacts": [{"name": "floor", "normal_row": [0,1,0],
  "tangent_rows": [[1,0,1]], "dynamic_friction": 0.2, "restitution": 0.5}]})";

/// The good problem with one change, given as a JSON merge patch.
std::string changed(const std::string& patch) {
  nlohmann::json document = nlohmann::json::parse(good);
  document.merge_patch(nlohmann::json::parse(patch));
  return document.dump();
}
std::string changed_contact(const std::string& patch) {
  nlohmann::json document = nlohmann::json::parse(good);
  document["contacts"][0].merge_patch(nlohmann::json::parse(patch));
  return document.dump();
}

TEST_F(ProblemCommands, PoissonAnswersTheDiscInClosedForm) {
  const Finished r = run("impact " + problems + "disc-on-floor.json --law poisson --json");
  ASSERT_EQ(r.exit_code, 0) << r.errors;
  const auto out = nlohmann::json::parse(r.output);
  EXPECT_EQ(out["law"], "poisson");
  EXPECT_NEAR(out["velocity"][0].get<double>(), 3.7, 1e-14);
  EXPECT_NEAR(out["velocity"][1].get<double>(), 0.5, 1e-14);
  EXPECT_NEAR(out["contacts"][0]["tangent_impulse"][0].get<double>(), -0.3, 1e-14);
  EXPECT_EQ(out["contacts"][0]["status"], "open");
  EXPECT_TRUE(out["consistent"].get<bool>());
  EXPECT_EQ(out["history"]["rows"].size(), 3u);
}

TEST_F(ProblemCommands, NewtonReportsTheEnergyItCreates) {  // docs/theories/newton.md
  const Finished r = run("impact " + problems + "three-balls.json --law newton --json");
  ASSERT_EQ(r.exit_code, 0) << r.errors;
  const auto out = nlohmann::json::parse(r.output);
  EXPECT_NEAR(out["energy_before"].get<double>(), 9.4, 1e-12);
  EXPECT_NEAR(out["energy_after"].get<double>(), 17.441666666666667, 1e-10);
  EXPECT_FALSE(out["consistent"].get<bool>());
  EXPECT_EQ(out["flags"][0], "energy-gain");
}

TEST_F(ProblemCommands, BothLcpSizesGiveTheSameAnswer) {
  const std::string file = store(changed(R"({"options": {"lcp_size": "full"}})"));
  const auto full = nlohmann::json::parse(run("impact " + file + " --law poisson --json").output);
  const auto compact = nlohmann::json::parse(
      run("impact " + problems + "disc-on-floor.json --law poisson --json").output);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(full["velocity"][k].get<double>(), compact["velocity"][k].get<double>(), 1e-13);
}

TEST_F(ProblemCommands, BlockIsHeldAsLongAsSomeForcesHoldIt) {
  for (const char* decision : {"lcp", "enumeration", "prox"}) {
    const Finished r =
        run("contact " + problems + "block-at-rest.json --json --decision " + decision);
    ASSERT_EQ(r.exit_code, 0) << r.errors;
    const auto out = nlohmann::json::parse(r.output);
    EXPECT_EQ(out["decision"], decision);
    EXPECT_EQ(out["contacts"][0]["status"], "stick") << decision;
    EXPECT_EQ(out["contacts"][1]["status"], "stick") << decision;
    EXPECT_NEAR(out["contacts"][0]["friction_force"][0].get<double>() +
                    out["contacts"][1]["friction_force"][0].get<double>(),
                -3.9, 1e-9);
  }
}

TEST_F(ProblemCommands, PainleveRodHasNoAnswerAndSaysWhy) {
  for (const char* decision : {"lcp", "enumeration", "prox"}) {
    const Finished r =
        run("contact " + problems + "painleve-rod.json --json --decision " + decision);
    EXPECT_EQ(r.exit_code, 1) << decision;
    const auto out = nlohmann::json::parse(r.output);  // the document is printed all the same
    EXPECT_EQ(out["flags"][0], "no-solution");
    EXPECT_NE(r.errors.find("sliding mobility is -0.17"), std::string::npos) << r.errors;
  }
}

TEST_F(ProblemCommands, StartOfSlipIsReportedAsTrans) {
  const std::string file = store(R"({"dimension": 2, "mass_matrix": [[1,0],[0,1]], "force": [4,-10],
    "contacts": [{"normal_row": [0,1], "tangent_rows": [[1,0]], "dynamic_friction": 0.3}]})");
  const Finished r = run("contact " + file + " --decision lcp --json");
  ASSERT_EQ(r.exit_code, 0) << r.errors;
  const auto out = nlohmann::json::parse(r.output);
  EXPECT_EQ(out["contacts"][0]["status"], "trans");
  EXPECT_EQ(out["solutions"], 1);
}

TEST_F(ProblemCommands, TablesAndHelpAreReadable) {
  const Finished table = run("impact " + problems + "disc-on-floor.json --law poisson");
  EXPECT_EQ(table.exit_code, 0);
  EXPECT_NE(table.output.find("floor"), std::string::npos);
  EXPECT_NE(table.output.find("kinetic energy"), std::string::npos);
  EXPECT_NE(run("impact --help").output.find("Examples"), std::string::npos);
  EXPECT_NE(run("contact --help").output.find("Examples"), std::string::npos);
  EXPECT_EQ(run("contact " + problems + "block-at-rest.json --decision prox").exit_code, 0);
}

TEST_F(ProblemCommands, BadDocumentsAreRefused) {
  const std::map<std::string, std::string> cases = {
      {"empty file", ""},
      {"malformed JSON", "{\"dimension\": 2,"},
      {"trailing comma", "{\"dimension\": 2,}"},
      {"not an object", "[1, 2]"},
      {"a number", "7"},
      {"null", "null"},
      {"binary garbage", std::string("\x00\xff\xfe\x01{\"a\"", 8)},
      {"NaN literal", "{\"dimension\": NaN}"},
      {"infinite number", "{\"dimension\": 2, \"mass_matrix\": [[1e999]]}"},
      {"repeated key", "{\"dimension\": 2, \"dimension\": 2}"},
      {"deep nesting", std::string(5000, '[')},
      {"no dimension", changed(R"({"dimension": null})")},
      {"dimension 4", changed(R"({"dimension": 4})")},
      {"dimension 2.5", changed(R"({"dimension": 2.5})")},
      {"no mass matrix", changed(R"({"mass_matrix": null})")},
      {"empty mass matrix", changed(R"({"mass_matrix": []})")},
      {"ragged mass matrix", changed(R"({"mass_matrix": [[1,0,0],[0,1],[0,0,1]]})")},
      {"mass matrix not square", changed(R"({"mass_matrix": [[1,0,0],[0,1,0]]})")},
      {"mass matrix of text", changed(R"({"mass_matrix": [["a",0,0],[0,1,0],[0,0,1]]})")},
      {"unsymmetric mass matrix", changed(R"({"mass_matrix": [[1,0.5,0],[0,1,0],[0,0,1]]})")},
      {"indefinite mass matrix", changed(R"({"mass_matrix": [[1,0,0],[0,-1,0],[0,0,1]]})")},
      {"singular mass matrix", changed(R"({"mass_matrix": [[1,1,0],[1,1,0],[0,0,1]]})")},
      {"short velocity", changed(R"({"velocity": [1, 2]})")},
      {"velocity is a number", changed(R"({"velocity": 3})")},
      {"bilateral of wrong width", changed(R"({"bilateral": [[1, 0]]})")},
      {"external impulse too long", changed(R"({"external_impulse": [1,2,3,4]})")},
      {"contacts no list", changed(R"({"contacts": {"a": 1}})")},
      {"contact is a number", changed(R"({"contacts": [1]})")},
      {"unknown key", changed(R"({"velocities": [0,0,0]})")},
      {"unknown contact key", changed_contact(R"({"mu": 0.3})")},
      {"unknown option", changed(R"({"options": {"size": "full"}})")},
      {"unknown option value", changed(R"({"options": {"lcp_size": "huge"}})")},
      {"flag as text", changed(R"({"options": {"simultaneous": "no"}})")},
      {"no normal row", changed_contact(R"({"normal_row": null})")},
      {"normal row too short", changed_contact(R"({"normal_row": [0, 1]})")},
      {"two tangent rows in the plane", changed_contact(R"({"tangent_rows": [[1,0,1],[0,1,0]]})")},
      {"friction without tangent rows", changed_contact(R"({"tangent_rows": null})")},
      {"negative friction", changed_contact(R"({"dynamic_friction": -0.1})")},
      {"static below dynamic", changed_contact(R"({"static_friction": 0.1})")},
      {"restitution 1.4", changed_contact(R"({"restitution": 1.4})")},
      {"restitution -0.1", changed_contact(R"({"restitution": -0.1})")},
      {"restitution as text", changed_contact(R"({"restitution": "half"})")},
      {"tangential restitution 2", changed_contact(R"({"tangential_restitution": 2})")},
      {"reversibility -1", changed_contact(R"({"reversibility": -1})")},
      {"one body", changed_contact(R"({"bodies": ["a"]})")},
      {"point in space", changed_contact(R"({"point": [1, 2, 3]})")},
      {"surface velocity too long", changed_contact(R"({"surface_velocity": [1, 2, 3]})")},
      {"poisson in space",
       R"({"dimension": 3, "mass_matrix": [[1]], "velocity": [-1], "contacts": [{"normal_row": [1]}]})"},
  };
  EXPECT_GE(cases.size(), 30u);
  for (const auto& [what, text] : cases)
    expect_refused(what, run("impact " + store(text) + " --law poisson --json"));
}

TEST_F(ProblemCommands, OptionsThatThePartDoesNotReadAreRefusedWithTheOneThatDoes) {
  const std::string mode = store(changed(R"({"options": {"mode": "closed-form"}})"));
  for (const char* command :
       {"impact FILE --law newton", "impact FILE --law poisson", "contact FILE --decision lcp"}) {
    std::string line = command;
    const Finished r = run(line.replace(line.find("FILE"), 4, mode));
    expect_refused(command, r);
    EXPECT_NE(r.errors.find("options.mode is read by impact law projection"), std::string::npos)
        << r.errors;
  }
  const Finished named = run("project " + mode + " --json");  // no law is asked: a note
  EXPECT_EQ(named.exit_code, 0) << named.errors;
  EXPECT_NE(named.output.find("does not read the options mode"), std::string::npos);
  for (const char* gone : {"closure", "hub", "restitution_sequence", "stick_branch"})
    expect_refused(gone, run("impact " +
                             store(changed(R"({"options": {")" + std::string(gone) + R"(": 1}})")) +
                             " --law poisson"));
}

TEST_F(ProblemCommands, HelpListsTheOptionsOfEachLaw) {
  const std::string help = run("impact --help").output;
  for (const char* shown : {"lcp_size", "mode (policies: projection)", "needs: no friction"})
    EXPECT_NE(help.find(shown), std::string::npos) << shown;
}

TEST_F(ProblemCommands, HugeDocumentsAreRefusedInTime) {
  std::string row = "[0";
  for (int k = 1; k < 3000; ++k) row += ",0";
  row += "]";
  std::string many_rows = "{\"dimension\": 2, \"mass_matrix\": [[1]";
  for (int k = 0; k < 100000; ++k) many_rows += ",[1]";
  expect_refused("100000 rows", run("impact " + store(many_rows + "]}") + " --law poisson"));
  expect_refused("wide row",
                 run("impact " + store("{\"dimension\": 2, \"mass_matrix\": [" + row + "]}") +
                     " --law newton"));
  std::string contacts =
      "{\"dimension\": 2, \"mass_matrix\": [[1]], \"contacts\": [{\"normal_row\": [1]}";
  for (int k = 0; k < 20000; ++k) contacts += ",{\"normal_row\": [1]}";
  expect_refused("20001 contacts", run("impact " + store(contacts + "]}") + " --law poisson"));
}

TEST_F(ProblemCommands, BadCommandLinesAreRefused) {
  const std::string file = store(good);
  expect_refused("unknown law", run("impact " + file + " --law newtn"));
  EXPECT_NE(run("impact " + file + " --law newtn").errors.find("did you mean newton?"),
            std::string::npos);
  expect_refused("no law", run("impact " + file));
  expect_refused("no file", run("impact --law poisson"));
  expect_refused("missing file", run("impact nowhere.json --law poisson"));
  expect_refused("folder", run("impact .. --law poisson"));
  expect_refused("unknown option", run("impact " + file + " --law poisson --fast"));
  expect_refused("unknown decision", run("contact " + file + " --decision lpc"));
  expect_refused("missing file", run("contact nowhere.json --decision lcp"));
  expect_refused("force of wrong size",
                 run("contact " + store(changed(R"({"force": [1]})")) + " --decision lcp"));
  expect_refused(
      "bias of wrong size",
      run("contact " + store(changed_contact(R"({"slip_bias": [1, 2]})")) + " --decision lcp"));
}

}  // namespace
