// SPDX-License-Identifier: Apache-2.0
#include "clack/report/decimate.hpp"

#include <gtest/gtest.h>

#include <random>

namespace clack::report {
namespace {

struct Box {
  double x0 = 1e9, x1 = -1e9, y0 = 1e9, y1 = -1e9;
};

Box box_of(const Polyline& line) {
  Box box;
  for (const PlotPoint& point : line) {
    box = {std::min(box.x0, point.x), std::max(box.x1, point.x), std::min(box.y0, point.y),
           std::max(box.y1, point.y)};
  }
  return box;
}

TEST(DecimateColumns, KeepsTheExtremesOfEveryColumn) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> noise;
  Polyline line;
  for (int k = 0; k < 100000; ++k) line.push_back({k * 1e-3, noise(random)});
  const Polyline kept = decimate_columns(line, 1.0);
  EXPECT_LE(kept.size(), 400U);
  for (int column = 0; column < 100; ++column) {
    const auto inside = [column](const Polyline& all) {
      Polyline part;
      for (const PlotPoint& point : all)
        if (std::floor(point.x) == column) part.push_back(point);
      return box_of(part);
    };
    EXPECT_EQ(inside(kept).y0, inside(line).y0);
    EXPECT_EQ(inside(kept).y1, inside(line).y1);
  }
}

TEST(DecimateColumns, KeepsShortLinesAsTheyAre) {
  const Polyline line = {{0, 1}, {1.5, 0}, {3, 4}};
  EXPECT_EQ(decimate_columns(line, 1.0).size(), 3U);
  EXPECT_TRUE(decimate_columns({}, 1.0).empty());
}

TEST(DecimateCurve, KeepsTheExtremesWithinABound) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> noise(0.0, 100.0);
  Polyline line;
  for (int k = 0; k < 50000; ++k) line.push_back({noise(random), noise(random)});
  const Polyline kept = decimate_curve(line, 0.0, 3000);
  EXPECT_LE(kept.size(), 3006U);
  const Box all = box_of(line), part = box_of(kept);
  EXPECT_EQ(all.x0, part.x0);
  EXPECT_EQ(all.x1, part.x1);
  EXPECT_EQ(all.y0, part.y0);
  EXPECT_EQ(all.y1, part.y1);
}

TEST(DecimateCurve, DropsNeighboursAndKeepsTheEnds) {
  Polyline line;
  for (int k = 0; k <= 1000; ++k) line.push_back({k * 0.01, 0.0});
  const Polyline kept = decimate_curve(line, 1.0, 1000);
  EXPECT_LE(kept.size(), 12U);
  EXPECT_EQ(kept.front().x, 0.0);
  EXPECT_EQ(kept.back().x, 10.0);
}

TEST(SplitAtGaps, EndsALineWhereAValueIsNotKnown) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> x = {0, 1, 2, 3, 4}, y = {nan, 1, nan, 3, 4};
  const std::vector<Polyline> lines = split_at_gaps(x, y);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].size(), 1U);
  EXPECT_EQ(lines[1].size(), 2U);
}

}  // namespace
}  // namespace clack::report
