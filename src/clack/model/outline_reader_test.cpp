// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "clack/error.hpp"
#include "clack/model/contact_source.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

std::string polygon_model(const std::string& shape,
                          const std::string& mass = "mass: 1, inertia: 1") {
  return "clack: 1\nbodies:\n  part: {" + mass + ", shape: {polygon: " + shape + "}}\n";
}

Model read_part(const std::string& shape, const std::string& mass = "mass: 1, inertia: 1") {
  return read_model_text(polygon_model(shape, mass), "m.yaml");
}

const Outline& outline_in(const Model& model) {
  return std::get<Outline>(*model.bodies[BodyIndex(0)].shape);
}

TEST(OutlineReader, MassCentreAndInertiaComeFromTheShape) {
  const std::string l = "[[0, 0], [0.3, 0], [0.3, 0.1], [0.1, 0.1], [0.1, 0.4], [0, 0.4]]";
  const Model by_mass = read_part(l, "mass: 1, inertia: shape, points: {corner: [0, 0]}");
  EXPECT_NEAR(by_mass.bodies[BodyIndex(0)].inertia(2, 2), 1.0 / 48, 1e-15);
  EXPECT_NEAR(outline_in(by_mass).vertices[OutlineVertexIndex(0)].point.x(), -0.1, 1e-15);
  EXPECT_NEAR(by_mass.bodies[BodyIndex(0)].points[0].position.y(), -0.15, 1e-15);
  const Model by_density = read_part(l, "density: 50");
  EXPECT_NEAR(by_density.bodies[BodyIndex(0)].mass, 3.0, 1e-14);
  EXPECT_NEAR(by_density.bodies[BodyIndex(0)].inertia(2, 2), 3.0 / 48, 1e-15);
}

TEST(OutlineReader, ACurveIsWrittenOutPointByPoint) {
  const Model model = read_part(
      "{curve: {count: 12, as: i, points: [[cos(i*pi/6), sin(i*pi/6)], [1.2*cos((i + 0.5)*pi/6), "
      "1.2*sin((i + 0.5)*pi/6)]]}}");
  EXPECT_EQ(outline_in(model).vertices.size(), 24);
}

TEST(OutlineReader, FilesOfPointsAreReadInTheirUnitAndTurnedRound) {
  const std::string folder = ::testing::TempDir();
  std::ofstream(folder + "/part.csv") << "x, y\n# clockwise\n0, 0\r\n0; 10\n\n10 10\n";
  const std::string file = folder + "/m.yaml";
  std::ofstream(file) << polygon_model("{file: part.csv, unit: mm}", "density: 1");
  const Model model = read_model(file);
  EXPECT_NEAR(model.bodies[BodyIndex(0)].mass, 0.5e-4, 1e-18);
}

TEST(OutlineReader, WhatIsNoPolygonIsRefusedAtItsVertex) {
  struct Mistake {
    std::string shape, mass, where, what, remedy;
  };
  const std::string fine = "[[0, 0], [1, 0], [0, 1]]", mass = "mass: 1, inertia: 1";
  const Mistake mistakes[] = {
      {"[[0, 0], [1, 0]]", mass, "m.yaml:3:", "body part: polygon: an outline of 2 vertices",
       "three"},
      {"[[0, 0], [1, 0], [1, 0], [0, 1]]", mass, "m.yaml:3:", "vertex 2 repeats vertex 1",
       "remove"},
      {"[[0, 0], [0, 1], [1, 0]]", mass, "m.yaml:3:", "clockwise", "orient: true"},
      {"[[0, 0], [1, 1], [1, 0], [0, 1]]", mass, "m.yaml:3:", "edges 0 and 2 at (0.5, 0.5)",
       "simple"},
      {"[[0, 0], [1, 0], [2, 0]]", mass, "m.yaml:3:", "area is zero", "area"},
      {"[[0, 0], [1, 0], [1, 1.0e-12], [0, 1]]", mass, "m.yaml:3:", "1e-12 m long", "remove"},
      {"[[0, 0], [1/0, 0], [0, 1]]", mass, "m.yaml:3:", "must be finite", "zero"},
      {"{vertices: " + fine + ", hole: []}", mass, "m.yaml:3:", "unknown key hole", "holes"},
      {"{vertices: " + fine + ", holes: [[[0.2, 0.2], [0.4, 0.2], [0.2, 0.4]]]}", mass,
       "m.yaml:3:", "the hole runs counter-clockwise", "clockwise"},
      {"{vertices: " + fine + ", holes: [[[2.2, 0.2], [2.2, 0.4], [2.4, 0.2]]]}", mass,
       "m.yaml:3:", "hole 0 at (2.2, 0.2) is outside of its outline", "holes lie in"},
      {"{vertices: " + fine + ", offset: -0.5}", mass, "m.yaml:3:", "vanish", "smaller offset"},
      {"{vertices: " + fine + ", id: a}", mass, "m.yaml:3:", "id belongs to file", ""},
      {"[[0, 0], [1, 0, 1e400], [0, 1]]", mass, "m.yaml:3:", "does not fit a double", ""},
      {"[[0, 0], [1, 0, 0.5, 3], [0, 1]]", mass, "m.yaml:3:", "vertex 1 has 4 entries", "bulge"},
      {"{orient: true}", mass, "m.yaml:3:", "needs one of vertices, curve and file", "vertices"},
      {"{vertices: " + fine + ", unit: mm}", mass, "m.yaml:3:", "unit belongs to file", "m"},
      {"{curve: {count: 3, as: i}}", mass, "m.yaml:3:", "needs points", "curve"},
      {"{file: nowhere.csv}", mass, "m.yaml:3:", "nowhere.csv: there is no such file", "check"},
      {"{file: part.txt}", mass, "m.yaml:3:", "no .csv, .svg or .dxf file", ".csv"},
      {"{file: part.csv, layer: cut}", mass, "m.yaml:3:", "layer belongs to .dxf files", "remove"},
      {fine, "density: 1, mass: 2", "m.yaml:3:", "density gives mass and inertia", "keep"},
      {fine, "inertia: shape", "m.yaml:3:", "inertia without mass", "mass"},
  };
  for (const Mistake& mistake : mistakes) {
    try {
      read_part(mistake.shape, mistake.mass);
      ADD_FAILURE() << mistake.shape;
    } catch (const ModelError& e) {
      EXPECT_NE(std::string(e.what()).find(mistake.what), std::string::npos) << e.what();
      EXPECT_NE(e.where().find(mistake.where), std::string::npos) << e.where();
      EXPECT_NE(e.remedy().find(mistake.remedy), std::string::npos) << e.remedy();
    }
  }
}

TEST(OutlineReader, OrientTurnsAWrongDirectionRound) {
  const Model model = read_part("{vertices: [[0, 0], [0, 1], [1, 0]], orient: true}");
  EXPECT_GT(area_moments(outline_in(model)).area, 0.0);
}

TEST(OutlineContacts, AreNamedByVertexAndEdgeAndFoundByName) {
  const Model model = read_model_text(
      "clack: 1\nbodies:\n  a: {density: 1, position: [0, 3], shape: {polygon: [[0, 0], [1, 0], "
      "[0, 1]]}}\n"
      "  b: {fixed: true, shape: {polygon: [[0, 0], [1, 0], [1, 1], [0, 1]]}}\n"
      "contacts: {c: {between: [a, b]}}\n",
      "m.yaml");
  const auto key = contact_named(model, "b.v3/a.e2");
  ASSERT_TRUE(key.has_value());
  EXPECT_EQ(contact_name(model, *key), "b.v3/a.e2");
  EXPECT_EQ(candidate_of(*key).owner, PairSide::second);
  EXPECT_EQ(contact_key(SourceIndex(0), candidate_of(*key)), *key);
  EXPECT_FALSE(contact_named(model, "b.v4/a.e2").has_value());
  EXPECT_FALSE(contact_named(model, "b.v3/a.e3").has_value());
  EXPECT_TRUE(possible_contacts(model).empty());
}

}  // namespace
}  // namespace clack
