// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clack::report {

/// Measures of the drawings, in CSS pixels unless said otherwise; type is 11 pixels high.
struct DrawingMeasures {
  double units_per_pixel = 100.0;  // lines are stored in whole hundredths of a pixel
  double letter = 6.6;             // mean width of a letter

  // Around the field of a plot.
  double title_height = 26.0, marks_height = 36.0, right_margin = 12.0, legend_height = 18.0;
  double smallest_field = 40.0, smallest_label = 30.0, label_distance = 10.0;
  double y_label_distance = 7.0,
         y_label_drop = 3.8;  // from the field; from the grid line to the base line
  double x_label_drop = 16.0, x_title_drop = 14.0;  // below the field; below the labels
  double x_label_space = 6.0;                       // between two labels, at least
  double pixels_per_x_tick = 50.0, pixels_per_y_tick = 34.0;
  double x_space = 0.04, y_space = 0.05;  // parts of the range that stay free at each end
  // Keys of a legend.
  double key = 16.0, key_text = 22.0, key_space = 16.0, key_drop = 3.0, key_text_drop = 4.0,
         legend_foot = 9.0;
  // Lines.
  double curve_error = 0.3;  // a curve that is not over time may be simplified by this much
  double far_outside = 1e3;  // fields; what is farther away is drawn there

  // The strip of modes.
  double strip_names = 44.0, strip_name_space = 14.0, strip_name_distance = 8.0,
         strip_name_drop = 10.0;
  double most_for_names = 0.35;  // part of the width
  double strip_middle = 10.0, impact_left = 0.75, impact_rise = 6.0;
  double strip_key_begin = 60.0, strip_key_height = 9.0, strip_key_space = 34.0,
         strip_key_text = 20.0, strip_impact_text = 8.0;
};
inline constexpr DrawingMeasures measures;

/// Numbers of axes.
struct AxisTolerances {
  // Of the largest value: below this the digits of a label run out, and a range is widened to `widened_range` of it.
  double shortest_range = 1e-12, widened_range = 1e-3, smallest_half = 1e-300;
  // From these on a power of ten is split off.
  double large = 1e5, small = 1e-2;
  // Roundings of logarithms and of multiples of a step.
  double power_rounding = 1e-12, step_rounding = 1e-9;
  int most_decimals = 12, most_ticks = 100;
};
inline constexpr AxisTolerances axis_tolerances;

/// How finely lines are drawn so that a page stays within its bytes.
struct DetailNumbers {
  double time_share = 0.7, curve_share = 0.3;  // of the bytes
  double bytes_per_point = 9.0, points_per_column = 4.0;
  double fewest_columns = 150.0, most_columns = 1400.0, fewest_points = 300.0, most_points = 6000.0;
  double lines_per_contact = 4.0, energy_lines = 3.0, further_curves = 2.0;
  double phase_width = 364.0, phase_height = 200.0;
};
inline constexpr DetailNumbers detail_numbers;

}  // namespace clack::report
