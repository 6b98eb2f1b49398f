// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "clack/trace/trace.hpp"

namespace clack {

struct TableStyle {
  bool is_coloured = false;  // only on a terminal
  std::size_t rows = 40;     // at most; a longer table shows its beginning and its end (0: all)
};

/// What changed at an event: "open -> slip" when the event has one contact and it is the one that
/// changes, otherwise "lower open -> slip, upper stick -> open". A contact that keeps its status
/// reads "stays open". At most `most` changes are spelled out.
std::string describe_changes(const Trace& trace, const TraceEvent& event, std::size_t most = 4,
                             const std::string& arrow = "->");

/// Names of the contacts of an event, or its label; at most `most`, then "and 3 more".
std::string describe_contacts(const Trace& trace, const TraceEvent& event, std::size_t most = 4);

/// How bodies are held: "by friction, holds 2.5 times the load".
std::string describe_jam(const TraceJam& jam);
/// The jams that begin with an event: its rows come last among those of its instant.
std::vector<const TraceJam*> jams_after(const Trace& trace, std::size_t event);

/// Aligned columns: time (ms for runs of at most a second, else s), kind, contacts, status changes,
/// and for impacts the sum of normal impulses and the change of kinetic energy. A jam has a row below the event it begins
/// with. Says how many rows it leaves out.
std::string event_table(const Trace& trace, const TableStyle& style = {});

/// Indices of the events of the limit cycle's last period, without start and end of the run; empty
/// without a cycle.
std::vector<std::size_t> events_of_period(const Trace& trace);

/// The events of one period of the limit cycle (`trace.cycle`), times in ms from the first of them;
/// then the lines "period 145.976 ms" and, when the mechanism advances, "drop 19.445 mm". Empty
/// without a cycle.
std::string period_table(const Trace& trace, const TableStyle& style = {});

}  // namespace clack
