// SPDX-License-Identifier: Apache-2.0
#include "clack/trace/event_table.hpp"

#include <fmt/format.h>

namespace clack {
namespace {

struct Row {
  std::string time, kind, contacts, change, impulse, energy;
  EventKind event = EventKind::start;
};

/// Columns a text takes on a terminal: code points.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  }));
}

std::string padded_left(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, width_of(text)), ' ') + text;
}
std::string padded_right(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, width_of(text)), ' ');
}

const std::string& contact_name(const Trace& trace, int contact) {
  return trace.contacts.at(contact);
}

std::string_view colour_of(EventKind kind) {
  switch (kind) {
    case EventKind::impact:
      return "\033[31m";
    case EventKind::stick:
    case EventKind::close:
      return "\033[32m";
    case EventKind::slip:
    case EventKind::slip_reversal:
      return "\033[33m";
    case EventKind::detach:
      return "\033[36m";
    case EventKind::zeno:
      return "\033[35m";
    case EventKind::start:
    case EventKind::feature:
    case EventKind::time:
    case EventKind::zone:
    case EventKind::constraint_on:
    case EventKind::constraint_off:
    case EventKind::reselect:
    case EventKind::end:
      return "\033[2m";
  }
  return "";
}

Row make_row(const Trace& trace, std::size_t k, double origin, double scale, int decimals) {
  const TraceEvent& event = trace.events[k];
  Row row;
  row.event = event.kind;
  row.time = fmt::format("{:.{}f}", (event.t - origin) * scale, decimals);
  row.kind = to_string(event.kind);
  row.contacts = describe_contacts(trace, event);
  row.change = describe_changes(trace, event);
  if (event.impacts > 0) {
    const ImpactSum sum = impact_sum(trace, event);
    row.impulse = fmt::format("{:.4e}", sum.normal_impulse);
    row.energy = fmt::format("{:+.3e}", sum.energy_change);
  }
  return row;
}

/// The stages of an impact, below its row.
void add_stages(const Trace& trace, const TraceImpact& of, std::vector<Row>& rows) {
  double energy = of.energy_before;
  for (std::size_t k = 0; k < of.events.size(); ++k) {
    const ImpactEvent& event = of.events[k];
    Row& row = rows.emplace_back();
    row.event = EventKind::end;
    row.kind = fmt::format("  event {}", k + 1);
    for (const int contact : event.contacts)
      row.contacts += (row.contacts.empty() ? "  " : ", ") + contact_name(trace, contact);
    row.change = fmt::format("e {:.4g}, work {:.3e} of {:.3e} J", event.restitution,
                             event.normal_work, event.compression_work);
    row.impulse = fmt::format("{:.4e}", event.terminal_impulse);
    row.energy = fmt::format("{:+.3e}", event.energy_after - energy);
    energy = event.energy_after;
  }
}

/// A jam, below the event it begins with.
Row jam_row(const Trace& trace, const TraceJam& jam, double scale, int decimals) {
  Row row;
  row.event = EventKind::stick;
  row.time = fmt::format("{:.{}f}", jam.t * scale, decimals);
  row.kind = "jam";
  for (const int contact : jam.contacts)
    row.contacts += (row.contacts.empty() ? "" : ", ") + contact_name(trace, contact);
  row.change = describe_jam(jam);
  return row;
}

struct Layout {
  std::size_t time = 0, kind = 0, contacts = 0, change = 0, impulse = 0, energy = 0;
  bool has_impacts = false;

  void fit(const Row& row) {
    time = std::max(time, width_of(row.time));
    kind = std::max(kind, width_of(row.kind));
    contacts = std::max(contacts, width_of(row.contacts));
    change = std::max(change, width_of(row.change));
    impulse = std::max(impulse, width_of(row.impulse));
    energy = std::max(energy, width_of(row.energy));
  }
};

std::string row_line(const Row& row, const Layout& layout, std::string_view colour) {
  const std::string_view reset = colour.empty() ? "" : "\033[0m";
  std::string line = "  " + padded_left(row.time, layout.time) + "  ";
  line += fmt::format("{}{}{}", colour, padded_right(row.kind, layout.kind), reset);
  line += "  " + padded_right(row.contacts, layout.contacts);
  line += "  " + padded_right(row.change, layout.change);
  if (layout.has_impacts) {
    line += "  " + padded_left(row.impulse, layout.impulse);
    line += "  " + padded_left(row.energy, layout.energy);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string lay_out(const std::vector<Row>& rows, const std::string& unit,
                    const TableStyle& style) {
  const Row head{"time/" + unit, "event", "contacts", "status", "impulse/Ns", "energy/J"};
  Layout layout;
  layout.fit(head);
  std::size_t first = rows.size(), last = rows.size();  // rows [first, last) are left out
  if (style.rows > 0 && rows.size() > style.rows) {
    first = style.rows - style.rows / 4;
    last = rows.size() - style.rows / 4;
  }
  const auto is_shown = [&](std::size_t k) { return k < first || k >= last; };
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (!is_shown(k)) continue;
    layout.fit(rows[k]);
    layout.has_impacts = layout.has_impacts || !rows[k].impulse.empty();
  }
  std::string text = row_line(head, layout, style.is_coloured ? "\033[1m" : "");
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (k == first) text += fmt::format("  ... {} more in events.json ...\n", last - first);
    if (is_shown(k))
      text += row_line(rows[k], layout, style.is_coloured ? colour_of(rows[k].event) : "");
  }
  return text;
}

std::string and_more(std::size_t count, std::size_t most) {
  return count > most ? fmt::format(" and {} more", count - most) : "";
}

}  // namespace

std::string describe_changes(const Trace& trace, const TraceEvent& event, std::size_t most,
                             const std::string& arrow) {
  const bool is_only_one = event.contacts.size() == 1 && event.changes.size() == 1 &&
                           event.contacts[0] == event.changes[0].contact;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, event.changes.size()); ++k) {
    const StatusChange& change = event.changes[k];
    if (k > 0) text += ", ";
    if (!is_only_one) text += contact_name(trace, change.contact) + " ";
    text += change.from == change.to
                ? fmt::format("stays {}", to_string(change.to))
                : fmt::format("{} {} {}", to_string(change.from), arrow, to_string(change.to));
  }
  return text + and_more(event.changes.size(), most);
}

std::string describe_contacts(const Trace& trace, const TraceEvent& event, std::size_t most) {
  std::string text = event.label;
  for (std::size_t k = 0; k < std::min(most, event.contacts.size()); ++k) {
    if (!text.empty()) text += k == 0 ? ": " : ", ";
    text += contact_name(trace, event.contacts[k]);
  }
  return text + and_more(event.contacts.size(), most);
}

std::string describe_jam(const TraceJam& jam) {
  std::string bodies;
  for (const std::string& body : jam.bodies) bodies += (bodies.empty() ? "" : ", ") + body;
  return fmt::format("{} by {}, holds {}", bodies, to_string(jam.by),
                     jam.load_factor ? fmt::format("{:.6g} times the load", *jam.load_factor)
                                     : std::string("any multiple of the load"));
}

std::vector<const TraceJam*> jams_after(const Trace& trace, std::size_t event) {
  std::vector<const TraceJam*> found;
  const double t = trace.events[event].t;
  if (event + 1 < trace.events.size() && trace.events[event + 1].t == t) return found;
  for (const TraceJam& jam : trace.jams)
    if (jam.t == t) found.push_back(&jam);
  return found;
}

std::string event_table(const Trace& trace, const TableStyle& style) {
  double longest = 0.0;
  for (const TraceEvent& event : trace.events) longest = std::max(longest, std::abs(event.t));
  const bool is_short = longest <= 1.0;
  std::vector<Row> rows;
  for (std::size_t k = 0; k < trace.events.size(); ++k) {
    rows.push_back(make_row(trace, k, 0.0, is_short ? 1e3 : 1.0, is_short ? 4 : 7));
    const TraceEvent& event = trace.events[k];
    for (std::size_t i = event.first_impact; i < event.first_impact + event.impacts; ++i)
      add_stages(trace, trace.impacts[i], rows);
    for (const TraceJam* jam : jams_after(trace, k))
      rows.push_back(jam_row(trace, *jam, is_short ? 1e3 : 1.0, is_short ? 4 : 7));
  }
  return lay_out(rows, is_short ? "ms" : "s", style);
}

std::vector<std::size_t> events_of_period(const Trace& trace) {
  std::vector<std::size_t> indices;
  if (!trace.cycle) return indices;
  const double slack =
      1e-9 * trace.cycle->period;  // begin and end are times of events, up to rounding
  for (std::size_t k = 0; k < trace.events.size(); ++k) {
    const TraceEvent& event = trace.events[k];
    if (event.t < trace.cycle->begin - slack || event.t >= trace.cycle->end - slack) continue;
    if (event.kind != EventKind::start && event.kind != EventKind::end) indices.push_back(k);
  }
  return indices;
}

std::string period_table(const Trace& trace, const TableStyle& style) {
  if (!trace.cycle) return "";
  const std::vector<std::size_t> indices = events_of_period(trace);
  std::vector<Row> rows;
  for (const std::size_t k : indices)
    rows.push_back(make_row(trace, k, trace.events[indices[0]].t, 1e3, 4));
  std::string text = lay_out(rows, "ms", style);
  text += fmt::format("period {:.3f} ms\n", trace.cycle->period * 1e3);
  if (trace.cycle->drop != 0.0) text += fmt::format("drop {:.3f} mm\n", trace.cycle->drop * 1e3);
  return text;
}

}  // namespace clack
