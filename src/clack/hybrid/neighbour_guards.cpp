// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/guards.hpp"

// Which gaps are guarded in a step: those of the contacts that can touch in it.

namespace clack {

void GuardSet::follow_neighbours(Integrator& integrator) {
  if (mechanism_.is_small()) return;  // all contacts are guarded anyway
  const double a = integrator.time_before();
  const double *begin = memory_.begin.data(), *end = integrator.state().data();
  mechanism_.nearby({a, integrator.time(), dynamics_.q(begin), dynamics_.v(begin), dynamics_.q(end),
                     dynamics_.v(end)},
                    near_);
  std::erase_if(near_, [&](const ContactKey& c) { return contains(memory_.closed, c); });
  if (near_ == memory_.open) return;
  GuardMemory& next = renewed_;
  next.guards.clear();
  next.start.clear();
  next.value_before.clear();
  std::size_t old = 0;
  for (const ContactKey& contact : near_) {
    while (old < memory_.open.size() && memory_.open[old] < contact) ++old;
    const bool is_known = old < memory_.open.size() && memory_.open[old] == contact;
    next.guards.push_back(is_known ? memory_.guards[old]
                                   : Guard{.kind = GuardKind::gap, .contact = contact});
    next.value_before.push_back(is_known ? memory_.value_before[old] : 0.0);
    if (is_known) {
      next.start.push_back(memory_.start[old]);
      continue;
    }
    gap_motion_of(mechanism_, {&contact, 1}, a, dynamics_.q(begin), dynamics_.v(begin),
                  dynamics_.a(memory_.begin_rate.data()), gaps_);
    next.start.push_back({{gaps_.of[0].gap, gaps_.of[0].rate}, gaps_.of[0].acceleration});
  }
  const std::size_t gaps = memory_.open.size();
  next.guards.insert(next.guards.end(), memory_.guards.begin() + gaps, memory_.guards.end());
  next.start.insert(next.start.end(), memory_.start.begin() + gaps, memory_.start.end());
  next.value_before.insert(next.value_before.end(), memory_.value_before.begin() + gaps,
                           memory_.value_before.end());
  std::swap(memory_.guards, next.guards);
  std::swap(memory_.start, next.start);
  std::swap(memory_.value_before, next.value_before);
  memory_.end.resize(memory_.guards.size());
  std::swap(memory_.open, near_);
}

}  // namespace clack
