// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/lcp_file.hpp"

#include <filesystem>

#include "clack/complementarity/enumeration.hpp"
#include "clack/complementarity/lemke.hpp"
#include "clack/error.hpp"
#include "clack/json_input.hpp"
#include "clack/test_data.hpp"

using namespace clack;

namespace {

std::string lcp_data(const std::string& name) {
  return clack::testing::problem_file("lcp/" + name);
}

std::string message(const std::string& text) {
  try {
    parse_lcp(text, "f");
  } catch (const InputError& e) {
    return std::string(e.what()) + " | " + e.remedy();
  }
  return "none";
}

}  // namespace

TEST(LcpFile, JsonAndTextGiveTheSameProblem) {
  const Lcp json = parse_lcp(R"({"M": [[2, 1], [0, 2]], "q": [-5, -6], "note": "x"})", "f");
  const Lcp text = parse_lcp("2 0 2 2 2 2 2 0 1 2 -5 -6 words after the data", "f");
  EXPECT_EQ(json.M, text.M);
  EXPECT_EQ(json.q, text.q);
}

TEST(LcpFile, UnknownKeysNameTheNearestKnownOne) {
  EXPECT_EQ(message(R"({"M": [[1]], "q": [1], "refrence": 1})"),
            "unknown key refrence | did you mean reference?");
}

TEST(LcpFile, DimensionsMissingPartsAndBadNumbersAreNamed) {
  EXPECT_NE(message(R"({"M": [[1, 2], [3]], "q": [1, 2]})").find("M[1]"), std::string::npos);
  EXPECT_NE(message(R"({"M": [[1]], "q": [1, 2]})").find("M has 1 rows"), std::string::npos);
  EXPECT_NE(message(R"({"M": [[1]]})").find("key q is missing"), std::string::npos);
  EXPECT_NE(message(R"({"M": [["a"]], "q": [1]})").find("M[0][0]"), std::string::npos);
  EXPECT_NE(message(R"({"M": [[NaN]], "q": [1]})").find("not valid JSON"), std::string::npos);
  EXPECT_NE(message(R"({"M": [[1]], "q": [1], "q": [2]})").find("twice"), std::string::npos);
  EXPECT_NE(message("2 0 2 2 2 2 1 0 0 1 -1").find("q needs 2 more"), std::string::npos);
  EXPECT_NE(message("3 0 2 2 2 2 1 0 0 1 -1 -1").find("M is 2 x 2"), std::string::npos);
  EXPECT_NE(message("").find("empty"), std::string::npos);
}

// Status and residual of every file as its README says: all solved by Lemke except own-ray and
// own-none.
TEST(LcpFile, EveryShippedFileGetsItsStatusAndResidual) {
  int files = 0;
  for (const std::filesystem::path& path : clack::testing::problem_files("lcp")) {
    const std::string name = path.filename().string();
    const Lcp problem = read_lcp_file(path.string());
    const LcpResult answer = lemke(problem);
    ++files;
    if (name == "own-ray.json" || name == "own-none.json") {
      EXPECT_EQ(answer.status, LcpStatus::ray) << name;
      continue;
    }
    EXPECT_EQ(answer.status, LcpStatus::solved) << name;
    EXPECT_LE(lcp_residual(problem, answer.z), 1e-12) << name;
  }
  EXPECT_EQ(files, clack::testing::has_field_data() ? 18 : 7);
}

TEST(LcpFile, EnumerationFindsTheListedSolutionsOfTheShippedFiles) {
  for (const std::string name : {"own-one", "own-ray", "own-three", "own-none"}) {
    const std::string path = lcp_data(name + ".json");
    const Lcp problem = read_lcp_file(path);
    const LcpResult all = enumerate_lcp(problem);
    const auto listed = read_json_file(path)["reference"]["solutions"];
    ASSERT_EQ(all.solutions.size(), listed.size()) << name;
    EXPECT_EQ(all.status, listed.empty() ? LcpStatus::unsolvable : LcpStatus::solved) << name;
    EXPECT_FALSE(all.is_singular) << name;
    for (const auto& solution : listed) {
      const Eigen::VectorXd z = as_vector(solution, problem.q.size(), "solution", path);
      double nearest = 1.0;
      for (const auto& found : all.solutions) nearest = std::min(nearest, (found - z).norm());
      EXPECT_LE(nearest, 1e-12) << name;
    }
  }
}

TEST(LcpFile, PlainTextIsNThenTheMatrixRowByRowThenQ) {
  const Lcp problem = parse_lcp("2\n3 -1\n0 2\n-1 -4\n", "a.txt");
  Eigen::Matrix2d M;
  M << 3, -1, 0, 2;
  EXPECT_EQ(problem.M, M);
  EXPECT_EQ(problem.q, Eigen::Vector2d(-1, -4));
  // A plain matrix whose first numbers look like the field's header is told by the count of all.
  EXPECT_EQ(parse_lcp("2  0 2 2 1  -1 -4", "a.txt").M(0, 1), 2.0);
  EXPECT_EQ(parse_lcp("2  0 2 2 2 2  3 0 -1 2  -1 -4", "a.txt").M, M);
}

TEST(LcpFile, KnownAnswersOfTheTextFilesAreReached) {
  if (!clack::testing::has_field_data()) GTEST_SKIP() << "the files of the field are not here";
  const LcpResult segment = enumerate_lcp(read_lcp_file(lcp_data("lcp_CPS_1.dat")));
  EXPECT_TRUE(segment.is_singular);
  EXPECT_EQ(segment.solutions.size(), 2u);
  const auto solve = [](const char* name) { return lemke(read_lcp_file(lcp_data(name))).z; };
  EXPECT_LE((solve("lcp_CPS_4.dat") - Eigen::Vector4d(2, 2, 2, 92)).norm(), 1e-12);
  EXPECT_LE((solve("lcp_Pang_isolated_sol.dat") - Eigen::Vector3d(1, 0, 0)).norm(), 1e-14);
  EXPECT_LE((solve("lcp_deudeu.dat") - Eigen::Vector2d(4.0 / 3, 7.0 / 3)).norm(), 1e-14);
  EXPECT_LE((solve("lcp_deudeu_block.dat") - Eigen::Vector2d(4.0 / 3, 7.0 / 3)).norm(), 1e-14);
  EXPECT_LE((solve("lcp_ortiz.dat") - Eigen::Vector4d(2.0 / 3, 0, 1.0 / 3, 0)).norm(), 1e-14);
  EXPECT_LE((solve("lcp_exp_murty.dat") - Eigen::VectorXd::Unit(6, 5)).norm(), 1e-14);
}
