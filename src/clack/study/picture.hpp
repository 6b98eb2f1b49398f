// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "clack/report/scale.hpp"

/// Pictures of studies as <svg> elements, in the colours of report::plot_css().
namespace clack::study {

/// Of the field between the axes, in CSS pixels.
struct PictureSize {
  double width = 620, height = 340;
};

/// The field of a picture whose whole size is this.
PictureSize field_of(double width, double height);

struct AxisLabels {
  std::string x, y;  // "r_M in m"
};

struct Dots {
  std::string name;
  std::vector<double> x, y;  // what is not finite is left out
  int colour = 0;            // of eight
};

/// Single points, as in a bifurcation diagram.
std::string scatter_svg(const AxisLabels& labels, const std::vector<Dots>& dots, bool is_log,
                        const PictureSize& size = {});

/// A cell of a map over two axes, by its places on them.
struct Cell {
  int column = 0, row = 0;
  std::string fill;     // CSS colour
  std::string tooltip;  // what it is: NAME = VALUE, NAME = VALUE: RESULT
};

/// What a colour means.
struct ColourKey {
  std::string name, fill;
};

std::string map_svg(const std::string& title, const AxisLabels& labels,
                    const std::vector<std::string>& x_values,
                    const std::vector<std::string>& y_values, const std::vector<Cell>& cells,
                    const std::vector<ColourKey>& keys = {}, const PictureSize& size = {});

/// Counts of the finite values in equal intervals; `label`: what is counted.
std::string histogram_svg(const std::string& label, const std::vector<double>& values,
                          const PictureSize& size = {});

/// Bars from 0 with an interval of error each, in groups: one group per name, one bar per key.
struct Bar {
  double value = 0.0, error = 0.0;
};
struct BarGroup {
  std::string name;
  std::vector<Bar> bars;  // one per key
};
std::string bars_svg(const std::string& title, const std::vector<BarGroup>& groups,
                     const std::vector<std::string>& keys, const PictureSize& size = {});

/// A colour between dark blue and yellow for u in [0, 1]: lightness grows evenly, so that the order is seen in grey and
/// with any kind of colour vision.
std::string ramp_colour(double u);

}  // namespace clack::study
