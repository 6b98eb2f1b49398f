// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "clack/symbolic/storage.hpp"

namespace clack::symbolic {
namespace {

TEST(Arithmetic, IntegerPowersMatchTheLibraryToAFewRoundings) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> number(-3.0, 3.0);
  for (int n = 0; n <= largest_chain_power; ++n)
    for (int i = 0; i < 50; ++i) {
      const double x = number(random), exact = std::pow(x, n);
      // Each multiplication rounds once; squaring doubles the relative error so far: at most n
      // roundings.
      EXPECT_NEAR(integer_power(x, n), exact, n * 1.2e-16 * std::fabs(exact));
    }
}

TEST(Arithmetic, NotANumberStaysVisibleInSignMinAndMax) {
  const double nan = std::nan("");
  EXPECT_TRUE(std::isnan(apply(Op::sign, nan)));
  for (Op op : {Op::min, Op::max}) {
    EXPECT_TRUE(std::isnan(apply(op, nan, 1.0)));
    EXPECT_TRUE(std::isnan(apply(op, 1.0, nan)));
  }
  EXPECT_EQ(apply(Op::sign, -0.0), 0.0);
  EXPECT_EQ(apply(Op::min, 2.0, -1.0), -1.0);
  EXPECT_EQ(apply(Op::max, 2.0, -1.0), 2.0);
}

TEST(Arithmetic, SelectTakesTheFirstBranchForEverythingButZero) {
  EXPECT_EQ(apply(Op::select, 1e-300, 5.0, 6.0), 5.0);
  EXPECT_EQ(apply(Op::select, -0.0, 5.0, 6.0), 6.0);
}

}  // namespace
}  // namespace clack::symbolic
