// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include "clack/contact/report.hpp"
#include "clack/hybrid/instant.hpp"
#include "clack/hybrid/tolerances.hpp"

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
  ContactChange change;
};

/// Contacts whose status or sense of slip changed, ascending.
std::vector<Transition> transitions_between(const Mode& before, const Mode& after,
                                            const Cause& cause, int tangents) {
  std::vector<Transition> found;
  for (const ContactKey& c : united(before.contacts(), after.contacts())) {
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

/// Iterations and residual of all nodes of an instant, and the certificate of its decisions.
struct Effort {
  int iterations = 0;
  double residual = 0.0;
  Certificate certificate;
};

Effort effort_of(const NodePasses& passes) {
  Effort effort;
  for (const NodePass& pass : passes)
    std::visit(
        [&](const auto& p) {
          effort.iterations += p.result.iterations;
          const double residual = p.result.certificate.residual;
          if (!(residual <= effort.residual)) effort.residual = residual;
          if constexpr (std::is_same_v<std::decay_t<decltype(p)>, ContactPass>)
            effort.certificate = largest_of(effort.certificate, p.result.certificate);
        },
        pass);
  return effort;
}

/// Contacts that ended at the border of their feature, with those of their pair that are closed at the same point
/// (they may have closed just before).
std::vector<FeatureHandOver> hand_overs(const NodeTools& tools, const RunState& state,
                                        const Mode& before) {
  std::vector<FeatureHandOver> found;
  const double *q = tools.q(state.y), *v = tools.v(state.y);
  const Feet& feet = tools.mechanism.feet(state.t, q, v);
  const auto point = [&](const ContactKey& c) {
    const auto foot = feet.of_source(c.source);
    return foot ? feet.world_point(*foot, q) : tools.mechanism.place_of(state.t, q, v, c).point;
  };
  const auto goes_on_as = [&](const ContactKey& from,
                              const ContactKey& to) {  // the same pair, or the next path
    const auto a = feet.of_source(from.source), b = feet.of_source(to.source);
    const bool is_next = a && b && a != b && feet.foot(*a).body == feet.foot(*b).body;
    return from.source == to.source || is_next;
  };
  for (const ContactKey& contact : before.contacts()) {
    if (state.mode.is_closed(contact) || !tools.mechanism.has_border(contact)) continue;
    const double same = hybrid_tolerances.same_point * state.scales.of(contact).length;
    bool is_at_border = false;
    for (int k = 0; k < tools.mechanism.borders(contact); ++k)
      is_at_border |= std::abs(tools.mechanism.border(state.t, q, v, contact, k).margin) <= same;
    if (!is_at_border) continue;
    FeatureHandOver& feature = found.emplace_back(FeatureHandOver{.contact = contact});
    if (const OutlineSource* outlines = tools.mechanism.outlines_of_source(contact.source)) {
      const OutlineEnd end = outline_end(tools.mechanism, *outlines, contact, state.t, q, v);
      feature.place = end.place;
      feature.turn = end.turn;
    }
    for (const ClosedContact& c : state.mode.closed)
      if (goes_on_as(contact, c.contact) && (point(c.contact) - point(contact)).norm() <= same)
        feature.after.push_back(c.contact);
  }
  return found;
}

bool takes_part(const std::vector<FeatureHandOver>& features, const ContactKey& contact) {
  return std::ranges::any_of(features, [&](const FeatureHandOver& f) {
    return f.contact == contact || contains(f.after, contact);
  });
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

std::vector<InstantEvent> transition_events(const NodeTools& tools, const RunState& state,
                                            const Mode& before, const Cause& cause,
                                            const NodePasses& passes, double drift) {
  const Mode& after = state.mode;
  std::vector<InstantEvent> events;
  const Effort effort = effort_of(passes);
  const auto add = [&](EventKind kind, ContactSet contacts, std::vector<ContactChange> changes) {
    InstantEvent& event = events.emplace_back();
    event.t = state.t;
    event.kind = kind;
    event.contacts = std::move(contacts);
    event.changes = std::move(changes);
    event.iterations = effort.iterations;
    event.residual = effort.residual;
    event.certificate = effort.certificate;
    event.drift = drift;
  };
  struct Group {
    ContactSet contacts;
    std::vector<ContactChange> changes;
  };
  std::map<EventKind, Group> by_kind;
  Group all;
  const std::vector<FeatureHandOver> features = hand_overs(tools, state, before);
  for (Transition& transition :
       transitions_between(before, after, cause, tools.dynamics.tangents())) {
    if (takes_part(features, transition.change.contact)) transition.kind = EventKind::feature;
    for (Group* group : {&all, &by_kind[transition.kind]}) {
      group->contacts.push_back(transition.change.contact);
      group->changes.push_back(transition.change);
    }
  }
  if (cause.is_start) add(EventKind::start, all.contacts, all.changes);
  const ImpactContacts impact = impact_contacts(passes);
  if (impact.had_impact) {
    for (const ContactKey& c : impact.contacts)  // listed also when it lifts off at once
      if (!contains(all.contacts, c))
        all.changes.push_back({c, before.status_of(c), after.status_of(c)});
    add(EventKind::impact, impact.contacts, std::move(all.changes));
  } else if (!cause.is_start) {
    for (auto& [kind, group] : by_kind) {
      add(kind, group.contacts, group.changes);
      if (kind != EventKind::feature) continue;
      InstantEvent& event = events.back();
      event.contacts.clear();
      for (const FeatureHandOver& feature : features) event.contacts.push_back(feature.contact);
      event.features = features;
    }
  }
  return events;
}

}  // namespace clack
