// SPDX-License-Identifier: Apache-2.0
// What programs of a mechanism are given beside t, coordinates and speeds.
#include <algorithm>

#include "clack/index.hpp"
#include "clack/mechanism/mechanism.hpp"

namespace clack {

void Mechanism::set_signals(std::span<const Signal> signals) {
  signals_.assign(signals.begin(), signals.end());
  held_.clear();
  for (const Signal& s : signals_)
    held_.insert(held_.end(), {s.value, s.rate, s.acceleration, s.since});
  std::ranges::copy(held_, inputs_.begin() + 1 + coordinates_ + speeds_);
  outline_bounds_.set_signals(held_);
}

}  // namespace clack
