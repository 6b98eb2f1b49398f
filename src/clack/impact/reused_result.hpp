// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/contact/problem.hpp"

namespace clack {

/// An answer as new whose memory is kept, for laws that answer into one that was used before; events
/// are written over.
inline void begin_again(ImpactResult& result) {
  ImpactResult fresh;
  fresh.velocity.swap(result.velocity);
  fresh.normal_impulse.swap(result.normal_impulse);
  fresh.tangent_impulse.swap(result.tangent_impulse);
  fresh.statuses.swap(result.statuses);
  fresh.events.swap(result.events);
  result = std::move(fresh);
}

}  // namespace clack
