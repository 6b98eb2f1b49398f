// SPDX-License-Identifier: Apache-2.0
#include "clack/study/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "clack/report/markup.hpp"
#include "clack/report/plot.hpp"

namespace clack::study {
namespace {

using report::escape;
using report::Range;

constexpr double left = 62, top = 30, bottom = 40, right = 16;  // CSS pixels around the field
constexpr int histogram_bins = 30;
constexpr double key_line = 12, key_gap = 18;  // of a legend
constexpr double range_margin = 0.04;          // around points, as a part of their range

struct Frame {
  PictureSize size;
  Range x, y;
  bool is_log = false;  // along x
  double at_x(double value) const {
    const auto scale = [&](double v) { return is_log ? std::log(v) : v; };
    return left + size.width * (scale(value) - scale(x.low)) / (scale(x.high) - scale(x.low));
  }
  double at_y(double value) const { return top + size.height * (1.0 - (value - y.low) / y.size()); }
};

std::string opened(const std::string& title, const PictureSize& size) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"img\" aria-label=\"{0}\" "
      "viewBox=\"0 0 {1} {2}\" "
      "width=\"{1}\" height=\"{2}\"><text class=\"title\" x=\"{3}\" y=\"15\">{0}</text>",
      escape(title), left + size.width + right, top + size.height + bottom, left);
}

std::vector<double> log_ticks(const Range& range) {
  std::vector<double> ticks;
  for (double power = std::pow(10.0, std::floor(std::log10(range.low))); power <= range.high;
       power *= 10.0)
    for (const double digit : {1.0, 2.0, 5.0})
      if (digit * power >= range.low && digit * power <= range.high) ticks.push_back(digit * power);
  return ticks;
}

std::string x_axis(const Frame& frame, const std::string& label) {
  const double end = top + frame.size.height;
  std::string svg;
  const auto tick = [&](double value, const std::string& text) {
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>"
        "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4}</text>",
        frame.at_x(value), top, end, end + 15, text);
  };
  const report::Ticks ticks = report::nice_ticks(frame.x, 8);
  if (frame.is_log)
    for (const double value : log_ticks(frame.x)) tick(value, fmt::format("{:g}", value));
  else
    for (std::size_t k = 0; k < ticks.values.size(); ++k) tick(ticks.values[k], ticks.labels[k]);
  const std::string power = frame.is_log ? "" : report::power_of_ten(ticks.exponent);
  return svg + fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{} {}</text>",
                           left + frame.size.width, end + 32, escape(label), power);
}

std::string y_axis(const Frame& frame) {
  std::string svg;
  const report::Ticks ticks = report::nice_ticks(frame.y, 6);
  for (std::size_t k = 0; k < ticks.values.size(); ++k)
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>",
        left, left + frame.size.width, frame.at_y(ticks.values[k]), left - 6,
        frame.at_y(ticks.values[k]) + 4, ticks.labels[k]);
  return svg + fmt::format("<text x=\"6\" y=\"{}\">{}</text>", top - 4,
                           report::power_of_ten(ticks.exponent));
}

/// At the right end of the title's line; `fill`: of a square, otherwise a line of that class.
struct KeyEntry {
  std::string name, fill, line_class;
};

std::string legend(const std::vector<KeyEntry>& entries, const PictureSize& size) {
  std::string svg;
  double x = left + size.width;
  for (std::size_t k = entries.size(); k-- > 0;) {
    const KeyEntry& entry = entries[k];
    svg += fmt::format("<text x=\"{:.0f}\" y=\"15\" text-anchor=\"end\">{}</text>", x,
                       escape(entry.name));
    x -= report::text_width(entry.name) + key_line + 10;
    svg += entry.fill.empty()
               ? fmt::format(
                     "<line class=\"key {}\" x1=\"{:.0f}\" x2=\"{:.0f}\" y1=\"11\" y2=\"11\"/>",
                     entry.line_class, x, x + key_line)
               : fmt::format("<rect x=\"{:.0f}\" y=\"5\" width=\"{}\" height=\"{}\" fill=\"{}\"/>",
                             x, key_line, key_line, entry.fill);
    x -= key_gap;
  }
  return svg;
}

/// At most six of so many places, the first among them.
std::vector<std::size_t> labelled(std::size_t count) {
  constexpr std::size_t most = 6;
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < count; k += std::max<std::size_t>(1, (count + most - 1) / most))
    places.push_back(k);
  return places;
}

std::string shortened(const std::string& value) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  return end != value.c_str() && *end == '\0' ? fmt::format("{:.4g}", number) : value.substr(0, 12);
}

}  // namespace

PictureSize field_of(double width, double height) {
  constexpr double smallest = 40;  // CSS pixels
  return {std::max(smallest, width - left - right), std::max(smallest, height - top - bottom)};
}

std::string scatter_svg(const AxisLabels& labels, const std::vector<Dots>& dots, bool is_log,
                        const PictureSize& size) {
  std::vector<double> xs, ys;
  for (const Dots& set : dots)
    for (std::size_t k = 0; k < set.x.size(); ++k)
      if (std::isfinite(set.x[k]) && std::isfinite(set.y[k]))
        xs.push_back(set.x[k]), ys.push_back(set.y[k]);
  const Frame frame{size, report::range_of(xs), report::widened(report::range_of(ys), range_margin),
                    is_log && !xs.empty()};
  std::string svg = opened(labels.y, size) + x_axis(frame, labels.x) + y_axis(frame);
  std::vector<KeyEntry> keys;
  for (const Dots& set : dots) {
    std::string path;
    for (std::size_t k = 0; k < set.x.size(); ++k)
      if (std::isfinite(set.x[k]) && std::isfinite(set.y[k]))
        path += fmt::format("M{:.1f} {:.1f}h0", frame.at_x(set.x[k]), frame.at_y(set.y[k]));
    svg += fmt::format(
        "<path class=\"s{}\" fill=\"none\" stroke-width=\"2\" stroke-linecap=\"round\" "
        "stroke-opacity=\".7\" d=\"{}\"/>",
        set.colour % 8, path);
    keys.push_back({set.name, "", fmt::format("s{}", set.colour % 8)});
  }
  if (keys.size() > 1) svg += legend(keys, size);
  return svg + "</svg>\n";
}

std::string map_svg(const std::string& title, const AxisLabels& labels,
                    const std::vector<std::string>& x_values,
                    const std::vector<std::string>& y_values, const std::vector<Cell>& cells,
                    const std::vector<ColourKey>& keys, const PictureSize& size) {
  const double w = size.width / double(x_values.size()), h = size.height / double(y_values.size());
  std::string svg = opened(title, size);
  for (const Cell& cell : cells)
    svg += fmt::format(
        "<rect class=\"cell\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" "
        "fill=\"{}\"><title>{}</title></rect>",
        left + w * cell.column, top + size.height - h * (cell.row + 1), w + 0.3, h + 0.3, cell.fill,
        escape(cell.tooltip));
  for (const std::size_t k : labelled(x_values.size()))
    svg +=
        fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                    left + w * (k + 0.5), top + size.height + 15, escape(shortened(x_values[k])));
  for (const std::size_t k : labelled(y_values.size()))
    svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", left - 6,
                       top + size.height - h * (k + 0.5) + 4, escape(shortened(y_values[k])));
  std::vector<KeyEntry> entries;
  for (const ColourKey& key : keys) entries.push_back({key.name, key.fill, ""});
  return svg + legend(entries, size) +
         fmt::format(
             "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text><text x=\"6\" "
             "y=\"{}\">{}</text></svg>\n",
             left + size.width, top + size.height + 32, escape(labels.x), top - 4,
             escape(labels.y));
}

std::string histogram_svg(const std::string& label, const std::vector<double>& values,
                          const PictureSize& size) {
  std::vector<double> finite;
  std::ranges::copy_if(values, std::back_inserter(finite),
                       [](double x) { return std::isfinite(x); });
  const Range range = report::range_of(finite);
  std::array<double, histogram_bins> counts{};
  for (const double x : finite)
    counts[std::clamp(int(histogram_bins * (x - range.low) / range.size()), 0,
                      histogram_bins - 1)] += 1.0;
  const Frame frame{size, range, {0.0, std::max(1.0, *std::ranges::max_element(counts))}};
  std::string svg = opened("cases by " + label, size) + x_axis(frame, label) + y_axis(frame);
  for (int k = 0; k < histogram_bins; ++k)
    svg += fmt::format(
        "<rect class=\"on\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
        left + size.width * k / histogram_bins, frame.at_y(counts[k]),
        size.width / histogram_bins - 1, top + size.height - frame.at_y(counts[k]));
  return svg + "</svg>\n";
}

std::string bars_svg(const std::string& title, const std::vector<BarGroup>& groups,
                     const std::vector<std::string>& keys, const PictureSize& size) {
  std::vector<double> ends = {0.0};
  for (const BarGroup& group : groups)
    for (const Bar& bar : group.bars)
      if (std::isfinite(bar.value))
        ends.push_back(bar.value + bar.error), ends.push_back(std::min(0.0, bar.value - bar.error));
  const Frame frame{size, {}, report::widened(report::range_of(ends), range_margin)};
  std::string svg = opened(title, size) + y_axis(frame);
  const double step = size.width / double(std::max<std::size_t>(1, groups.size())),
               w = 0.7 * step / double(keys.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const double begin = left + step * double(g) + 0.15 * step;
    for (std::size_t k = 0; k < groups[g].bars.size(); ++k) {
      const Bar& bar = groups[g].bars[k];
      if (!std::isfinite(bar.value)) continue;
      const double zero = frame.at_y(0.0), end = frame.at_y(bar.value), x = begin + w * double(k);
      svg += fmt::format(
          "<rect class=\"bar\" fill=\"var(--c{})\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
          "height=\"{:.1f}\"/>"
          "<line class=\"grid\" style=\"stroke:var(--ink)\" x1=\"{:.1f}\" x2=\"{:.1f}\" "
          "y1=\"{:.1f}\" y2=\"{:.1f}\"/>",
          k % 8, x, std::min(zero, end), 0.9 * w, std::abs(zero - end), x + 0.45 * w, x + 0.45 * w,
          frame.at_y(bar.value - bar.error), frame.at_y(bar.value + bar.error));
    }
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                       begin + 0.35 * step, top + size.height + 15, escape(groups[g].name));
  }
  std::vector<KeyEntry> entries;
  for (std::size_t k = 0; k < keys.size(); ++k)
    entries.push_back({keys[k], fmt::format("var(--c{})", k % 8), ""});
  return svg + legend(entries, size) + "</svg>\n";
}

std::string ramp_colour(double u) {
  u = std::clamp(u, 0.0, 1.0);
  constexpr std::array<std::array<double, 3>, 5> stops = {
      {{13, 34, 93}, {58, 82, 139}, {124, 123, 120}, {187, 172, 95}, {253, 231, 76}}};
  const int k = std::min(3, int(4.0 * u));
  const double part = 4.0 * u - k;
  std::array<int, 3> rgb{};
  for (int c = 0; c < 3; ++c)
    rgb[c] = int(std::lround(stops[k][c] + part * (stops[k + 1][c] - stops[k][c])));
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

}  // namespace clack::study
