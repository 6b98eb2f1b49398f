// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "clack/trace/trace.hpp"

namespace clack::report {

/// The inside of the first impacts with a history: events with their works and energies; work
/// against impulse with the end of compression, changes of slip and the end of the event marked;
/// gap rates and slips with sticking stretches shaded; in space the path of the slip. Empty when no
/// impact has a history.
std::string inside_impacts(const Trace& trace);

}  // namespace clack::report
