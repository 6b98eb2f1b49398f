// SPDX-License-Identifier: Apache-2.0
#include "clack/study/views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "clack/error.hpp"
#include "clack/index.hpp"
#include "clack/input_file.hpp"
#include "clack/nearest_name.hpp"
#include "clack/report/plot.hpp"
#include "clack/trace/summary.hpp"

namespace clack::study {
namespace {

constexpr int smallest_map = 3;  // values on both axes; fewer are drawn as lines
const std::string no_value_colour = "var(--open)";

bool is_map(const StudyRecord& record) {
  return !record.is_drawn && !record.follow && record.axes.size() == 2 &&
         number_of(record.axes[0].values) >= smallest_map &&
         number_of(record.axes[1].values) >= smallest_map;
}

int default_axis(const StudyRecord& record) {
  return record.follow ? *record.follow : number_of(record.axes) - 1;
}

std::string label_of(const AxisRecord& axis) { return with_unit(axis.name, axis.unit); }

/// A kept result, or one of its columns.
struct Chosen {
  std::string label;
  std::vector<int> columns;
};

Chosen chosen_of(const StudyRecord& record, const std::string& name) {
  int column = 0;
  std::vector<std::string> known;
  for (const KeptRecord& kept : record.keep) {
    Chosen all{with_unit(kept.name, kept.unit), {}};
    for (const std::string& own : kept.columns) {
      all.columns.push_back(column++);
      if (own == name && own != kept.name) return {with_unit(own, kept.unit), {column - 1}};
    }
    if (kept.name == name) return all;
    known.push_back(kept.name);
  }
  if (!record.classes.empty()) known.emplace_back("class");
  throw InputError("the study kept nothing called " + printable(name, 60), "--y",
                   "kept are " + list_names(known));
}

int axis_of(const StudyRecord& record, const std::string& name) {
  std::vector<std::string> known;
  for (const AxisRecord& axis : record.axes) known.push_back(axis.name);
  const auto found = std::ranges::find(known, name);
  if (found == known.end())
    throw InputError("the study has no axis " + printable(name, 60), "--x",
                     "axes are " + list_names(known));
  return static_cast<int>(found - known.begin());
}

/// The other axes and the direction, as the name of a line.
std::string family_of(const StudyRecord& record, const RowRecord& row, int along) {
  std::string name;
  const auto add = [&](const std::string& text) { name += (name.empty() ? "" : ", ") + text; };
  for (int axis = 0; axis < number_of(record.axes); ++axis)
    if (axis != along) add(record.axes[axis].name + " = " + row.at[axis].substr(0, 12));
  if (record.follow) add(std::string(to_string(row.direction)));
  return name;
}

Dots& member(std::vector<Dots>& families, const std::string& name) {
  const auto found = std::ranges::find(families, name, &Dots::name);
  if (found != families.end()) return *found;
  return families.emplace_back(Dots{name, {}, {}, number_of(families)});
}

std::string lines_svg(const AxisLabels& labels, std::vector<Dots> families,
                      const PictureSize& size) {
  constexpr double flat = 0.7;  // height of a line plot, as a part of a diagram's
  constexpr int most_named = 8;
  report::Plot plot;
  plot.title = labels.y;
  plot.x_label = labels.x;
  plot.width = size.width;
  plot.height = flat * size.height;
  for (Dots& set : families) {
    if (set.x.size() > 1 && set.x.front() > set.x.back())
      std::ranges::reverse(set.x), std::ranges::reverse(set.y);
    plot.series.push_back({set.name, set.x, set.y, set.colour % 8, false});
  }
  plot.has_legend = families.size() > 1 && number_of(families) <= most_named;
  return report::plot_svg(plot);
}

std::string along_axis(const StudyRecord& record, int along, const Chosen& chosen,
                       const PictureSize& size) {
  std::vector<Dots> families;
  for (const RowRecord& row : record.rows) {
    const double x = number_in(row.at[along]);
    if (std::isnan(x))
      throw InputError(fmt::format("axis {} is no list of numbers ({})", record.axes[along].name,
                                   printable(row.at[along], 40)),
                       "--x", "choose another axis, or read results.csv");
    Dots& family = member(families, family_of(record, row, along));
    for (const int column : chosen.columns) {
      family.x.push_back(x);
      family.y.push_back(row.values[column]);
    }
  }
  const AxisLabels labels{label_of(record.axes[along]), chosen.label};
  return chosen.columns.size() > 1 ? scatter_svg(labels, families, record.axes[along].is_log, size)
                                   : lines_svg(labels, std::move(families), size);
}

Cell cell_of(const StudyRecord& record, const RowRecord& row, std::string fill,
             const std::string& value) {
  const long rows = number_of(record.axes[1].values);
  return {static_cast<int>(row.number / rows), static_cast<int>(row.number % rows), std::move(fill),
          fmt::format("{} = {}, {} = {}: {}", record.axes[0].name, row.at[0], record.axes[1].name,
                      row.at[1], value)};
}

std::string map_of(const StudyRecord& record, const std::string& title,
                   const std::vector<Cell>& cells, const std::vector<ColourKey>& keys,
                   const PictureSize& size) {
  return map_svg(title, {label_of(record.axes[0]), label_of(record.axes[1])}, record.axes[0].values,
                 record.axes[1].values, cells, keys, size);
}

std::string class_map(const StudyRecord& record, const PictureSize& size) {
  std::vector<Cell> cells;
  std::vector<ColourKey> keys;
  const auto colour = [](std::size_t k) { return fmt::format("var(--c{})", k % 8); };
  for (std::size_t c = 0; c < record.classes.size(); ++c)
    keys.push_back({record.classes[c], colour(c)});
  for (const RowRecord& row : record.rows) {
    const auto found = std::ranges::find(record.classes, row.class_name);
    const bool has_class = found != record.classes.end();
    cells.push_back(cell_of(record, row,
                            has_class ? colour(found - record.classes.begin()) : no_value_colour,
                            has_class ? row.class_name : std::string(to_string(row.status))));
  }
  return map_of(record, "class", cells, keys, size);
}

std::string number_map(const StudyRecord& record, const std::string& label, int column,
                       const PictureSize& size) {
  const report::Range range = report::range_of(record.column(column));
  std::vector<Cell> cells;
  for (const RowRecord& row : record.rows) {
    const double value = row.values[column];
    cells.push_back(cell_of(
        record, row,
        std::isfinite(value) ? ramp_colour((value - range.low) / range.size()) : no_value_colour,
        short_number(value)));
  }
  return map_of(
      record, label, cells,
      {{short_number(range.low), ramp_colour(0.0)}, {short_number(range.high), ramp_colour(1.0)}},
      size);
}

std::string drawn_against(const StudyRecord& record, int along, const Chosen& chosen,
                          const PictureSize& size) {
  std::vector<Dots> classes;
  for (const RowRecord& row : record.rows) {
    Dots& own = member(
        classes, row.class_name.empty() ? std::string(to_string(row.status)) : row.class_name);
    for (const int column : chosen.columns) {
      own.x.push_back(number_in(row.at[along]));
      own.y.push_back(row.values[column]);
    }
  }
  return scatter_svg({label_of(record.axes[along]), chosen.label}, classes,
                     record.axes[along].is_log, size);
}

std::string histogram(const StudyRecord& record, const Chosen& chosen, const PictureSize& size) {
  std::vector<double> values;
  for (const int column : chosen.columns)
    for (const double value : record.column(column)) values.push_back(value);
  return histogram_svg(chosen.label, values, size);
}

}  // namespace

std::string view_svg(const StudyRecord& record, const View& view, const PictureSize& size) {
  if (record.rows.empty())
    throw InputError("no case of the study is finished", record.name, "go on with --resume");
  const bool is_class = view.y == "class" || (view.y.empty() && is_map(record) && view.x.empty() &&
                                              !record.classes.empty());
  if (is_class) {
    if (!is_map(record) || record.classes.empty())
      throw InputError("classes are drawn as a map of a study with rules and two axes", "--y",
                       "choose a kept result");
    return class_map(record, size);
  }
  if (record.keep.empty())
    throw InputError("the study keeps no result", record.name,
                     "add keep: {NAME: {final: FORMULA}}");
  const Chosen chosen = chosen_of(record, view.y.empty() ? record.keep.front().name : view.y);
  if (is_map(record) && view.x.empty())
    return number_map(record, chosen.label, chosen.columns.back(), size);
  if (record.is_drawn)
    return view.x.empty() ? histogram(record, chosen, size)
                          : drawn_against(record, axis_of(record, view.x), chosen, size);
  return along_axis(record, view.x.empty() ? default_axis(record) : axis_of(record, view.x), chosen,
                    size);
}

std::vector<std::string> all_views(const StudyRecord& record) {
  std::vector<std::string> views;
  if (record.rows.empty()) return views;
  for (const Sensitivity& one : record.sensitivity) views.push_back(sensitivity_svg(one));
  if (is_map(record) && !record.classes.empty()) views.push_back(view_svg(record, {"", "class"}));
  const bool is_of_numbers = record.is_drawn || is_map(record) ||
                             std::ranges::none_of(record.rows, [&](const RowRecord& row) {
                               return std::isnan(number_in(row.at[default_axis(record)]));
                             });
  if (!is_of_numbers) return views;
  for (const KeptRecord& kept : record.keep)
    for (const std::string& name :
         is_map(record) ? kept.columns : std::vector<std::string>{kept.name})
      views.push_back(view_svg(record, {"", name}));
  return views;
}

std::string sensitivity_svg(const Sensitivity& sensitivity, const PictureSize& size) {
  std::vector<BarGroup> groups;
  for (const AxisSensitivity& axis : sensitivity.axes)
    groups.push_back({axis.axis, {{axis.first, axis.first_error}, {axis.total, axis.total_error}}});
  return bars_svg("part of the variance of " + sensitivity.column, groups, {"alone", "in all"},
                  size);
}

}  // namespace clack::study
