// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/automaton/automaton.hpp"
#include "clack/trace/trace.hpp"

namespace clack {

/// What a run visited: locations with visits and dwell times, nodes, edges with counts, and the
/// execution as a hybrid time trajectory  ([t_0, t_0'], s_0), ([t_1, t_1'], s_1), ...  with t_i' =
/// t_(i+1) and t_i = t_i' in zero-time places.
///
/// The nodes come from the node trace; run with RunOptions::node_trace. Vertices carry their number
/// k of the complete automaton where that can be listed (`limit`), otherwise they are numbered in
/// the order of their first visit.
///
/// A contact that closes without approaching passes its impact node with zero impulse
/// (docs/tasks/automaton.md), which the executor skips; here it is a visit of that node.
Automaton visited_automaton(const ContactList& list, const Trace& trace,
                            std::int64_t limit = 1'000'000);

}  // namespace clack
