// SPDX-License-Identifier: Apache-2.0
#include "clack/study/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "clack/report/markup.hpp"

namespace clack::study {
namespace {

using report::escape;
using report::Range;

constexpr double left = 62, top = 26, width = 620, height = 340, bottom = 40;  // CSS pixels
constexpr int histogram_bins = 30;

struct Frame {
  Range x, y;
  bool is_log = false;  // along x
  double at_x(double value) const {
    const auto scale = [&](double v) { return is_log ? std::log(v) : v; };
    return left + width * (scale(value) - scale(x.low)) / (scale(x.high) - scale(x.low));
  }
  double at_y(double value) const { return top + height * (1.0 - (value - y.low) / y.size()); }
};

std::string opened(const std::string& title) {
  return fmt::format(
      "<svg class=\"plot\" role=\"img\" aria-label=\"{0}\" viewBox=\"0 0 {1} {2}\" width=\"{1}\" height=\"{2}\">"
      "<text class=\"title\" x=\"{3}\" y=\"15\">{0}</text>",
      escape(title), left + width + 16, top + height + bottom, left);
}

std::vector<double> log_ticks(const Range& range) {
  std::vector<double> ticks;
  for (double power = std::pow(10.0, std::floor(std::log10(range.low))); power <= range.high; power *= 10.0)
    for (const double digit : {1.0, 2.0, 5.0})
      if (digit * power >= range.low && digit * power <= range.high) ticks.push_back(digit * power);
  return ticks;
}

std::string axes(const Frame& frame, const std::string& x_label) {
  std::string svg;
  const auto x_tick = [&](double value, const std::string& label) {
    svg += fmt::format("<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>"
                       "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4}</text>",
                       frame.at_x(value), top, top + height, top + height + 15, label);
  };
  const report::Ticks x = report::nice_ticks(frame.x, 8), y = report::nice_ticks(frame.y, 6);
  if (frame.is_log)
    for (const double value : log_ticks(frame.x)) x_tick(value, fmt::format("{:g}", value));
  else
    for (std::size_t k = 0; k < x.values.size(); ++k) x_tick(x.values[k], x.labels[k]);
  for (std::size_t k = 0; k < y.values.size(); ++k)
    svg += fmt::format("<line class=\"grid\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
                       "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>",
                       left, left + width, frame.at_y(y.values[k]), left - 6, frame.at_y(y.values[k]) + 4, y.labels[k]);
  const std::string power = frame.is_log ? "" : report::power_of_ten(x.exponent);
  return svg + fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{} {}</text><text x=\"{}\" y=\"{}\">{}</text>",
                           left + width, top + height + 32, escape(x_label), power, left, top - 1,
                           report::power_of_ten(y.exponent));
}

}  // namespace

std::string scatter_svg(const std::string& title, const std::string& x_label, const std::vector<Dots>& dots,
                        bool is_log) {
  std::vector<double> xs, ys;
  for (const Dots& set : dots)
    for (std::size_t k = 0; k < set.x.size(); ++k)
      if (std::isfinite(set.x[k]) && std::isfinite(set.y[k])) xs.push_back(set.x[k]), ys.push_back(set.y[k]);
  const Frame frame{report::range_of(xs), report::widened(report::range_of(ys), 0.04), is_log};
  std::string svg = opened(title) + axes(frame, x_label);
  double key = left + width;
  for (const Dots& set : dots) {
    std::string path;
    for (std::size_t k = 0; k < set.x.size(); ++k)
      if (std::isfinite(set.x[k]) && std::isfinite(set.y[k]))
        path += fmt::format("M{:.1f} {:.1f}h0", frame.at_x(set.x[k]), frame.at_y(set.y[k]));
    svg += fmt::format("<path class=\"s{}\" fill=\"none\" stroke-width=\"2\" stroke-linecap=\"round\" "
                       "stroke-opacity=\".7\" d=\"{}\"/>", set.colour % 8, path);
    if (dots.size() < 2) continue;
    svg += fmt::format("<text x=\"{:.0f}\" y=\"15\" text-anchor=\"end\">{}</text>"
                       "<line class=\"key s{}\" x1=\"{:.0f}\" x2=\"{:.0f}\" y1=\"11\" y2=\"11\"/>",
                       key, escape(set.name), set.colour % 8, key - 7.0 * set.name.size() - 16, key - 7.0 * set.name.size() - 4);
    key -= 7.0 * set.name.size() + 30;
  }
  return svg + "</svg>\n";
}

std::string map_svg(const std::string& title, const std::string& x_label, const std::string& y_label,
                    const std::vector<std::string>& x_values, const std::vector<std::string>& y_values,
                    const std::vector<Cell>& cells) {
  const double w = width / double(x_values.size()), h = height / double(y_values.size());
  std::string svg = opened(title);
  for (const Cell& cell : cells)
    svg += fmt::format("<rect class=\"cell\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" "
                       "fill=\"{}\"><title>{}</title></rect>",
                       left + w * cell.column, top + height - h * (cell.row + 1), w + 0.3, h + 0.3, cell.fill,
                       escape(cell.tooltip));
  const auto some = [](std::size_t count) {
    std::vector<std::size_t> places;
    const std::size_t step = std::max<std::size_t>(1, (count + 5) / 6);
    for (std::size_t k = 0; k < count; k += step) places.push_back(k);
    return places;
  };
  const auto shortened = [](const std::string& value) {
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    return end != value.c_str() && *end == '\0' ? fmt::format("{:.4g}", number) : value.substr(0, 12);
  };
  for (const std::size_t k : some(x_values.size()))
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>", left + w * (k + 0.5),
                       top + height + 15, escape(shortened(x_values[k])));
  for (const std::size_t k : some(y_values.size()))
    svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", left - 6,
                       top + height - h * (k + 0.5) + 4, escape(shortened(y_values[k])));
  return svg + fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text><text x=\"6\" y=\"{}\">{}</text></svg>\n",
                           left + width, top + height + 32, escape(x_label), top - 1, escape(y_label));
}

std::string histogram_svg(const std::string& title, const std::vector<double>& values) {
  std::vector<double> finite;
  std::ranges::copy_if(values, std::back_inserter(finite), [](double x) { return std::isfinite(x); });
  const Range range = report::range_of(finite);
  std::array<double, histogram_bins> counts{};
  for (const double x : finite)
    counts[std::clamp(int(histogram_bins * (x - range.low) / range.size()), 0, histogram_bins - 1)] += 1.0;
  const Frame frame{range, {0.0, std::max(1.0, *std::ranges::max_element(counts))}};
  std::string svg = opened(title) + axes(frame, "");
  for (int k = 0; k < histogram_bins; ++k)
    svg += fmt::format("<rect class=\"on\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
                       left + width * k / histogram_bins, frame.at_y(counts[k]), width / histogram_bins - 1,
                       top + height - frame.at_y(counts[k]));
  return svg + "</svg>\n";
}

std::string ramp_colour(double u) {
  u = std::clamp(u, 0.0, 1.0);
  constexpr std::array<std::array<double, 3>, 5> stops = {
      {{13, 34, 93}, {58, 82, 139}, {124, 123, 120}, {187, 172, 95}, {253, 231, 76}}};
  const int k = std::min(3, int(4.0 * u));
  const double part = 4.0 * u - k;
  std::array<int, 3> rgb{};
  for (int c = 0; c < 3; ++c) rgb[c] = int(std::lround(stops[k][c] + part * (stops[k + 1][c] - stops[k][c])));
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

}  // namespace clack::study
