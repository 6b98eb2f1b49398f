// SPDX-License-Identifier: Apache-2.0
// Zones, switches and the one order of watched formulas.
#include "clack/hybrid/surroundings.hpp"

#include <gtest/gtest.h>

#include "clack/hybrid/fixed_contacts.hpp"
#include "clack/hybrid/node_fixture.hpp"

namespace clack {
namespace {

using testing::fixed;

const char* const watched = R"(clack: 1
dimension: 2
coordinates: {x: {start: 0.5, rate: 1}, y: {start: 0, rate: 0}}
mass_matrix: [[1, 0], [0, 1]]
force: [0, 0]
constraints:
  rail: {configuration: y, active: 3 - x}
  late: {configuration: x - 9, known_from: 2}
  brake: {motion: x_dot, active: false}
contacts:
  plain: {gap: y + 1, slip: x_dot, friction: 0.1}
  icy: {gap: y, slip: x_dot, friction: 0.5, zones: [{where: x - 2, friction: 0.05}, {where: x - 1, friction: 0.2}]}
events:
  - {name: grab, when: x - 4, direction: rising, do: [{constraint_on: brake}]}
  - {name: end, when: x - 5, do: stop}
run: {until: 10}
)";

Guard fired(int formula, double sign) {
  Guard guard{.kind = GuardKind::formula, .formula = formula};
  guard.sign = sign;
  return guard;
}

TEST(SurroundingsPart, NamesThePlacesOfTheWatchedFormulas) {
  const NodeFixture f(watched);
  const Surroundings& s = f.surroundings;
  ASSERT_EQ(s.formulas(), 5);  // two events, two zones, one activity
  EXPECT_EQ(s.event_of(0)->name, "grab");
  EXPECT_EQ(s.event_of(1)->name, "end");
  EXPECT_EQ(s.event_of(2), nullptr);
  EXPECT_EQ(s.zone_formula(SourceIndex(1), 0), 2);
  EXPECT_EQ(s.zone_formula(SourceIndex(1), 1), 3);
  EXPECT_EQ(s.activity_formula(0), std::optional(4));
  EXPECT_EQ(s.activity_formula(1), std::nullopt);
  // The names agree with what the mechanism evaluates: x - 2 at its place is -1.5.
  std::vector<FormulaValue> values(5);
  f.mechanism->formula_motion(0.0, f.tools.q(f.state.y), f.tools.v(f.state.y), {}, values.data());
  EXPECT_EQ(values[s.zone_formula(SourceIndex(1), 0)].value, -1.5);
  EXPECT_EQ(values[*s.activity_formula(0)].value, 2.5);
}

TEST(SurroundingsPart, GiveTheMaterialOfTheFirstZoneThatHolds) {
  const NodeFixture f(watched);
  const double v[] = {1.0, 0.0};
  const auto friction_at = [&](double x) {
    const double q[] = {x, 0.0};
    return f.surroundings.material(f.surroundings.start(0.0, q, v), fixed(1)).dynamic_friction;
  };
  EXPECT_EQ(friction_at(0.5), 0.5);
  EXPECT_EQ(friction_at(1.5), 0.2);
  EXPECT_EQ(friction_at(2.5), 0.05);
}

TEST(SurroundingsPart, JudgeAFormulaThatHasJustFiredByItsRate) {
  const NodeFixture f(watched);
  Mode mode{{{fixed(1), ContactStatus::slip, {1.0, 0.0}}}, {true, false, false}};
  const double q[] = {1.0, 0.0}, forth[] = {1.0, 0.0}, back[] = {-1.0, 0.0};
  const std::vector<Guard> border = {fired(3, -1.0)};  // x - 1 rises through zero
  const SwitchResult in =
      f.surroundings.switch_at(f.state.surroundings, mode, border, false, 0.5, q, forth);
  EXPECT_EQ(in.state.zone[SourceIndex(1)], 1);
  ASSERT_EQ(in.events.size(), 1U);
  EXPECT_EQ(in.events[0].kind, EventKind::zone);
  EXPECT_EQ(in.events[0].label, "icy");
  EXPECT_EQ(f.surroundings.switch_at(in.state, mode, border, false, 0.5, q, back)
                .state.zone[SourceIndex(1)],
            -1);
  mode.closed.clear();  // the border of an open contact is no event
  EXPECT_TRUE(f.surroundings.switch_at(f.state.surroundings, mode, border, false, 0.5, q, forth)
                  .events.empty());
}

TEST(SurroundingsPart, CarryOutEventsInTheirDirectionOnly) {
  const NodeFixture f(watched);
  const Mode mode{{}, {false, false, false}};
  const double q[] = {4.0, 0.0}, v[] = {1.0, 0.0};
  const std::vector<Guard> rising = {fired(0, -1.0)}, falling = {fired(0, 1.0)};
  const SwitchResult on =
      f.surroundings.switch_at(f.state.surroundings, mode, rising, false, 1.0, q, v);
  EXPECT_TRUE(on.is_constraint_on);
  EXPECT_EQ(on.constraints, (std::vector<bool>{false, false, true}));
  ASSERT_EQ(on.events.size(), 2U);
  EXPECT_EQ(on.events[0].label, "grab");
  EXPECT_EQ(on.events[1].kind, EventKind::constraint_on);
  const SwitchResult off =
      f.surroundings.switch_at(f.state.surroundings, mode, falling, false, 1.0, q, v);
  EXPECT_TRUE(off.events.empty());
  EXPECT_EQ(off.state.fired, std::vector<int>{0});
  const std::vector<Guard> stop = {fired(1, -1.0)};
  EXPECT_TRUE(f.surroundings.switch_at(f.state.surroundings, mode, stop, false, 1.0, q, v).is_stop);
}

TEST(SurroundingsPart, ConstraintsBecomeKnownAtTheirTime) {
  const NodeFixture f(watched);
  const Mode mode{{}, {true, false, false}};
  const double q[] = {0.5, 0.0}, v[] = {1.0, 0.0};
  EXPECT_EQ(f.surroundings.next_known_time(0.0), 2.0);
  EXPECT_EQ(f.surroundings.next_known_time(2.0), 10.0);
  const SwitchResult known =
      f.surroundings.switch_at(f.state.surroundings, mode, {}, true, 2.0, q, v);
  EXPECT_EQ(known.constraints, (std::vector<bool>{true, true, false}));
  EXPECT_TRUE(known.is_constraint_on);
}

}  // namespace
}  // namespace clack
