// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/mode.hpp"

#include <gtest/gtest.h>

#include "clack/hybrid/fixed_contacts.hpp"

namespace clack {
namespace {

using testing::fixed;
using testing::fixed_contacts;

TEST(ModePart, WhatIsNotListedIsOpen) {
  const Mode mode{
      {{fixed(2), ContactStatus::stick, {}}, {fixed(5), ContactStatus::slip, {-1.0, 0.0}}},
      {false, true}};
  EXPECT_TRUE(mode.is_closed(fixed(2)));
  EXPECT_FALSE(mode.is_closed(fixed(3)));
  EXPECT_EQ(mode.status_of(fixed(5)), ContactStatus::slip);
  EXPECT_EQ(mode.status_of(fixed(0)), ContactStatus::open);
  EXPECT_EQ(mode.rows().contacts, fixed_contacts({2, 5}));
  EXPECT_EQ(mode.rows().constraints, std::vector<int>{1});
  EXPECT_EQ(mode.rows_with(fixed_contacts({7})).contacts, fixed_contacts({7}));
}

TEST(ModePart, SameStatusesMayDifferInTheirDirections) {
  const Mode forth{{{fixed(1), ContactStatus::slip, {1.0, 0.0}}}, {}},
      back{{{fixed(1), ContactStatus::slip, {-1.0, 0.0}}}, {}},
      stick{{{fixed(1), ContactStatus::stick, {}}}, {}};
  EXPECT_TRUE(has_same_statuses(forth, back));
  EXPECT_FALSE(forth == back);
  EXPECT_FALSE(has_same_statuses(forth, stick));
  EXPECT_FALSE(has_same_statuses(forth, Mode{}));
}

TEST(ContactSetPart, StaysSortedWithoutDuplicates) {
  ContactSet set;
  for (const int c : {4, 1, 4, 3}) insert(set, fixed(c));
  EXPECT_EQ(set, fixed_contacts({1, 3, 4}));
  EXPECT_TRUE(contains(set, fixed(3)));
  EXPECT_FALSE(contains(set, fixed(2)));
  EXPECT_EQ(united(set, fixed_contacts({0, 3, 9})), fixed_contacts({0, 1, 3, 4, 9}));
}

}  // namespace
}  // namespace clack
