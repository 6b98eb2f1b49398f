// SPDX-License-Identifier: Apache-2.0
#include "clack/report/curves.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace clack::report {
namespace {

/// The line through the kept points at x.
double line_at(const std::vector<double>& x, const std::vector<double>& y,
               const std::vector<std::size_t>& kept, double at) {
  for (std::size_t k = 0; k + 1 < kept.size(); ++k) {
    const double a = x[kept[k]], b = x[kept[k + 1]];
    if (at >= a && at <= b && b > a)
      return y[kept[k]] + (at - a) / (b - a) * (y[kept[k + 1]] - y[kept[k]]);
  }
  return y[kept.back()];
}

TEST(Curves, StayWithinTheirErrorEverywhere) {
  std::vector<double> x, y;
  for (int k = 0; k <= 20000; ++k) {
    x.push_back(1e-3 * k);
    y.push_back(std::sin(x.back()) + 0.2 * std::sin(37.0 * x.back()) * std::exp(-x.back()));
  }
  std::size_t last = 0;
  for (const double error : {1e-5, 1e-3, 1e-1}) {
    const auto kept = points_within(x, y, error);
    double worst = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k)
      worst = std::max(worst, std::abs(line_at(x, y, kept, x[k]) - y[k]));
    EXPECT_LE(worst, error * (1.0 + 1e-9));
    EXPECT_TRUE(last == 0 || kept.size() < last);
    last = kept.size();
  }
  EXPECT_LT(last, 100u);
}

TEST(Curves, OfAStraightLineHaveTwoPoints) {
  const std::vector<double> x{0, 1, 2, 3, 4}, y{1, 3, 5, 7, 9};
  EXPECT_EQ(points_within(x, y, 1e-9), (std::vector<std::size_t>{0, 4}));
}

TEST(Curves, KeepBothSidesOfJumpsAndGaps) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> x{0, 1, 1, 2, 3, 4, 5, 6}, y{0, 0, 5, 5, none, none, 7, 7};
  EXPECT_EQ(points_within(x, y, 1.0), (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(Curves, PassOverEventsAtWhichNothingJumps) {
  const std::vector<double> x{0, 1, 1, 2, 2, 3}, y{0, 1, 1, 2, 2, 3};
  EXPECT_EQ(points_within(x, y, 1e-9), (std::vector<std::size_t>{0, 5}));
}

TEST(Curves, FitTheirShareOfThePage) {
  std::vector<double> x, y;
  for (int k = 0; k < 200000; ++k) {
    x.push_back(k);
    y.push_back(std::sin(0.7 * k) + std::cos(0.3 * k * k));
  }
  CurveStore store(100e3);
  EXPECT_EQ(store.add("a", x, y), 0);
  EXPECT_EQ(store.add("b", x, y), 1);
  EXPECT_EQ(store.add("a", x, y), 0) << "one name, one line";
  EXPECT_LT(store.script().size(), 210e3);
  EXPECT_GT(store.error(), curve_limits.finest);
}

TEST(Curves, AreWrittenInBase64) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

}  // namespace
}  // namespace clack::report
