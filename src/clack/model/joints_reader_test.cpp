// SPDX-License-Identifier: Apache-2.0
// Joints in model files: what they become, and mistakes with their place and remedy.
#include <gtest/gtest.h>

#include "clack/error.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

const std::string two_bodies =
    "clack: 1\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: 1, points: {p: [1, 0]}}\n"
    "  b: {mass: 1, inertia: 1, position: [1, 0], shape: {disk: {radius: 1}}}\n"
    "  floor: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}\n";
const std::string in_space =
    "clack: 1\n"
    "dimension: 3\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [1, 1, 1], points: {p: [1, 0, 0]}}\n"
    "  b: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n";

TEST(JointsReader, JointsBecomeConstraintsAfterTheOthersWithTheirNames) {
  const Model model =
      read_model_text(two_bodies +
                          "constraints: {tilt: {motion: a.angle_dot}}\n"
                          "joints: {hinge: {pin: [a.p, b], limits: [-1, 1], restitution: 0.5}, w: "
                          "{weld: [b, floor]}}\n"
                          "events: [{when: hinge.angle + hinge.angle_dot + hinge.fx, do: stop}]\n",
                      "m.yaml");
  ASSERT_EQ(model.joints.size(), 2U);
  EXPECT_EQ(model.joints[0].constraint, 1);
  EXPECT_EQ(model.constraints[1].name, "hinge");
  EXPECT_EQ(model.constraints[1].rows.size(), 2U);
  EXPECT_EQ(model.constraints[2].rows.size(), 3U);
  ASSERT_EQ(model.contacts.size(), 2U);
  EXPECT_EQ(model.contacts[SourceIndex(0)].name, "hinge.lower");
  EXPECT_EQ(model.contacts[SourceIndex(1)].coefficients.restitution, 0.5);
  EXPECT_EQ(model.watched_forces.size(), 1U);  // fx is the force of the first row
  EXPECT_EQ(model.joints[1].columns.back().name, "w.mz");
}

TEST(JointsReader, AHingeInSpaceHasItsAngleAsACoordinate) {
  const Model model = read_model_text(
      "clack: 1\ndimension: 3\nbodies: {a: {mass: 1, inertia: [1, 1, 1], orientation: [cos(0.35), "
      "0, 0, sin(0.35)]}}\n"
      "joints: {h: {pin: [a, [0, 0, 0]], axis: [0, 0, 2]}}\n",
      "m.yaml");
  EXPECT_EQ(model.coordinates.back().name, "h.angle");
  EXPECT_NEAR(model.coordinates.back().start, 0.7, 1e-15);
  EXPECT_EQ(model.constraints[0].rows.size(), 5U);
}

TEST(JointsReader, RepeatMakesChains) {
  const Model model = read_model_text(
      "clack: 1\n"
      "parameters: {n: 4}\n"
      "bodies:\n"
      "  link{i}: {repeat: {count: n, as: i}, mass: 1, inertia: 0.1, position: [\"{i} - 0.5\", 0], "
      "points: {s: [-0.5, 0], e: [0.5, 0]}}\n"
      "joints:\n"
      "  hang: {pin: [link1.s, [0, 0]]}\n"
      "  pin{i}: {repeat: {count: n - 1, as: i}, pin: [\"link{i+1}.s\", \"link{i}.e\"]}\n",
      "m.yaml");
  EXPECT_EQ(model.joints.size(), 4U);
}

struct JointMistake {
  std::string yaml, where, what, remedy;
};

const std::string plane = two_bodies + "joints:\n", space = in_space + "joints:\n";
const std::vector<JointMistake> joint_mistakes = {
    {two_bodies + "joints: [1]\n", "m.yaml:6:9", "a map of names and joints", "pin: [upper.end"},
    {plane + "  j: 3\n", "m.yaml:7:3", "a map is expected", "{pin: [a.point"},
    {plane + "  j: {}\n", "m.yaml:7:3", "needs one kind of joint, has 0", "give one of pin"},
    {plane + "  j: {pin: [a, b], weld: [a, b]}\n", "m.yaml:7:3", "needs one kind of joint, has 2",
     "give one of pin"},
    {plane + "  j: {pin: [a, b], lenght: 2}\n", "m.yaml:7:20", "unknown key lenght", "pin"},
    {plane + "  j: {pin: [a]}\n", "m.yaml:7:12", "has 1 entries", "give 2"},
    {plane + "  j: {pin: [a.q, b]}\n", "m.yaml:7:13", "body a has no point q", "its points are p"},
    {plane + "  j: {pin: [a, a.p]}\n", "m.yaml:7:12", "joins a body to itself",
     "two different bodies"},
    {plane + "  j: {pin: [floor, [0, 0]]}\n", "m.yaml:7:12", "neither end moves by forces",
     "not fixed or prescribed"},
    {plane + "  j: {pin: [[1, 0], [0, 0]]}\n", "m.yaml:7:12", "neither end moves by forces",
     "not fixed or prescribed"},
    {plane + "  j: {slider: [a, b]}\n", "m.yaml:7:6", "needs axis", "axis: [x, y]"},
    {plane + "  j: {slider: [a, b], axis: [0, 0]}\n", "m.yaml:7:29", "axis is zero", "direction"},
    {plane + "  j: {ball: [a, b]}\n", "m.yaml:7:13", "for models in space", "use pin"},
    {plane + "  j: {distance: [a.p, b]}\n", "m.yaml:7:6", "at the same place", "use a pin"},
    {plane + "  j: {distance: [a, b], length: -1}\n", "m.yaml:7:33",
     "length is -1, must be positive", "greater than 0"},
    {plane + "  j: {rolling: [b, a]}\n", "m.yaml:7:20", "nothing rolls on the shape of a",
     "half-plane"},
    {plane + "  j: {rolling: [a, floor]}\n", "m.yaml:7:17", "body a has no radius", "radius: ..."},
    {plane + "  j: {rolling: [b, [0, 0]]}\n", "m.yaml:7:20", "has no surface", "body with a shape"},
    {plane + "  j: {rolling: [a, b], radius: 2, inside: true}\n", "m.yaml:7:43",
     "does not fit inside", "outer radius"},
    {plane + "  j: {pin: [a, b], limits: [1, -1]}\n", "m.yaml:7:28", "limits are 1 and -1",
     "less than the second"},
    {plane + "  j: {pin: [a, b], restitution: 1}\n", "m.yaml:7:33", "restitution belongs to limits",
     "limits: [low"},
    {plane + "  j: {pin: [a, b], damping: -1}\n", "m.yaml:7:29",
     "damping is -1, must not be negative", "0 or a positive"},
    {plane + "  j: {pin: [a, b], friction: -1}\n", "m.yaml:7:30",
     "friction is -1, must not be negative", "0 or a positive"},
    {plane + "  j: {weld: [a, b], friction: 1}\n", "m.yaml:7:21", "unknown key friction", ""},
    {plane + "  j: {pin: [a, b], spring: {rest: 1}}\n", "m.yaml:7:28", "spring needs stiffness",
     "stiffness"},
    {plane + "  j: {pin: [a, b]}\n  g: {gear: [j, k], ratio: 1}\n", "m.yaml:8:17",
     "there is no joint k", "known are j, g"},
    {plane + "  j: {pin: [a, b]}\n  g: {gear: [j, j], ratio: 1}\n", "m.yaml:8:17",
     "couples a joint to itself", "two different"},
    {plane + "  j: {pin: [a, b]}\n  g: {gear: [j, j]}\n", "m.yaml:8:6", "needs ratio",
     "ratio: what"},
    {plane + "  j: {pin: [a, b]}\n  g: {gear: [j, j], ratio: 0}\n", "m.yaml:8:28", "ratio is 0",
     "other than 0"},
    {plane + "  j: {pin: [a, b]}\n  g: {rack: [j, j], ratio: 1}\n", "m.yaml:8:17",
     "the pin j has no position", "name a slider"},
    {plane + "  j: {pin: [a, b]}\n  d: {drive: j}\n", "m.yaml:8:6",
     "needs one of angle, position and speed", "formula of t"},
    {plane + "  j: {pin: [a, b]}\n  d: {drive: j, position: t}\n", "m.yaml:8:14",
     "the pin j has no position", "name a slider"},
    {plane + "  j: {pin: [a, b]}\n  d: {drive: j, angle: a.x}\n", "m.yaml:8:24",
     "a.x is a coordinate, which may not stand here", "t"},
    {plane + "  a: {pin: [a, b]}\n", "m.yaml:7:3", "the name a.angle is taken", "another name"},
    {plane + "  j: {pin: [a, b], known_from: -1}\n", "m.yaml:7:32", "known_from is -1",
     "0 or a positive"},
    {plane + "  j: {pin: [a, b], damping: 1, active: false}\n", "m.yaml:7:3",
     "is switched while its limits, spring, damping or friction would stay", "dampers"},
    {two_bodies + "constraints: {j: {motion: a.x_dot}}\njoints:\n  j: {weld: [a, b]}\n",
     "m.yaml:8:3", "a constraint has this name", "another name"},
    {space + "  j: {pin: [a.p, b]}\n", "m.yaml:7:6", "needs axis", "axis: [x, y, z]"},
    {space + "  j: {universal: [a.p, b]}\n", "m.yaml:7:6", "needs axes", "axes: [["},
    {space + "  j: {cylinder: [a.p, b], axis: [1, 0, 0]}\n  d: {drive: j, speed: 1}\n",
     "m.yaml:8:24", "j turns and slides", "angle or position"},
};

TEST(JointsReader, EveryMistakeHasItsPlaceAndRemedy) {
  for (const JointMistake& mistake : joint_mistakes) {
    try {
      read_model_text(mistake.yaml, "m.yaml");
      ADD_FAILURE() << "accepted: " << mistake.yaml;
    } catch (const ModelError& e) {
      EXPECT_EQ(e.where(), mistake.where) << mistake.yaml << e.what();
      EXPECT_NE(std::string(e.what()).find(mistake.what), std::string::npos) << e.what();
      EXPECT_NE(e.remedy().find(mistake.remedy), std::string::npos) << e.remedy();
    }
  }
}

}  // namespace
}  // namespace clack
