// SPDX-License-Identifier: Apache-2.0
// Drawings as CAD programs write them: closed forms of their areas, and what is no part.
#include <gtest/gtest.h>

#include <fstream>
#include <numbers>

#include "clack/error.hpp"
#include "clack/model/part_files.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

constexpr double pi = std::numbers::pi;

/// Pairs of lines from "code value, code value, ...".
std::string in_lines(const std::string& words) {
  std::string text, word;
  for (const char c : words + " ") {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      text += word + "\n";
      word.clear();
    }
  }
  return text;
}
std::string dxf(const std::string& entities, const std::string& header = "",
                const std::string& blocks = "") {
  return in_lines("0 SECTION 2 HEADER ") + header + in_lines("0 ENDSEC ") +
         (blocks.empty() ? "" : in_lines("0 SECTION 2 BLOCKS " + blocks + " 0 ENDSEC ")) +
         in_lines("0 SECTION 2 ENTITIES " + entities + " 0 ENDSEC 0 EOF");
}
const std::string millimetres = "9\n$INSUNITS\n70\n4\n";

double area_of(const std::vector<OutlineLoop>& loops) {
  return area_moments(make_outline(sorted_loops(loops, "part"))).area;
}
double dxf_area(const std::string& entities, const PartFileChoice& choice = {}) {
  return area_of(read_dxf_part(dxf(entities, millimetres), "part.dxf", choice));
}
double dxf_area_of_blocks(const std::string& blocks, const std::string& entities,
                          const PartFileChoice& choice = {}) {
  return area_of(read_dxf_part(dxf(entities, millimetres, blocks), "part.dxf", choice));
}
double svg_area(const std::string& elements, const PartFileChoice& choice = {}) {
  return area_of(
      read_svg_part("<?xml version=\"1.0\"?>\n<svg width=\"100mm\" height=\"100mm\" "
                    "viewBox=\"0 0 100 100\">\n" +
                        elements + "\n</svg>\n",
                    "part.svg", choice));
}
/// The message of a ModelError, with its place and remedy.
template <class Read>
std::string complaint(Read&& read) {
  try {
    read();
  } catch (const ModelError& e) {
    return fmt::format("{} ({}) {}", e.what(), e.where(), e.remedy());
  }
  return "";
}

TEST(DxfPart, PolylineWithBulgesIsAStadiumWithARoundHole) {
  // 100 x 40 mm with two half circles of radius 20, a hole of radius 5.
  const std::string slot =
      "0 LWPOLYLINE 8 cut 90 4 70 1 10 -50 20 -20 10 50 20 -20 42 1 10 50 20 20 10 -50 20 20 42 1 ";
  EXPECT_NEAR(dxf_area(slot), 1e-6 * (100 * 40 + pi * 400), 1e-15);
  EXPECT_NEAR(dxf_area(slot + "0 CIRCLE 8 cut 10 0 20 0 40 5"), 1e-6 * (4000 + pi * 375), 1e-15);
  EXPECT_NEAR(dxf_area(slot, {.unit = 1.0}), 4000 + pi * 400, 1e-9);
}

TEST(DxfPart, LinesAndArcsInAnyOrderAndDirectionAreJoined) {
  // A half disk of radius 10: the arc from 0 to 180 degrees, its diameter in two lines, one drawn backwards.
  EXPECT_NEAR(dxf_area("0 LINE 10 -10 20 0 11 0 21 0 0 ARC 10 0 20 0 40 10 50 0 51 180 "
                       "0 LINE 10 10 20 0 11 0 21 0"),
              1e-6 * pi * 50, 1e-16);
}

TEST(DxfPart, LayersAreToldApart) {
  const std::string two = "0 CIRCLE 8 cut 10 0 20 0 40 10 0 CIRCLE 8 notes 10 90 20 0 40 1";
  EXPECT_NEAR(dxf_area(two, {.layer = "cut"}), 1e-6 * pi * 100, 1e-15);
  EXPECT_NE(complaint([&] {
              dxf_area(two, {.layer = "weld"});
            }).find("the layers with entities are cut, notes"),
            std::string::npos);
  EXPECT_NE(complaint([&] { dxf_area(two); }).find("is outside of its outline"), std::string::npos);
}

TEST(DxfPart, WhatIsNoOutlineIsRefusedWithItsPlace) {
  const auto is = [&](const std::string& entities, const std::string& what) {
    const std::string found = complaint([&] { dxf_area(entities); });
    EXPECT_NE(found.find(what), std::string::npos) << found;
  };
  is("0 LINE 10 0 20 0 11 5 21 0 0 LINE 10 5 20 0 11 5 21 5",
     "does not close: open ends at (0, 0) and (0.005, 0.005) m (part.dxf:16:1)");
  is("0 SPLINE 8 cut", "a SPLINE of degree 3 with 0 control points, 0 knots and 0 weights");
  is("0 ELLIPSE 10 0 20 0 11 30 21 0 40 0.5", "ELLIPSE is no arc, in a drawing without flatten");
  is("0 POLYLINE 8 cut", "POLYLINE is not read");
  is("0 INSERT 2 bolt 10 0 20 0", "INSERT of a block bolt that is not in the file (part.dxf:");
  is("0 LINE 10 zero 20 0", "\"zero\" is no number");
  is("", "there is no closed outline");
  EXPECT_NE(complaint([] {
              read_dxf_part(dxf("0 CIRCLE 10 0 20 0 40 1"), "part.dxf", {});
            }).find("does not say its unit ($INSUNITS)"),
            std::string::npos);
  EXPECT_NE(
      complaint([] { read_dxf_part("hello\nworld\n", "part.dxf", {}); }).find("no group code"),
      std::string::npos);
}

// Ellipses: pi a b; a half one with the line across; one with equal axes is a circle, exactly.
TEST(DxfPart, EllipsesHaveTheirAreas) {
  EXPECT_NEAR(dxf_area("0 ELLIPSE 10 5 20 7 11 24 21 18 40 0.4", {.flatten = 1e-6}),
              1e-6 * pi * 30 * 12, 3e-7);
  EXPECT_NEAR(dxf_area("0 ELLIPSE 10 0 20 0 11 0 21 20 40 0.5 41 0 42 3.14159265358979 "
                       "0 LINE 10 0 20 -20 11 0 21 20",
                       {.flatten = 1e-7}),
              1e-6 * pi * 100, 1e-8);
  EXPECT_NEAR(dxf_area("0 ELLIPSE 10 5 20 7 11 6 21 8 40 1"), 1e-6 * pi * 100, 1e-16);
}

// A cubic of one stretch is Bezier's; of two with a knot between; nine rational points of degree 2 are a circle.
TEST(DxfPart, SplinesHaveTheirAreas) {
  // Control points at 0, 10, 20, 30 with heights 0, 12, 12, 0: y = 36 u (1 - u) over x = 30 u.
  const std::string bezier =
      "0 SPLINE 71 3 40 0 40 0 40 0 40 0 40 1 40 1 40 1 40 1 10 0 20 0 10 10 20 12 10 20 20 12 10 "
      "30 20 0 0 LINE 10 30 20 0 11 0 21 0";
  EXPECT_NEAR(dxf_area(bezier, {.flatten = 1e-7}), 1e-6 * 30 * 36 / 6, 1e-8);
  std::string circle =
      "0 SPLINE 70 13 71 2 40 0 40 0 40 0 40 1 40 1 40 2 40 2 40 3 40 3 40 4 40 4 40 4";
  const int corners[9][2] = {{1, 0},   {1, 1},  {0, 1},  {-1, 1}, {-1, 0},
                             {-1, -1}, {0, -1}, {1, -1}, {1, 0}};
  for (int k = 0; k < 9; ++k)
    circle += fmt::format(" 10 {} 20 {} 41 {}", 10 * corners[k][0], 10 * corners[k][1],
                          k % 2 == 0 ? "1" : "0.70710678118654752");
  EXPECT_NEAR(dxf_area(circle, {.flatten = 1e-7}), 1e-6 * pi * 100, 1e-8);
}

// A block of a square of 10 with a round hole of radius 2: moved, turned, scaled, mirrored, in rows, in another block.
TEST(DxfPart, BlocksAreInserted) {
  const std::string square =
      "0 BLOCK 2 plate 10 5 20 5 0 LWPOLYLINE 8 0 90 4 70 1 10 0 20 0 10 10 20 0 10 10 20 10 10 0 "
      "20 10 0 CIRCLE 8 0 10 5 20 5 40 2 0 ENDBLK ";
  const double one = 100 - 4 * pi;
  EXPECT_NEAR(dxf_area_of_blocks(square, "0 INSERT 2 plate 10 70 20 -20 50 30"), 1e-6 * one, 1e-16);
  EXPECT_NEAR(dxf_area_of_blocks(square, "0 INSERT 2 plate 10 70 20 -20 41 -3 42 3 50 30"),
              9e-6 * one, 1e-15);
  // The base point lies where the block is inserted: the middle of the square is the middle of the hole.
  const auto loops = read_dxf_part(dxf("0 INSERT 2 plate 10 70 20 -20 50 30", millimetres, square),
                                   "part.dxf", {});
  ASSERT_EQ(loops.size(), 2u);
  const OutlineLoop& hole = loops[loops[0].kind == LoopKind::circle ? 0 : 1];
  EXPECT_NEAR((hole.points[0] - Eigen::Vector2d(0.07, -0.02)).norm(), 0.0, 1e-16);
  // Scaled unevenly a circle is an ellipse.
  EXPECT_NE(complaint([&] {
              dxf_area_of_blocks(square, "0 INSERT 2 plate 10 0 20 0 41 2");
            }).find("CIRCLE is no arc, in a drawing without flatten"),
            std::string::npos);
  EXPECT_NEAR(dxf_area_of_blocks(square, "0 INSERT 2 plate 10 0 20 0 41 2", {.flatten = 1e-7}),
              2e-6 * one, 1e-8);
  // Holes in two rows and three columns, from a block in a block; on the layer of the outermost.
  const std::string nested =
      "0 BLOCK 2 hole 10 0 20 0 0 CIRCLE 8 0 10 0 20 0 40 1 0 ENDBLK "
      "0 BLOCK 2 holes 10 0 20 0 0 INSERT 8 0 2 hole 10 10 20 10 70 3 71 2 44 10 45 20 0 ENDBLK";
  EXPECT_NEAR(dxf_area_of_blocks(nested,
                                 "0 INSERT 8 cut 2 holes 10 0 20 0 0 LWPOLYLINE 8 cut 90 4 70 1 10 "
                                 "0 20 0 10 50 20 0 10 50 20 50 10 0 20 50 0 CIRCLE 8 notes 10 90 "
                                 "20 0 40 1",
                                 {.layer = "cut"}),
              1e-6 * (2500 - 6 * pi), 1e-15);
  EXPECT_NE(complaint([&] {
              dxf_area_of_blocks("0 BLOCK 2 a 10 0 20 0 0 INSERT 2 a 10 0 20 0 0 ENDBLK",
                                 "0 INSERT 2 a 10 0 20 0");
            }).find("blocks in blocks, 17 deep"),
            std::string::npos);
}

// Drawn from below: arcs turn the other way round.
TEST(DxfPart, MirroredEntitiesAreTurnedRound) {
  EXPECT_NEAR(
      dxf_area("0 ARC 10 -10 20 0 40 10 50 270 51 90 230 -1 0 LINE 10 10 20 -10 11 10 21 10"),
      1e-6 * pi * 50, 1e-16);
}

TEST(SvgPart, PathsRectsAndCirclesHaveTheirAreas) {
  EXPECT_NEAR(svg_area("<path d=\"M10,10 H 40 V 30 h-30 z\"/>"), 600e-6, 1e-18);
  EXPECT_NEAR(svg_area("<path d=\"m10 10l30 0 0 20-30 0z m5 5v10h20v-10z\"/>"), 400e-6, 1e-18);
  EXPECT_NEAR(svg_area("<rect x=\"1\" y=\"2\" width=\"30\" height=\"20\" rx=\"5\"/>"),
              1e-6 * (600 - (4 - pi) * 25), 1e-17);
  EXPECT_NEAR(svg_area("<circle cx=\"50\" cy=\"50\" r=\"20\"/>"), 1e-6 * pi * 400, 1e-16);
  // The large arc of a circle of radius 10 over a chord of 10: 2 pi - pi/3.
  EXPECT_NEAR(svg_area("<path d=\"M20 20 A10 10 0 1 1 30 20 Z\"/>"),
              50e-6 * (5 * pi / 3 + std::sin(pi / 3)), 1e-17);
  EXPECT_NEAR(svg_area("<polygon points=\"0,0 10,0 10,10\"/>"), 50e-6, 1e-18);
}

TEST(SvgPart, UpIsUpAndTransformsAreApplied) {
  const auto loops = read_svg_part(
      "<svg width=\"10cm\" viewBox=\"0 0 100 100\"><g transform=\"translate(10 0)\"><path "
      "transform=\"rotate(90)\" d=\"M0 0 L 20 0 L 0 5 Z\"/></g></svg>",
      "part.svg", {});
  ASSERT_EQ(loops.size(), 1u);
  // rotate(90) takes (20, 0) to (0, 20), then to (10, 20): below the origin when y is up.
  EXPECT_NEAR((loops[0].points[1] - Eigen::Vector2d(0.01, -0.02)).norm(), 0.0, 1e-16);
  EXPECT_NEAR((loops[0].points[2] - Eigen::Vector2d(0.005, 0.0)).norm(), 0.0, 1e-16);
  EXPECT_NEAR(svg_area("<g transform=\"scale(2)\"><circle r=\"3\"/></g>"), 1e-6 * pi * 36, 1e-17);
}

TEST(SvgPart, CurvesNeedFlattenAndComeAsNearAsItSays) {
  // Circles by four cubic curves, and an ellipse: areas within the strip of width `flatten`.
  const std::string ellipse = "<ellipse cx=\"50\" cy=\"50\" rx=\"30\" ry=\"10\"/>";
  EXPECT_NE(complaint([&] { svg_area(ellipse); }).find("without flatten (part.svg:3:1)"),
            std::string::npos);
  EXPECT_NEAR(svg_area(ellipse, {.flatten = 1e-6}), 1e-6 * pi * 300, 1.4e-7);
  EXPECT_NEAR(svg_area("<path d=\"M0 0 Q 10 20 20 0 T 40 0 V -30 H 0 Z\"/>", {.flatten = 1e-7}),
              1200e-6, 1e-8);
  EXPECT_FALSE(complaint([] { svg_area("<path d=\"M0 0 C 1 1 2 2 3 0 Z\"/>"); }).empty());
}

TEST(SvgPart, WhatIsNoPartIsRefused) {
  const auto is = [&](const std::string& elements, const std::string& what,
                      const PartFileChoice& choice = {}) {
    const std::string found = complaint([&] { svg_area(elements, choice); });
    EXPECT_NE(found.find(what), std::string::npos) << found;
  };
  is("<path d=\"M0 0 L 10 0 L 10 10\"/>",
     "does not close: open ends at (0, 0) and (0.01, -0.01) m");
  is("<path d=\"M0 0 L 10 x\"/>", "path data at \"x\"");
  is("<path d=\"L 10 10\"", "a tag without a name");
  is("<g>", "</svg> closes nothing");
  is("<circle r=\"3\"/>", "no element with the id hub", {.id = "hub"});
  is("<text>nothing</text>", "there is no closed outline");
  EXPECT_NE(complaint([] {
              read_svg_part("<svg><circle r=\"1\"/></svg>", "p.svg", {});
            }).find("does not say its unit"),
            std::string::npos);
  EXPECT_NEAR(svg_area("<circle id=\"a\" r=\"3\"/><g id=\"b\"><circle r=\"5\"/></g>", {.id = "b"}),
              1e-6 * pi * 25, 1e-17);
}

TEST(PartFile, ModelReadsItBesideItselfWithMassAndHoles) {
  const std::string folder = ::testing::TempDir();
  std::ofstream(folder + "/ring.dxf")
      << dxf("0 CIRCLE 10 0 20 0 40 20 0 CIRCLE 10 0 20 0 40 12", millimetres);
  std::ofstream(folder + "/ring.yaml")
      << "clack: 1\nbodies:\n  ring: {density: 100, shape: {polygon: {file: ring.dxf}}}\n";
  const Model model = read_model(folder + "/ring.yaml");
  const Body& ring = model.bodies[BodyIndex(0)];
  EXPECT_NEAR(ring.mass, 100 * pi * (400 - 144) * 1e-6, 1e-14);
  EXPECT_NEAR(ring.inertia(2, 2), ring.mass * (400 + 144) * 1e-6 / 2, 1e-15);
  EXPECT_EQ(std::get<Outline>(*ring.shape).edges.size(), 2);
}

}  // namespace
}  // namespace clack
