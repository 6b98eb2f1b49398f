// SPDX-License-Identifier: Apache-2.0
#include "clack/report/tables.hpp"

#include <fmt/format.h>

#include "clack/contact/report.hpp"
#include "clack/report/certificates.hpp"
#include "clack/report/markup.hpp"
#include "clack/report/scale.hpp"
#include "clack/trace/event_table.hpp"

namespace clack::report {
namespace {

/// Which rows of a long table are shown: three quarters from its beginning, the rest from its end.
struct Shown {
  std::size_t first = 0, last = 0;  // rows [first, last) are left out
  Shown(std::size_t count, std::size_t most) : first(count), last(count) {
    if (count <= most) return;
    first = most - most / 4;
    last = count - most / 4;
  }
  bool has(std::size_t k) const { return k < first || k >= last; }
};

std::string number_cell(const std::string& text) { return "<td class=\"n\">" + text + "</td>"; }
std::string text_cell(const std::string& text) { return "<td>" + text + "</td>"; }

std::string left_out_row(const Shown& shown, int columns) {
  return fmt::format(
      "<tr><td class=\"soft\" colspan=\"{}\">{} more rows are in events.json</td></tr>", columns,
      shown.last - shown.first);
}

std::string kind_cell(const TraceEvent& event) {
  const std::string_view kind = to_string(event.kind);
  return fmt::format("<td><span class=\"dot {0}\"></span>{0}</td>", kind);
}

std::string impact_cells(const Trace& trace, const TraceEvent& event) {
  if (event.impacts == 0) return "<td></td><td></td>";
  const ImpactSum sum = impact_sum(trace, event);
  return number_cell(pretty(sum.normal_impulse, 5)) + number_cell(pretty(sum.energy_change, 4));
}

/// The largest violation of any law at an event, impacts included.
std::string worst_cell(const Trace& trace, const TraceEvent& event) {
  double worst = 0.0;
  const auto take = [&](const Certificate& certificate) {
    for (const double number : numbers_of(certificate))
      if (!(number <= worst)) worst = number;
  };
  take(event.certificate);
  for (std::size_t k = 0; k < event.impacts; ++k)
    take(trace.impacts.at(event.first_impact + k).certificate);
  return worst != 0.0 ? pretty(worst, 2) : "";
}

/// Time, impacts and certificate of an event, for the script that unfolds its row.
std::string event_row_head(const Trace& trace, const TraceEvent& event) {
  Certificate all = event.certificate;
  for (std::size_t k = 0; k < event.impacts; ++k)
    all = largest_of(all, trace.impacts.at(event.first_impact + k).certificate);
  std::string numbers;
  for (const double number : numbers_of(all))
    numbers += (numbers.empty() ? "" : " ") + (number != 0.0 ? pretty(number, 2) : "0");
  return fmt::format(
      "<tr data-t=\"{:.15g}\" data-first=\"{}\" data-count=\"{}\" data-certificate=\"{}\">",
      event.t, event.first_impact, event.impacts, numbers);
}

/// One cell per law of a certificate.
std::string certificate_cells(const Certificate& c) {
  std::string cells;
  for (const double violation :
       {c.penetration, c.adhesion, c.complementarity, c.cone, c.bilateral, c.residual})
    cells += number_cell(violation != 0.0 ? pretty(violation, 2) : "");
  return cells;
}

constexpr std::string_view certificate_heads =
    "<th class=\"n\">penetration</th><th class=\"n\">adhesion</th><th "
    "class=\"n\">complementarity</th>"
    "<th class=\"n\">cone</th><th class=\"n\">bilateral</th><th class=\"n\">residual</th>";

std::string search_box(const std::string& table, const std::string& hint) {
  return fmt::format(
      "<div class=\"tools\"><input type=\"search\" data-table=\"{0}\" placeholder=\"{1}\" "
      "aria-label=\"{1}\"/>"
      "<span class=\"soft\" id=\"{0}-count\"></span></div>",
      table, hint);
}

/// Below the event it begins with.
std::string report_jam_row(const Trace& trace, const TraceJam& jam) {
  std::string contacts;
  for (const int c : jam.contacts)
    contacts += (contacts.empty() ? "" : ", ") + trace.contacts.at(c);
  return "<tr>" + number_cell("") + number_cell(fmt::format("{:.9f}", jam.t)) +
         text_cell("<span class=\"dot stick\"></span>jam") + text_cell(escape(contacts)) +
         text_cell(escape(describe_jam(jam))) + "<td colspan=\"4\"></td></tr>\n";
}

std::string join_pretty(const std::vector<double>& values, int digits) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + pretty(value, digits);
  return text;
}

std::string impact_row(const Trace& trace, const TraceImpact& impact, std::size_t number) {
  std::string names, normal, tangent, flags;
  for (std::size_t k = 0; k < impact.contacts.size(); ++k) {
    const std::string line = k == 0 ? "" : "<br/>";
    names += line + escape(trace.contacts.at(impact.contacts[k]));
    if (k < impact.normal_impulse.size()) normal += line + pretty(impact.normal_impulse[k], 5);
    if (k < impact.tangent_impulse.size())
      tangent += line + join_pretty(impact.tangent_impulse[k], 5);
  }
  for (const std::string& flag : impact.flags) flags += flag_label(flag);
  return fmt::format("<tr data-impact=\"{}\">", number) +
         number_cell(fmt::format("{:.9f}", impact.t)) + text_cell(names) + number_cell(normal) +
         number_cell(tangent) + number_cell(pretty(impact.energy_before, 5)) +
         number_cell(pretty(impact.energy_after, 5)) + number_cell(pretty(impact.normal_work, 4)) +
         number_cell(pretty(impact.tangential_work, 4)) +
         number_cell(std::to_string(impact.iterations)) + certificate_cells(impact.certificate) +
         text_cell(flags) + "</tr>\n";
}

}  // namespace

std::string pretty(double number, int digits) {
  if (std::isnan(number)) return "–";
  std::string text = fmt::format("{:.{}g}", number, digits);
  const std::size_t power = text.find('e');
  if (power != std::string::npos) {
    const int exponent = std::stoi(text.substr(power + 1));
    text = text.substr(0, power) + power_of_ten(exponent);
  }
  if (text[0] == '-') text.replace(0, 1, "−");
  return text;
}

std::string events_table(const Trace& trace, std::size_t most) {
  const Shown shown(trace.events.size(), most);
  std::string html = search_box("events", "filter, e.g. impact lower");
  html +=
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"events\"><table "
      "id=\"events\"><thead><tr><th class=\"n\">#</th><th "
      "class=\"n\">t in s</th>"
      "<th>event</th><th>contacts</th><th>status</th><th class=\"n\">normal impulse in N s</th>"
      "<th class=\"n\">energy change in J</th><th class=\"n\">iterations</th><th class=\"n\">worst "
      "violation</th>"
      "</tr></thead><tbody>\n";
  for (std::size_t k = 0; k < trace.events.size(); ++k) {
    if (k == shown.first) html += left_out_row(shown, 9);
    if (!shown.has(k)) continue;
    const TraceEvent& event = trace.events[k];
    html +=
        event_row_head(trace, event) +
        number_cell(fmt::format("<button type=\"button\" class=\"link\" aria-expanded=\"false\" "
                                "title=\"go there, show more\">{}</button>",
                                k)) +
        number_cell(fmt::format("{:.9f}", event.t)) + kind_cell(event) +
        text_cell(escape(describe_contacts(trace, event, 12))) +
        text_cell(escape(describe_changes(trace, event, 12, "→"))) + impact_cells(trace, event) +
        number_cell(event.iterations > 0 ? std::to_string(event.iterations) : "") +
        number_cell(worst_cell(trace, event)) + "</tr>\n";
    for (const TraceJam* jam : jams_after(trace, k)) html += report_jam_row(trace, *jam);
  }
  return html + "</tbody></table></div>\n";
}

std::string impacts_table(const Trace& trace, std::size_t most) {
  const Shown shown(trace.impacts.size(), most);
  std::string html = search_box("impacts", "filter, e.g. a contact or a flag");
  html +=
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"impacts\"><table "
      "id=\"impacts\"><thead><tr><th class=\"n\">t in "
      "s</th><th>contact</th>"
      "<th class=\"n\">normal impulse in N s</th><th class=\"n\">tangential in N s</th>"
      "<th class=\"n\">energy before in J</th><th class=\"n\">after in J</th><th "
      "class=\"n\">normal work in J</th>"
      "<th class=\"n\">tangential in J</th><th "
      "class=\"n\">iterations</th>";
  html += certificate_heads;
  html += "<th>flags</th></tr></thead><tbody>\n";
  for (std::size_t k = 0; k < trace.impacts.size(); ++k) {
    if (k == shown.first) html += left_out_row(shown, 16);
    if (shown.has(k)) html += impact_row(trace, trace.impacts[k], k);
  }
  return html + "</tbody></table></div>\n";
}

std::string ledger_table(const EnergyLedger& energy) {
  const auto row = [](const char* name, double value, const char* kind) {
    return fmt::format("<tr{}><td>{}</td><td class=\"n\">{} J</td></tr>\n", kind, name,
                       pretty(value));
  };
  const double imbalance = energy.final - energy.initial - energy.work_of_forces -
                           energy.work_of_drives - energy.work_of_friction -
                           energy.work_of_impacts - energy.work_of_corners - energy.corrections;
  std::string html = "<table class=\"ledger\"><tbody>\n";
  html += row("at the start", energy.initial, "");
  html += row("work of applied forces", energy.work_of_forces, "");
  html += row("work of prescribed motion, drives and moving surfaces", energy.work_of_drives, "");
  html += row("work of friction", energy.work_of_friction, "");
  html += row("work of impacts, normal", energy.work_of_normal_impacts, "");
  html += row("work of impacts, tangential", energy.work_of_tangential_impacts, "");
  if (energy.work_of_corners != 0.0)
    html += row("taken by corners that were slid over", energy.work_of_corners, "");
  html += row("corrections", energy.corrections, "");
  html += row("imbalance", imbalance, "");
  html += row("at the end", energy.final, " class=\"sum\"");
  html += row("dissipated", energy.dissipated, "");
  html += fmt::format("<tr><td>ledger error, relative</td><td class=\"n\">{}</td></tr>\n",
                      pretty(energy.ledger_error, 3));
  html += row("largest imbalance of all rows", energy.check, "");
  if (energy.open)
    html += fmt::format(
        "<tr class=\"open\"><td>open: the imbalance changed most between t = {} and {} s</td>"
        "<td class=\"n\">{} J</td></tr>\n",
        pretty(energy.open->begin, 9), pretty(energy.open->end, 9), pretty(energy.open->change, 3));
  return html + "</tbody></table>\n";
}

std::string cycle_table(const Trace& trace) {
  if (!trace.cycle) return "";
  std::string html =
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"one "
      "period\"><table><thead><tr><th class=\"n\">time in "
      "ms</th><th>event</th><th>contacts</th>"
      "<th>status</th><th class=\"n\">normal impulse in N s</th><th class=\"n\">energy change in "
      "J</th></tr></thead>"
      "<tbody>\n";
  std::optional<double> origin;
  for (const std::size_t k : events_of_period(trace)) {
    const TraceEvent& event = trace.events[k];
    if (!origin) origin = event.t;
    html += "<tr>" + number_cell(fmt::format("{:.6f}", (event.t - *origin) * 1e3)) +
            kind_cell(event) + text_cell(escape(describe_contacts(trace, event, 12))) +
            text_cell(escape(describe_changes(trace, event, 12, "→"))) +
            impact_cells(trace, event) + "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

}  // namespace clack::report
