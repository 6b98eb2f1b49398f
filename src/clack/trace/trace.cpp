// SPDX-License-Identifier: Apache-2.0
#include "clack/trace/trace.hpp"

namespace clack {

std::string_view to_string(EventKind kind) {
  switch (kind) {
    case EventKind::start:
      return "start";
    case EventKind::impact:
      return "impact";
    case EventKind::close:
      return "close";
    case EventKind::detach:
      return "detach";
    case EventKind::stick:
      return "stick";
    case EventKind::slip:
      return "slip";
    case EventKind::slip_reversal:
      return "slip-reversal";
    case EventKind::feature:
      return "feature";
    case EventKind::zeno:
      return "zeno";
    case EventKind::time:
      return "time";
    case EventKind::zone:
      return "zone";
    case EventKind::constraint_on:
      return "constraint-on";
    case EventKind::constraint_off:
      return "constraint-off";
    case EventKind::reselect:
      return "reselect";
    case EventKind::end:
      return "end";
  }
  return "";
}

std::string_view to_string(RunStatus status) {
  switch (status) {
    case RunStatus::done:
      return "done";
    case RunStatus::stopped:
      return "stopped";
  }
  return "";
}

std::vector<int> impacts_of_events(const Trace& trace) {
  std::vector<int> impact_of(trace.events.size(), -1);
  std::size_t next = 0;
  for (std::size_t k = 0; k < trace.events.size(); ++k) {
    const TraceEvent& event = trace.events[k];
    if (event.kind != EventKind::impact) continue;
    while (next < trace.impacts.size() && trace.impacts[next].t < event.t) ++next;
    if (next < trace.impacts.size() && trace.impacts[next].t == event.t) impact_of[k] = next++;
  }
  return impact_of;
}

}  // namespace clack
