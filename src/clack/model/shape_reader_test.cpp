// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "clack/error.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

Body with_shape(const std::string& shape, int dimension = 2) {
  const Model model = read_model_text(
      "clack: 1\ndimension: " + std::to_string(dimension) +
          "\nparameters: {r: 0.5}\nbodies: {b: {mass: 1, inertia: 1, shape: {" + shape + "}}}\n",
      "m.yaml");
  return model.bodies[BodyIndex(0)];
}

TEST(Shapes, DisksSpheresAndPointsAreBalls) {
  EXPECT_EQ(std::get<Ball>(*with_shape("disk: {radius: 2*r}").shape).radius, 1.0);
  EXPECT_EQ(std::get<Ball>(*with_shape("sphere: {radius: r}", 3).shape).radius, 0.5);
  EXPECT_EQ(std::get<Ball>(*with_shape("point: {}").shape).radius, 0.0);
}

TEST(Shapes, HalfPlanesHaveAUnitNormalAndAnOffset) {
  for (const char* kind : {"half-plane", "line"}) {
    const Body body = with_shape(std::string(kind) + ": {normal: [3, 4], point: [5, 0]}");
    const HalfSpace plane = std::get<HalfSpace>(*body.shape);
    EXPECT_DOUBLE_EQ(plane.normal.x(), 0.6);
    EXPECT_DOUBLE_EQ(plane.normal.y(), 0.8);
    EXPECT_DOUBLE_EQ(plane.offset, 3.0);
  }
  EXPECT_EQ(std::get<HalfSpace>(*with_shape("half-space: {normal: [0, 0, 2]}", 3).shape).normal.z(),
            1.0);
}

TEST(Shapes, BoxesAddTheirCorners) {
  const Body flat = with_shape("box: {width: 4, height: 2}");
  ASSERT_EQ(flat.points.size(), 4u);
  EXPECT_EQ(flat.points[0].name, "bottom_left");
  EXPECT_EQ(flat.points[0].position, Eigen::Vector3d(-2, -1, 0));
  EXPECT_EQ(flat.points[2].name, "top_right");
  EXPECT_EQ(flat.points[2].position, Eigen::Vector3d(2, 1, 0));
  const Body solid = with_shape("box: {width: 4, height: 2, depth: 6}", 3);
  ASSERT_EQ(solid.points.size(), 8u);
  EXPECT_EQ(solid.points[0].position, Eigen::Vector3d(-2, -1, -3));
  EXPECT_EQ(solid.points[7].name, "corner8");
  EXPECT_EQ(solid.points[7].position, Eigen::Vector3d(-2, 1, 3));
}

TEST(Shapes, EllipsoidsHaveThreeSemiAxes) {
  const Body egg = with_shape("ellipsoid: {axes: [1, 2, 3]}", 3);
  const auto& body = *std::get<SmoothShape>(*egg.shape).body;
  EXPECT_EQ(body.point(Eigen::Vector3d::UnitY()), Eigen::Vector3d(0, 2, 0));
  EXPECT_EQ(body.point(Eigen::Vector3d::UnitZ()), Eigen::Vector3d(0, 0, 3));
  EXPECT_EQ(body.outer_radius(), 3.0);
  EXPECT_THROW(with_shape("ellipsoid: {axes: [1, 2, 0]}", 3), ModelError);
}

TEST(Shapes, OneShapePerBody) {
  EXPECT_THROW(with_shape("disk: {radius: 1}, point: {}"), ModelError);
  EXPECT_THROW(with_shape("disc: {radius: 1}"), ModelError);
}

}  // namespace
}  // namespace clack
