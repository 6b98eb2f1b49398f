// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <algorithm>
#include <vector>

namespace clack {

/// A curve of DXF's SPLINE: B-spline of a degree over knots, control points with weights.
///
///   p(u) = sum_i w_i N_i(u) p_i / sum_i w_i N_i(u),   u in [knot_(degree), knot_(count)]
///
/// evaluated by de Boor's recursion on homogeneous points.
struct DxfSpline {
  int degree = 3;
  std::vector<double> knots, weights;  // as many weights as points, or none: all 1
  std::vector<Eigen::Vector2d> points;

  bool is_sound() const {
    return degree >= 1 && degree <= 16 && points.size() > static_cast<std::size_t>(degree) &&
           knots.size() == points.size() + degree + 1 &&
           (weights.empty() || weights.size() == points.size()) && std::ranges::is_sorted(knots) &&
           knots[degree] < knots[points.size()] &&
           std::ranges::all_of(weights, [](double w) { return w > 0.0; });
  }
  double begin() const { return knots[degree]; }
  double end() const { return knots[points.size()]; }
  Eigen::Vector2d at(double u) const {
    const auto first = knots.begin() + degree,
               last = knots.begin() + static_cast<std::ptrdiff_t>(points.size());
    // The stretch between two knots that holds u; at the end the last one that is not empty.
    const auto behind =
        u < end() ? std::upper_bound(first, last, u) : std::lower_bound(first, last, end());
    const std::ptrdiff_t span = std::max<std::ptrdiff_t>(degree, behind - knots.begin() - 1);
    std::vector<Eigen::Vector3d> d;
    for (int j = 0; j <= degree; ++j) {
      const std::size_t i = span - degree + j;
      const double w = weights.empty() ? 1.0 : weights[i];
      d.emplace_back(w * points[i].x(), w * points[i].y(), w);
    }
    for (int level = 1; level <= degree; ++level)
      for (int j = degree; j >= level; --j) {
        const double low = knots[span - degree + j], high = knots[span + 1 + j - level],
                     part = high > low ? (u - low) / (high - low) : 0.0;
        d[j] = (1.0 - part) * d[j - 1] + part * d[j];
      }
    return d[degree].head<2>() / d[degree].z();
  }
};

}  // namespace clack
