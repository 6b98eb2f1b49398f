// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/rattle.hpp"

#include <gtest/gtest.h>

#include "clack/hybrid/fixed_contacts.hpp"
#include "clack/hybrid/node_fixture.hpp"

namespace clack {
namespace {

using testing::fixed;
using testing::fixed_contacts;

Knock impact_of(double t, int contact, double speed) {
  Knock made{.t = t, .contacts = fixed_contacts({contact}), .speed = speed};
  made.slip.push_back(0.0);
  return made;
}

TEST(Rattle, AContactRattlesByItsOwnSmallImpacts) {
  Tolerances tolerances;
  tolerances.chatter = 20;
  Accumulation accumulation{tolerances};
  for (int i = 0; i < 19; ++i) {  // loud ones in between make no difference
    accumulation.add(impact_of(1.0 + 3e-8 * i, 1, 1e-7));
    accumulation.add(impact_of(1.0 + 3e-8 * i + 1e-8, 1, 1e-3));
    if (i % 2 == 0) accumulation.add(impact_of(1.0 + 3e-8 * i + 2e-8, 2, 1e-7));
  }
  EXPECT_TRUE(accumulation.has_chattered());
  EXPECT_FALSE(accumulation.rattles(fixed(1))) << "19 of 20";
  accumulation.add(impact_of(1.1, 1, 1e-7));
  EXPECT_TRUE(accumulation.rattles(fixed(1)));
  EXPECT_FALSE(accumulation.rattles(fixed(2))) << "10 of 20";
}

/// Masses 2 and 1 kg on a line, the second behind a contact with the first.
constexpr const char* two_balls =
    "clack: 1\ndimension: 2\ncoordinates: {x: {start: 0, rate: 1}, z: {start: 0, rate: -1}}\n"
    "mass_matrix: [[2, 0], [0, 1]]\nforce: [0, 0]\n"
    "contacts:\n  left: {gap: x + 1}\n  middle: {gap: z - x}\nrun: {until: 1}\n";

struct PartedBalls {
  double first = 0.0, second = 0.0;  // m/s, after
  InstantRecord record;
};

/// The balls part by `rate`; the contact has had `small` small impacts before.
PartedBalls parted(double rate, int small) {
  NodeFixture f(two_balls, "newton");
  for (int i = 0; i < small; ++i) f.state.accumulation.add(impact_of(1e-8 * i, 1, 1e-7));
  f.tools.v(f.state.y)[1] = 1.0 + rate;
  PartedBalls parting;
  hold_rattling(f.tools, f.state, fixed_contacts({1}), parting.record);
  parting.first = f.tools.v(f.state.y)[0];
  parting.second = f.tools.v(f.state.y)[1];
  return parting;
}

TEST(Rattle, WhatPartsSlowlyStaysWithTheMomentumAndLosesTheEnergyOfTheParting) {
  // 1 m/s and 1 m/s + r become their mean by mass; lost is m1 m2/(m1 + m2) r^2/2 = r^2/3.
  const double rate = 3e-7;
  const PartedBalls held = parted(rate, 50);
  EXPECT_NEAR(held.first, 1.0 + rate / 3.0, 1e-15);
  EXPECT_NEAR(held.second, 1.0 + rate / 3.0, 1e-15);
  ASSERT_EQ(held.record.corrections.size(), 1U);
  EXPECT_NEAR(held.record.corrections[0], -rate * rate / 3.0, 1e-15) << "rounding of 1.5 J";
  EXPECT_EQ(held.record.flags, std::vector<std::string>{"chatter-completed"});
}

TEST(Rattle, WhatPartsFasterOrHasNotRattledGoes) {
  for (const auto& [rate, small] : {std::pair{3e-5, 50}, std::pair{3e-7, 49}}) {
    const PartedBalls free = parted(rate, small);
    EXPECT_EQ(free.first, 1.0) << rate;
    EXPECT_EQ(free.second, 1.0 + rate) << rate;
    EXPECT_TRUE(free.record.corrections.empty()) << rate;
    EXPECT_TRUE(free.record.flags.empty()) << rate;
  }
}

}  // namespace
}  // namespace clack
