// SPDX-License-Identifier: Apache-2.0
#include "clack/report/scale.hpp"

#include <fmt/format.h>

#include "clack/index.hpp"
#include "clack/report/measures.hpp"

namespace clack::report {

Range range_of(std::span<const double> values) {
  Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
  if (range.low > range.high) return {0.0, 1.0};
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  const double least = largest > 0.0 ? axis_tolerances.shortest_range * largest : 1.0;
  if (range.size() < least) {
    const double half = largest > 0.0 ? 0.5 * std::max(axis_tolerances.widened_range * largest,
                                                       axis_tolerances.smallest_half)
                                      : 0.5;
    range = {range.low - half, range.high + half};
  }
  return range;
}

Range widened(const Range& range, double part) {
  return {range.low - part * range.size(), range.high + part * range.size()};
}

Ticks nice_ticks(const Range& range, int about) {
  const double rough = range.size() / std::max(about, 1);
  if (!(rough > 0.0) || !std::isfinite(rough)) return {};
  double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double part = rough / power;
  double factor = part <= 1.0 ? 1.0 : part <= 2.0 ? 2.0 : part <= 5.0 ? 5.0 : 10.0;
  if (factor == 10.0) power *= 10.0, factor = 1.0;
  const double step = factor * power;
  Ticks ticks;
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  if (largest >= axis_tolerances.large || largest < axis_tolerances.small)
    ticks.exponent =
        3 *
        static_cast<int>(std::floor(std::log10(largest) / 3.0 + axis_tolerances.power_rounding));
  const int step_exponent =
      static_cast<int>(std::floor(std::log10(step) + axis_tolerances.step_rounding));
  const int decimals = std::clamp(ticks.exponent - step_exponent, 0, axis_tolerances.most_decimals);
  const double first = std::ceil(range.low / step - axis_tolerances.step_rounding);
  const double last = std::floor(range.high / step + axis_tolerances.step_rounding);
  for (double k = first; k <= last && number_of(ticks.values) < axis_tolerances.most_ticks; ++k) {
    const double value = k == 0.0 ? 0.0 : k * step;
    ticks.values.push_back(value);
    std::string label = fmt::format("{:.{}f}", value / std::pow(10.0, ticks.exponent), decimals);
    if (label[0] == '-') label.replace(0, 1, "−");  // a true minus
    ticks.labels.push_back(label);
  }
  return ticks;
}

std::string power_of_ten(int exponent) {
  if (exponent == 0) return "";
  static constexpr std::array<const char*, 10> raised = {"⁰", "¹", "²", "³", "⁴",
                                                         "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = "×10";
  if (exponent < 0) text += "⁻";
  for (const char digit : std::to_string(std::abs(exponent))) text += raised[digit - '0'];
  return text;
}

}  // namespace clack::report
