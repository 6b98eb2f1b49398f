// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/outline_contacts.hpp"

#include <cmath>

#include "clack/hybrid/tolerances.hpp"

namespace clack {
namespace {

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
  for (const OutlineSource& source : mechanism.outlines()) {
    const OutlineClosing closing =
        closed_outline_contacts(mechanism, source,
                                closed_tolerances(tools, instant, is_start, source), instant.t,
                                tools.q(instant.y), tools.v(instant.y));
    result.has_vertex_on_vertex |= closing.has_vertex_on_vertex;
    contacts = united(contacts, closing.contacts);
  }
  result.contacts = std::move(contacts);
  return result;
}

}  // namespace clack
