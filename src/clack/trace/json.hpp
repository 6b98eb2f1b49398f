// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "clack/trace/trace.hpp"

namespace clack {

/// Wall time differs between runs, so that files leave it out.
enum class WallTime { left_out, included };

/// The document of a run (events.json and `clack run --json`): one line per event and impact,
/// numbers with 17 significant digits, values that are not finite as null. Ends with a line break.
/// `cycle` and `node_trace` are there only when the run has them.
std::string events_json(const Trace& trace, WallTime wall_time = WallTime::left_out);

/// histories.json: what laws that follow the inside of an impact recorded,
///   [{"impact": index among `impacts`, "t", "columns": [names], "rows": [[...], ...]}, ...];
/// empty when there is nothing.
std::string histories_json(const Trace& trace);

}  // namespace clack
