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

std::string_view to_string(JamCause cause) {
  switch (cause) {
    case JamCause::friction:
      return "friction";
    case JamCause::shape:
      return "shape";
  }
  return "";
}

ImpactSum impact_sum(const Trace& trace, const TraceEvent& event) {
  ImpactSum sum;
  for (std::size_t k = event.first_impact; k < event.first_impact + event.impacts; ++k) {
    const TraceImpact& impact = trace.impacts.at(k);
    for (const double part : impact.normal_impulse) sum.normal_impulse += part;
    sum.energy_change += impact.energy_after - impact.energy_before;
  }
  return sum;
}

}  // namespace clack
