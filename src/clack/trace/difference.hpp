// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "clack/trace/trace.hpp"

namespace clack {

/// Events agree when kind, contacts, statuses, time and, at an impact, the speeds afterwards do; numbers to this part.
inline constexpr double events_alike = 1e-6;

/// The first event at which two runs are not the same, in what, and the numbers of both where it is a number.
struct Difference {
  std::size_t event = 0;
  std::string what;
  std::string quantity = {};        // "t", or the speed that differs most
  double first = 0.0, other = 0.0;  // its values
};
std::optional<Difference> first_difference(const Trace& a, const Trace& b);

/// Speeds after all impacts of an event's instant.
const std::vector<double>& speeds_after(const Trace& trace, const TraceEvent& event);

}  // namespace clack
