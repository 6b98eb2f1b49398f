// SPDX-License-Identifier: Apache-2.0
// `clack distance` as a user meets it: the document, and what is refused.
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "run_program.hpp"

namespace {

using clack::testing::Finished;

Finished ask(const std::string& document, const std::string& options = "") {
  // Tests run side by side, each in a process of its own.
  const std::string file = ::testing::TempDir() + "/pair-" + std::to_string(::getpid()) + ".json";
  std::ofstream(file) << document;
  return clack::testing::run_shell("'" CLACK_PROGRAM "' distance '" + file + "' " + options);
}

nlohmann::json answer(const std::string& document) {
  const Finished finished = ask(document, "--json");
  EXPECT_EQ(finished.exit_code, 0) << finished.errors;
  return nlohmann::json::parse(finished.output);
}

const std::string squares =
    R"("A": [[-1, -1], [1, -1], [1, 1], [-1, 1]], "B": [[-1, -1], [1, -1], [1, 1], [-1, 1]])";

TEST(DistanceCommand, ParallelEdgesAreTwoContacts) {
  const auto found = answer("{" + squares + R"(, "poseA": [1.3, 2.02, 0], "skin": 0.03})");
  EXPECT_EQ(found["status"], "disjoint");
  EXPECT_EQ(found["kind"], "EE");
  EXPECT_NEAR(found["gap"].get<double>(), 0.02, 1e-15);
  ASSERT_EQ(found["contacts"].size(), 2u);
  EXPECT_EQ(found["contacts"][0]["vertex_of"], "A");
  EXPECT_EQ(found["contacts"][1]["vertex_of"], "B");
  EXPECT_EQ(found["raw_within"], (nlohmann::json{1, 1}));
  EXPECT_EQ(found["valid_within"], 2);
  EXPECT_FALSE(found.contains("contact"));
}

TEST(DistanceCommand, CrossingHasNoGapAndOverlapNoValidCandidates) {
  const auto crossing = answer(
      R"({"A": [[-2, -0.001], [2, -0.001], [2, 0.001], [-2, 0.001]],
          "B": [[-0.001, -2], [0.001, -2], [0.001, 2], [-0.001, 2]]})");
  EXPECT_EQ(crossing["status"], "crossing");
  EXPECT_TRUE(crossing["gap"].is_null());
  EXPECT_EQ(crossing["kind"], "none");
  const auto overlap = answer("{" + squares + R"(, "poseA": [1.9, 1.8, 0]})");
  EXPECT_NEAR(overlap["gap"].get<double>(), -0.1, 1e-15);
  EXPECT_TRUE(overlap["valid_within"].is_null());
}

// 1.4 m at 2 m/s with 1 m/s2: t + ... = closed form of 2 t + t^2/2 = 1.4 - falls at sqrt(4 + 2.8) - 2.
TEST(DistanceCommand, FirstTouchOfAFallingSquare) {
  const auto found = answer(
      "{" + squares + R"(, "poseA": [0.5, 3.4, 0], "velA": [0, -2, 0], "accA": [0, -1], "T": 2})");
  EXPECT_EQ(found["contact"], true);
  EXPECT_NEAR(found["t"].get<double>(), std::sqrt(6.8) - 2.0, 1e-14);
  EXPECT_EQ(found["vertex_of"], "A");
  EXPECT_EQ(found["vertex"], 0);
  EXPECT_EQ(found["edge"], 2);
  const auto missed =
      answer("{" + squares + R"(, "poseA": [2.5, 3.4, 0], "velA": [0, -2, 0], "T": 9})");
  EXPECT_EQ(missed["contact"], false);
  EXPECT_TRUE(missed["t"].is_null());
  EXPECT_TRUE(missed["normal"].is_null());
}

// A disk of radius 0.2 above a half disk of radius 0.5 (bulge 1 over its diameter), and in a round hole of radius 1.
TEST(DistanceCommand, ArcsAreTheirCircles) {
  const std::string disk = R"("A": {"disk": {"radius": 0.2}})";
  const auto above =
      answer("{" + disk + R"(, "B": [[0.5, 0, 1], [-0.5, 0]], "poseA": [0.6, 0.8, 0]})");
  EXPECT_EQ(above["status"], "disjoint");
  EXPECT_NEAR(above["gap"].get<double>(), 1.0 - 0.5 - 0.2, 1e-15);
  EXPECT_EQ(above["contacts"][0]["vertex_of"], "A");
  EXPECT_TRUE(above["contacts"][0]["vertex"].is_null());
  EXPECT_EQ(above["contacts"][0]["arc"], 0);
  EXPECT_EQ(above["contacts"][0]["edge"], 0);
  const std::string ring =
      R"("B": {"vertices": [[-2, -2], [2, -2], [2, 2], [-2, 2]], "holes": [[[1, 0, -1], [-1, 0, -1]]]})";
  const auto inside = answer("{" + disk + ", " + ring + R"(, "poseA": [0.3, 0.4, 0]})");
  EXPECT_NEAR(inside["gap"].get<double>(), 1.0 - 0.5 - 0.2, 1e-15);
  // From 0.4 above the middle it falls to 0.8 below it: t^2/2 = 1.2.
  const auto falls =
      answer("{" + disk + ", " + ring + R"(, "poseA": [0, 0.4, 0], "accA": [0, -1], "T": 5})");
  EXPECT_EQ(falls["contact"], true);
  EXPECT_NEAR(falls["t"].get<double>(), std::sqrt(2.0 * 1.2), 1e-12);
}

// The corner (0, 0, 0) of a tetrahedron 0.3 above a cube, and its edge (0, 0, 0)-(1, 0, 0) across an edge of the cube.
TEST(DistanceCommand, HullsInSpace) {
  const std::string bodies =
      R"("A": {"hull": [[0, 0, 0], [1, 0, 1], [-1, 0.5, 1], [0, -1, 1]]},
         "B": {"hull": [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]]})";
  const auto above = answer("{" + bodies + R"(, "poseA": [0.2, 0.1, 1.3], "skin": 0.5})");
  EXPECT_EQ(above["status"], "disjoint");
  EXPECT_NEAR(above["gap"].get<double>(), 0.3, 1e-15);
  EXPECT_EQ(above["A"]["corner"], 0);
  EXPECT_EQ(above["B"]["feature"], "face");
  EXPECT_EQ(above["normal"], (nlohmann::json{0.0, 0.0, 1.0}));
  EXPECT_GE(above["within"].get<int>(), 1);
  const auto inside = answer("{" + bodies + R"(, "poseA": [0.2, 0.1, 0.9]})");
  EXPECT_EQ(inside["status"], "overlap");
  EXPECT_TRUE(inside["gap"].is_null());
  EXPECT_NEAR(inside["overlap"].get<double>(), 0.1, 1e-14);
}

TEST(DistanceCommand, RefusesWhatIsNoPolygonInTwoLines) {
  const std::string b = R"("B": [[0, 0], [1, 0], [0, 1]])";
  const std::pair<std::string, std::string> cases[] = {
      {R"({"A": [[0, 0], [1, 0]], )" + b + "}", "polygon A: an outline of 2 vertices"},
      {R"({"A": [[0, 0], [0, 1], [1, 0]], )" + b + "}", "clockwise"},
      {R"({"A": [[0, 0], [1, 1], [1, 0], [0, 1]], )" + b + "}", "edges 0 and 2 at (0.5, 0.5)"},
      {R"({"A": [[0, 0], [1, 0], [1, 0], [0, 1]], )" + b + "}", "vertex 2 repeats vertex 1"},
      {R"({"A": [[0, 0], [1, 0], [2, 0]], )" + b + "}", "on one line"},
      {R"({"A": [[0, 0], [1, 0, 2, 3], [2, 0]], )" + b + "}", "A[1] has 4 numbers"},
      {R"({"A": {"vertices": [[-1, -1], [1, -1], [1, 1], [-1, 1]], "holes": [[[0, 0], [0.5, 0], [0, 0.5]]]}, )" +
           b + "}",
       "polygon A hole 0"},
      {R"({"A": {"disk": {"radius": -1}}, )" + b + "}", "a disk has a radius > 0"},
      {R"({"A": {"hull": [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}, )" + b + "}", "hull A: 3 points"},
      {R"({"A": {"hull": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}, )" + b + "}",
       "the other body is a hull in space"},
      {R"({"A": {"hull": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]]}, )" + b +
           "}",
       "point 4 is no corner"},
      {R"({"A": [], )" + b + "}", "an outline of 0 vertices"},
      {"{" + b + "}", "key A is missing"},
      {"{" + squares + R"(, "skin": -1})", "must not be negative"},
      {"{" + squares + R"(, "velA": [1, 0, 0]})", "no T"},
      {"{" + squares + R"(, "T": 1, "velA": [1, 0, 0]})", "cross each other at the start"},
      {"{" + squares + R"(, "T": 1, "poseA": [1.5, 1.5, 0]})", "overlap by 0.5 m at the start"},
      {"{" + squares + R"(, "pose": [0, 0, 0]})", "unknown key pose"},
  };
  for (const auto& [document, message] : cases) {
    const Finished finished = ask(document);
    EXPECT_EQ(finished.exit_code, 2) << document;
    EXPECT_EQ(finished.output, "") << document;
    EXPECT_NE(finished.errors.find(message), std::string::npos) << finished.errors;
    EXPECT_EQ(finished.errors.rfind("error: ", 0), 0u);
    EXPECT_NE(finished.errors.find("\nhelp: "), std::string::npos);
  }
}

}  // namespace
