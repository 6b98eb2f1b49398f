// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "clack/error.hpp"
#include "clack/input_file.hpp"
#include "clack/model/reader.hpp"
#include "clack/robot/robot.hpp"

namespace clack::robot {
namespace {

std::string example(const std::string& name) {
  return read_input_file(fmt::format("{}/examples/robots/{}", CLACK_SOURCE_DIR, name));
}

// Two halves of a rod of mass 2 and length 2 have the inertia m L^2/12 of the whole.
TEST(AddMass, JoinsTwoHalvesOfARodBySteinersRule) {
  Link half;
  const Eigen::Matrix3d own = Eigen::Vector3d(0, 1.0 / 12, 1.0 / 12).asDiagonal();
  add_mass(half, 1.0, {-0.5, 0, 0}, own);
  add_mass(half, 1.0, {0.5, 0, 0}, own);
  EXPECT_NEAR(half.mass, 2.0, 1e-15);
  EXPECT_LT(half.centre.norm(), 1e-15);
  EXPECT_NEAR(half.inertia(1, 1), 2.0 * 4.0 / 12.0, 1e-15);
}

TEST(ReadUrdf, KeepsTheTreeAndNamesWhatItLeaves) {
  Robot arm = read_urdf(example("arm.urdf"), "arm.urdf");
  EXPECT_EQ(arm.links.size(), 6U);
  EXPECT_TRUE(arm.links[0].is_ground);
  const Model model = read_model_text(model_text(arm, {}, "arm.urdf"), "arm.yaml");
  EXPECT_EQ(model.bodies.size(), 4);
  EXPECT_EQ(model.joints.size(), 4U);
  EXPECT_EQ(arm.dropped.size(), 5U);
}

// A box of density 500 and edges 0.2: 4 kg, m (a^2 + b^2)/12 = 4/150.
TEST(ReadMjcf, WeighsGeomsByTheDensityOfTheirClass) {
  const Robot hopper = read_mjcf(example("hopper.xml"), "hopper.xml");
  EXPECT_NEAR(hopper.links[1].mass, 4.0, 1e-14);
  EXPECT_NEAR(hopper.links[1].inertia(0, 0), 4.0 / 150.0, 1e-15);
  EXPECT_NEAR(hopper.joints[1].damping, 0.5, 0.0);
  EXPECT_EQ(hopper.dropped.size(), 2U);
}

// Dry friction is a contact of the joint, pressed by its size.
TEST(ReadRobots, KeepTheFrictionOfJoints) {
  Robot arm = read_urdf(example("arm.urdf"), "arm.urdf");
  const Model of_urdf = read_model_text(model_text(arm, {}, "arm.urdf"), "arm.yaml");
  Robot rod = read_mjcf(
      "<mujoco><worldbody><body name='rod'><joint name='hinge' axis='0 1 0' frictionloss='0.25'/>"
      "<inertial mass='1' pos='0 0 -1' diaginertia='1 1 1'/></body></worldbody></mujoco>",
      "f");
  const Model of_mjcf = read_model_text(model_text(rod, {}, "f"), "rod.yaml");
  const auto force_of = [](const Model& model, const std::string& name) {
    for (const Contact& contact : model.contacts)
      if (contact.name == name && contact.is_pressed()) return contact.formulas()->pad->force;
    return 0.0;
  };
  EXPECT_EQ(force_of(of_urdf, "base.friction"), 0.1);
  EXPECT_EQ(force_of(of_mjcf, "hinge.friction"), 0.25);
}

TEST(ReadRobots, NameNumbersOfJointsThatNoKeyTakes) {
  Robot rod = read_mjcf(
      "<mujoco><worldbody><body name='rod'><joint name='hinge' axis='0 1 0' frictionloss='-0.25' "
      "damping='-1' range='30 10'/>"
      "<inertial mass='1' pos='0 0 -1' diaginertia='1 1 1'/></body></worldbody></mujoco>",
      "f");
  const Model model = read_model_text(model_text(rod, {}, "f"), "rod.yaml");
  EXPECT_EQ(rod.dropped,
            (std::vector<std::string>{"range 30 10 of joint hinge",
                                      "damping -1 of joint hinge, which is negative",
                                      "friction -0.25 of joint hinge, which is negative"}));
  EXPECT_TRUE(model.contacts.empty());
}

// Two hinges and a slide of one body: two bodies without mass between it and its parent, joints in the order of the file.
TEST(ReadMjcf, PutsBodiesWithoutMassBetweenTheJointsOfABody) {
  Robot robot = read_mjcf(
      "<mujoco><worldbody><body name='bob' pos='0 0 1'><joint name='x' axis='1 0 0'/><joint "
      "name='y' axis='0 1 0'/>"
      "<joint name='z' type='slide'/><inertial mass='1' pos='0 0 -1' diaginertia='1 1 "
      "1'/></body></worldbody></mujoco>",
      "f");
  ASSERT_EQ(robot.joints.size(), 3U);
  for (int k = 0; k < 3; ++k) {
    const auto at = static_cast<std::size_t>(k);
    EXPECT_EQ(robot.joints[at].parent, k);
    EXPECT_EQ(robot.joints[at].child, k + 1);
    EXPECT_EQ(robot.links[at + 1].mass, k == 2 ? 1.0 : 0.0);
  }
  EXPECT_EQ(robot.joints[0].origin.position.z(), 1.0);
  EXPECT_EQ(robot.joints[1].origin.position.z(), 0.0);
  EXPECT_EQ(robot.links[3].name, "bob");
  const Model model = read_model_text(model_text(robot, {}, "f"), "m.yaml");
  EXPECT_EQ(model.bodies.size(), 3);
  EXPECT_EQ(model.joints.size(), 3U);
  EXPECT_THROW((void)read_mjcf("<mujoco><worldbody><body name='b'><joint/><joint "
                               "type='ball'/></body></worldbody></mujoco>",
                               "f"),
               InputError);
}

TEST(ReadRobots, RefusesWhatIsNone) {
  for (const char* text : {"", "hello", "<robot", "<robot name='x'/>", "<mujoco/>",
                           "<!-- <mujoco> -->", "<!-- <robot> -->"}) {
    EXPECT_THROW((void)read_urdf(text, "f"), InputError) << text;
    EXPECT_THROW((void)read_mjcf(text, "f"), InputError) << text;
  }
  Robot light = read_urdf(
      "<robot name='x'><link name='a'/><link name='b'/><joint name='j' type='continuous'><parent "
      "link='a'/>"
      "<child link='b'/></joint></robot>",
      "f");
  EXPECT_THROW((void)model_text(light, {}, "f"), InputError);
}

}  // namespace
}  // namespace clack::robot
