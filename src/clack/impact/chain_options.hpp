// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/parts/option.hpp"

namespace clack {

// Options of laws that resolve an impact in several stages; a key means the same for all of them.

inline constexpr int standard_max_events = 2'000;

inline Option simultaneous_option() {
  return boolean_option("simultaneous", true,
                        "touching contacts together, or one by one, the fastest first");
}

inline Option max_events_option() {
  return count_option("max_events", standard_max_events, 1, 1'000'000,
                      "stages of one impact; what still approaches then is stopped without rebound "
                      "(projection) or left (energetic, at most 2000)");
}

}  // namespace clack
