// SPDX-License-Identifier: Apache-2.0
// Drawings that are none, as a user meets them: two lines with place and remedy, exit code 2, also without a contact.
#include <gtest/gtest.h>

#include <unistd.h>

#include "run_program.hpp"

namespace {

using clack::testing::Finished;

/// A folder with files and a model whose polygon is `choice`.
class DrawingFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "/drawings-" + std::to_string(::getpid());
    std::filesystem::create_directories(folder_ + "/folder.dxf");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
  }
  /// Entities as words, in mm unless the drawing does not say.
  void write_dxf(const std::string& name, std::string entities, bool has_unit = true) {
    for (char& c : entities)
      if (c == ' ') c = '\n';
    write(name, std::string("0\nSECTION\n2\nHEADER\n") + (has_unit ? "9\n$INSUNITS\n70\n4\n" : "") +
                    "0\nENDSEC\n0\nSECTION\n2\nENTITIES\n" + entities + "\n0\nENDSEC\n0\nEOF\n");
  }
  Finished check(const std::string& choice) {
    write("model.yaml",
          "clack: 1\ndimension: 2\nbodies:\n  part: {density: 1000, shape: {polygon: {" + choice +
              "}}}\nrun: {until: 1}\n");
    return clack::testing::run_shell("cd '" + folder_ +
                                     "' && '" CLACK_PROGRAM "' check model.yaml");
  }
  void expect_refused(const std::string& choice, const std::string& what, const std::string& place,
                      const std::string& remedy) {
    SCOPED_TRACE(choice);
    const Finished finished = check(choice);
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_EQ(finished.output, "");
    EXPECT_EQ(finished.errors.rfind("error: ", 0), 0u) << finished.errors;
    EXPECT_NE(finished.errors.find(what), std::string::npos) << finished.errors;
    EXPECT_NE(finished.errors.find("(" + place), std::string::npos) << finished.errors;
    EXPECT_NE(finished.errors.find("\nhelp: " + remedy), std::string::npos) << finished.errors;
  }

 private:
  std::string folder_;
};

const std::string square = "<rect width=\"1\" height=\"1\"/></svg>",
                  page = "<svg width=\"10mm\" height=\"10mm\" viewBox=\"0 0 10 10\">";

TEST_F(DrawingFiles, WhatIsNoFileOfADrawingIsRefusedAtItsName) {
  write("empty.dxf", "");
  write("binary.dxf", std::string("AutoCAD Binary DXF\r\n\x1a\0\x01", 23));
  write("large.svg", page + std::string(16 * 1024 * 1024 + 1, ' ') + square);
  expect_refused("file: missing.dxf", "there is no such file", "model.yaml:4:", "check the name");
  expect_refused("file: folder.dxf", "this is a folder, not a file",
                 "model.yaml:4:", "name a file");
  expect_refused("file: empty.dxf", "file empty.dxf is empty", "model.yaml:4:", "draw the part");
  expect_refused("file: binary.dxf", "binary.dxf is no text", "model.yaml:4:", "save it as text");
  expect_refused("file: large.svg", "larger than 16 MB", "model.yaml:4:", "draw fewer vertices");
  expect_refused("file: part.step", "is no .csv, .svg or .dxf file",
                 "model.yaml:4:", "give a file");
  expect_refused("file: empty.dxf, id: a", "id belongs to .svg files",
                 "model.yaml:4:", "remove it");
}

TEST_F(DrawingFiles, WhatIsNoOutlineIsRefusedAtItsLineInTheDrawing) {
  write_dxf("open.dxf", "0 LINE 10 0 20 0 11 5 21 0 0 LINE 10 5 20 0 11 5 21 5");
  write_dxf("no-unit.dxf", "0 CIRCLE 8 cut 10 0 20 0 40 10", false);
  write_dxf("disk.dxf", "0 CIRCLE 8 cut 10 0 20 0 40 10");
  write_dxf("spline.dxf", "0 SPLINE 8 cut");
  write_dxf("block.dxf", "0 INSERT 8 cut 2 name");
  write_dxf("face.dxf", "0 3DFACE 8 cut");
  write("curve.svg", page + "<path d=\"M0,0 C 5,0 5,5 0,5 z\"/></svg>");
  write("open.svg", page + "<path d=\"M0,0 L 5,0 L 5,5\"/></svg>");
  write("no-unit.svg", "<svg viewBox=\"0 0 10 10\">" + square);
  write("word.csv", "0,0\n1,x\n");
  expect_refused("file: open.dxf", "open ends at (0, 0) and (0.005, 0.005) m", "open.dxf:16:1",
                 "close it");
  expect_refused("file: no-unit.dxf", "does not say its unit", "no-unit.dxf", "write unit: mm");
  expect_refused("file: disk.dxf, layer: weld", "there is nothing on layer weld", "disk.dxf",
                 "the layers with entities are cut");
  expect_refused("file: spline.dxf", "a SPLINE of degree 3 with 0 control points",
                 "spline.dxf:16:1", "give it control points and ascending knots");
  expect_refused("file: block.dxf", "INSERT of a block name that is not in the file",
                 "block.dxf:16:1", "bind the block into the drawing");
  expect_refused("file: face.dxf", "3DFACE is not read", "face.dxf:16:1", "convert it to");
  expect_refused("file: curve.svg", "without flatten", "curve.svg:1:1", "write flatten: d");
  expect_refused("file: open.svg", "open ends at (0, 0) and (0.005, -0.005) m", "open.svg:1:1",
                 "end it with Z");
  expect_refused("file: no-unit.svg", "does not say its unit", "no-unit.svg:1:1", "write unit: mm");
  expect_refused("file: word.csv", "line \"1,x\" is no point", "word.csv:2:1", "write x, y");
}

TEST_F(DrawingFiles, ADrawingThatIsOneIsTaken) {
  write("fine.svg", page + square);
  EXPECT_EQ(check("file: fine.svg").exit_code, 0);
}

}  // namespace
