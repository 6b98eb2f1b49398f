// SPDX-License-Identifier: Apache-2.0
#include "clack/bounded_cache.hpp"

#include <gtest/gtest.h>

namespace clack {
namespace {

TEST(BoundedCache, ForgetsWhatWasAskedForLongestAgo) {
  BoundedCache<int, int> cache(3);
  int made = 0;
  const auto get = [&](int key) {
    return *cache.get(key, [&] {
      ++made;
      return std::make_shared<int>(10 * key);
    });
  };
  for (const int key : {1, 2, 3, 1}) EXPECT_EQ(get(key), 10 * key);
  EXPECT_EQ(made, 3);
  EXPECT_EQ(get(4), 40);  // 2 goes
  EXPECT_EQ(cache.size(), 3u);
  EXPECT_EQ(get(1) + get(3), 40);
  EXPECT_EQ(made, 4);
  EXPECT_EQ(get(2), 20);
  EXPECT_EQ(made, 5);
}

TEST(BoundedCache, WhoHoldsAValueKeepsIt) {
  BoundedCache<int, int> cache(1);
  const std::shared_ptr<int> held = cache.get(1, [] { return std::make_shared<int>(7); });
  (void)cache.get(2, [] { return std::make_shared<int>(8); });
  EXPECT_EQ(*held, 7);
  EXPECT_EQ(cache.size(), 1u);
}

}  // namespace
}  // namespace clack
