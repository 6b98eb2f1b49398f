// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "clack/error.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

const std::string disk = R"(clack: 1
parameters: {r: 0.5}
bodies: {disk: {mass: 1, inertia: 1, coordinates: [x, y, turn]}}
constraints:
  guide: {configuration: y - r}
  rolling: {motion: [x_dot + r*turn_dot, y_dot], active: false, known_from: 2}
  wind: {motion: x_dot - t, active: y - 3}
)";

TEST(Constraints, AreRowsThatVanish) {
  const Model model = read_model_text(disk, "m.yaml");
  ASSERT_EQ(model.constraints.size(), 3u);
  EXPECT_EQ(model.constraints[0].kind, ConstraintKind::configuration);
  EXPECT_TRUE(model.constraints[0].is_active);
  EXPECT_EQ(model.constraints[1].kind, ConstraintKind::motion);
  EXPECT_EQ(model.constraints[1].rows.size(), 2u);
  EXPECT_FALSE(model.constraints[1].is_active);
  EXPECT_EQ(model.constraints[1].known_from, 2.0);
  EXPECT_TRUE(model.constraints[2].active.is_valid());
}

TEST(Events, SwitchConstraintsAndStop) {
  const Model model =
      read_model_text(disk +
                          "events:\n  - {name: lands, when: y - r, direction: falling, do: "
                          "[{constraint_off: guide}, {constraint_on: rolling}]}\n"
                          "  - {when: t - 3, do: stop}\n",
                      "m.yaml");
  ASSERT_EQ(model.events.size(), 2u);
  EXPECT_EQ(model.events[0].name, "lands");
  EXPECT_EQ(model.events[0].direction, CrossingDirection::falling);
  EXPECT_EQ(model.events[0].actions[0].kind, ActionKind::constraint_off);
  EXPECT_EQ(model.events[0].actions[1].kind, ActionKind::constraint_on);
  EXPECT_EQ(model.events[0].actions[1].constraint, 1);
  EXPECT_EQ(model.events[1].name, "event2");
  EXPECT_EQ(model.events[1].direction, CrossingDirection::both);
  EXPECT_EQ(model.events[1].actions[0].kind, ActionKind::stop);
}

}  // namespace
}  // namespace clack
