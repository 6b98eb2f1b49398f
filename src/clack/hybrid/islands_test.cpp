// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/islands.hpp"
#include "clack/index.hpp"

#include <gtest/gtest.h>

namespace clack {
namespace {

/// Four masses on a line (one speed each); contact i pushes the masses in `pairs[i]`.
Snapshot line_of_masses(const std::vector<std::vector<int>>& pairs, bool is_coupled) {
  Snapshot s(4, 1, number_of(pairs), 0);
  for (int i = 0; i < 4; ++i) s.data()[i * 4 + i] = 1.0;
  if (is_coupled) s.data()[3 * 4 + 2] = s.data()[2 * 4 + 3] = 0.1;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (const int mass : pairs[i])
      s.data()[s.at_normal() + i * 4 + mass] = mass == pairs[i][0] ? 1.0 : -1.0;
  return s;
}

TEST(Islands, ContactsThatShareABodyAreOne) {
  const Islands islands(line_of_masses({{0, 1}, {1, 2}, {3}}, false));
  EXPECT_EQ(islands.contacts_with({0}), (std::vector<int>{0, 1}));
  EXPECT_EQ(islands.contacts_with({1}), (std::vector<int>{0, 1}));
  EXPECT_EQ(islands.contacts_with({2}), (std::vector<int>{2}));
  EXPECT_EQ(islands.speeds_with({0}), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(islands.speeds_with({2}), (std::vector<int>{3}));
  EXPECT_EQ(islands.speeds_with({1, 2}), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_TRUE(islands.speeds_with({}).empty());
}

TEST(Islands, BodiesCoupledByInertiaAreOne) {
  const Islands islands(line_of_masses({{0, 1}, {2}, {3}}, true));
  EXPECT_EQ(islands.contacts_with({1}), (std::vector<int>{1, 2}));
  EXPECT_EQ(islands.contacts_with({0}), (std::vector<int>{0}));
  EXPECT_EQ(islands.contacts_with({0, 2}), (std::vector<int>{0, 1, 2}));
}

TEST(Islands, AContactThatMovesNothingIsAlone) {
  const Islands islands(line_of_masses({{}, {0}}, false));
  EXPECT_EQ(islands.of_contact(0), -1);
  EXPECT_EQ(islands.contacts_with({1}), (std::vector<int>{1}));
}

}  // namespace
}  // namespace clack
