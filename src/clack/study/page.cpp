// SPDX-License-Identifier: Apache-2.0
#include "clack/study/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "clack/report/markup.hpp"
#include "clack/report/plot.hpp"
#include "clack/study/cases.hpp"
#include "clack/study/picture.hpp"
#include "clack/study/table.hpp"
#include "clack/trace/summary.hpp"

namespace clack::study {
namespace {

using report::escape;

/// The results of a study with its cases at hand.
class PageWriter {
 public:
  PageWriter(const Study& study, const std::vector<CaseResult>& results) : study_(study), results_(results), cases_(study) {
    for (const CaseResult& result : results) at_.push_back(cases_.at(result.number));
  }

  std::string page() {
    std::string body = fmt::format("<h1>{}</h1><p class=\"file\">model {}</p><p>{}</p>", escape(study_.name),
                                   escape(study_.model_file), escape(study_.about));
    body += "<h2>Results</h2><pre>" + escape(study_summary(study_, results_)) + "</pre>";
    body += "<h2>Pictures</h2>" + pictures();
    Study fixed = study_;
    fixed.axes.clear();
    body += fmt::format("<p id=\"chosen\" class=\"soft\" data-command=\"{}\">Maps: a click on a cell shows how to run it again.</p>",
                        escape(rerun_command(fixed, {})));
    return fmt::format(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/><meta name=\"viewport\" "
        "content=\"width=device-width\"/><title>{}</title><style>\n{}{}.cell:hover{{stroke:var(--ink);stroke-width:2}}"
        "</style></head>\n<body><main>\n{}</main>\n<script>{}</script></body></html>\n",
        escape(study_.name), report::plot_css(), report::page_css(), body, script());
  }

 private:
  static std::string_view script() {
    return "document.querySelectorAll('.cell').forEach(c=>c.addEventListener('click',()=>{"
           "const p=document.getElementById('chosen'),t=c.querySelector('title').textContent,at=t.slice(0,t.lastIndexOf(': '));"
           "p.textContent=t+'   '+p.dataset.command+at.split(', ').map(s=>' --set '+s.replace(' = ','=')).join('')}));";
  }

  double place(std::size_t k, std::size_t axis) const {
    const std::string& text = at_[k].values[axis];
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    return end != text.c_str() && *end == '\0' ? number : std::nan("");
  }
  bool is_numeric(std::size_t axis) const {
    for (std::size_t k = 0; k < at_.size(); ++k)
      if (std::isnan(place(k, axis))) return false;
    return !at_.empty();
  }

  std::string pictures() {
    if (study_.sample) return histograms();
    const std::size_t along = study_.follow ? *study_.follow : study_.axes.size() - 1;
    if (study_.axes.size() == 2 && !study_.follow && study_.axes[0].values.size() > 2 && study_.axes[1].values.size() > 2)
      return maps();
    if (!is_numeric(along)) return "<p>The last axis is not a list of numbers: see results.csv.</p>";
    return along_axis(along);
  }

  std::string histograms() {
    std::string html;
    std::size_t column = 0;
    for (const Kept& kept : study_.keep)
      for (const std::string& name : kept.columns()) html += histogram_svg(name, values_of(column++));
    return html;
  }

  std::vector<double> values_of(std::size_t column) const {
    std::vector<double> values;
    for (const CaseResult& result : results_) values.push_back(result.values[column]);
    return values;
  }

  /// The other axes and the direction, as the name of a line.
  std::string family(std::size_t k, std::size_t along) const {
    std::string name;
    for (std::size_t axis = 0; axis < study_.axes.size(); ++axis)
      if (axis != along) name += (name.empty() ? "" : ", ") + study_.axes[axis].name + " = " + at_[k].values[axis].substr(0, 12);
    if (study_.follow) name += (name.empty() ? "" : ", ") + std::string(at_[k].direction == Direction::down ? "down" : "up");
    return name;
  }

  std::string along_axis(std::size_t along) {
    std::string html;
    std::size_t column = 0;
    for (const Kept& kept : study_.keep) {
      const std::size_t count = kept.columns().size();
      std::vector<Dots> families;
      for (std::size_t k = 0; k < at_.size(); ++k) {
        const std::string name = family(k, along);
        auto found = std::ranges::find(families, name, &Dots::name);
        if (found == families.end())
          found = families.insert(families.end(), {name, {}, {}, static_cast<int>(families.size())});
        for (std::size_t j = 0; j < count; ++j) {
          found->x.push_back(place(k, along));
          found->y.push_back(results_[k].values[column + j]);
        }
      }
      html += count > 1 ? scatter_svg(kept.name, study_.axes[along].name, families, study_.axes[along].is_log)
                        : lines(kept.name, study_.axes[along].name, families);
      column += count;
    }
    return html;
  }

  static std::string lines(const std::string& title, const std::string& x_label, std::vector<Dots>& families) {
    report::Plot plot;
    plot.title = title;
    plot.x_label = x_label;
    plot.width = 620;
    plot.height = 240;
    for (Dots& set : families) {
      if (set.x.size() > 1 && set.x.front() > set.x.back()) std::ranges::reverse(set.x), std::ranges::reverse(set.y);
      plot.series.push_back({set.name, set.x, set.y, set.colour % 8, false});
    }
    plot.has_legend = families.size() > 1 && families.size() <= 8;
    return report::plot_svg(plot);
  }

  std::string maps() {
    std::string html;
    if (!study_.classify.empty()) html += class_map();
    std::size_t column = 0;
    for (const Kept& kept : study_.keep)
      for (const std::string& name : kept.columns()) html += number_map(name, column++);
    return html;
  }

  Cell cell(std::size_t k, const std::string& value) const {
    const long rows = static_cast<long>(study_.axes[1].values.size());
    return {static_cast<int>(results_[k].number / rows), static_cast<int>(results_[k].number % rows), "",
            fmt::format("{} = {}, {} = {}: {}", study_.axes[0].name, at_[k].values[0], study_.axes[1].name,
                        at_[k].values[1], value)};
  }

  std::string class_map() const {
    std::vector<Cell> cells;
    std::string key;
    for (std::size_t c = 0; c < study_.classify.size(); ++c)
      key += fmt::format("<span><svg width=\"12\" height=\"12\"><rect width=\"12\" height=\"12\" fill=\"var(--c{})\"/></svg> {}</span>&emsp;",
                         c % 8, escape(study_.classify[c].name));
    for (std::size_t k = 0; k < results_.size(); ++k) {
      const auto found = std::ranges::find(study_.classify, results_[k].class_name, &Rule::name);
      const std::string name = results_[k].class_name.empty() ? std::string(to_string(results_[k].status)) : results_[k].class_name;
      cells.push_back(cell(k, name));
      cells.back().fill = found == study_.classify.end() ? "var(--open)" : fmt::format("var(--c{})", (found - study_.classify.begin()) % 8);
    }
    return "<p>" + key + "</p>" + map_svg("class", study_.axes[0].name, study_.axes[1].name, study_.axes[0].values, study_.axes[1].values, cells);
  }

  std::string number_map(const std::string& name, std::size_t column) const {
    const report::Range range = report::range_of(values_of(column));
    std::vector<Cell> cells;
    for (std::size_t k = 0; k < results_.size(); ++k) {
      const double value = results_[k].values[column];
      cells.push_back(cell(k, short_number(value)));
      cells.back().fill = std::isfinite(value) ? ramp_colour((value - range.low) / range.size()) : "var(--open)";
    }
    return map_svg(fmt::format("{} ({} dark to {} bright)", name, short_number(range.low), short_number(range.high)),
                   study_.axes[0].name, study_.axes[1].name, study_.axes[0].values, study_.axes[1].values, cells);
  }

  const Study& study_;
  const std::vector<CaseResult>& results_;
  Cases cases_;
  std::vector<Case> at_;
};

}  // namespace

std::string study_page(const Study& study, const std::vector<CaseResult>& results) {
  return PageWriter(study, results).page();
}

}  // namespace clack::study
