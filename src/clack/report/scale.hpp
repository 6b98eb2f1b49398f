// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

namespace clack::report {

/// An interval of an axis.
struct Range {
  double low = 0.0, high = 1.0;
  double size() const { return high - low; }
};

/// The finite values' interval. No finite value: [0, 1]; all equal: widened so that it has a size.
Range range_of(std::span<const double> values);
Range widened(const Range& range, double part);  // by this part of its size on both sides

/// Marks at 1, 2 or 5 times a power of ten inside a range. Labels carry just the digits the step
/// needs; a common power of ten (a multiple of three) is taken out of very large and very small
/// numbers: label = value / 10^exponent.
struct Ticks {
  std::vector<double> values;
  std::vector<std::string> labels;
  int exponent = 0;
};
Ticks nice_ticks(const Range& range, int about);

/// "×10⁻³"; empty for 0.
std::string power_of_ten(int exponent);

}  // namespace clack::report
