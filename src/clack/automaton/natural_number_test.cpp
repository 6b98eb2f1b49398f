// SPDX-License-Identifier: Apache-2.0
#include "clack/automaton/natural_number.hpp"

#include <random>

namespace clack {
namespace {

TEST(NaturalNumber, AgreesWithMachineArithmeticWhereThatSuffices) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t a = random() >> (random() % 60 + 2), b = random() >> (random() % 60 + 2);
    EXPECT_EQ((NaturalNumber(a) + NaturalNumber(b)).to_string(), std::to_string(a + b));
    const std::uint64_t large = std::max(a, b), small = std::min(a, b);
    EXPECT_EQ((NaturalNumber(large) - NaturalNumber(small)).to_string(),
              std::to_string(large - small));
    const std::uint64_t c = a >> 32, d = b >> 32;
    EXPECT_EQ((NaturalNumber(c) * NaturalNumber(d)).to_string(), std::to_string(c * d));
    EXPECT_EQ(NaturalNumber(a) <=> NaturalNumber(b), a <=> b);
  }
}

TEST(NaturalNumber, GoesBeyondSixtyThreeBits) {
  EXPECT_EQ(power(2, 63).to_string(), "9223372036854775808");
  EXPECT_FALSE(power(2, 63).to_int64());
  EXPECT_EQ((power(2, 63) - 1).to_int64(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(power(4, 100).to_string(),
            "1606938044258990275541962092341162602522202993782792835301376");
  EXPECT_EQ(power(7, 0).to_string(), "1");
  EXPECT_EQ((power(10, 40) - (power(10, 40) - 1)).to_string(), "1");
  EXPECT_EQ(NaturalNumber(0).to_string(), "0");
}

TEST(NaturalNumber, OfManyDigitsAreShortForPeople) {
  EXPECT_EQ(NaturalNumber(0).to_short_string(), "0");
  EXPECT_EQ(NaturalNumber(999999999999999).to_short_string(), "999999999999999");
  EXPECT_EQ(power(NaturalNumber(10), 15).to_short_string(), "about 1.0e15");
  EXPECT_EQ(power(NaturalNumber(2), 200).to_short_string(), "about 1.6e60");  // 1.6069e60
  EXPECT_EQ((power(NaturalNumber(10), 20) - NaturalNumber(1)).to_short_string(), "about 1.0e20");
}

}  // namespace
}  // namespace clack
