// SPDX-License-Identifier: Apache-2.0
#include "clack/report/comparison.hpp"

#include <fmt/format.h>

#include "clack/index.hpp"
#include "clack/report/animation.hpp"
#include "clack/report/certificates.hpp"
#include "clack/report/curves.hpp"
#include "clack/report/manual.hpp"
#include "clack/report/markup.hpp"
#include "clack/report/page_frame.hpp"
#include "clack/report/plot.hpp"
#include "clack/report/recorded.hpp"
#include "clack/report/tables.hpp"
#include "clack/report/viewer.hpp"
#include "clack/trace/difference.hpp"
#include "clack/trace/event_table.hpp"

namespace clack {
namespace report {
namespace {

constexpr std::size_t most_compared = 24;          // coordinates and speeds with a plot
constexpr std::size_t most_compared_events = 400;  // rows of the table
constexpr double compared_curves = 2.2e6;          // bytes of all lines as they were recorded
constexpr int compared_columns = 500;

class ComparisonPage {
 public:
  ComparisonPage(const std::string& model, const std::vector<ComparedRun>& runs)
      : model_(model), curves_(1.0) {
    for (const ComparedRun& run : runs) {
      if (run.refusal.empty()) runs_.push_back(&run);
      all_.push_back(&run);
    }
    const double lines = static_cast<double>(
        runs_.empty() ? 1 : runs_.size() * (std::min(2 * most_compared, columns().size()) + 2));
    curves_ = CurveStore(compared_curves / lines);
  }

  std::string html() {
    std::string body = head();
    if (!runs_.empty()) body += motion() + partings() + plots() + events();
    return page_frame(model_, body + manual_section() + curves_.script(),
                      std::string(animation_script()));
  }

 private:
  std::string head() const {
    std::string html =
        "<header><h1>" + escape(model_) +
        "</h1>\n<p class=\"file\">Every run gets the same numbers: the same start, friction and "
        "restitution, each theory reads them in its own sense.</p>\n</header>\n"
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"key "
        "figures\"><table><thead><tr><th></th>";
    for (std::size_t k = 0; k < all_.size(); ++k)
      html += fmt::format("<th>{}{}</th>", key(*all_[k]), escape(all_[k]->name));
    html += "</tr></thead><tbody>\n";
    const auto row = [&](const char* name, const auto& cell) {
      html += fmt::format("<tr><td class=\"soft\">{}</td>", name);
      for (const ComparedRun* run : all_)
        html += "<td>" + (run->refusal.empty() ? cell(*run) : std::string("–")) + "</td>";
      html += "</tr>\n";
    };
    html += "<tr><td class=\"soft\">status</td>";
    for (const ComparedRun* run : all_)
      html += "<td>" +
              (run->refusal.empty()
                   ? std::string(to_string(run->trace.status)) + " " + escape(run->trace.reason)
                   : "refused: " + escape(run->refusal)) +
              "</td>";
    html += "</tr>\n";
    row("impact law",
        [](const ComparedRun& r) { return escape(r.trace.impact + ": " + r.assumes); });
    row("formulation, decision",
        [](const ComparedRun& r) { return escape(r.trace.formulation + ", " + r.trace.decision); });
    row("integrator, tolerance", [](const ComparedRun& r) {
      return escape(r.trace.integrator) + ", " + pretty(r.trace.tolerance);
    });
    row("events", [](const ComparedRun& r) { return std::to_string(r.trace.counts.events); });
    row("impacts", [](const ComparedRun& r) { return std::to_string(r.trace.counts.impacts); });
    row("energy at the end in J",
        [](const ComparedRun& r) { return pretty(r.trace.energy.final); });
    row("lost to friction in J",
        [](const ComparedRun& r) { return pretty(0.0 - r.trace.energy.work_of_friction); });
    row("lost at impacts in J",
        [](const ComparedRun& r) { return pretty(0.0 - r.trace.energy.work_of_impacts); });
    row("ledger error",
        [](const ComparedRun& r) { return pretty(r.trace.energy.ledger_error, 2); });
    row("flags", [](const ComparedRun& r) {
      std::string text;
      for (const std::string& flag : r.trace.flags) text += flag_label(flag);
      return text;
    });
    return html + "</tbody></table></div>\n";
  }

  int colour(const ComparedRun& run) const {
    for (int k = 0; k < number_of(all_); ++k)
      if (all_[k] == &run) return k;
    return 0;
  }
  std::string key(const ComparedRun& run) const {
    return fmt::format("<span class=\"dot\" style=\"background:var(--c{})\"></span>",
                       colour(run) % 8);
  }

  std::string motion() const {
    std::string stages, pictures;
    int dimension = 2, shown = 0;
    for (const ComparedRun* run : runs_) {
      if (run->drawing.empty()) continue;
      dimension = run->drawing.dimension;
      const std::string id = fmt::format("pictures-{}", shown);
      stages += fmt::format(
          "<figure><figcaption>{}{}</figcaption><canvas id=\"stage-{}\" class=\"stage\" "
          "data-pictures=\"{}\" "
          "tabindex=\"0\" role=\"img\" aria-label=\"animation, {}\"></canvas></figure>",
          key(*run), escape(run->name), shown++, id, escape(run->name));
      pictures += pictures_script(run->trace, run->drawing, id);
    }
    if (shown == 0) return "";
    const std::string space = space_element(dimension);
    if (dimension == 3 && space_code().empty()) return page_section("The motions", "", space);
    return page_section("The motions", "",
                        "<div class=\"card\"><div class=\"stages\">" + stages + "</div>\n" +
                            animation_controls() + "</div>\n" + animation_help(dimension) +
                            pictures + space);
  }

  static std::string event_words(const Trace& trace, std::size_t k) {
    if (k >= trace.events.size()) return "no further event";
    const TraceEvent& event = trace.events[k];
    std::string text = fmt::format("{} {} at {} s", to_string(event.kind),
                                   describe_contacts(trace, event), pretty(event.t, 9));
    const std::string changes = describe_changes(trace, event, 4, "→");
    return changes.empty() ? text : text + ", " + changes;
  }

  /// Where and why each run parts from the first.
  std::string partings() const {
    std::string body = "<ul class=\"words\">\n";
    const ComparedRun& first = *runs_.front();
    for (std::size_t k = 1; k < runs_.size(); ++k) {
      const ComparedRun& other = *runs_[k];
      const auto difference = first_difference(first.trace, other.trace);
      body += fmt::format("<li>{}<b>{}</b> and {}<b>{}</b> ", key(first), escape(first.name),
                          key(other), escape(other.name));
      if (!difference) {
        body += fmt::format("have the same events, to {}.</li>\n", pretty(events_alike, 1));
        continue;
      }
      body += fmt::format("part at event {}, in: {}.<br/>{}: {}.<br/>{}: {}.", difference->event,
                          escape(difference->what), escape(first.name),
                          escape(event_words(first.trace, difference->event)), escape(other.name),
                          escape(event_words(other.trace, difference->event)));
      if (!difference->quantity.empty())
        body += fmt::format("<br/>{} is {} and {}.", escape(difference->quantity),
                            pretty(difference->first, 9), pretty(difference->other, 9));
      if (first.trace.impact != other.trace.impact)
        body += fmt::format("<br/>What their laws assume: {} takes {}; {} takes {}.",
                            escape(first.trace.impact), escape(first.assumes),
                            escape(other.trace.impact), escape(other.assumes));
      body += "</li>\n";
    }
    return runs_.size() < 2 ? "" : page_section("Where they part", "", body + "</ul>\n");
  }

  std::vector<std::string> columns() const {
    std::vector<std::string> names = runs_.front()->trace.coordinates;
    const auto& speeds = runs_.front()->trace.speeds;
    names.insert(names.end(), speeds.begin(), speeds.end());
    return names;
  }
  std::string overlaid(const std::string& column, const std::string& title) {
    Plot plot;
    plot.title = title;
    plot.x_label = "t in s";
    plot.width = 364.0;
    plot.is_linked = true;
    plot.columns = compared_columns;
    double last = 0.0;
    for (const ComparedRun* run : runs_) {
      const RecordedLine line = Recorded(run->trace).line(column);
      if (line.t.empty()) continue;
      last = std::max(last, run->trace.final_time);
      plot.series.push_back({run->name, line.t, line.y, colour(*run), false,
                             curves_.add(run->name + " " + column, line.t, line.y)});
    }
    plot.x_range = range_of(std::array{0.0, last});
    return plot.series.empty() ? "" : plot_svg(plot);
  }
  std::string plots() {
    std::string body = "<div class=\"row\">";
    const std::vector<std::string> names = columns();
    const std::size_t shown = std::min(names.size(), 2 * most_compared);
    for (std::size_t k = 0; k < shown; ++k) body += overlaid(names[k], names[k]);
    body += overlaid("total", "total energy in J") + overlaid("kinetic", "kinetic energy in J");
    std::string text =
        "Drag to zoom all of them, double-click to see everything again; a click sets the time "
        "everywhere.";
    if (shown < names.size())
      text += fmt::format(" {} more columns are not drawn.", names.size() - shown);
    return page_section("Overlaid", text, body + "</div>\n");
  }

  std::string events() const {
    std::size_t rows = 0;
    for (const ComparedRun* run : runs_) rows = std::max(rows, run->trace.events.size());
    const std::size_t shown = std::min(rows, most_compared_events);
    std::string html =
        "<div class=\"tools\"><input type=\"search\" data-table=\"events\" placeholder=\"filter, "
        "e.g. impact\" "
        "aria-label=\"filter\"/><span class=\"soft\" id=\"events-count\"></span></div>"
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"events\"><table "
        "id=\"events\"><thead><tr><th class=\"n\">#</th>";
    for (const ComparedRun* run : runs_)
      html += fmt::format("<th>{}{}</th><th class=\"n\">energy change in J</th>", key(*run),
                          escape(run->name));
    html += "</tr></thead><tbody>\n";
    for (std::size_t k = 0; k < shown; ++k) {
      const auto& events = runs_.front()->trace.events;
      const double t = k < events.size() ? events[k].t : runs_.front()->trace.final_time;
      html += fmt::format(
          "<tr data-t=\"{:.15g}\" data-first=\"0\" data-count=\"0\"><td class=\"n\"><button "
          "type=\"button\" "
          "class=\"link\" title=\"go there\">{}</button></td>",
          t, k);
      for (const ComparedRun* run : runs_) {
        const Trace& trace = run->trace;
        const bool has = k < trace.events.size();
        const bool is_impact = has && trace.events[k].impacts > 0;
        html += "<td>" + (has ? escape(event_words(trace, k)) : "") + "</td><td class=\"n\">" +
                (is_impact ? pretty(impact_sum(trace, trace.events[k]).energy_change, 5) : "") +
                "</td>";
      }
      html += "</tr>\n";
    }
    html += "</tbody></table></div>\n";
    if (shown < rows)
      html += fmt::format("<p class=\"soft\">{} more events are not shown.</p>\n", rows - shown);
    return page_section("Events side by side", "", html);
  }

  std::string model_;
  std::vector<const ComparedRun*> all_, runs_;  // all; those that ran
  CurveStore curves_;
};

}  // namespace
}  // namespace report

std::string comparison_html(const std::string& model, const std::vector<ComparedRun>& runs) {
  return report::ComparisonPage(model, runs).html();
}

}  // namespace clack
