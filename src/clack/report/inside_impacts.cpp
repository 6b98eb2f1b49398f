// SPDX-License-Identifier: Apache-2.0
#include "clack/report/inside_impacts.hpp"

#include <fmt/format.h>

#include "clack/report/markup.hpp"
#include "clack/report/plot.hpp"
#include "clack/report/tables.hpp"

namespace clack::report {
namespace {

constexpr std::size_t most_inner_impacts = 4;     // on the page; all are in histories.json
constexpr std::size_t most_inner_members = 6;     // contacts with lines of their own
constexpr std::size_t most_history_rows = 4'000;  // of a history

/// The columns of a history. Impulse: the progress of every event goes on from the end of the one
/// before; time runs through the whole impact.
class InnerHistory {
 public:
  explicit InnerHistory(const ImpactHistory& history) : history_(history) {
    const std::size_t rows = history.rows.size(), step = 1 + rows / most_history_rows;
    double offset = 0.0, last = 0.0;
    int event = 0;
    for (std::size_t k = 0; k < rows; ++k) {
      const int own = static_cast<int>(history.rows[k][0]);
      if (own != event && progress_name() == "impulse") offset += last;
      event = own;
      last = history.rows[k][1];
      if (k % step != 0 && k + 1 != rows) continue;
      shown_.push_back(k);
      progress_.push_back(offset + last);
    }
  }

  const std::vector<double>& progress() const { return progress_; }
  const std::string& progress_name() const { return history_.columns[1]; }
  bool is_over_time() const { return progress_name() == "time"; }
  bool has(const std::string& name) const { return find(name) < history_.columns.size(); }
  std::vector<double> column(const std::string& name) const {
    const std::size_t index = find(name);
    std::vector<double> values;
    for (const std::size_t k : shown_) values.push_back(history_.rows[k][index]);
    return values;
  }
  /// Of a vector with two columns.
  std::vector<double> size_of(const std::string& quantity, const std::string& name) const {
    std::vector<double> first = column(quantity + "1_" + name);
    const std::vector<double> second = column(quantity + "2_" + name);
    for (std::size_t k = 0; k < first.size(); ++k) first[k] = std::hypot(first[k], second[k]);
    return first;
  }
  /// Contacts that took part at some time.
  std::vector<std::string> members() const {
    std::vector<std::string> names;
    for (const std::string& name : history_.columns) {
      if (name.rfind("status_", 0) != 0) continue;
      const std::vector<double> status = column(name);
      if (std::any_of(status.begin(), status.end(), [](double s) { return s > 0.0; }))
        names.push_back(name.substr(7));
    }
    return names;
  }

 private:
  std::size_t find(const std::string& name) const {
    return std::find(history_.columns.begin(), history_.columns.end(), name) -
           history_.columns.begin();
  }
  const ImpactHistory& history_;
  std::vector<std::size_t> shown_;
  std::vector<double> progress_;
};

Plot plot_along(const InnerHistory& history, const std::string& title) {
  Plot plot;
  plot.title = title;
  plot.x_label = history.is_over_time() ? "impact time, 0 to 1" : "impulse in N s";
  plot.width = 364.0;
  plot.height = 220.0;
  plot.has_legend = true;
  return plot;
}

/// Marks: lowest point of each event, ends of stretches (rows that repeat their place), its end.
void mark_work(const InnerHistory& history, const std::vector<double>& work, Plot& plot) {
  const std::vector<double> event = history.column("event"), &x = history.progress();
  std::size_t lowest = 0;
  for (std::size_t k = 0; k < work.size(); ++k) {
    const bool is_first = k == 0 || event[k] != event[k - 1];
    const bool is_last = k + 1 == work.size() || event[k + 1] != event[k];
    if (is_first || work[k] < work[lowest]) lowest = k;
    if (history.is_over_time()) continue;
    if (!is_first && x[k] == x[k - 1]) plot.marks.push_back({x[k], work[k], ""});
    if (!is_last) continue;
    if (lowest != k) plot.marks.push_back({x[lowest], work[lowest], "C"});
    plot.marks.push_back({x[k], work[k], "F"});
  }
}

std::string draw_work(const InnerHistory& history) {
  Plot plot = plot_along(history, "work and kinetic energy in J");
  const std::vector<double> work = history.column("work");
  plot.series.push_back({"work of normal impulses", history.progress(), work, 0, false});
  plot.series.push_back({"kinetic", history.progress(), history.column("kinetic"), 1, true});
  mark_work(history, work, plot);
  return plot_svg(plot);
}

/// Stretches in which a contact sticks.
void shade_sticking(const InnerHistory& history, const std::string& contact, int colour,
                    Plot& plot) {
  const std::vector<double> status = history.column("status_" + contact), &x = history.progress();
  for (std::size_t k = 1; k < status.size(); ++k)
    if (status[k] == 1.0 && status[k - 1] == 1.0 && x[k] > x[k - 1]) {
      if (!plot.bands.empty() && plot.bands.back().colour == colour &&
          plot.bands.back().end == x[k - 1])
        plot.bands.back().end = x[k];
      else
        plot.bands.push_back({x[k - 1], x[k], colour});
    }
}

std::string draw_motion(const InnerHistory& history, const std::vector<std::string>& members) {
  Plot rates = plot_along(history, "gap rates in m/s"), slips = plot_along(history, "slips in m/s");
  std::string paths;
  for (std::size_t i = 0; i < std::min(members.size(), most_inner_members); ++i) {
    const std::string& name = members[i];
    const int colour = static_cast<int>(i);
    rates.series.push_back(
        {name, history.progress(), history.column("gap_rate_" + name), colour, false});
    if (history.has("slip_" + name)) {
      slips.series.push_back(
          {name, history.progress(), history.column("slip_" + name), colour, false});
      shade_sticking(history, name, colour, slips);
      continue;
    }
    slips.series.push_back(
        {name, history.progress(), history.size_of("slip", name), colour, false});
    shade_sticking(history, name, colour, slips);
    Plot path = plot_along(history, "slip of " + name + " in m/s");
    path.x_label = "slip1";
    path.is_over_time = false;
    path.has_legend = false;
    path.series.push_back(
        {name, history.column("slip1_" + name), history.column("slip2_" + name), colour, false});
    paths += plot_svg(path);
  }
  return plot_svg(rates) + (slips.series.empty() ? "" : plot_svg(slips)) + paths;
}

/// Law lzb: what the springs of the contacts carry and keep.
std::string draw_springs(const InnerHistory& history, const std::vector<std::string>& members) {
  if (!history.is_over_time()) return "";
  Plot force = plot_along(history, "normal force: N s per unit of impact time");
  Plot impulse = plot_along(history, "normal impulse in N s");
  Plot stored = plot_along(history, "energy stored in J");
  for (std::size_t i = 0; i < std::min(members.size(), most_inner_members); ++i) {
    const std::string& name = members[i];
    const auto add = [&](Plot& plot, const std::string& quantity) {
      plot.series.push_back(
          {name, history.progress(), history.column(quantity + name), static_cast<int>(i), false});
    };
    add(force, "force_");
    add(impulse, "normal_impulse_");
    add(stored, "stored_");
  }
  return plot_svg(force) + plot_svg(impulse) + plot_svg(stored);
}

std::string inner_events(const Trace& trace, const TraceImpact& impact) {
  std::string html =
      "<table><thead><tr><th>event</th><th>contacts</th><th>e</th><th>normal work / J</th>"
      "<th>compression / J</th><th>friction / J</th><th>impulse / N s</th><th>energy before / "
      "J</th>"
      "<th>after / J</th></tr></thead><tbody>\n";
  double energy = impact.energy_before;
  constexpr std::size_t most_events = 30;
  for (std::size_t k = 0; k < std::min(impact.events.size(), most_events); ++k) {
    const ImpactEvent& event = impact.events[k];
    std::string names;
    for (const int contact : event.contacts)
      names += (names.empty() ? "" : ", ") + trace.contacts.at(contact);
    html += fmt::format("<tr><td>{}</td><td>{}</td>", k + 1, escape(names));
    for (const double x :
         {event.restitution, event.normal_work, event.compression_work, event.tangential_work,
          event.terminal_impulse, energy, event.energy_after})
      html += "<td>" + pretty(x) + "</td>";
    html += "</tr>\n";
    energy = event.energy_after;
  }
  html += "</tbody></table>\n";
  if (impact.events.size() > most_events)
    html += fmt::format("<p class=\"soft\">{} more events are in events.json.</p>\n",
                        impact.events.size() - most_events);
  return html;
}

}  // namespace

std::string inside_impacts(const Trace& trace) {
  std::string html;
  std::size_t shown = 0, more = 0;
  for (std::size_t k = 0; k < trace.impacts.size(); ++k) {
    const TraceImpact& impact = trace.impacts[k];
    if (impact.history.rows.empty()) continue;
    if (shown == most_inner_impacts) {
      ++more;
      continue;
    }
    ++shown;
    const InnerHistory history(impact.history);
    html += fmt::format("<h3>impact {} at t = {} s</h3>\n<div class=\"card\">{}</div>\n", k,
                        pretty(impact.t, 9), inner_events(trace, impact));
    const std::vector<std::string> members = history.members();
    html += "<div class=\"row\">" + draw_work(history) + draw_springs(history, members) +
            draw_motion(history, members) + "</div>\n";
  }
  if (shown == 0) return "";
  std::string text =
      "C: end of compression, F: end of the event, dots between: a slip ended; shaded: the contact "
      "of this colour sticks.";
  if (more > 0) text += fmt::format(" {} more impacts are in histories.json.", more);
  return "<section><h2>Inside the impacts</h2>\n<p class=\"soft\">" + text + "</p>\n" + html +
         "</section>\n";
}

}  // namespace clack::report
