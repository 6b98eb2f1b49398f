// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "clack/report/scale.hpp"

namespace clack::report {

struct Series {
  std::string name;
  std::vector<double> x, y;  // equally long; a value that is not finite interrupts the line
  int colour = 0;            // of eight
  bool is_faint = false;
  int curve = -1, curve_x = -1;  // of the page's CurveStore: over time; of a portrait along x
};

/// A point that stands out, with a few words.
struct PlotMark {
  double x = 0.0, y = 0.0;
  std::string text;
};

/// A stretch of the horizontal axis that is shaded, in the colour of a series.
struct PlotBand {
  double begin = 0.0, end = 0.0;
  int colour = 0;
};

struct Plot {
  std::string title, x_label;
  std::vector<Series> series;
  std::vector<PlotMark> marks;
  std::vector<PlotBand> bands;
  double width = 360.0, height = 200.0;  // of the drawing, without legend; CSS pixels
  bool is_over_time = true;              // x never falls: decimated by columns, no extreme is lost
  bool is_linked = false;  // zooms and reads together with the other time plots of the page
  bool has_legend = false;
  int columns = 1400;              // over time: columns that keep their extremes
  std::size_t most_points = 6000;  // otherwise: points per series
  std::optional<Range> x_range;    // instead of that of the series
};

/// Drawn as an <svg> element whose colours come from plot_css(). Lines are stored in hundredths of
/// a pixel.
std::string plot_svg(const Plot& plot);

/// The same as a file of its own.
std::string standalone_svg(const Plot& plot);
/// Any <svg> element of these as a file of its own.
std::string standalone(std::string svg);
/// A file of its own for programs that know no CSS variables: the light colours, lines as wide as they are drawn.
std::string with_plain_colours(std::string svg);

/// Rough width of a text in the plots' 11 pixel type.
double text_width(const std::string& text);

/// The marks below a time axis, as a <g class="xmarks">, and the label at its right end.
std::string x_marks(const Range& range, double left, double width, double y,
                    const std::string& label);

/// What a linked plot says about itself, for the page's script: attributes of its field.
std::string field_attributes(double left, double top, double width, double height, const Range& x,
                             const Range& y);

}  // namespace clack::report
