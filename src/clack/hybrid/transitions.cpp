#include <algorithm>
#include <map>

#include "clack/hybrid/instant.hpp"

// The transitions of an instant as events of the trace.

namespace clack {
namespace {

/// In the plane the sign of the slip changed; in space the slip vanished and began again against
/// the friction just before (it may also turn round slowly, which is no event).
bool is_slip_reversed(const ClosedContact& before, const ClosedContact& after, const Cause& cause,
                      int tangents) {
  if (before.status != ContactStatus::slip || after.status != ContactStatus::slip) return false;
  if (tangents == 1) return before.slip_direction[0] * after.slip_direction[0] < 0.0;
  if (!cause.has_fired(GuardKind::slip, after.contact)) return false;
  return after.slip_direction[0] * cause.slip_before[0] +
             after.slip_direction[1] * cause.slip_before[1] <
         0.0;
}

struct Transition {
  EventKind kind = EventKind::slip;
  StatusChange change;
};

/// Contacts whose status or sense of slip changed, ascending.
std::vector<Transition> transitions_between(const Mode& before, const Mode& after,
                                            const Cause& cause, int tangents) {
  std::vector<Transition> found;
  for (const ContactId c : united(before.contacts(), after.contacts())) {
    const ClosedContact *was = before.find(c), *is = after.find(c);
    const bool is_reversal = was && is && is_slip_reversed(*was, *is, cause, tangents);
    const ContactStatus from = before.status_of(c), to = after.status_of(c);
    if (from == to && !is_reversal) continue;
    const EventKind kind = is_reversal                  ? EventKind::slip_reversal
                           : !is                        ? EventKind::detach
                           : !was                       ? EventKind::close
                           : to == ContactStatus::stick ? EventKind::stick
                                                        : EventKind::slip;
    found.push_back({kind, {c, from, to}});
  }
  return found;
}

/// Iterations and residual of all nodes of an instant.
struct Effort {
  int iterations = 0;
  double residual = 0.0;
};

Effort effort_of(const NodePasses& passes) {
  Effort effort;
  for (const NodePass& pass : passes)
    std::visit(
        [&](const auto& p) {
          effort.iterations += p.result.iterations;
          effort.residual = std::max(effort.residual, p.result.certificate.residual);
        },
        pass);
  return effort;
}

}  // namespace

ImpactContacts impact_contacts(const NodePasses& passes) {
  ImpactContacts found;
  for (const NodePass& pass : passes)
    if (const auto* impact = std::get_if<ImpactPass>(&pass)) {
      found.had_impact = true;
      found.contacts = united(found.contacts, impact->took_part);
    }
  return found;
}

std::vector<TraceEvent> transition_events(const Mode& before, const Mode& after, const Cause& cause,
                                          const NodePasses& passes, double t, double drift,
                                          int tangents) {
  std::vector<TraceEvent> events;
  const Effort effort = effort_of(passes);
  const auto add = [&](EventKind kind, ContactSet contacts, std::vector<StatusChange> changes) {
    TraceEvent& event = events.emplace_back();
    event.t = t;
    event.kind = kind;
    event.contacts = std::move(contacts);
    event.changes = std::move(changes);
    event.iterations = effort.iterations;
    event.residual = effort.residual;
    event.drift = drift;
  };
  struct Group {
    ContactSet contacts;
    std::vector<StatusChange> changes;
  };
  std::map<EventKind, Group> by_kind;
  Group all;
  for (const Transition& transition : transitions_between(before, after, cause, tangents))
    for (Group* group : {&all, &by_kind[transition.kind]}) {
      group->contacts.push_back(transition.change.contact);
      group->changes.push_back(transition.change);
    }
  if (cause.is_start) add(EventKind::start, all.contacts, all.changes);
  const ImpactContacts impact = impact_contacts(passes);
  if (impact.had_impact) {
    for (const ContactId c : impact.contacts)  // listed also when it lifts off at once
      if (!contains(all.contacts, c))
        all.changes.push_back({c, before.status_of(c), after.status_of(c)});
    add(EventKind::impact, impact.contacts, std::move(all.changes));
  } else if (!cause.is_start) {
    for (auto& [kind, group] : by_kind) add(kind, group.contacts, group.changes);
    if (by_kind.empty() && cause.is_force_guard_fired())
      add(EventKind::reselect, {cause.fired[0].contact}, {});
  }
  return events;
}

}  // namespace clack
