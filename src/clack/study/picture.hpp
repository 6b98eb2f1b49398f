// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "clack/report/scale.hpp"

/// Pictures of studies as <svg> elements, in the colours of report::plot_css().
namespace clack::study {

struct Dots {
  std::string name;
  std::vector<double> x, y;  // what is not finite is left out
  int colour = 0;            // of eight
};

/// Single points, as in a bifurcation diagram.
std::string scatter_svg(const std::string& title, const std::string& x_label, const std::vector<Dots>& dots,
                        bool is_log);

/// A cell of a map over two axes, by its places on them.
struct Cell {
  int column = 0, row = 0;
  std::string fill;     // CSS colour
  std::string tooltip;  // what it is: NAME = VALUE, NAME = VALUE: RESULT
};
std::string map_svg(const std::string& title, const std::string& x_label, const std::string& y_label,
                    const std::vector<std::string>& x_values, const std::vector<std::string>& y_values,
                    const std::vector<Cell>& cells);

/// Counts of the finite values in equal intervals.
std::string histogram_svg(const std::string& title, const std::vector<double>& values);

/// A colour between dark blue and yellow for u in [0, 1]: lightness grows evenly, so that the order is seen in grey and
/// with any kind of colour vision.
std::string ramp_colour(double u);

}  // namespace clack::study
