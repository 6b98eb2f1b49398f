// SPDX-License-Identifier: Apache-2.0
#include "clack/automaton/combinations.hpp"

#include <random>

#include "clack/error.hpp"
#include "clack/index.hpp"

namespace clack {
namespace {

ContactList numbered_contacts(int count) {
  ContactList list;
  for (int c = 0; c < count; ++c) list.contacts.push_back("c" + std::to_string(c));
  return list;
}

TEST(Combinations, FollowTheTableOfThePublishedThreeBallExample) {
  // P0, Table 1: contacts ab, ac, bc.
  const std::vector<Combination> table = {{}, {0}, {1}, {2}, {0, 1}, {1, 2}, {0, 2}, {0, 1, 2}};
  EXPECT_EQ(list_combinations(numbered_contacts(3)), table);
}

TEST(Combinations, NoContactsLeaveTheEmptyCombination) {
  EXPECT_EQ(list_combinations({}), std::vector<Combination>{{}});
  EXPECT_EQ(sum_combinations({}).at_3.to_string(), "1");
}

TEST(Combinations, SumsWithExclusiveSetsAgreeWithEnumeration) {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    ContactList list = numbered_contacts(static_cast<int>(random() % 9));
    const std::size_t sets = list.contacts.size() < 2 ? 0 : random() % 7;
    for (std::size_t s = 0; s < sets; ++s) {
      Combination set;
      for (int c = 0; c < number_of(list.contacts); ++c)
        if (random() % 3 == 0) set.push_back(c);
      if (set.size() >= 2) list.exclusive.push_back(set);
    }
    std::uint64_t at[7] = {}, slope = 0;
    for (unsigned mask = 0; mask < (1U << list.contacts.size()); ++mask) {
      Combination closed;
      for (int c = 0; c < number_of(list.contacts); ++c)
        if (mask >> c & 1U) closed.push_back(c);
      if (!is_allowed(list, closed)) continue;
      slope += closed.size();
      for (const unsigned x : {1U, 2U, 3U, 4U, 6U}) {
        std::uint64_t power_of_x = 1;
        for (std::size_t i = 0; i < closed.size(); ++i) power_of_x *= x;
        at[x] += power_of_x;
      }
    }
    const CombinationSums sums = sum_combinations(list);
    EXPECT_EQ(sums.at_1, NaturalNumber(at[1]));
    EXPECT_EQ(sums.at_2, NaturalNumber(at[2]));
    EXPECT_EQ(sums.at_3, NaturalNumber(at[3]));
    EXPECT_EQ(sums.at_4, NaturalNumber(at[4]));
    EXPECT_EQ(sums.at_6, NaturalNumber(at[6]));
    EXPECT_EQ(sums.slope_at_1, NaturalNumber(slope));
    EXPECT_EQ(NaturalNumber(list_combinations(list).size()), sums.at_1);
  }
}

TEST(Combinations, AreCountedWithoutListingForManyContacts) {
  // A chain of 200 contacts whose neighbours exclude each other: Fibonacci numbers, F(202).
  ContactList chain = numbered_contacts(200);
  for (int c = 0; c + 1 < 200; ++c) chain.exclusive.push_back({c, c + 1});
  EXPECT_EQ(sum_combinations(chain).at_1.to_string(), "734544867157818093234908902110449296423351");
  // Forty contacts of which only one can be closed.
  ContactList one = numbered_contacts(40);
  for (int a = 0; a < 40; ++a)
    for (int b = a + 1; b < 40; ++b) one.exclusive.push_back({a, b});
  EXPECT_EQ(sum_combinations(one).at_3, NaturalNumber(121));
}

TEST(Combinations, SaySoWhenTheExclusiveSetsAreTooEntangled) {
  std::mt19937_64 random(3);
  ContactList list = numbered_contacts(120);
  for (int s = 0; s < 400; ++s) {
    std::set<int> set;
    while (set.size() < 3) set.insert(static_cast<int>(random() % 120));
    list.exclusive.emplace_back(set.begin(), set.end());
  }
  EXPECT_THROW(static_cast<void>(sum_combinations(list, 500)), NoAnswer);
}

}  // namespace
}  // namespace clack
