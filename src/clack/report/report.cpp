// SPDX-License-Identifier: Apache-2.0
#include "clack/report/report.hpp"

#include <fmt/format.h>

#include "clack/index.hpp"
#include "clack/report/animation.hpp"
#include "clack/report/inside_impacts.hpp"
#include "clack/report/markup.hpp"
#include "clack/report/measures.hpp"
#include "clack/report/mode_strip.hpp"
#include "clack/report/plot.hpp"
#include "clack/report/tables.hpp"

namespace clack {
namespace report {
namespace {

constexpr std::size_t most_rows = 48;      // coordinates with plots of their own
constexpr std::size_t most_contacts = 16;  // contacts with a plot of their forces
constexpr double byte_budget = 1.8e6;      // for all lines of the page

std::vector<double> column(const Trace& trace, std::size_t index) {
  std::vector<double> values;
  values.reserve(trace.row_count());
  for (std::size_t row = 0; row < trace.row_count(); ++row)
    values.push_back(trace.rows[row * trace.columns.size() + index]);
  return values;
}

std::optional<std::size_t> find_column(const Trace& trace, const std::string& name) {
  for (std::size_t k = 0; k < trace.columns.size(); ++k)
    if (trace.columns[k] == name) return k;
  return std::nullopt;
}

/// The speed that is the rate of a coordinate: NAME_dot, BODY.vx for BODY.x in space, or the one of
/// the same place when there are as many speeds as coordinates.
std::optional<std::string> speed_of(const Trace& trace, std::size_t coordinate) {
  const std::string& name = trace.coordinates[coordinate];
  const std::size_t dot = name.rfind('.');
  const std::string in_space =
      dot == std::string::npos ? "" : name.substr(0, dot + 1) + "v" + name.substr(dot + 1);
  for (const std::string& speed : trace.speeds)
    if (speed == name + "_dot" || speed == in_space) return speed;
  if (trace.speeds.size() == trace.coordinates.size()) return trace.speeds[coordinate];
  return std::nullopt;
}

/// How finely lines are drawn so that the page stays small.
struct Detail {
  int columns = 1400;
  std::size_t points = 6000;

  explicit Detail(const Trace& trace) {
    const double rows = static_cast<double>(
        std::min(trace.coordinates.size() + trace.speeds.size(), 2 * most_rows));
    const double contacts = static_cast<double>(std::min(trace.contacts.size(), most_contacts));
    const double lines =
        rows + detail_numbers.lines_per_contact * contacts + detail_numbers.energy_lines;
    columns = static_cast<int>(
        std::clamp(detail_numbers.time_share * byte_budget /
                       (lines * detail_numbers.points_per_column * detail_numbers.bytes_per_point),
                   detail_numbers.fewest_columns, detail_numbers.most_columns));
    points = static_cast<std::size_t>(
        std::clamp(detail_numbers.curve_share * byte_budget /
                       ((rows + detail_numbers.further_curves) * detail_numbers.bytes_per_point),
                   detail_numbers.fewest_points, detail_numbers.most_points));
  }
};

class Page {
 public:
  Page(const Trace& trace, const Drawing& drawing)
      : trace_(trace), drawing_(drawing), detail_(trace) {
    if (const auto t = find_column(trace, "t")) time_ = column(trace, *t);
  }

  std::string html() const {
    std::string page = fmt::format(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
        "<meta name=\"viewport\" "
        "content=\"width=device-width,initial-scale=1\"/>\n<title>{}</title>\n"
        "<style>\n{}{}{}</style></head>\n<body><main>\n",
        escape(trace_.model), plot_css(), page_css(), animation_css());
    page += header() + animation_section(trace_, drawing_) + notes() + cycle() + modes() + motion() + forces() + energy() + events() +
            impacts() + inside_impacts(trace_);
    page += fmt::format("</main>\n<script>\n{}{}</script></body></html>\n", page_script(),
                        drawing_.empty() ? "" : animation_script());
    return page;
  }

 private:
  static std::string fact(const std::string& name, const std::string& value) {
    return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, escape(value));
  }

  static std::string section(const std::string& title, const std::string& text,
                             const std::string& body) {
    const std::string lead = text.empty() ? "" : "<p class=\"soft\">" + text + "</p>\n";
    return "<section><h2>" + title + "</h2>\n" + lead + body + "</section>\n";
  }

  std::string header() const {
    std::string html = fmt::format(
        "<header><h1>{0}<span class=\"badge {2}\">{2}</span></h1>\n<p class=\"file\">{1}</p>\n",
        escape(trace_.model), escape(trace_.model_file), to_string(trace_.status));
    if (!trace_.reason.empty())
      html += fmt::format(
          "<div class=\"stop\"><p><strong>{}</strong></p><p class=\"soft\">{}</p></div>\n",
          escape(trace_.reason), escape(trace_.remedy));
    html += "<dl class=\"facts\">";
    html += fact("theory", trace_.theory) + fact("formulation", trace_.formulation);
    html += fact("decision", trace_.decision) + fact("impact law", trace_.impact);
    html += fact("integrator", trace_.integrator) + fact("tolerance", pretty(trace_.tolerance));
    const bool is_whole = pretty(trace_.final_time) == pretty(trace_.until);
    html += fact("simulated", pretty(trace_.final_time) +
                                  (is_whole ? "" : " of " + pretty(trace_.until)) + " s");
    html += fact("events", std::to_string(trace_.counts.events));
    html += fact("impacts", std::to_string(trace_.counts.impacts));
    html += fact("steps", std::to_string(trace_.counts.steps));
    html += fact("evaluations", std::to_string(trace_.counts.evaluations));
    html += fact("ledger error", pretty(trace_.energy.ledger_error, 2));
    return html + "</dl></header>\n";
  }

  std::string notes() const {
    if (trace_.flags.empty() && trace_.notes.empty()) return "";
    std::string body;
    for (const std::string& flag : trace_.flags)
      body += flag == "ledger-open" ? "<span class=\"flag red\">ledger-open</span>"
                                    : "<span class=\"flag\">" + escape(flag) + "</span>";
    if (!trace_.notes.empty()) {
      body += "<ul class=\"notes\">";
      for (const std::string& note : trace_.notes) body += "<li>" + escape(note) + "</li>";
      body += "</ul>\n";
    }
    return section("Notes", "", body);
  }

  std::string cycle() const {
    if (!trace_.cycle) return "";
    std::string text = fmt::format("One period of {} ms", pretty(trace_.cycle->period * 1e3, 9));
    if (trace_.cycle->drop != 0.0)
      text += fmt::format(", advancing {} mm", pretty(trace_.cycle->drop * 1e3, 8));
    text += fmt::format("; multiplier of the return map {}. Times from the first event.",
                        pretty(trace_.cycle->multiplier, 5));
    return section("The limit cycle", text, cycle_table(trace_));
  }

  std::string modes() const {
    const ModeStrip strip = draw_mode_strip(trace_, 1130.0);
    std::string text;
    if (!strip.untouched.empty()) {
      const std::size_t shown = std::min<std::size_t>(strip.untouched.size(), 30);
      text = "Never touching: ";
      for (std::size_t k = 0; k < shown; ++k)
        text += (k > 0 ? ", " : "") + escape(strip.untouched[k]);
      if (shown < strip.untouched.size())
        text += fmt::format(" and {} more", strip.untouched.size() - shown);
      text += ". ";
    }
    if (strip.left_out > 0)
      text += fmt::format("{} more contacts are in events.json.", strip.left_out);
    if (strip.svg.empty() && text.empty()) return "";
    return section("The mode over time", text,
                   strip.svg.empty() ? "" : "<div class=\"card\">" + strip.svg + "</div>\n");
  }

  Plot time_plot(const std::string& title, std::vector<Series> series, double width,
                 double height) const {
    Plot plot;
    plot.title = title;
    plot.x_label = "t in s";
    plot.series = std::move(series);
    plot.width = width;
    plot.height = height;
    plot.is_linked = true;
    plot.columns = detail_.columns;
    plot.x_range = range_of(time_);
    return plot;
  }

  std::string over_time(const std::string& name, int colour) const {
    const auto index = find_column(trace_, name);
    if (!index) return "<div></div>";
    return plot_svg(
        time_plot(name, {{name, time_, column(trace_, *index), colour, false}}, 364.0, 200.0));
  }

  std::string portrait(const std::string& coordinate, const std::string& speed) const {
    const auto x = find_column(trace_, coordinate), y = find_column(trace_, speed);
    if (!x || !y) return "<div></div>";
    Plot plot;
    plot.title = speed + " against " + coordinate;
    plot.x_label = coordinate;
    plot.width = detail_numbers.phase_width;
    plot.height = detail_numbers.phase_height;
    plot.is_over_time = false;
    plot.most_points = detail_.points;
    plot.series.push_back(
        {"all", column(trace_, *x), column(trace_, *y), 2, trace_.cycle.has_value()});
    if (trace_.cycle) {
      Series last{"last period", {}, {}, 2, false};
      for (std::size_t row = 0; row < time_.size(); ++row) {
        if (time_[row] < trace_.cycle->begin || time_[row] > trace_.cycle->end) continue;
        last.x.push_back(plot.series[0].x[row]);
        last.y.push_back(plot.series[0].y[row]);
      }
      plot.series.push_back(std::move(last));
    }
    return plot_svg(plot);
  }

  std::string motion() const {
    if (trace_.row_count() == 0 || trace_.coordinates.empty()) return "";
    std::string body;
    std::vector<std::string> alone = trace_.speeds;
    const std::size_t shown = std::min(trace_.coordinates.size(), most_rows);
    for (std::size_t k = 0; k < shown; ++k) {
      const std::string& name = trace_.coordinates[k];
      const std::optional<std::string> speed = speed_of(trace_, k);
      body += "<div class=\"row\">" + over_time(name, 0);
      if (speed) body += over_time(*speed, 1) + portrait(name, *speed);
      if (speed) std::erase(alone, *speed);
      body += "</div>\n";
    }
    if (shown == trace_.coordinates.size())
      for (std::size_t k = 0; k < std::min(alone.size(), most_rows); ++k)
        body += "<div class=\"row\">" + over_time(alone[k], 1) + "</div>\n";
    std::string text =
        "Drag over a time plot to zoom all of them, double-click to see everything again.";
    if (trace_.cycle) text += " In the phase portraits the last period stands out.";
    if (shown < trace_.coordinates.size())
      text += fmt::format(" {} more coordinates are in trace.csv; clack plot draws them.",
                          trace_.coordinates.size() - shown);
    return section("Motion", text, body);
  }

  std::string forces() const {
    std::string body;
    std::size_t shown = 0, more = 0;
    std::vector<std::string> entries = trace_.contacts;
    entries.insert(entries.end(), trace_.pairs.begin(), trace_.pairs.end());
    for (const std::string& contact : entries) {
      std::vector<Series> series;
      bool is_loaded = false;
      for (const char* kind : {"normal_", "tangent_", "tangent1_", "tangent2_"}) {
        const auto index = find_column(trace_, kind + contact);
        if (!index) continue;
        const std::string what(kind);
        series.push_back({what.substr(0, what.size() - 1), time_, column(trace_, *index),
                          number_of(series), false});
        for (const double value : series.back().y)
          is_loaded = is_loaded || (std::isfinite(value) && value != 0.0);
      }
      if (!is_loaded) continue;
      if (shown >= most_contacts) {
        ++more;
        continue;
      }
      ++shown;
      Plot plot = time_plot(contact, std::move(series), 364.0, 180.0);
      plot.has_legend = true;
      body += plot_svg(plot);
    }
    if (body.empty()) return "";
    return section("Contact forces",
                   "In N, while the contact is closed." +
                       (more > 0 ? fmt::format(" {} more contacts are in trace.csv.", more) : ""),
                   "<div class=\"row\">" + body + "</div>\n");
  }

  /// T + V - (T_0 + V_0) - work of everything else: zero but for errors of the run.
  std::string check_plot() const {
    const auto index = find_column(trace_, "check");
    if (!index) return "";
    return plot_svg(time_plot("check in J: energy minus start minus all works",
                              {{"check", time_, column(trace_, *index), 0, false}}, 740.0, 160.0));
  }

  std::string energy() const {
    std::vector<Series> series;
    for (const char* name : {"kinetic", "potential", "total"})
      if (const auto index = find_column(trace_, name))
        series.push_back({name, time_, column(trace_, *index), number_of(series), false});
    std::string body =
        "<div class=\"pair\"><div class=\"card\">" + ledger_table(trace_.energy) + "</div>";
    if (!series.empty() && trace_.row_count() > 0) {
      Plot plot = time_plot("energy in J", std::move(series), 740.0, 300.0);
      plot.has_legend = true;
      body += "<div class=\"card\">" + plot_svg(plot) + check_plot() + "</div>";
    }
    return section("Energy", "", body + "</div>\n");
  }

  std::string events() const { return section("Events", "", events_table(trace_)); }
  std::string impacts() const {
    return trace_.impacts.empty() ? "" : section("Impacts", "", impacts_table(trace_));
  }

  const Trace& trace_;
  const Drawing& drawing_;
  Detail detail_;
  std::vector<double> time_;
};

}  // namespace
}  // namespace report

std::string report_html(const Trace& trace, const Drawing& drawing) {
  return report::Page(trace, drawing).html();
}

}  // namespace clack
