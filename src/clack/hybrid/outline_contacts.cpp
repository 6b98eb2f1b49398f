// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/outline_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "clack/geometry/tolerances.hpp"
#include "clack/hybrid/drift.hpp"
#include "clack/hybrid/tolerances.hpp"

namespace clack {
namespace {

/// The largest gap of the contacts that the mode holds closed, m: inside a step they are known as well as its dense
/// output is, whatever the drift is that is tolerated at its ends. No more than what ends a run.
double gap_held(const NodeTools& tools, const Instant& instant, const OutlineSource& source) {
  ContactSet held;
  for (const ContactKey& contact : instant.mode.contacts())
    if (contact.source == source.source) held.push_back(contact);
  if (held.empty()) return 0.0;
  const double gap = tools.snapshot(instant, held).gap().lpNorm<Eigen::Infinity>();
  return std::min(gap, hybrid_tolerances.domain * source.pair().size());
}

/// What counts as closed at an instant: what a gap may have drifted and what the pair travels within the time tolerance.
ClosedTolerances closed_tolerances(const NodeTools& tools, const Instant& instant, bool is_start,
                                   const OutlineSource& source) {
  const Tolerances& tol = tools.model.tolerances;
  const ContactKey of_pair{.source = source.source};
  const ContactScale& scale = instant.scales.of(of_pair);
  const double rounding = hybrid_tolerances.outline_band * source.pair().size();
  const double speed = instant.scales.speed_of(of_pair);
  const double window = tol.time * std::max(1.0, std::abs(instant.t));
  ClosedTolerances closed;
  closed.gap = is_start ? std::max(rounding, touch_limit(tol, scale))
                        : 2.0 * rounding + 2.0 * drift_limit(tol, scale) + window * speed;
  if (!is_start) closed.gap = std::max(closed.gap, 2.0 * gap_held(tools, instant, source));
  closed.slab = std::max(closed.gap, outline_slab(source.pair()));
  closed.speed = tol.gap_rate * speed;
  return closed;
}

}  // namespace

OutlineClosing with_outline_contacts(const NodeTools& tools, const Instant& instant, bool is_start,
                                     ContactSet contacts) {
  OutlineClosing result;
  Mechanism& mechanism = tools.mechanism;
  std::erase_if(contacts, [&](const ContactKey& c) {
    return mechanism.outlines_of_source(c.source) != nullptr;
  });
  // Farther apart than this no tolerance lets them touch.
  const double margin =
      hybrid_tolerances.touching_margin * mechanism.outline_neighbours().largest_radius();
  const std::vector<int> near =
      mechanism.outlines_near(instant.t, tools.q(instant.y), tools.v(instant.y), margin);
  for (const int k : near) {
    const OutlineSource& source = mechanism.outlines()[k];
    const OutlineClosing closing = closed_outline_contacts(
        mechanism, source, closed_tolerances(tools, instant, is_start, source), instant.t,
        tools.q(instant.y), tools.v(instant.y));
    result.has_vertex_on_vertex |= closing.has_vertex_on_vertex;
    contacts = united(contacts, closing.contacts);
  }
  result.contacts = std::move(contacts);
  return result;
}

std::vector<Continuation> continued_contacts(const NodeTools& tools, const RunState& state,
                                             const ContactSet& contacts) {
  Mechanism& mechanism = tools.mechanism;
  const double *q = tools.q(state.y), *v = tools.v(state.y);
  const auto place = [&](const ContactKey& c) { return mechanism.place_of(state.t, q, v, c); };
  std::vector<Continuation> found;
  for (const ContactKey& contact : state.mode.contacts()) {
    if (!mechanism.outlines_of_source(contact.source) || contains(contacts, contact)) continue;
    const double same = hybrid_tolerances.same_point * state.scales.of(contact).length;
    const ContactPlace mine = place(contact);
    for (const ContactKey& next : contacts) {
      if (next.source != contact.source || state.mode.is_closed(next)) continue;
      const ContactPlace other = place(next);
      if (!((other.point - mine.point).norm() <= same) ||
          !(other.normal.cross(mine.normal).norm() <= outline_tolerances.same_normal) ||
          !(other.normal.dot(mine.normal) > 0.0))
        continue;
      found.push_back({contact, next});
      break;
    }
  }
  return found;
}

void inherit(const std::vector<Continuation>& continued, RunState& state, Cause& cause) {
  if (continued.empty()) return;
  for (const auto& [from, to] : continued) {
    state.accumulation.hand_over(from, to);
    for (ClosedContact& c : state.mode.closed)
      if (c.contact == from) c.contact = to;
  }
  std::ranges::sort(state.mode.closed, {}, &ClosedContact::contact);
  // Forces are read by key, friction by the place of its guard: the order of both stays.
  for (ContactKey& c : cause.closed)
    for (const auto& [from, to] : continued)
      if (c == from) c = to;
}

/// The contact that goes on where `contact` came to a corner that may be slid over: of those at the same point that are
/// new, the one that parts most slowly.
std::optional<ContactKey> contact_after_corner(const NodeTools& tools, const RunState& state,
                                               const Mode& before, const ContactSet& contacts,
                                               const ContactKey& contact) {
  Mechanism& mechanism = tools.mechanism;
  const OutlineSource* outlines = mechanism.outlines_of_source(contact.source);
  if (!outlines || contains(contacts, contact)) return std::nullopt;
  const double *q = tools.q(state.y), *v = tools.v(state.y);
  const double turn = outline_end(mechanism, *outlines, contact, state.t, q, v).turn;
  if (!(turn > 0.0) || !(turn < tools.model.policies.smooth_below)) return std::nullopt;
  const double same = hybrid_tolerances.same_point * state.scales.of(contact).length;
  const auto point = [&](const ContactKey& c) {
    return mechanism.place_of(state.t, q, v, c).point;
  };
  const Snapshot& s = tools.snapshot(state, contacts);
  std::optional<ContactKey> found;
  double slowest = 0.0;
  for (int i = 0; i < number_of(contacts); ++i) {
    const ContactKey& next = contacts[i];
    if (next.source != contact.source || before.is_closed(next)) continue;
    if (!((point(next) - point(contact)).norm() <= same)) continue;
    if (found && !(s.gap_rate()[i] < slowest)) continue;
    found = next;
    slowest = s.gap_rate()[i];
  }
  return found;
}

double slide_over_corners(const NodeTools& tools, RunState& state, const Mode& before,
                          const ContactSet& contacts) {
  if (!(tools.model.policies.smooth_below > 0.0)) return 0.0;
  ContactSet held;
  for (const ContactKey& contact : before.contacts())
    if (const auto next = contact_after_corner(tools, state, before, contacts, contact))
      insert(held, *next);
  if (held.empty()) return 0.0;
  for (const ContactKey& contact : before.contacts())
    if (contains(contacts, contact)) insert(held, contact);
  std::vector<bool> is_stick;
  for (const ContactKey& contact : held)
    is_stick.push_back(before.status_of(contact) == ContactStatus::stick);
  const double energy = tools.kinetic(state.t, state.y);
  const Eigen::VectorXd change = velocity_correction(tools.snapshot(state, held), is_stick);
  for (int j = 0; j < tools.dynamics.speeds(); ++j) tools.v(state.y)[j] += change[j];
  return tools.kinetic(state.t, state.y) - energy;
}

}  // namespace clack
