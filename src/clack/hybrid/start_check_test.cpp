// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/start_check.hpp"

#include "clack/error.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

Model block_with(const std::string& contacts, double height) {
  return read_model_text(
      "clack: 1\nname: block\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n"
      "  floor: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}\n"
      "  block: {mass: 1, inertia: 0.1, position: [0, " +
          std::to_string(height) + "], points: {left: [-0.5, -1], right: [0.5, -1]}}\ncontacts:\n" +
          contacts + "run: {until: 1}\n",
      "block.yaml");
}

const std::string equal_contacts =
    "  left: {between: [block.left, floor], restitution: 0.5}\n  right: {between: [block.right, "
    "floor], restitution: 0.5}\n";

TEST(StartCheck, TellsOpenClosedAndPenetratingContacts) {
  const StartReport open = inspect_start(block_with(equal_contacts, 2.0));
  EXPECT_EQ(open.contacts[0].status, StartStatus::open);
  EXPECT_DOUBLE_EQ(open.contacts[0].gap, 1.0);
  EXPECT_FALSE(open.consistency);
  EXPECT_TRUE(open.is_ready());
  const StartReport closed = inspect_start(block_with(equal_contacts, 1.0));
  EXPECT_EQ(closed.contacts[1].status, StartStatus::closed);
  ASSERT_TRUE(closed.consistency);
  EXPECT_TRUE(closed.consistency->is_consistent);
  const StartReport deep = inspect_start(block_with(equal_contacts, 0.9));
  EXPECT_EQ(deep.contacts[0].status, StartStatus::penetrating);
  EXPECT_FALSE(deep.is_ready());
}

TEST(StartCheck, FindsRestitutionsThatCanGainEnergy) {
  // e = 1 next to e < 1 is inconsistent as soon as the contacts are coupled; here the coupling is 1
  // - 0.25/0.1 = -1.5 against 3.5 on the diagonal.
  const StartReport report =
      inspect_start(block_with("  left: {between: [block.left, floor], restitution: 1}\n  right: "
                               "{between: [block.right, floor], restitution: 0.2}\n",
                               1.0));
  ASSERT_TRUE(report.consistency);
  EXPECT_FALSE(report.consistency->is_consistent);
}

TEST(StartCheck, NamesTheThreePartsOfTheTheory) {
  const StartReport report = inspect_start(block_with(equal_contacts, 2.0));
  ASSERT_EQ(report.parts.size(), 3U);
  EXPECT_EQ(report.parts[1].kind, "decision");
  EXPECT_EQ(report.parts[1].name, report.theory.decision);
  Model model = block_with(equal_contacts, 2.0);
  model.run.theory = "no-such-theory";
  EXPECT_THROW(static_cast<void>(inspect_start(model)), InputError);
}

TEST(StartCheck, AWheelWithADryBearingHasOneDegreeOfFreedom) {
  const StartReport report = inspect_start(
      read_model_text("clack: 1\nbodies: {wheel: {mass: 1, inertia: 1, position: [0, 0]}}\n"
                      "joints: {axle: {pin: [wheel, [0, 0]], friction: 2}}\n",
                      "wheel.yaml"));
  EXPECT_EQ(report.freedom.degrees, 1);
  EXPECT_EQ(report.freedom.independent, std::vector<std::string>{"wheel.angle_dot"});
}

// Gaps that are the rounding of radii and places are no penetration, whatever the coordinates are.
TEST(StartCheck, BallsInARowThatTouchUpToRoundingStartClosed) {
  const std::string row = R"yaml(
clack: 1
dimension: 2
parameters: {R: 0.05, L: 0.3}
coordinates: {q1: START, q2: 0, q3: 0, q4: 0, q5: 0}
bodies:
  "ball{i}": {repeat: {count: 5, as: i}, mass: 1, inertia: 0.001, position: ["0.7 + 2*R*{i} + L*sin(q{i})", "-L*cos(q{i})"], angle: "q{i}", shape: {disk: {radius: R}}}
contacts:
  "{i}": {repeat: {count: 4, as: i}, between: ["ball{i}", "ball{i+1}"], restitution: 1}
run: {until: 1}
)yaml";
  for (const char* start : {"0", "1e-13"}) {
    std::string yaml = row;
    yaml.replace(yaml.find("START"), 5, start);
    const StartReport report = inspect_start(load_model_text(yaml, "row.yaml"));
    ASSERT_EQ(report.contacts.size(), 4u);
    for (const ContactStart& contact : report.contacts)
      EXPECT_EQ(contact.status, StartStatus::closed) << contact.gap;
  }
}

}  // namespace
}  // namespace clack
