// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "clack/trace/trace.hpp"

namespace clack::report {

/// A location of the automaton that a run was in: closed contacts with their statuses, and constraints that are on.
struct VisitedLocation {
  std::vector<std::string> lines;  // in words; nothing closed: "all open"
  long visits = 0;
  double dwell = 0.0;  // s, of all visits
};

struct VisitedAutomaton {
  std::vector<VisitedLocation> locations;      // in the order of the first visit
  std::vector<int> of_mode;                    // per mode of the trace
  std::map<std::pair<int, int>, long> passes;  // from, to; also back to the same after an impact
};

VisitedAutomaton visited_automaton(const Trace& trace);

/// It drawn: locations in columns by how many events they are away from the start, arrows with their counts. At most
/// `most` locations, those with the most visits.
std::string draw_automaton(const VisitedAutomaton& automaton, std::size_t most = 24);

}  // namespace clack::report
