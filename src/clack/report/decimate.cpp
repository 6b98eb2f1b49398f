// SPDX-License-Identifier: Apache-2.0
#include "clack/report/decimate.hpp"

namespace clack::report {
namespace {

/// Appends the points of these indices in their order, each once.
template <std::size_t N>
void append_in_order(Polyline& kept, const Polyline& line, std::array<std::size_t, N> indices) {
  std::sort(indices.begin(), indices.end());
  const auto end = std::unique(indices.begin(), indices.end());
  for (auto index = indices.begin(); index != end; ++index) kept.push_back(line[*index]);
}

}  // namespace

std::vector<Polyline> split_at_gaps(std::span<const double> x, std::span<const double> y) {
  std::vector<Polyline> lines;
  bool is_inside = false;
  for (std::size_t k = 0; k < std::min(x.size(), y.size()); ++k) {
    const bool is_finite = std::isfinite(x[k]) && std::isfinite(y[k]);
    if (is_finite && !is_inside) lines.emplace_back().reserve(std::min(x.size(), y.size()) - k);
    if (is_finite) lines.back().push_back({x[k], y[k]});
    is_inside = is_finite;
  }
  return lines;
}

Polyline decimate_columns(const Polyline& line, double column) {
  Polyline kept;
  kept.reserve(line.size());
  const double per_length = 1.0 / column;
  for (std::size_t begin = 0; begin < line.size();) {
    const double number = std::floor(line[begin].x * per_length);
    std::size_t end = begin, lowest = begin, highest = begin;
    for (; end < line.size() && line[end].x * per_length < number + 1.0; ++end) {
      if (line[end].y < line[lowest].y) lowest = end;
      if (line[end].y > line[highest].y) highest = end;
    }
    append_in_order<4>(kept, line, {begin, lowest, highest, end - 1});
    begin = end;
  }
  return kept;
}

Polyline decimate_curve(const Polyline& line, double near, std::size_t most) {
  Polyline sparse;
  for (std::size_t k = 0; k < line.size(); ++k) {
    const bool is_last = k + 1 == line.size();
    if (!sparse.empty() && !is_last &&
        std::hypot(line[k].x - sparse.back().x, line[k].y - sparse.back().y) < near)
      continue;
    sparse.push_back(line[k]);
  }
  if (sparse.size() <= most || most < 6) return sparse;
  const std::size_t stretch = (sparse.size() * 6 + most - 1) / most;
  Polyline kept;
  for (std::size_t begin = 0; begin < sparse.size(); begin += stretch) {
    const std::size_t end = std::min(begin + stretch, sparse.size());
    std::array<std::size_t, 6> extremes;
    extremes.fill(begin);
    for (std::size_t k = begin; k < end; ++k) {
      if (sparse[k].x < sparse[extremes[1]].x) extremes[1] = k;
      if (sparse[k].x > sparse[extremes[2]].x) extremes[2] = k;
      if (sparse[k].y < sparse[extremes[3]].y) extremes[3] = k;
      if (sparse[k].y > sparse[extremes[4]].y) extremes[4] = k;
    }
    extremes[5] = end - 1;
    append_in_order(kept, sparse, extremes);
  }
  return kept;
}

}  // namespace clack::report
