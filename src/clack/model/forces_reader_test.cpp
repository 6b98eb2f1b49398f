// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "clack/error.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

const std::string two = R"(clack: 1
parameters: {c: 4}
bodies:
  a: {mass: 1, inertia: 1, position: [3, 4], angle: pi/2, points: {end: [1, 0]}}
  b: {fixed: true, angle: 0.25, points: {pin: [0, 1]}}
)";

TEST(Springs, RestIsTheLengthAtTheStartUnlessGiven) {
  // a.end is at (3, 5): the point (1, 0) turned by 90 degrees; b.pin at (-sin 0.25, cos 0.25).
  const Model model =
      read_model_text(two +
                          "springs: [{between: [a.end, b], stiffness: c}, {between: [a, b], "
                          "stiffness: c, damping: 0.1, rest: 2}]\n",
                      "m.yaml");
  EXPECT_NEAR(*symbolic::number_value(model.springs[0].rest), std::sqrt(34.0), 1e-15);
  EXPECT_EQ(symbolic::number_value(model.springs[0].stiffness), 4.0);
  EXPECT_EQ(symbolic::number_value(model.springs[0].damping), 0.0);
  EXPECT_EQ(model.springs[0].first.point(), 0);
  EXPECT_EQ(symbolic::number_value(model.springs[1].rest), 2.0);
  EXPECT_EQ(symbolic::number_value(model.springs[1].damping), 0.1);
}

TEST(Springs, RestFollowsStartValues) {
  const Model model = read_model_text(two + "springs: [{between: [a, b], stiffness: c}]\n",
                                      "m.yaml", {{"a.x_0", "0"}});
  EXPECT_EQ(symbolic::number_value(model.springs[0].rest), 4.0);
}

TEST(Springs, TorsionActsBetweenAngles) {
  const Model model = read_model_text(
      two +
          "springs: [{torsion: [a, b], stiffness: c}]\ndampers: [{torsion: [a, b], damping: 3}]\n",
      "m.yaml");
  EXPECT_TRUE(model.springs[0].is_torsion);
  EXPECT_NEAR(*symbolic::number_value(model.springs[0].rest), std::acos(0.0) - 0.25, 1e-15);
  EXPECT_EQ(symbolic::number_value(model.springs[1].damping), 3.0);
  EXPECT_EQ(symbolic::number_value(model.springs[1].stiffness), 0.0);
  EXPECT_THROW(read_model_text(two + "springs: [{torsion: [a.end, b], stiffness: c}]\n", "m.yaml"),
               ModelError);
}

TEST(Forces, ActOnPointsCoordinatesAndBodies) {
  const Model model =
      read_model_text(two +
                          "forces: [{on: a.end, force: [t, -a.x_dot]}, {coordinate: a.angle, "
                          "force: sin(t)}, {coordinate: a.x_dot, force: 1}]\n"
                          "torques: [{on: a, torque: 2, reaction: b}]\n",
                      "m.yaml");
  EXPECT_EQ(model.forces[0].components[0], model.time);
  EXPECT_EQ(model.forces[0].on.point(), 0);
  EXPECT_EQ(model.generalised_forces[0].speed, 2);
  EXPECT_EQ(model.generalised_forces[1].speed, 0);
  EXPECT_EQ(model.torques[0].body, BodyIndex(0));
  EXPECT_EQ(model.torques[0].reaction, BodyIndex(1));
  EXPECT_THROW(read_model_text(two + "torques: [{on: a, torque: 2, reaction: a}]\n", "m.yaml"),
               ModelError);
}

}  // namespace
}  // namespace clack
