// SPDX-License-Identifier: Apache-2.0
#include "clack/index.hpp"

#include <type_traits>
#include <unordered_set>

namespace clack {
namespace {

using ContactIndex = Index<struct ContactTag>;
using BodyIndex = Index<struct BodyTag>;

template <class List, class Selector>
concept CanSelect = requires(List list, Selector i) {
  list[i];
};

TEST(Index, OnlyItsOwnKindSelects) {
  using Gaps = Indexed<double, ContactIndex>;
  static_assert(CanSelect<Gaps, ContactIndex>);
  static_assert(!CanSelect<Gaps, BodyIndex>);
  static_assert(!CanSelect<Gaps, int>);
  static_assert(!std::is_convertible_v<int, ContactIndex>);
  static_assert(!std::is_convertible_v<ContactIndex, int>);
  static_assert(!std::is_constructible_v<ContactIndex, BodyIndex>);
  static_assert(sizeof(ContactIndex) == sizeof(int));
}

TEST(Index, IsNoSelectionUntilItIsGivenOne) {
  constexpr ContactIndex none;
  EXPECT_FALSE(none.is_valid());
  EXPECT_TRUE(ContactIndex{0}.is_valid());
  EXPECT_LT(ContactIndex{1}, ContactIndex{2});
  EXPECT_EQ(ContactIndex{std::size_t{7}}, ContactIndex{7});
  const std::unordered_set<ContactIndex> set{ContactIndex{1}, ContactIndex{1}, ContactIndex{2}};
  EXPECT_EQ(set.size(), 2u);
}

TEST(Indexed, IsWalkedByIndicesAndByItems) {
  Indexed<int, ContactIndex> list{10, 20};
  EXPECT_EQ(list.push_back(30), ContactIndex{2});
  int sum = 0, places = 0;
  for (const ContactIndex i : indices(list)) {
    sum += list[i];
    places += i.value;
  }
  EXPECT_EQ(sum, 60);
  EXPECT_EQ(places, 3);
  list[ContactIndex{1}] = 5;
  EXPECT_EQ(list.items(), (std::vector{10, 5, 30}));
  EXPECT_TRUE(list.contains(ContactIndex{2}));
  EXPECT_FALSE(list.contains(ContactIndex{3}));
  EXPECT_FALSE(list.contains(ContactIndex{}));
  for (const BodyIndex body : indices<BodyIndex>(0)) FAIL() << body.value;
}

TEST(Indexed, HoldsFactsAsWell) {
  Indexed<bool, BodyIndex> is_fixed(3, false);
  is_fixed[BodyIndex{1}] = true;
  EXPECT_TRUE(is_fixed[BodyIndex{1}]);
  EXPECT_FALSE(is_fixed[BodyIndex{2}]);
  EXPECT_EQ(is_fixed.size(), 3);
}

}  // namespace
}  // namespace clack
