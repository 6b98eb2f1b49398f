// SPDX-License-Identifier: Apache-2.0
#include "clack/report/plot.hpp"

#include <gtest/gtest.h>

#include "clack/report/well_formed.hpp"

namespace clack::report {
namespace {

Plot line_plot() {
  Plot plot;
  plot.title = "a <b> & \"c\"";
  plot.x_label = "t in s";
  plot.has_legend = true;
  plot.series.push_back({"x<1>", {0, 1, 2}, {0, 10, 0}, 0, false});
  plot.series.push_back({"y&z", {0, 1, 2}, {5, 5, 5}, 1, false});
  return plot;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(PlotSvg, IsWellFormedWithAnyNames) {
  EXPECT_EQ(WellFormed::problem(plot_svg(line_plot())), "");
  EXPECT_EQ(WellFormed::problem(standalone_svg(line_plot())), "");
}

TEST(PlotSvg, DrawsEverySeriesAndItsName) {
  const std::string svg = plot_svg(line_plot());
  EXPECT_EQ(count_of(svg, "<path "), 2U);
  EXPECT_EQ(count_of(svg, ">x&lt;1&gt;<"), 1U);
  EXPECT_EQ(count_of(svg, ">y&amp;z<"), 1U);
}

TEST(PlotSvg, PutsPointsWhereTheAxesSay) {
  Plot plot;
  plot.series.push_back({"x", {0, 1}, {0, 1}, 0, false});
  plot.width = 52.0 + 200.0;  // a field of 200 x 100 pixels (40 for labels, 12 to the right)
  plot.height = 26.0 + 36.0 + 100.0;
  // y is widened by 5 % on both sides: 0 stands at 1.05/1.1, 1 at 0.05/1.1 of the height, in
  // hundredths of a pixel.
  EXPECT_NE(plot_svg(plot).find("d=\"M0 9545l20000-9090\""), std::string::npos) << plot_svg(plot);
}

TEST(PlotSvg, InterruptsALineAtUnknownValues) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Plot plot;
  plot.series.push_back({"x", {0, 1, 2, 3, 4}, {0, 1, nan, 1, 0}, 0, false});
  const std::string svg = plot_svg(plot);
  const std::size_t begin = svg.find(" d=\"");
  EXPECT_EQ(count_of(svg.substr(begin, svg.find('"', begin + 4) - begin), "M"), 2U);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(PlotSvg, OfNothingIsAnEmptyFrame) {
  EXPECT_EQ(WellFormed::problem(plot_svg({})), "");
  Plot plot;
  plot.series.push_back({"x", {}, {}, 0, false});
  plot.series.push_back({"y", {1.0}, {std::numeric_limits<double>::infinity()}, 0, false});
  EXPECT_EQ(WellFormed::problem(plot_svg(plot)), "");
  EXPECT_EQ(plot_svg(plot).find("inf"), std::string::npos);
}

TEST(PlotSvg, StaysSmallForManyPoints) {
  Plot plot;
  Series series{"x", {}, {}, 0, false};
  for (int k = 0; k < 200000; ++k) {
    series.x.push_back(k * 1e-4);
    series.y.push_back(std::sin(0.37 * k));
  }
  plot.series.push_back(series);
  EXPECT_LT(plot_svg(plot).size(), 80000U);
  plot.is_over_time = false;
  EXPECT_LT(plot_svg(plot).size(), 120000U);
}

TEST(PlotSvg, KeepsLegendsInsideThePicture) {
  Plot plot = line_plot();
  for (int k = 0; k < 12; ++k)
    plot.series.push_back({"a rather long name " + std::to_string(k), {0, 1}, {0, 1}, k, false});
  const std::string svg = plot_svg(plot);
  for (std::size_t at = svg.find("class=\"key"); at != std::string::npos;
       at = svg.find("class=\"key", at + 1)) {
    const double x = std::stod(svg.substr(svg.find("x2=\"", at) + 4));
    EXPECT_LE(x, plot.width);
  }
}

TEST(PlotSvg, IsTheSameEachTime) { EXPECT_EQ(plot_svg(line_plot()), plot_svg(line_plot())); }

}  // namespace
}  // namespace clack::report
