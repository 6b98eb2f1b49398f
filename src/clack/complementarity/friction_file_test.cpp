// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/friction_file.hpp"

#include "clack/error.hpp"

namespace clack {
namespace {

const std::string small =
    R"({"dimension": 2, "W": {"format": "dense", "values": [[1, 0], [0, 1]]}, "q": [-1, 0.2], "mu": [0.5]})";

Eigen::MatrixXd delassus(const std::string& text) {
  return dense_delassus(parse_friction(text, "test"));
}

TEST(FrictionFile, StorageFormsAgree) {
  const std::string tail = R"(, "q": [-1, 0.2], "mu": [0.5], "note": "ignored"})";
  const Eigen::MatrixXd dense =
      delassus(R"({"dimension": 2, "W": {"format": "dense", "values": [[2, 3], [1, 4]]})" + tail);
  const Eigen::MatrixXd coo = delassus(
      R"({"dimension": 2, "W": {"format": "coo", "i": [0, 0, 1, 1, 0], "j": [0, 1, 0, 1, 0], "v": [1, 3, 1, 4, 1]})" +
      tail);
  const Eigen::MatrixXd block = delassus(
      R"({"dimension": 2, "W": {"format": "block", "i": [0], "j": [0], "values": [[2, 3, 1, 4]]})" +
      tail);
  const Eigen::MatrixXd column_major = delassus("2 1  0 2 2  2 2  2 1 3 4  -1 0.2  0.5");
  EXPECT_EQ(dense, coo);
  EXPECT_EQ(dense, block);
  EXPECT_EQ(dense, column_major);
}

TEST(FrictionFile, LoneFlagAfterMuIsIgnored) {
  EXPECT_EQ(parse_friction("2 1 0 2 2 2 2 1 0 0 1 -1 0.2 0.5 1\n", "test").mu(0), 0.5);
}

TEST(FrictionFile, GlobalFormIsCondensed) {
  // M = diag(2, 4), H = I: W = diag(1/2, 1/4), q = M^-1 f + b
  const auto problem =
      parse_friction("2 1  0 2 2 2 2 2 0 0 4   0 2 2 2 2 1 0 0 1   -2 4   0.5 0   0.3", "test");
  EXPECT_TRUE(
      dense_delassus(problem).isApprox(Eigen::MatrixXd(Eigen::Vector2d(0.5, 0.25).asDiagonal())));
  EXPECT_TRUE(problem.q.isApprox(Eigen::Vector2d(-0.5, 1.0)));
}

TEST(FrictionFile, SparseHeaderOfHIsNotTakenForOnePlanarContact) {
  const std::string listing =
      "2-by-2, nzmax: 2 nnz: 2, 1-norm: 1\n col 0 : locations 0 to 0\n 0 : 1\n col 1 : locations 1 "
      "to 1\n 1 : 1\n";
  const auto problem =
      parse_friction("2 1  0 2 2 2 2 2 0 0 4\n2 2 2 2\n" + listing + " -2 4  0.5 0  0.3", "test");
  EXPECT_TRUE(problem.q.isApprox(Eigen::Vector2d(-0.5, 1.0)));
}

TEST(FrictionFile, NoContactsIsLegal) {
  EXPECT_EQ(
      parse_friction(
          R"({"dimension": 3, "W": {"format": "dense", "values": []}, "q": [], "mu": []})", "t")
          .contacts(),
      0);
  EXPECT_EQ(parse_friction("3 0 0 0 0 0 0", "t").contacts(), 0);
}

// Each line: a mistake, and a word its message must contain.
TEST(FrictionFile, MistakesAreNamed) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "empty"},
      {"{", "JSON"},
      {"[1]", "object"},
      {R"({"dimension": 5, "W": {}, "q": [], "mu": []})", "Coulomb problem"},
      {R"({"W": {}, "q": [], "mu": []})", "dimension"},
      {R"({"dimension": 2, "W": {"format": "dense", "values": [[1, 0], [0, 1]]}, "q": [-1], "mu": [0.5]})",
       "q has 1"},
      {R"({"dimension": 2, "W": {"format": "dense", "values": [[1, 0]]}, "q": [-1, 0], "mu": [0.5]})",
       "2 rows"},
      {R"({"dimension": 2, "W": {"format": "dense", "values": [[1, 0], [0]]}, "q": [-1, 0], "mu": [0.5]})",
       "W.values[1]"},
      {R"({"dimension": 2, "W": {"format": "dens", "values": []}, "q": [-1, 0], "mu": [0.5]})",
       "dens"},
      {R"({"dimension": 2, "W": {"format": "coo", "i": [0], "j": [2], "v": [1]}, "q": [-1, 0], "mu": [0.5]})",
       "W.j[0]"},
      {R"({"dimension": 2, "W": {"format": "coo", "i": [0, 1], "j": [0], "v": [1]}, "q": [-1, 0], "mu": [0.5]})",
       "entries"},
      {R"({"dimension": 2, "W": {"format": "coo", "i": [0.5], "j": [0], "v": [1]}, "q": [-1, 0], "mu": [0.5]})",
       "integer"},
      {R"({"dimension": 2, "W": {"format": "block", "i": [0], "j": [0], "values": [[1, 0, 1]]}, "q": [-1, 0], "mu": [0.5]})",
       "must have 4"},
      {R"({"dimension": 2, "W": {"format": "dense", "values": [[1, 0], [0, 1]]}, "q": [-1, 0], "mu": [-0.5]})",
       "friction coefficient"},
      {R"({"dimension": 2, "W": {"format": "dense", "values": [[1, 0], [0, NaN]]}, "q": [-1, 0], "mu": [0.5]})",
       "JSON"},
      {R"({"dimension": 2, "W": {"format": "dense", "values": [[1, 0], [0, "x"]]}, "q": [-1, 0], "mu": [0.5]})",
       "number"},
      {R"({"dimension": 2, "W": {"format": "dense", "values": [[0, 0], [0, 0]]}, "q": [-1, 0], "mu": [0.5]})",
       "no inertia"},
      {R"({"dimension": 2, "W": {"format": "dense", "values": [[1, 0], [0, 1]]}, "q": [-1, 0], "my": [0.5]})",
       "unknown key"},
      {"5 1 0 5 5 5 5", "Coulomb problem"},
      {"2 1 0 2 2 2 2 1 0 0", "entries"},
      {"2 1 0 2 2 2 2 1 0 0 1 -1 0.2", "numbers follow"},
      {"2 1 0 2 3 2 3 1 0 0 1 0 0 -1 0.2 0.5", "square"},
      {"2 1 0 1000000000 1000000000 1000000000 1000000000 1 2 3", "entries"},
      {"2 1000000000 0 2 2 2 2 1 0 0 1", "1000000000 contacts"},
      {"2 1 0 2 2 2 2 1 0 0 nan -1 0.2 0.5", "finite"},
      {"2 1  0 2 2 2 2 1 1 1 1   0 2 2 2 2 1 0 0 1   -2 4   0.5 0   0.3", "singular"},
  };
  for (const auto& [text, word] : cases) {
    try {
      parse_friction(text, "file");
      ADD_FAILURE() << "accepted: " << text;
    } catch (const InputError& e) {
      EXPECT_NE(std::string(e.what()).find(word), std::string::npos)
          << text << "\n  says: " << e.what();
      EXPECT_FALSE(e.remedy().empty());
    }
  }
}

TEST(FrictionFile, UnknownKeyNamesTheNearest) {
  try {
    parse_friction(R"({"dimenson": 2, "W": {}, "q": [], "mu": []})", "file");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(e.remedy().find("dimension"), std::string::npos);
  }
}

TEST(FrictionFile, SmallestExampleIsRead) {
  const auto problem = parse_friction(small, "test");
  EXPECT_EQ(problem.contacts(), 1);
  EXPECT_EQ(problem.q, Eigen::Vector2d(-1, 0.2));
}

}  // namespace
}  // namespace clack
