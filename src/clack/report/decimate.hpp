// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

namespace clack::report {

struct PlotPoint {
  double x = 0.0, y = 0.0;
};
using Polyline = std::vector<PlotPoint>;

/// Polylines through the finite points; a point that is not finite ends one.
std::vector<Polyline> split_at_gaps(std::span<const double> x, std::span<const double> y);

/// For x that never falls: in every column of width `column` the first, lowest, highest and last
/// point stay, so that no extreme is lost.
Polyline decimate_columns(const Polyline& line, double column);

/// For any curve: drops points nearer than `near` to the last kept one, then, while more than
/// `most` remain, keeps of every stretch of points those with the extremes of x and y.
Polyline decimate_curve(const Polyline& line, double near, std::size_t most);

}  // namespace clack::report
