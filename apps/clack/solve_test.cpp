// SPDX-License-Identifier: Apache-2.0
// `clack solve lcp` and `clack solve friction` as a user meets them: answers, exit codes, and what
// bad input meets.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "clack/test_data.hpp"
#include "run_program.hpp"

namespace {

using clack::testing::Finished;
using clack::testing::ProgramFolder;

using clack::testing::has_field_data;
using clack::testing::problem_file;

nlohmann::json answer_of(const Finished& finished) {
  const auto document = nlohmann::json::parse(finished.output, nullptr, false);
  EXPECT_FALSE(document.is_discarded()) << finished.output << finished.errors;
  return document;
}

void expect_numbers(const nlohmann::json& list, const std::vector<double>& expected,
                    double tolerance) {
  ASSERT_EQ(list.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_NEAR(list[k].get<double>(), expected[k], tolerance) << "entry " << k;
}

const std::string good_lcp = R"({"M": [[2, 1], [1, 2]], "q": [-5, -6]})";
const std::string good_friction =
    R"({"dimension": 2, "W": {"format": "dense", "values": [[1, 0], [0, 1]]},)"
    R"( "q": [-1, 0.2], "mu": [0.5]})";

/// A good document with one change, given as a JSON merge patch.
std::string changed(const std::string& good, const std::string& patch) {
  nlohmann::json document = nlohmann::json::parse(good);
  document.merge_patch(nlohmann::json::parse(patch));
  return document.dump();
}

}  // namespace

// 2 z1 + z2 = 5, z1 + 2 z2 = 6.
TEST(SolveLcp, FindsTheSolutionOfTwoEquations) {
  const ProgramFolder folder;
  folder.write("two.json", good_lcp);
  for (const char* solver : {"lemke", "enumeration"}) {
    const Finished finished =
        folder.clack(std::string("solve lcp two.json --json --solver ") + solver);
    ASSERT_EQ(finished.exit_code, 0) << finished.errors;
    EXPECT_EQ(finished.errors, "");
    EXPECT_TRUE(finished.created.empty());
    const auto answer = answer_of(finished);
    EXPECT_EQ(answer["status"], "solved");
    EXPECT_EQ(answer["solver"], solver);
    expect_numbers(answer["z"], {4.0 / 3.0, 7.0 / 3.0}, 1e-14);
    expect_numbers(answer["w"], {0.0, 0.0}, 1e-14);
    EXPECT_LE(answer["residual"].get<double>(), 1e-14);
  }
}

// Columns (2, 0) and (1, 2): 2 z1 + z2 = 5, 2 z2 = 6.
TEST(SolveLcp, ReadsTextWithTheMatrixInColumns) {
  const ProgramFolder folder;
  folder.write("columns.dat", "2\n0 2 2\n2 2\n2 0\n1 2\n-5 -6\nwords after the data\n");
  const Finished finished = folder.clack("solve lcp columns.dat --json");
  ASSERT_EQ(finished.exit_code, 0) << finished.errors;
  expect_numbers(answer_of(finished)["z"], {1.0, 3.0}, 1e-14);
}

// w = -z - 1 is negative for every z >= 0.
TEST(SolveLcp, EndsWithOneWhenThereIsNoSolution) {
  const ProgramFolder folder;
  folder.write("none.json", R"({"M": [[-1]], "q": [-1]})");
  const Finished ray = folder.clack("solve lcp none.json --json");
  EXPECT_EQ(ray.exit_code, 1);
  EXPECT_EQ(answer_of(ray)["status"], "ray");
  const Finished none = folder.clack("solve lcp none.json --json --solver enumeration");
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_EQ(answer_of(none)["status"], "unsolvable");
}

TEST(SolveLcp, EndsWithOneAtThePivotLimit) {
  const ProgramFolder folder;
  folder.write("two.json", good_lcp);
  const Finished finished = folder.clack("solve lcp two.json --json --limit 1");
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(answer_of(finished)["status"], "limit");
}

TEST(SolveLcp, ExplainsARayToPeople) {
  const ProgramFolder folder;
  folder.write("none.json", R"({"M": [[-1]], "q": [-1]})");
  const Finished finished = folder.clack("solve lcp none.json");
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_NE(finished.output.find("status    ray\n"), std::string::npos) << finished.output;
  EXPECT_NE(finished.output.find("--solver enumeration decides"), std::string::npos);
}

// The statuses and residuals that the README of the data gives.
TEST(SolveLcp, AnswersEveryShippedFile) {
  const ProgramFolder folder;
  int files = 0;
  for (const std::filesystem::path& path : clack::testing::problem_files("lcp")) {
    ++files;
    const std::string name = path.filename().string();
    const Finished finished = folder.clack("solve lcp '" + path.string() + "' --json");
    const auto answer = answer_of(finished);
    const bool has_ray = name == "own-ray.json" || name == "own-none.json";
    EXPECT_EQ(finished.exit_code, has_ray ? 1 : 0) << name;
    EXPECT_EQ(answer["status"], has_ray ? "ray" : "solved") << name;
    if (has_ray) continue;
    EXPECT_LE(answer["residual"].get<double>(), 1e-12) << name;
  }
  EXPECT_EQ(files, has_field_data() ? 18 : 7);
  const Finished both = folder.clack("solve lcp '" + problem_file("lcp/own-ray.json") +
                                     "' --json --solver enumeration");
  EXPECT_EQ(both.exit_code, 0) << both.errors;
  EXPECT_EQ(answer_of(both)["solutions"].size(), 2u);
  const Finished none = folder.clack("solve lcp '" + problem_file("lcp/own-none.json") +
                                     "' --json --solver enumeration");
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_EQ(answer_of(none)["status"], "unsolvable");
}

// A weight of unit apparent mass pressed on the floor with 1 and pushed with 0.2 < mu: it sticks.
TEST(SolveFriction, HoldsAWeightThatIsPushedLessThanFrictionBears) {
  const ProgramFolder folder;
  folder.write("weight.json", good_friction);
  for (const char* solver : {"automatic", "sorprox", "newton", "enumeration"}) {
    const Finished finished =
        folder.clack(std::string("solve friction weight.json --json --solver ") + solver);
    ASSERT_EQ(finished.exit_code, 0) << solver << finished.errors;
    const auto answer = answer_of(finished);
    EXPECT_EQ(answer["status"], "solved");
    expect_numbers(answer["reaction"], {1.0, -0.2}, 1e-7);
    EXPECT_TRUE(finished.created.empty());
  }
}

// W = I, q = (-1, 2, 0), mu = 0.5: r = (1, -0.5, 0), u = (0, 1.5, 0); the convex relaxation would
// lift the contact off with u_N = 0.6.
TEST(SolveFriction, SlidesWithoutLiftingOff) {
  const ProgramFolder folder;
  folder.write("slide.json",
               R"({"dimension": 3, "W": {"format": "coo", "i": [0, 1, 2], "j": [0, 1, 2],)"
               R"( "v": [1, 1, 1]}, "q": [-1, 2, 0], "mu": [0.5]})");
  const Finished finished = folder.clack("solve friction slide.json --json --tolerance 1e-12");
  ASSERT_EQ(finished.exit_code, 0) << finished.errors;
  expect_numbers(answer_of(finished)["reaction"], {1.0, -0.5, 0.0}, 1e-11);
  expect_numbers(answer_of(finished)["velocity"], {0.0, 1.5, 0.0}, 1e-11);
}

TEST(SolveFriction, AnswersTheSameInEveryFormatOfTheTwoFeet) {
  const std::string start = clack::testing::own_data + "friction/example-two-feet-";
  const ProgramFolder folder;
  for (const char* form : {"dense.json", "coo.json", "block.json", "dense.dat", "block.dat",
                           "sparse.dat", "triplet.dat", "global.dat"}) {
    const Finished finished =
        folder.clack("solve friction '" + start + form + "' --json --tolerance 1e-12");
    ASSERT_EQ(finished.exit_code, 0) << form << finished.errors;
    const auto answer = answer_of(finished);
    expect_numbers(answer["reaction"], {0.48, 0.144, 0.52, 0.156}, 1e-5);  // listings: six digits
    expect_numbers(answer["velocity"], {0.0, -0.85, 0.0, -0.85}, 1e-5);
  }
}

// Bad input: exit code 2 within a second of processor time, exactly two lines, nothing else.
namespace {

struct BadCase {
  std::string what;
  std::string file;  // its bytes; "" writes none
  std::string arguments;
  std::string named;  // must stand in the message
};

void expect_refused(const BadCase& bad) {
  SCOPED_TRACE(bad.what);
  const ProgramFolder folder;
  if (!bad.file.empty()) folder.write("problem", bad.file);
  const Finished finished = folder.clack(bad.arguments);
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.output, "");
  EXPECT_LT(finished.processor_seconds, 1.0);
  EXPECT_TRUE(finished.created.empty()) << *finished.created.begin();
  const std::string& errors = finished.errors;
  EXPECT_EQ(errors.rfind("error: ", 0), 0u) << errors;
  EXPECT_NE(errors.find("\nhelp: "), std::string::npos) << errors;
  EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 2) << errors;
  EXPECT_TRUE(std::all_of(errors.begin(), errors.end(), [](char c) {
    return c == '\n' || (c >= ' ' && c <= '~');
  })) << "the message holds bytes that no terminal should see";
  EXPECT_NE(errors.find(bad.named), std::string::npos) << errors;
}

std::string garbage() {
  std::string bytes;
  unsigned state = 12345;
  for (int k = 0; k < 4000; ++k)
    bytes += static_cast<char>((state = state * 1103515245u + 12345u) >> 16);
  return bytes;
}

}  // namespace

TEST(SolveLcp, RefusesBadInput) {
  const std::string lcp = "solve lcp problem";
  const std::vector<BadCase> cases = {
      {"malformed JSON", R"({"M": [[1, 2], "q": })", lcp, "problem:1:"},
      {"JSON that ends early", R"({"M": [[1)", lcp, "problem:1:"},
      {"a list instead of an object", "[1, 2]", lcp, ""},
      {"M is not square", R"({"M": [[1, 2, 3], [4, 5, 6]], "q": [1, 2]})", lcp, "M"},
      {"rows of different length", R"({"M": [[1, 2], [3]], "q": [1, 2]})", lcp, "M[1]"},
      {"q of another size", R"({"M": [[1, 2], [3, 4]], "q": [1, 2, 3]})", lcp, "M"},
      {"q is missing", R"({"M": [[1]]})", lcp, "q"},
      {"text among numbers", R"({"M": [[1, "a"], [3, 4]], "q": [1, 2]})", lcp, "M[0][1]"},
      {"null among numbers", R"({"M": [[1]], "q": [null]})", lcp, "q[0]"},
      {"NaN in JSON", R"({"M": [[NaN]], "q": [1]})", lcp, "problem:1:"},
      {"a number beyond doubles", R"({"M": [[1e999]], "q": [1]})", lcp, ""},
      {"a key twice", R"({"M": [[1]], "q": [1], "q": [2]})", lcp, "q"},
      {"an unknown key", R"({"M": [[1]], "q": [1], "nmae": "x"})", lcp, "name"},
      {"NaN in text", "2\n0 2 2\n2 2\n1 nan\n0 1\n-1 -1\n", lcp, "problem"},
      {"text that ends inside the matrix", "2\n0 2 2\n2 2\n1 0\n", lcp, "problem"},
      {"text that ends inside q", "2\n0 2 2\n2 2\n1 0 0 1\n-1\n", lcp, "problem"},
      {"a negative size", "-3\n0 -3 -3\n-3 -3\n", lcp, "problem"},
      {"a huge size", "2000000000\n0 2000000000 2000000000\n2000000000 2000000000\n1 2 3\n", lcp,
       "problem"},
      {"a size beyond integers", "99999999999999999999\n0 1 1\n1 1\n1\n1\n", lcp, "problem"},
      {"huge counts of blocks", "4\n1 4 4\n900000000 900000000 900000000\n1 2 3 4\n", lcp,
       "problem"},
      {"sizes that disagree", "2\n0 3 3\n3 3\n1 2 3 4 5 6 7 8 9\n1 2\n", lcp, "problem"},
      {"an unknown storage", "2\n7 2 2\n2 2\n1 2 3 4\n1 2\n", lcp, "problem"},
      {"deep nesting", std::string(100000, '['), lcp, "problem"},
      {"binary garbage", garbage(), lcp, "problem"},
      {"only zeros", std::string(1000, '\0'), lcp, "problem"},
      {"an empty line", "\n", lcp, "problem"},
      {"a missing file", "", "solve lcp absent.json", "absent.json"},
      {"a folder", "", "solve lcp .", "folder"},
      {"no file", "", "solve lcp", "FILE"},
      {"an unknown solver", good_lcp, lcp + " --solver lemka", "lemke"},
      {"an unknown option", good_lcp, lcp + " --solvr lemke", "--solvr"},
      {"a tolerance of zero", good_lcp, lcp + " --tolerance 0", "--tolerance"},
      {"a tolerance that is no number", good_lcp, lcp + " --tolerance nan", "--tolerance"},
      {"a negative limit", good_lcp, lcp + " --limit -4", "--limit"},
      {"an unknown kind of problem", good_lcp, "solve lpc problem", ""},
      {"no kind of problem", "", "solve", ""},
  };
  for (const BadCase& bad : cases) expect_refused(bad);
}

TEST(SolveFriction, RefusesBadInput) {
  const std::string friction = "solve friction problem";
  const auto with = [](const std::string& patch) { return changed(good_friction, patch); };
  const std::vector<BadCase> cases = {
      {"malformed JSON", R"({"dimension": 2, "W")", friction, "problem:1:"},
      {"negative friction", with(R"({"mu": [-0.1]})"), friction, "mu"},
      {"friction for too many contacts", with(R"({"mu": [0.1, 0.2]})"), friction, ""},
      {"q that is no whole number of contacts", with(R"({"q": [1, 2, 3]})"), friction, ""},
      {"dimension 4", with(R"({"dimension": 4})"), friction, "dimension"},
      {"dimension as text", with(R"({"dimension": "2"})"), friction, "dimension"},
      {"an unknown key", with(R"({"mue": 1})"), friction, "mu"},
      {"an unknown format of W", with(R"({"W": {"format": "densee"}})"), friction, "dense"},
      {"W of another size", with(R"({"W": {"values": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}})"),
       friction, "W"},
      {"a contact without mobility", with(R"({"W": {"values": [[0, 0], [0, 0]]}})"), friction, ""},
      {"lists of different lengths",
       R"({"dimension": 2, "W": {"format": "coo", "i": [0], "j": [0, 1], "v": [1, 1]},)"
       R"( "q": [1, 1], "mu": [1]})",
       friction, "W"},
      {"an index outside of W",
       R"({"dimension": 2, "W": {"format": "coo", "i": [0, 7], "j": [0, 1], "v": [1, 1]},)"
       R"( "q": [1, 1], "mu": [1]})",
       friction, "W"},
      {"null in q", with(R"({"q": [1, "x"]})"), friction, "q[1]"},
      {"text that ends inside W", "2 1\n0 2 2\n2 2\n1 0\n", friction, "problem"},
      {"text without friction", "2 1\n0 2 2\n2 2\n1 0 0 1\n-1 0.2\n", friction, "problem"},
      {"negative friction in text", "2 1\n0 2 2\n2 2\n1 0 0 1\n-1 0.2\n-0.5\n", friction, "mu"},
      {"a huge number of contacts", "3 900000000\n0 2700000000 2700000000\n", friction, "problem"},
      {"the signature of HDF5 and nothing else", std::string("\x89HDF\r\n\x1a\n", 8), friction,
       "problem"},
      {"binary garbage", garbage(), friction, "problem"},
      {"a missing file", "", "solve friction absent.dat", "absent.dat"},
      {"a folder", "", "solve friction .", "folder"},
      {"an unknown solver", good_friction, friction + " --solver newtn", "newton"},
      {"an unknown option", good_friction, friction + " --tolerence 1", "--tolerence"},
      {"a negative tolerance", good_friction, friction + " --tolerance -1", "--tolerance"},
  };
  for (const BadCase& bad : cases) expect_refused(bad);
}
