// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/hybrid/nodes.hpp"
#include "clack/hybrid/outline_guards.hpp"

namespace clack {

/// The contacts of outlines among those that touch, made anew from geometry: which edges a corner is about to leave
/// depends on the speeds, which impacts change. Contacts of other sources stay as they are.
OutlineClosing with_outline_contacts(const NodeTools& tools, const Instant& instant, bool is_start,
                                     ContactSet contacts);

/// A contact of outlines that goes on under another key: same point, same normal (polygon-contact 2.5).
struct Continuation {
  ContactKey from, to;
};
/// Of the contacts of a mode, those that are none of `contacts` but go on as one of them.
std::vector<Continuation> continued_contacts(const NodeTools& tools, const RunState& state,
                                             const ContactSet& contacts);
/// What goes on inherits status, direction of slip, last force and its place in an accumulation.
void inherit(const std::vector<Continuation>& continued, RunState& state, Cause& cause);

/// The policy `smooth_below`: a contact that comes to a convex corner which turns by less does not fly off, it slides on
/// along the next edge. The speeds are changed by as little as possible (in the kinetic metric) so that the gap to that
/// edge stays closed. Returns the change of the kinetic energy, J; changes the speeds in `y`.
double slide_over_corners(const NodeTools& tools, RunState& state, const Mode& before,
                          const ContactSet& contacts);

}  // namespace clack
