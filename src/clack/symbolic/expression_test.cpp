// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "clack/symbolic/expression.hpp"

namespace clack::symbolic {
namespace {

class Simplification : public ::testing::Test {
 protected:
  Graph graph;
  Expression x = graph.symbol("x"), y = graph.symbol("y"), z = graph.symbol("z");
  Expression n(double value) { return graph.number(value); }
};

TEST_F(Simplification, FoldsConstants) {
  EXPECT_EQ(n(2) + n(3), n(5));
  EXPECT_EQ(n(2) * n(3) - n(1) / n(4), n(5.75));
  EXPECT_EQ(pow(n(2), n(10)), n(1024));
  EXPECT_EQ(sin(n(0.5)), n(std::sin(0.5)));
  EXPECT_EQ(less(n(1), n(2)), n(1));
  EXPECT_EQ(select(n(0), x, y), y);
}

TEST_F(Simplification, KeepsOperationsWithoutAFiniteValue) {
  for (Expression e : {n(1) / n(0), n(0) / n(0), log(n(0)), sqrt(n(-1)), asin(n(2)),
                       n(1e300) * n(1e300), pow(n(9), pow(n(9), pow(n(9), 9.0)))})
    EXPECT_FALSE(is_number(e)) << to_text(e);
}

TEST_F(Simplification, KnowsZeroAndOne) {
  EXPECT_EQ(x + 0.0, x);
  EXPECT_EQ(0.0 - x, -x);
  EXPECT_EQ(1.0 * x, x);
  EXPECT_EQ(-1.0 * x, -x);
  EXPECT_EQ(0.0 * x, n(0));
  EXPECT_EQ(0.0 / x, n(0));
  EXPECT_EQ(x / 1.0, x);
  EXPECT_EQ(pow(x, 1.0), x);
  EXPECT_EQ(pow(x, 0.0), n(1));
  EXPECT_EQ(pow(x, 0.5), sqrt(x));
  EXPECT_EQ(pow(x, -2.0), 1.0 / pow(x, 2.0));
}

TEST_F(Simplification, CancelsAndCollects) {
  EXPECT_EQ(x - x, n(0));
  EXPECT_EQ(x / x, n(1));
  EXPECT_EQ(x + x, 2.0 * x);
  EXPECT_EQ(2.0 * x + 3.0 * x, 5.0 * x);
  EXPECT_EQ(2.0 * x - 2.0 * x, n(0));
  EXPECT_EQ((x + y) - x, y);
  EXPECT_EQ((x - y) + y, x);
  EXPECT_EQ(x - (x + y), -y);
  EXPECT_EQ((x * y) / y, x);
  EXPECT_EQ((x / y) * y, x);
  EXPECT_EQ(x * x * x, pow(x, 3.0));
  EXPECT_EQ(pow(x, 5.0) / pow(x, 2.0), pow(x, 3.0));
  EXPECT_EQ(pow(pow(x, 2.0), 3.0), pow(x, 6.0));
  EXPECT_EQ(x * (1.0 / y), x / y);
}

TEST_F(Simplification, OrdersOperandsAndMovesSignsAndCoefficientsOut) {
  EXPECT_EQ(x + y, y + x);
  EXPECT_EQ(x * y, y * x);
  EXPECT_EQ(min(x, y), min(y, x));
  EXPECT_EQ(-(-x), x);
  EXPECT_EQ(-(x - y), y - x);
  EXPECT_EQ((-x) * (-y), x * y);
  EXPECT_EQ((-x) * y, -(x * y));
  EXPECT_EQ(x + (-y), x - y);
  EXPECT_EQ((2.0 * x) * (3.0 * y), 6.0 * (x * y));
  EXPECT_EQ(sin(-x), -sin(x));
  EXPECT_EQ(cos(-x), cos(x));
  EXPECT_EQ(abs(-x), abs(x));
}

TEST_F(Simplification, KeepsTheAssociationThatWasWritten) {
  // (y - x) + z and y + (z - x) round differently; the first must stay as it is.
  EXPECT_NE((y - x) + z, y + (z - x));
  EXPECT_FALSE(is_number((x + 1e20) - 1e20));
}

TEST_F(Simplification, KeepsWhatIsDifferentAtRegularPoints) {
  EXPECT_NE(sqrt(pow(x, 2.0)), x);  // |x|
  EXPECT_EQ(sqrt(pow(x, 2.0)), abs(x));
  EXPECT_NE(asin(sin(x)), x);
  EXPECT_NE(pow(pow(x, 2.0), n(0.25)), pow(x, n(0.5)));
  EXPECT_NE(atan2(x, y), atan(x / y));
  EXPECT_NE(abs(x), x);
}

TEST_F(Simplification, InfinityAndNotANumberAreNeitherCancelledNorLost) {
  const Expression infinite = n(INFINITY);
  EXPECT_NE(infinite - infinite, n(0));
  EXPECT_NE(infinite / infinite, n(1));
  EXPECT_NE(0.0 * infinite, n(0));
  EXPECT_NE(pow(n(NAN), 0.0), n(0));
  EXPECT_NE(n(NAN) - n(NAN), n(0));
}

}  // namespace
}  // namespace clack::symbolic
