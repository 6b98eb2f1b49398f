// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "clack/error.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

const std::string pendulum = R"(clack: 1
parameters: {l: 2, q0: 0.1}
coordinates: {q: q0, p: {start: 1, rate: 2*l, speed: u}}
speeds: {q_dot: 3}
bodies: {bob: {mass: 1, position: [l*sin(q), -l*cos(q) + p]}, ring: {mass: 1, position: [p, 0]}}
)";

TEST(Coordinates, StartAndRateAreFormulasOfParameters) {
  const Model model = read_model_text(pendulum, "m.yaml", {{"l", "4"}});
  EXPECT_EQ(model.coordinates[0].start, 0.1);
  EXPECT_EQ(model.coordinates[1].start, 1.0);
  EXPECT_EQ(model.speeds[0].name, "q_dot");
  EXPECT_EQ(model.speeds[0].start, 3.0);
  EXPECT_EQ(model.speeds[1].name, "u");
  EXPECT_EQ(model.speeds[1].start, 8.0);
  EXPECT_EQ(model.bodies[BodyIndex(0)].kind, BodyKind::placed);
}

TEST(Coordinates, StartValuesOverrideWhateverTheyComeFrom) {
  const Model model = read_model_text(
      pendulum, "m.yaml",
      {{"q0", "9"}, {"q_0", "0.2*l"}, {"p_dot_0", "7"}, {"q_dot_0", "1"}, {"q_dot_0", "5"}});
  EXPECT_EQ(model.coordinates[0].start, 0.4);
  EXPECT_EQ(model.speeds[1].start, 7.0);
  EXPECT_EQ(model.speeds[0].start, 5.0);  // the last one counts
  EXPECT_EQ(read_model_text(pendulum, "m.yaml", {{"u_0", "6"}}).speeds[1].start, 6.0);
}

TEST(Coordinates, StartsSectionDoesTheSameInTheFile) {
  const Model model = read_model_text(pendulum + "starts: {q: l, u: -1}\n", "m.yaml");
  EXPECT_EQ(model.coordinates[0].start, 2.0);
  EXPECT_EQ(model.speeds[1].start, -1.0);
  EXPECT_THROW(read_model_text(pendulum + "starts: {v: 1}\n", "m.yaml"), ModelError);
}

TEST(Coordinates, MasslessCoordinatesNeedAConstraint) {
  const std::string yaml =
      "clack: 1\ncoordinates: {x: 0, s: 0}\nbodies: {b: {mass: 1, position: [x, 0]}}\n";
  EXPECT_THROW(read_model_text(yaml, "m.yaml"), ModelError);
  EXPECT_NO_THROW(read_model_text(yaml + "constraints: {c: {configuration: x - s}}\n", "m.yaml"));
}

TEST(MassMatrix, IsReadRowByRow) {
  const Model model = read_model_text(
      "clack: 1\ncoordinates: {a: 1, b: 0}\nmass_matrix: [[2, cos(a)], [cos(a), 2]]\nforce: "
      "[a_dot*b, t]\n"
      "potential: a^2\n",
      "m.yaml");
  EXPECT_EQ(model.mass_matrix[0][1], model.mass_matrix[1][0]);
  EXPECT_EQ(model.mass_matrix[0][1], cos(model.coordinates[0].symbol));
  EXPECT_EQ(model.force[1], model.time);
  EXPECT_TRUE(model.potential.is_valid());
}

}  // namespace
}  // namespace clack
