// SPDX-License-Identifier: Apache-2.0
#include "clack/trace/difference.hpp"

#include <algorithm>
#include <cmath>

namespace clack {
namespace {

/// Contacts by their names: each run numbers those that it makes in the order in which they touch.
bool are_same_contacts(const Trace& of_a, const std::vector<int>& a, const Trace& of_b,
                       const std::vector<int>& b) {
  return std::ranges::equal(
      a, b, [&](int x, int y) { return of_a.contacts.at(x) == of_b.contacts.at(y); });
}

bool is_same_change(const Trace& of_a, const TraceEvent& a, const Trace& of_b,
                    const TraceEvent& b) {
  return std::ranges::equal(a.changes, b.changes,
                            [&](const StatusChange& x, const StatusChange& y) {
                              return of_a.contacts.at(x.contact) == of_b.contacts.at(y.contact) &&
                                     x.from == y.from && x.to == y.to;
                            });
}

/// The speed that differs most, when that is more than the largest speed explains.
std::optional<std::size_t> different_speed(const std::vector<double>& a,
                                           const std::vector<double>& b) {
  double largest = 0.0, scale = 0.0;
  std::size_t speed = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    scale = std::max({scale, std::abs(a[i]), std::abs(b[i])});
    if (std::abs(a[i] - b[i]) <= largest) continue;
    largest = std::abs(a[i] - b[i]);
    speed = i;
  }
  if (!(largest > events_alike * scale)) return std::nullopt;
  return speed;
}

}  // namespace

const std::vector<double>& speeds_after(const Trace& trace, const TraceEvent& event) {
  return trace.impacts.at(event.first_impact + event.impacts - 1).v_after;
}

std::optional<Difference> first_difference(const Trace& a, const Trace& b) {
  for (std::size_t i = 0; i < std::max(a.events.size(), b.events.size()); ++i) {
    if (i >= a.events.size() || i >= b.events.size())
      return Difference{i, "one run has no further event"};
    const TraceEvent &x = a.events[i], &y = b.events[i];
    if (x.kind != y.kind || !are_same_contacts(a, x.contacts, b, y.contacts) || x.label != y.label)
      return Difference{i, "event"};
    if (std::abs(x.t - y.t) > events_alike * std::max(x.t, y.t))
      return Difference{i, "time", "t", x.t, y.t};
    if (x.impacts > 0 && y.impacts > 0) {
      const std::vector<double>&after_a = speeds_after(a, x), &after_b = speeds_after(b, y);
      if (const auto speed = different_speed(after_a, after_b))
        return Difference{i, "speeds after the impact", a.speeds.at(*speed), after_a[*speed],
                          after_b[*speed]};
    }
    if (!is_same_change(a, x, b, y)) return Difference{i, "statuses"};
  }
  return std::nullopt;
}

}  // namespace clack
