// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/run_state.hpp"

#include <algorithm>

namespace clack {

bool Cause::is_force_guard_fired() const {
  return std::ranges::any_of(fired, [](const Guard& guard) {
    return guard.kind == GuardKind::normal_force || guard.kind == GuardKind::stick_reserve ||
           guard.kind == GuardKind::admissible;
  });
}

double Cause::normal_force_of(ContactKey contact) const {
  const auto at = std::ranges::find(closed, contact);
  return at != closed.end() ? normal_force[at - closed.begin()] : 0.0;
}

bool Cause::has_fired(GuardKind kind, ContactKey contact) const {
  return std::ranges::any_of(
      fired, [&](const Guard& guard) { return guard.kind == kind && guard.contact == contact; });
}

}  // namespace clack
