// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "clack/error.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

TEST(Bodies, FreePlanarBodyHasThreeCoordinates) {
  const Model model = read_model_text(
      "clack: 1\nbodies: {rod: {mass: 2, inertia: 3, position: [1, 2], angle: 0.5, velocity: [4, "
      "5], spin: 6, "
      "points: {tip: [1, 0]}}}\n",
      "m.yaml");
  const Body& body = model.bodies[BodyIndex(0)];
  EXPECT_EQ(body.kind, BodyKind::free);
  EXPECT_EQ(body.mass, 2.0);
  EXPECT_EQ(body.inertia(2, 2), 3.0);
  const std::vector<std::string> names = {"rod.x", "rod.y", "rod.angle"};
  const std::vector<double> starts = {1, 2, 0.5}, rates = {4, 5, 6};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(model.coordinates[k].name, names[k]);
    EXPECT_EQ(model.speeds[k].name, names[k] + "_dot");
    EXPECT_EQ(model.coordinates[k].start, starts[k]);
    EXPECT_EQ(model.speeds[k].start, rates[k]);
  }
  EXPECT_EQ(body.position[1], model.coordinates[1].symbol);
  EXPECT_EQ(body.points[0].position.x(), 1.0);
}

TEST(Bodies, PlanarCoordinatesCanBeRenamed) {
  const Model model = read_model_text(
      "clack: 1\nbodies: {rod: {mass: 2, inertia: 3, coordinates: [x, y, theta]}}\n", "m.yaml",
      {{"theta_dot_0", "3"}});
  EXPECT_EQ(model.coordinates[2].name, "theta");
  EXPECT_EQ(model.speeds[2].start, 3.0);
}

TEST(Bodies, FixedMovingAndPlacedBodiesHaveFormulasForTheirPose) {
  const Model model = read_model_text(R"(clack: 1
coordinates: {q: 0}
bodies:
  wall: {fixed: true, position: [1, 0], angle: pi/2}
  belt: {motion: {position: [2*t, 0], angle: t^2}}
  bob: {mass: 1, position: [sin(q), -cos(q)], angle: q}
  ball: {free: true, mass: 1, inertia: 1}
)",
                                      "m.yaml");
  EXPECT_EQ(model.bodies[BodyIndex(0)].kind, BodyKind::fixed);
  EXPECT_EQ(symbolic::number_value(model.bodies[BodyIndex(0)].position[0]), 1.0);
  EXPECT_EQ(model.bodies[BodyIndex(1)].kind, BodyKind::moving);
  EXPECT_TRUE(symbolic::depends_on(model.bodies[BodyIndex(1)].angle, model.time));
  EXPECT_EQ(model.bodies[BodyIndex(2)].kind, BodyKind::placed);
  EXPECT_EQ(model.bodies[BodyIndex(2)].angle, model.coordinates[0].symbol);
  EXPECT_EQ(model.bodies[BodyIndex(3)].kind, BodyKind::free);
  EXPECT_EQ(model.bodies[BodyIndex(3)].first_coordinate, 1);
}

const std::string spatial =
    "clack: 1\ndimension: 3\nbodies: {ball: {mass: 2, inertia: [1, 2, 2.5], position: [1, 2, 3], "
    "orientation: [2, 0, 0, 0], velocity: [4, 5, 6], spin: [7, 8, 9]}}\n";

TEST(Bodies, FreeSpatialBodyHasSevenCoordinatesAndSixSpeeds) {
  const Model model = read_model_text(spatial, "m.yaml");
  ASSERT_EQ(model.coordinates.size(), 7u);
  ASSERT_EQ(model.speeds.size(), 6u);
  EXPECT_EQ(model.coordinates[3].name, "ball.qw");
  EXPECT_EQ(model.coordinates[3].start, 1.0);  // normalised
  EXPECT_EQ(model.speeds[3].name, "ball.wx");
  EXPECT_EQ(model.speeds[5].start, 9.0);
  EXPECT_EQ(model.bodies[BodyIndex(0)].inertia(1, 1), 2.0);
}

TEST(Bodies, QuaternionsAreNormalisedAfterStartValuesAndRoundTrip) {
  const Model model = read_model_text(spatial, "m.yaml", {{"ball.qx_0", "1"}, {"ball.vx_0", "-1"}});
  EXPECT_DOUBLE_EQ(model.bodies[BodyIndex(0)].orientation(0), std::sqrt(0.5));
  EXPECT_DOUBLE_EQ(model.coordinates[4].start, std::sqrt(0.5));
  EXPECT_EQ(model.speeds[0].start, -1.0);
  const Model again = read_model_text(model.resolved_yaml, "r.yaml");
  for (std::size_t k = 0; k < 7; ++k)
    EXPECT_EQ(again.coordinates[k].start, model.coordinates[k].start);
}

TEST(Bodies, SixInertiaNumbersFillTheMatrix) {
  const Model model = read_model_text(
      "clack: 1\ndimension: 3\nbodies: {b: {mass: 1, inertia: [3, 4, 5, 0.1, 0.2, 0.3]}}\n",
      "m.yaml");
  Eigen::Matrix3d expected;
  expected << 3, 0.1, 0.2, 0.1, 4, 0.3, 0.2, 0.3, 5;
  EXPECT_EQ(model.bodies[BodyIndex(0)].inertia, expected);
}

TEST(Bodies, MayShareTheirNameWithAParameter) {
  EXPECT_NO_THROW(read_model_text(
      "clack: 1\nparameters: {a: 1}\nbodies: {a: {mass: a, inertia: 1}}\n", "m.yaml"));
}

}  // namespace
}  // namespace clack
