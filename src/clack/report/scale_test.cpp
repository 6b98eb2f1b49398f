// SPDX-License-Identifier: Apache-2.0
#include "clack/report/scale.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace clack::report {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(NiceTicks, StandAtRoundNumbersWithTheDigitsTheyNeed) {
  const Ticks ticks = nice_ticks({-0.103, 0.103}, 5);
  EXPECT_EQ(ticks.labels, (std::vector<std::string>{"−0.10", "−0.05", "0.00", "0.05", "0.10"}));
  EXPECT_EQ(ticks.exponent, 0);
}

TEST(NiceTicks, TakeOutAPowerOfTenFromSmallAndLargeNumbers) {
  const Ticks small = nice_ticks({0.0, 4.2e-4}, 4);
  EXPECT_EQ(small.exponent, -6);
  EXPECT_EQ(small.labels, (std::vector<std::string>{"0", "200", "400"}));
  EXPECT_EQ(nice_ticks({0.0, 3e6}, 3).labels, (std::vector<std::string>{"0", "1", "2", "3"}));
  EXPECT_EQ(power_of_ten(-13), "×10⁻¹³");
  EXPECT_EQ(power_of_ten(0), "");
}

TEST(NiceTicks, AreInsideTheRangeEquallySpacedAndDifferentlyNamed) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> exponent(-12, 12), sign(-1, 1);
  for (int trial = 0; trial < 2000; ++trial) {
    const double low = sign(random) * std::pow(10.0, exponent(random));
    const double size = std::max(std::pow(10.0, exponent(random)), 1e-6 * std::abs(low));
    const Range range{low, low + size};
    const Ticks ticks = nice_ticks(range, 5);
    ASSERT_GE(ticks.values.size(), 2U) << low << " " << size;
    ASSERT_LE(ticks.values.size(), 7U);
    EXPECT_GE(ticks.values.front(), range.low - 1e-8 * size);
    EXPECT_LE(ticks.values.back(), range.high + 1e-8 * size);
    EXPECT_EQ(std::set<std::string>(ticks.labels.begin(), ticks.labels.end()).size(),
              ticks.labels.size())
        << low << " " << size;
  }
}

TEST(RangeOf, IgnoresWhatIsNotFiniteAndIsNeverEmpty) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Range range = range_of(std::array{nan, 2.0, infinity, -1.0});
  EXPECT_EQ(range.low, -1.0);
  EXPECT_EQ(range.high, 2.0);
  EXPECT_GT(range_of(std::array{5.0, 5.0}).size(), 0.0);
  EXPECT_GT(range_of(std::array{0.0}).size(), 0.0);
  EXPECT_GT(range_of(std::array{1e-310, 1e-310}).size(), 0.0);
  EXPECT_EQ(range_of(std::array{nan}).size(), 1.0);
  EXPECT_EQ(range_of({}).size(), 1.0);
}

}  // namespace
}  // namespace clack::report
