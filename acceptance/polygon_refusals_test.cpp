// SPDX-License-Identifier: Apache-2.0
// What is no part, or no pair of parts, is refused by the program with exit code 2 and two lines: what and where, and the
// remedy; with and without a contact.
#include <gtest/gtest.h>

#include "acceptance/run_support.hpp"

namespace clack::acceptance {
namespace {

std::string lone_part(const std::string& shape) {
  return "clack: 1\ndimension: 2\nbodies:\n  part: {mass: 1, inertia: 1, shape: {polygon: " +
         shape + "}}\n";
}

const std::string plate = "[[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]";
const std::string needle = "[[-1, -0.001], [1, -0.001], [1, 0.001], [-1, 0.001]]";

std::string two_parts(const std::string& place, const std::string& of_contact,
                      const std::string& sections = "", const std::string& shape = plate) {
  return "clack: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n  a: {mass: 1, inertia: 1, " +
         place + ", shape: {polygon: " + shape +
         "}}\n  b: {fixed: true, shape: {polygon: " + shape + "}}\ncontacts: {c: {between: [a, b]" +
         of_contact + "}}\n" + sections + "run: {until: 0.1}\n";
}

struct Refusal {
  std::string model, what, where, remedy;
};

void expect_refused(const ProgramFolder& folder, const Refusal& refusal) {
  folder.write("m.yaml", refusal.model);
  const testing::Finished finished = folder.clack("run m.yaml --out out");
  SCOPED_TRACE(refusal.what);
  EXPECT_EQ(finished.exit_code, 2) << finished.errors;
  EXPECT_NE(finished.errors.find(refusal.what), std::string::npos) << finished.errors;
  EXPECT_NE(finished.errors.find("(" + refusal.where), std::string::npos) << finished.errors;
  EXPECT_NE(finished.errors.find("\nhelp: " + refusal.remedy), std::string::npos)
      << finished.errors;
  EXPECT_EQ(std::ranges::count(finished.errors, '\n'), 2) << finished.errors;
  EXPECT_TRUE(finished.created.empty());
}

TEST(PolygonRefusals, FilesThatAreNoDrawing) {
  const ProgramFolder folder;
  folder.write("empty.csv", "");
  std::filesystem::create_directory(folder.inside() / "folder.csv");
  folder.write("binary.csv", "0, 0\n" + std::string(3, '\0') + "\xff\n");
  folder.write("binary.dxf", "AutoCAD Binary DXF\r\n\x1a" + std::string(3, '\0'));
  std::string large;
  while (large.size() <= 16u << 20) large += "0, 0\n0, 1\n";
  folder.write("large.csv", large);
  const std::string here = "m.yaml:4:";
  for (const Refusal& refusal : std::initializer_list<Refusal>{
           {lone_part("{file: empty.csv}"), "file empty.csv is empty", here, "draw the part in it"},
           {lone_part("{file: folder.csv}"), "folder.csv: this is a folder", here,
            "name a file inside the folder"},
           {lone_part("{file: binary.csv}"), "file binary.csv is no text", here, "save it as text"},
           {lone_part("{file: binary.dxf}"), "file binary.dxf is no text", here, "save it as text"},
           {lone_part("{file: large.csv}"), "file large.csv is larger than 16 MB", here,
            "draw fewer vertices"},
           {lone_part("{file: none.svg}"), "none.svg: there is no such file", here,
            "check the name and the folder"}})
    expect_refused(folder, refusal);
}

TEST(PolygonRefusals, NumbersThatAreNone) {
  const ProgramFolder folder;
  for (const Refusal& refusal : std::initializer_list<Refusal>{
           {lone_part("[[0, 0], [1, 0], [0, 0/0]]"), "vertex 2 is",
            "m.yaml:4:", "check for divisions by zero"},
           {lone_part("[[0, 0], [1, 0, 1/0], [0, 1]]"), "vertex 1 is inf",
            "m.yaml:4:", "check for divisions by zero"}})
    expect_refused(folder, refusal);
}

TEST(PolygonRefusals, StartsThatOverlapOrCross) {
  const ProgramFolder folder;
  for (const Refusal& refusal : std::initializer_list<Refusal>{
           {two_parts("position: [0.03, 0.19]", ""), "(a and b): penetrates by 0.01 m",
            "m.yaml:7:", "move them apart by 0.01 m"},
           {two_parts("position: [0, 0], angle: pi/4", "", "", needle),
            "the polygons cross each other at the start", "m.yaml:7:", "move them apart"}})
    expect_refused(folder, refusal);
}

TEST(PolygonRefusals, WhatAPairOfOutlinesHasNot) {
  const ProgramFolder folder;
  const std::string apart = "position: [0, 0.3]";
  for (const Refusal& refusal : std::initializer_list<Refusal>{
           {two_parts(apart, ", surface_velocity: 1"), "surface_velocity on a pair of polygons",
            "m.yaml:7:", "let a body move instead"},
           {two_parts(apart, ", normal_row: [1, 0]"), "normal_row belongs to contacts given by gap",
            "m.yaml:7:", "remove it"},
           {two_parts(apart, "", "exclusive: [[a.v0/b.e2, a.v1/b.e2]]\n"),
            "a.v0/b.e2 is a contact of two polygons", "m.yaml:8:", "their contacts are made where"},
           {two_parts(apart, ", zones: [{features: [b.e9], friction: 0.2}]"), "b.e9 does not exist",
            "m.yaml:7:", "b has v0 to v3 and e0 to e3"}})
    expect_refused(folder, refusal);
}

// Two saws face each other: every tooth is within the skin of all others.
TEST(PolygonRefusals, ASkinThatHoldsAMillionCandidates) {
  const ProgramFolder folder;
  std::string teeth;
  for (int k = 0; k < 1500; ++k)
    teeth +=
        fmt::format("{}[{}, {}]", k > 0 ? ", " : "", 1.0 - k / 1500.0, k % 2 == 0 ? 0.0 : 1e-3);
  folder.write("pair.json", "{\"A\": [[0, -1], [1, -1], " + teeth +
                                "], \"B\": [[0, -1], [1, -1], " + teeth +
                                "], \"poseA\": [0, 0, 0], \"poseB\": [1, 2.1, " +
                                exact(std::numbers::pi) + "], \"skin\": 5}");
  const testing::Finished finished = folder.clack("distance pair.json --json");
  EXPECT_EQ(finished.exit_code, 2) << finished.output;
  EXPECT_NE(finished.errors.find("is too large: more than 1e6 candidates"), std::string::npos)
      << finished.errors;
}

}  // namespace
}  // namespace clack::acceptance
