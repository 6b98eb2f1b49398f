// SPDX-License-Identifier: Apache-2.0
#include "clack/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "clack/index.hpp"
#include "clack/report/animation.hpp"
#include "clack/report/certificates.hpp"
#include "clack/report/curves.hpp"
#include "clack/report/inside_impacts.hpp"
#include "clack/report/manual.hpp"
#include "clack/report/markup.hpp"
#include "clack/report/measures.hpp"
#include "clack/report/mode_strip.hpp"
#include "clack/report/page_frame.hpp"
#include "clack/report/plot.hpp"
#include "clack/report/recorded.hpp"
#include "clack/report/tables.hpp"
#include "clack/report/viewer.hpp"
#include "clack/report/visited.hpp"

namespace clack {
namespace report {
namespace {

constexpr std::size_t most_rows = 48;      // coordinates with plots of their own
constexpr std::size_t most_contacts = 16;  // contacts with a plot of their forces
constexpr std::size_t most_hodographs = 6;
constexpr std::size_t most_locations = 24;  // of the automaton
constexpr double byte_budget = 0.9e6;       // for all lines of the page as they are first seen
constexpr double curve_budget = 0.7e6;      // for the same lines as they were recorded

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

/// Pairs of speeds whose point against each other is a hodograph: both components of the velocity of a body, in space
/// also x against z; of a model with coordinates of its own its first two speeds.
std::vector<std::array<std::string, 2>> hodographs_of(const Trace& trace) {
  std::vector<std::array<std::string, 2>> pairs;
  const auto has = [&](const std::string& name) {
    return std::find(trace.speeds.begin(), trace.speeds.end(), name) != trace.speeds.end();
  };
  const auto add = [&](const std::string& name, std::string_view x,
                       const std::initializer_list<std::string_view> others) {
    if (!name.ends_with(x)) return;
    const std::string body = name.substr(0, name.size() - x.size());
    for (const std::string_view other : others)
      if (const std::string second = body + std::string(other); has(second))
        pairs.push_back({name, second});
  };
  for (const std::string& name : trace.speeds) {
    add(name, "x_dot", {"y_dot"});
    add(name, ".vx", {".vy", ".vz"});
  }
  if (pairs.empty() && trace.speeds.size() > 1) pairs.push_back({trace.speeds[0], trace.speeds[1]});
  if (pairs.size() > most_hodographs) pairs.resize(most_hodographs);
  return pairs;
}

/// How finely lines are drawn so that the page stays small.
struct Detail {
  int columns = 1400;
  std::size_t points = 6000;
  double curve = 0.0;  // bytes of one line as it was recorded

  explicit Detail(const Trace& trace) {
    const double rows = static_cast<double>(
        std::min(trace.coordinates.size() + trace.speeds.size(), 2 * most_rows));
    const double contacts = static_cast<double>(std::min(trace.contacts.size(), most_contacts));
    const double lines =
        rows + detail_numbers.lines_per_contact * contacts + detail_numbers.energy_lines;
    curve = curve_budget / lines;
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
      : trace_(trace), drawing_(drawing), detail_(trace), recorded_(trace), curves_(detail_.curve) {
    const RecordedLine time = recorded_.line("t");
    span_ = range_of(time.y);
  }

  std::string html() {
    std::string body = header() + animation_section(trace_, drawing_) + trust() + cycle();
    for (const auto part : {&Page::modes, &Page::motion, &Page::hodographs, &Page::gaps,
                            &Page::forces, &Page::energy, &Page::events, &Page::impacts})
      body += (this->*part)();
    body += inside_impacts(trace_) + precision() + manual_section();
    body += curves_.script();  // of the lines that the parts before have added
    return page_frame(trace_.model, body, drawing_.empty() ? "" : std::string(animation_script()));
  }

 private:
  static std::string fact(const std::string& name, const std::string& value) {
    return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, escape(value));
  }

  static std::string section(const std::string& title, const std::string& text,
                             const std::string& body) {
    return page_section(title, text, body);
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

  /// How far the lines of the zoomed plots are from what was recorded.
  std::string precision() const {
    if (!(curves_.error() > 1e-4)) return "";
    return fmt::format(
        "<p class=\"soft\">Lines are drawn to {} of their range; trace.csv has every row.</p>\n",
        pretty(curves_.error(), 1));
  }

  std::string trust() const {
    return section("Certificates and warnings", "How far these numbers can be trusted.",
                   certificate_words(trace_));
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

  std::string modes() {
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
    const VisitedAutomaton automaton = visited_automaton(trace_);
    std::string body = strip.svg.empty() ? "" : "<div class=\"card\">" + strip.svg + "</div>\n";
    body += modes_script(trace_, strip, automaton.of_mode);
    std::string html = section("The mode over time", text, body);
    if (automaton.locations.size() < 2) return html;
    const std::size_t left_out =
        automaton.locations.size() - std::min(automaton.locations.size(), most_locations);
    std::string words =
        fmt::format("{} locations; visits, time spent there, and how often each way was taken.",
                    automaton.locations.size());
    if (left_out > 0)
      words += fmt::format(" The {} with the most visits are drawn.", most_locations);
    return html + section("The automaton as it was visited", words,
                          "<div class=\"card wide\">" + draw_automaton(automaton, most_locations) +
                              "</div>\n");
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
    plot.x_range = span_;
    return plot;
  }

  /// A column as a line of a plot over time, which the page also has as it was recorded.
  Series series_of(const std::string& column, const std::string& name, int colour) {
    const RecordedLine line = recorded_.line(column);
    return {name, line.t, line.y, colour, false, curves_.add(column, line.t, line.y)};
  }

  std::string over_time(const std::string& name, int colour) {
    if (!recorded_.has(name)) return "<div></div>";
    return plot_svg(time_plot(name, {series_of(name, name, colour)}, 364.0, 200.0));
  }

  std::string portrait(const std::string& coordinate, const std::string& speed) {
    if (!recorded_.has(coordinate) || !recorded_.has(speed)) return "<div></div>";
    Series x = series_of(coordinate, coordinate, 0), y = series_of(speed, speed, 0);
    Plot plot;
    plot.title = speed + " against " + coordinate;
    plot.x_label = coordinate;
    plot.width = detail_numbers.phase_width;
    plot.height = detail_numbers.phase_height;
    plot.is_over_time = false;
    plot.most_points = detail_.points;
    Series last{"last period", {}, {}, 2, false, y.curve, x.curve};
    for (std::size_t k = 0; trace_.cycle && k < x.x.size(); ++k) {
      if (x.x[k] < trace_.cycle->begin || x.x[k] > trace_.cycle->end) continue;
      last.x.push_back(x.y[k]);
      last.y.push_back(y.y[k]);
    }
    plot.series.push_back(
        {"all", std::move(x.y), std::move(y.y), 2, trace_.cycle.has_value(), y.curve, x.curve});
    if (trace_.cycle) plot.series.push_back(std::move(last));
    return plot_svg(plot);
  }

  std::string motion() {
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
        "Drag over a time plot to zoom all of them, or click it and use the wheel; with shift "
        "dragging moves; double-click "
        "shows everything again. Keys: + and - zoom, left and right move, 0 returns. A click sets "
        "the time everywhere. "
        "Zoomed far in, dots are what was recorded.";
    if (trace_.cycle) text += " In the phase portraits the last period stands out.";
    if (shown < trace_.coordinates.size())
      text += fmt::format(" {} more coordinates are in trace.csv; clack plot draws them.",
                          trace_.coordinates.size() - shown);
    return section("Motion", text, body);
  }

  std::string hodographs() {
    std::string body;
    for (const auto& [x, y] : hodographs_of(trace_)) body += portrait(x, y);
    if (body.empty() || trace_.row_count() == 0) return "";
    return section("Hodographs", "Velocities against each other; an impact is a chord.",
                   "<div class=\"row\">" + body + "</div>\n");
  }

  std::string gaps() {
    std::string body;
    std::size_t shown = 0, more = 0;
    std::vector<std::string> entries = trace_.contacts;
    entries.insert(entries.end(), trace_.pairs.begin(), trace_.pairs.end());
    for (const std::string& contact : entries) {
      const std::string column = "gap_" + contact;
      if (!recorded_.has(column)) continue;
      const RecordedLine line = recorded_.line(column);
      if (std::ranges::none_of(line.y,
                               [](double value) { return std::isfinite(value) && value != 0.0; }))
        continue;
      if (shown >= most_contacts) {
        ++more;
        continue;
      }
      ++shown;
      body += plot_svg(time_plot(contact, {series_of(column, column, 0)}, 364.0, 160.0));
    }
    if (body.empty()) return "";
    return section("Gaps",
                   "In m; zero where closed." +
                       (more > 0 ? fmt::format(" {} more are in trace.csv.", more) : ""),
                   "<div class=\"row\">" + body + "</div>\n");
  }

  std::string forces() {
    std::string body;
    std::size_t shown = 0, more = 0;
    std::vector<std::string> entries = trace_.contacts;
    entries.insert(entries.end(), trace_.pairs.begin(), trace_.pairs.end());
    for (const std::string& contact : entries) {
      std::vector<Series> series;
      bool is_loaded = false;
      for (const char* kind : {"normal_", "tangent_", "tangent1_", "tangent2_"}) {
        if (!recorded_.has(kind + contact)) continue;
        const std::string what(kind);
        const RecordedLine line = recorded_.line(kind + contact);
        series.push_back(
            {what.substr(0, what.size() - 1), line.t, line.y, number_of(series), false});
        for (const double value : series.back().y)
          is_loaded = is_loaded || (std::isfinite(value) && value != 0.0);
      }
      if (!is_loaded) continue;
      if (shown >= most_contacts) {
        ++more;
        continue;
      }
      ++shown;
      for (Series& one : series) one.curve = curves_.add(one.name + "_" + contact, one.x, one.y);
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
  std::string check_plot() {
    if (!recorded_.has("check")) return "";
    return plot_svg(time_plot("check in J: energy minus start minus all works",
                              {series_of("check", "check", 0)}, 740.0, 160.0));
  }

  std::string energy() {
    std::vector<Series> series;
    for (const char* name : {"kinetic", "potential", "total"})
      if (recorded_.has(name)) series.push_back(series_of(name, name, number_of(series)));
    std::string body =
        "<div class=\"pair\"><div class=\"card\">" + ledger_table(trace_.energy) + "</div>";
    if (!series.empty() && trace_.row_count() > 0) {
      Plot plot = time_plot("energy in J", std::move(series), 740.0, 300.0);
      plot.has_legend = true;
      body += "<div class=\"card\">" + plot_svg(plot) + check_plot() + "</div>";
    }
    return section("Energy", "", body + "</div>\n");
  }

  std::string events() { return section("Events", "", events_table(trace_)); }
  std::string impacts() {
    return trace_.impacts.empty() ? "" : section("Impacts", "", impacts_table(trace_));
  }

  const Trace& trace_;
  const Drawing& drawing_;
  Detail detail_;
  Recorded recorded_;
  CurveStore curves_;
  Range span_;
};

}  // namespace
}  // namespace report

std::string report_html(const Trace& trace, const Drawing& drawing) {
  return report::Page(trace, drawing).html();
}

}  // namespace clack
