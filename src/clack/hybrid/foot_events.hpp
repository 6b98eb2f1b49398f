// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/hybrid/instant.hpp"
#include "clack/hybrid/outline_contacts.hpp"

namespace clack {

/// What became of the closest points at an instant.
struct FootChanges {
  ContactSet entered;  // touch a path that their point has just come onto
  std::vector<Continuation>
      continued;  // closed contacts that go on along the next path, with the same normal
  std::vector<InstantEvent> events;
  std::optional<Stop> stop;
};

/// Moves the feet of the state (model/path.hpp) where the instant leads them:
///
///   1. one that comes to an end of its path rests there; a closed path begins anew
///   2. one to which another minimum has become nearer jumps there; in a closed contact two points touch: a stop
///   3. one at a centre of curvature has no unique closest point: a stop
///   4. one that rests goes on where the nearest point is inside again, or where the path becomes known
///   5. all others are polished by Newton's method.
FootChanges follow_feet(const NodeTools& tools, RunState& state, const Cause& cause);

}  // namespace clack
