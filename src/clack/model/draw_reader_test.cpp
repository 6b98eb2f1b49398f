// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "clack/error.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

Model with_draw(const std::string& draw, const std::string& dimension = "2") {
  return read_model_text("clack: 1\ndimension: " + dimension +
                             "\nparameters: {r: 0.1}\ncoordinates: {q: 0.5}\nmass_matrix: [[1]]\n"
                             "force: [0]\ndraw: {" +
                             draw + "}\n",
                         "m.yaml");
}

std::string draw_refusal(const std::string& draw, const std::string& dimension = "2") {
  try {
    (void)with_draw(draw, dimension);
  } catch (const ModelError& error) {
    return std::string(error.what()) + " (" + error.where() + ") " + error.remedy();
  }
  return "";
}

TEST(Draw, HasDisksPolygonsLinesSpringsAndRods) {
  const Model model = with_draw(
      "bob: {disk: {radius: 2*r}, position: [sin(q), -cos(q)], angle: q}, "
      "wall: {line: [[0, 0], [0, r]]}, plate: {polygon: [[0, 0], [1, 0], [0, 1]]}, "
      "s: {spring: [[0, 0], [q, 0]]}, rod: {rod: [[0, 0], [q, 0], [q, t]]}");
  ASSERT_EQ(model.sketches.size(), 5u);
  EXPECT_EQ(model.sketches[0].radius, 0.2);
  EXPECT_EQ(model.sketches[1].points[1], Eigen::Vector3d(0, 0.1, 0));
  EXPECT_EQ(model.sketches[2].kind, Sketch::Kind::polygon);
  EXPECT_EQ(model.sketches[3].ends.size(), 2u);
  EXPECT_EQ(model.sketches[4].ends.size(), 3u);
}

TEST(Draw, RefusalsNamePlaceAndRemedy) {
  EXPECT_EQ(draw_refusal("bob: {position: [0, 0]}"),
            "draw bob is nothing (m.yaml:7:13) give a disk, a polygon, a line, a spring or a rod");
  EXPECT_EQ(draw_refusal("bob: {disk: {radius: 1}, line: [[0, 0], [1, 1]]}"),
            "draw bob is two things (m.yaml:7:39) give disk or line");
  EXPECT_NE(draw_refusal("bob: {disk: {}}").find("needs a radius"), std::string::npos);
  EXPECT_NE(draw_refusal("bob: {disk: {radius: -1}}"), "");
  EXPECT_NE(draw_refusal("bob: {polygon: [[0, 0], [1, 0]]}").find("at least 3"), std::string::npos);
  EXPECT_NE(draw_refusal("s: {spring: [[0, 0], [1, 0]], angle: q}").find("has no angle"),
            std::string::npos);
  EXPECT_NE(draw_refusal("s: {rod: [[0, 0]]}").find("has 1 ends"), std::string::npos);
  EXPECT_NE(draw_refusal("s: {line: [[0, 0], [q, 0]]}"), "") << "places of lines are numbers";
  EXPECT_NE(draw_refusal("s: {rod: [[0, 0], [q_dot, 0]]}"), "")
      << "pictures know places, not speeds";
  EXPECT_NE(draw_refusal("s: {dusk: {radius: 1}}").find("disk"), std::string::npos);
}

TEST(Draw, InSpaceHasSpheresAndBoxesAndTurnsByRotations) {
  const Model model = with_draw(
      "bob: {sphere: {radius: r}, position: [q, 0, t]}, "
      "plate: {box: {width: 1, height: 2, depth: 4}, rotation: [[z, q], [x, t]]}, rod: {rod: [[0, "
      "0, 0], [q, t, 1]]}",
      "3");
  ASSERT_EQ(model.sketches.size(), 3u);
  EXPECT_EQ(model.sketches[0].kind, Sketch::Kind::sphere);
  EXPECT_EQ(model.sketches[1].half_extents, Eigen::Vector3d(0.5, 1, 2));
  EXPECT_NE(draw_refusal("bob: {disk: {radius: 1}, angle: q}", "3"), "") << "an angle is planar";
  EXPECT_NE(draw_refusal("bob: {box: {width: 1, height: 1}}", "3").find("needs depth"),
            std::string::npos);
  EXPECT_NE(draw_refusal("bob: {sphere: {radius: 1}}").find("no meaning in dimension 2"),
            std::string::npos);
  EXPECT_NE(draw_refusal("bob: {disk: {radius: 1}, rotation: [[z, q]]}"), "")
      << "rotations are spatial";
}

TEST(Draw, PlacesContactsOfFormulas) {
  const auto model = [](const std::string& draw) {
    return read_model_text(
        "clack: 1\ncoordinates: {q: 0.5}\nmass_matrix: [[1]]\nforce: [0]\n"
        "contacts: {wall: {gap: q, slip: q_dot, friction: 0.1}}\ndraw: {at: {" +
            draw + "}}\n",
        "m.yaml");
  };
  const Model placed = model("contact: wall, position: [q, 0], normal: [1, 0]");
  ASSERT_EQ(placed.sketches.size(), 1u);
  EXPECT_EQ(placed.sketches[0].contact, "wall");
  EXPECT_EQ(placed.sketches[0].ends.size(), 3u);  // place, normal, tangent
  EXPECT_THROW((void)model("contact: wal, position: [q, 0], normal: [1, 0]"), ModelError);
  EXPECT_THROW((void)model("contact: wall, position: [q, 0]"), ModelError);
  EXPECT_THROW((void)model("contact: wall, position: [q, 0], normal: [1, 0], angle: q"),
               ModelError);
}

}  // namespace
}  // namespace clack
