// SPDX-License-Identifier: Apache-2.0
#include "clack/report/plot.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "clack/report/decimate.hpp"
#include "clack/report/markup.hpp"
#include "clack/report/measures.hpp"

namespace clack::report {
namespace {

constexpr int colours = 8;

struct Frame {
  double left = 0, top = 0, width = 0, height = 0;
  Range x, y;

  double to_x(double value) const { return left + width * (value - x.low) / x.size(); }
  double to_y(double value) const { return top + height * (y.high - value) / y.size(); }
};

Range range_over(const Plot& plot, std::vector<double> Series::*member) {
  std::vector<double> ends;
  for (const Series& series : plot.series) {
    bool has_values = false;
    for (const double value : series.*member) has_values = has_values || std::isfinite(value);
    if (!has_values) continue;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double value : series.*member) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    ends.insert(ends.end(), {low, high});
  }
  return range_of(ends);
}

/// A path of whole numbers: absolute at its beginning, then steps.
void append_path(std::string& path, const Polyline& line) {
  long last_x = 0, last_y = 0;
  const auto append = [&path](long number, bool needs_space) {
    std::array<char, 24> digits;
    digits[0] = ' ';
    const bool has_space = needs_space && number >= 0;
    const auto end = std::to_chars(digits.data() + 1, digits.data() + digits.size(), number).ptr;
    path.append(digits.data() + (has_space ? 0 : 1), end);
  };
  for (std::size_t k = 0; k < line.size(); ++k) {
    const long x = std::lround(line[k].x), y = std::lround(line[k].y);
    if (k == 0) path += 'M';
    if (k == 1) path += 'l';
    append(k == 0 ? x : x - last_x, k > 1);
    append(k == 0 ? y : y - last_y, true);
    last_x = x;
    last_y = y;
  }
  if (line.size() == 1) path += "l0 0";
}

std::string series_path(const Plot& plot, const Series& series, const Frame& frame) {
  const double wide = frame.width * measures.units_per_pixel,
               high = frame.height * measures.units_per_pixel;
  std::string path;
  for (Polyline& line : split_at_gaps(series.x, series.y)) {
    for (PlotPoint& point : line)
      point = {std::clamp((point.x - frame.x.low) / frame.x.size(), -measures.far_outside,
                          measures.far_outside) *
                   wide,
               std::clamp((frame.y.high - point.y) / frame.y.size(), -measures.far_outside,
                          measures.far_outside) *
                   high};
    append_path(path, plot.is_over_time
                          ? decimate_columns(line, wide / std::max(plot.columns, 1))
                          : decimate_curve(line, measures.curve_error * measures.units_per_pixel,
                                           plot.most_points));
  }
  if (path.empty()) return "";
  std::string stored;
  if (series.curve_x >= 0)
    stored = fmt::format(" data-curve-x=\"{}\" data-curve-y=\"{}\"", series.curve_x, series.curve);
  else if (series.curve >= 0)
    stored = fmt::format(" data-curve=\"{}\"", series.curve);
  return fmt::format("<path class=\"s{}{}\" data-name=\"{}\"{} d=\"{}\"/>", series.colour % colours,
                     series.is_faint ? " faint" : "", escape(series.name), stored, path);
}

struct Legend {
  std::string svg;
  double height = 0.0;
};

Legend draw_legend(const Plot& plot, double left) {
  if (!plot.has_legend) return {};
  Legend legend;
  double x = left, y = measures.title_height + measures.key_drop;
  for (const Series& series : plot.series) {
    const double wide = measures.key_text + text_width(series.name) + measures.key_space;
    if (x > left && x + wide > plot.width - measures.right_margin)
      x = left, y += measures.legend_height;
    legend.svg += fmt::format(
        "<line class=\"key s{0}\" x1=\"{1:.1f}\" x2=\"{2:.1f}\" y1=\"{3:.1f}\" y2=\"{3:.1f}\"/>"
        "<text x=\"{4:.1f}\" y=\"{5:.1f}\">{6}</text>",
        series.colour % colours, x, x + measures.key, y, x + measures.key_text,
        y + measures.key_text_drop, escape(series.name));
    x += wide;
  }
  legend.height = y - measures.title_height + measures.legend_foot;
  return legend;
}

std::string draw_y_axis(const Frame& frame, const Ticks& ticks) {
  std::string svg = "<g class=\"ymarks\">";
  for (std::size_t k = 0; k < ticks.values.size(); ++k) {
    const double y = frame.to_y(ticks.values[k]);
    svg += fmt::format(
        "<line class=\"{0}\" x1=\"{1:.1f}\" x2=\"{2:.1f}\" y1=\"{3:.1f}\" y2=\"{3:.1f}\"/>"
        "<text x=\"{4:.1f}\" y=\"{5:.1f}\" text-anchor=\"end\">{6}</text>",
        ticks.values[k] == 0.0 ? "zero" : "grid", frame.left, frame.left + frame.width, y,
        frame.left - measures.y_label_distance, y + measures.y_label_drop, ticks.labels[k]);
  }
  return svg + "</g>";
}

std::string draw_x_grid(const Frame& frame) {
  std::string svg;
  const Ticks ticks =
      nice_ticks(frame.x, std::max(2, static_cast<int>(frame.width / measures.pixels_per_x_tick)));
  for (const double value : ticks.values)
    svg += fmt::format(
        "<line class=\"{0}\" x1=\"{1:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{3:.1f}\"/>",
        value == 0.0 ? "zero" : "grid", frame.to_x(value), frame.top, frame.top + frame.height);
  return svg;
}

std::string draw_bands(const Plot& plot, const Frame& frame) {
  std::string svg;
  for (const PlotBand& band : plot.bands)
    svg += fmt::format(
        "<rect class=\"s{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
        "style=\"fill:currentColor;fill-opacity:0.08;stroke:none\"/>",
        band.colour % colours, frame.to_x(band.begin), frame.top,
        frame.to_x(band.end) - frame.to_x(band.begin), frame.height);
  return svg;
}

std::string draw_marks(const Plot& plot, const Frame& frame) {
  std::string svg;
  for (const PlotMark& mark : plot.marks) {
    const double x = frame.to_x(mark.x), y = frame.to_y(mark.y);
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>", x, y);
    if (mark.text.empty()) continue;
    const bool is_left = x > frame.left + 0.8 * frame.width;
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>",
                       x + (is_left ? -6.0 : 6.0), y - 5.0, is_left ? "end" : "start",
                       escape(mark.text));
  }
  return svg;
}

std::string draw_title(const Plot& plot, int exponent) {
  std::string svg = fmt::format("<text class=\"title\" x=\"2\" y=\"14\">{}", escape(plot.title));
  if (exponent != 0)
    svg += fmt::format("<tspan dx=\"6\" font-weight=\"400\" font-size=\"11\">{}</tspan>",
                       power_of_ten(exponent));
  svg += "</text>";
  if (plot.is_linked)
    svg += fmt::format("<text class=\"read\" x=\"{:.1f}\" y=\"14\" text-anchor=\"end\"></text>",
                       plot.width - measures.right_margin);
  return svg;
}

}  // namespace

double text_width(const std::string& text) {
  const auto letters = std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  });
  return measures.letter * static_cast<double>(letters);
}

std::string field_attributes(double left, double top, double width, double height, const Range& x,
                             const Range& y) {
  return fmt::format(
      "class=\"field\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" viewBox=\"0 0 "
      "{:.0f} {:.0f}\" "
      "preserveAspectRatio=\"none\" data-x0=\"{:.17g}\" data-x1=\"{:.17g}\" data-y0=\"{:.9g}\" "
      "data-y1=\"{:.9g}\"",
      left, top, width, height, width * measures.units_per_pixel, height * measures.units_per_pixel,
      x.low, x.high, y.low, y.high);
}

std::string x_marks(const Range& range, double left, double width, double y,
                    const std::string& label) {
  std::string svg = fmt::format("<g class=\"xmarks\" data-y=\"{:.1f}\">", y);
  const Ticks ticks =
      nice_ticks(range, std::max(2, static_cast<int>(width / measures.pixels_per_x_tick)));
  double free_from = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < ticks.values.size(); ++k) {
    const double x = left + width * (ticks.values[k] - range.low) / range.size();
    const double half = 0.5 * text_width(ticks.labels[k]);
    if (x - half < free_from) continue;
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", x, y,
                       ticks.labels[k]);
    free_from = x + half + measures.x_label_space;
  }
  const std::string power = power_of_ten(ticks.exponent);
  return svg + fmt::format("</g><text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}{}{}</text>",
                           left + width, y + measures.x_title_drop, escape(label),
                           power.empty() ? "" : "  ", power);
}

std::string plot_svg(const Plot& plot) {
  Frame frame;
  frame.x = plot.x_range ? *plot.x_range : range_over(plot, &Series::x);
  if (!plot.is_over_time) frame.x = widened(frame.x, measures.x_space);
  frame.y = widened(range_over(plot, &Series::y), measures.y_space);
  const Ticks ticks =
      nice_ticks(frame.y, std::max(2, static_cast<int>(plot.height / measures.pixels_per_y_tick)));
  double label_width = measures.smallest_label;
  for (const std::string& label : ticks.labels)
    label_width = std::max(label_width, text_width(label));
  frame.left = label_width + measures.label_distance;
  frame.width = std::max(measures.smallest_field, plot.width - frame.left - measures.right_margin);
  const Legend legend = draw_legend(plot, frame.left);
  frame.top = measures.title_height + legend.height;
  frame.height = std::max(measures.smallest_field,
                          plot.height - measures.title_height - measures.marks_height);
  const double total = frame.top + frame.height + measures.marks_height;

  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot{}\" viewBox=\"0 0 {:.0f} {:.0f}\" "
      "width=\"{:.0f}\" "
      "height=\"{:.0f}\" role=\"img\" aria-label=\"{}\">",
      plot.is_linked      ? " linked"
      : plot.is_over_time ? ""
                          : " portrait",
      plot.width, total, plot.width, total, escape(plot.title));
  svg += draw_title(plot, ticks.exponent) + legend.svg;
  svg += draw_bands(plot, frame);
  if (!plot.is_over_time) svg += draw_x_grid(frame);
  svg += draw_y_axis(frame, ticks);
  svg += "<svg " +
         field_attributes(frame.left, frame.top, frame.width, frame.height, frame.x, frame.y) + ">";
  for (const Series& series : plot.series) svg += series_path(plot, series, frame);
  svg += "</svg>" + draw_marks(plot, frame) +
         x_marks(frame.x, frame.left, frame.width, frame.top + frame.height + measures.x_label_drop,
                 plot.x_label) +
         "</svg>";
  return svg;
}

std::string standalone_svg(const Plot& plot) { return standalone(plot_svg(plot)); }

std::string standalone(std::string svg) {
  const std::string style = fmt::format(
      "<style>{}</style><rect width=\"100%\" height=\"100%\" style=\"fill:var(--card)\"/>",
      plot_css());
  svg.insert(svg.find('>') + 1, style);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + svg + "\n";
}

std::string with_plain_colours(std::string svg) {
  const auto replace = [&svg](const std::string& from, const std::string& to) {
    for (std::size_t at = svg.find(from); at != std::string::npos;
         at = svg.find(from, at + to.size()))
      svg.replace(at, from.size(), to);
  };
  const std::size_t begin = svg.find("--paper"), end = svg.find('}', begin);
  std::map<std::string, std::string> colours;
  for (std::size_t at = begin; at != std::string::npos && at < end;) {
    const std::size_t colon = svg.find(':', at), stop = std::min(svg.find(';', colon), end);
    colours["var(" + svg.substr(at, colon - at) + ")"] = svg.substr(colon + 1, stop - colon - 1);
    at = svg.find("--", stop);
  }
  const std::size_t dark = svg.find("@media"), after = svg.find("}}", dark);
  if (dark != std::string::npos && after != std::string::npos) svg.erase(dark, after + 2 - dark);
  for (const auto& [name, value] : colours) replace(name, value);
  replace("stroke-width:1.4;stroke-linejoin:round;vector-effect:non-scaling-stroke",
          fmt::format("stroke-width:{:.0f};stroke-linejoin:round", 1.4 * measures.units_per_pixel));
  replace("stroke-opacity:.32;stroke-width:1}",
          fmt::format("stroke-opacity:.32;stroke-width:{:.0f}}}", measures.units_per_pixel));
  return svg;
}

}  // namespace clack::report
