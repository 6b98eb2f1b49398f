// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "clack/error.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

/// A disk over a curve; each test changes something.
std::string model_with(const std::string& path,
                       const std::string& contact = "{between: [ball, bowl]}",
                       const std::string& position = "[0, 0.3]") {
  return "clack: 1\nbodies:\n  ball: {mass: 1, inertia: 1, position: " + position +
         ", shape: {disk: {radius: 0.1}}, points: {p: [0, 0]}}\npaths:\n  bowl: " + path +
         "\ncontacts:\n  touch: " + contact + "\n";
}
const std::string parabola = "{parameter: s, point: [-s, s^2], from: -1, to: 1}";

void expect_refused(const std::string& yaml, const std::string& what, const std::string& remedy) {
  try {
    read_model_text(yaml, "m.yaml");
    ADD_FAILURE() << "read: " << yaml;
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    EXPECT_NE(error.remedy().find(remedy), std::string::npos) << error.remedy();
    EXPECT_EQ(error.where().rfind("m.yaml:", 0), 0U) << error.where();
  }
}

TEST(Paths, AContactBringsItsFootAsACoordinateWithItsRate) {
  const Model model =
      read_model_text(model_with(parabola, "{between: [ball, bowl]}", "[0.1, 0.3]"), "m.yaml");
  ASSERT_EQ(model.feet.size(), 1U);
  ASSERT_EQ(model.coordinates.size(), 4U);
  EXPECT_EQ(model.speeds.size(), 3U);
  EXPECT_EQ(model.coordinates[3].name, "touch.s");
  // Nearest to (0.1, 0.3) on (x, x^2): 2 x^3 + (1 - 0.6) x - 0.1 = 0 with x = -s.
  const double x = -model.coordinates[3].start;
  EXPECT_NEAR(2.0 * x * x * x + 0.4 * x - 0.1, 0.0, 1e-12);
  ASSERT_NE(model.contacts[SourceIndex(0)].formulas(), nullptr);
}

TEST(Paths, AParameterIsACoordinateWithASpeedAndAConstraint) {
  const Model model = read_model_text(
      model_with(parabola, "{between: [bowl, ball], parameter: u}", "[0.1, 0.3]"), "m.yaml");
  EXPECT_EQ(model.coordinates.back().name, "u");
  EXPECT_EQ(model.speeds.back().name, "u_dot");
  ASSERT_EQ(model.constraints.size(), 1U);
  EXPECT_EQ(model.constraints[0].name, "touch.foot");
}

TEST(Paths, MistakesAreNamedWithTheirPlace) {
  expect_refused(model_with("{parameter: s, point: [s, s^2], from: 1, to: 1}"),
                 "s goes from 1 to 1", "from must be less");
  expect_refused(model_with("{parameter: s, point: [s^2, s^3], from: -1, to: 1}"),
                 "tangent vanishes", "another parameter");
  expect_refused(model_with("{parameter: s, point: [s, sqrt(s)], from: -1, to: 1}"), "not finite",
                 "range");
  expect_refused(model_with("{point: [s, s^2], from: -1, to: 1}"), "has no parameter",
                 "parameter: s");
  expect_refused(model_with("{parameter: s, point: [s, z], from: -1, to: 1}"), "z", "");
  expect_refused(model_with("{parameter: s, point: [s, ball.x], from: -1, to: 1}"), "ball.x", "");
  expect_refused(model_with("{parameter: s, point: [s, s^2], from: -1}"), "has no to", "range");
  expect_refused(model_with("{parameter: s, point: [s, s^2], from: -1, to: 1, in: cart}"),
                 "no frame cart", "frames");
  expect_refused(model_with("{parameter: s, point: [s, s^2], from: -1, to: 1, knwon_from: 1}"),
                 "knwon_from", "known_from");
  expect_refused(model_with(parabola, "{between: [ball, bwol]}"), "bwol", "");
  expect_refused(model_with(parabola, "{between: [bowl, bowl]}"), "two paths", "a disk");
  expect_refused(model_with(parabola, "{between: [ball, bowl], slip: x_dot}"), "slip belongs",
                 "remove");
  expect_refused(model_with(parabola, "{between: [ball, bowl], parameter: ball.x}"), "taken",
                 "another name");
  expect_refused(model_with(parabola, "{gap: y, parameter: u}"), "parameter belongs", "remove");
}

/// Above the vertex of y = x^2 two places are nearest once the height is more than the radius of curvature, 1/2.
TEST(Paths, AStartWithoutAUniqueNearestPointIsRefused) {
  expect_refused(model_with(parabola, "{between: [ball, bowl]}", "[0, 0.8]"),
                 "not unique at the start", "one side");
  expect_refused(model_with(parabola, "{between: [ball, bowl]}", "[0, 0.5]"),
                 "not unique at the start", "one side");
}

/// A disk of radius 0.1 at the bottom of y = 20 x^2, whose radius of curvature is 1/40: the nearest point that is not beyond
/// the centre of curvature lies on a flank, closer than the radius.
TEST(Paths, ADiskThatIsTooLargeIsRefused) {
  expect_refused(model_with("{parameter: s, point: [-s, 20*s^2], from: -1, to: 1}",
                            "{between: [ball, bowl]}", "[0.001, 0.02]"),
                 "does not fit", "radius of curvature");
}

TEST(Paths, SurfacesBelongToSpaceAndPointsToSides) {
  expect_refused(
      "clack: 1\nbodies: {ball: {mass: 1, inertia: 1}}\nsurfaces: {a: {parameters: [x, y], point: "
      "[x, y, 0], "
      "from: [0, 0], to: [1, 1]}}\n",
      "surfaces exist in dimension 3", "paths");
  expect_refused(
      "clack: 1\ndimension: 3\nbodies: {ball: {mass: 1, inertia: 1, position: [0, 0, 1], points: "
      "{p: [0, 0, 0]}}}\n"
      "paths: {wire: {parameter: s, point: [s, 0, 0], from: -1, to: 1}}\n"
      "contacts: {touch: {between: [ball.p, wire]}}\n",
      "no side", "sphere");
}

}  // namespace
}  // namespace clack
