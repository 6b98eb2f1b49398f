// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "clack/hybrid/instant.hpp"

/// Whether a run gets on: time passes, statuses do not repeat at one instant.
namespace clack {

/// Counts visits at one instant, whatever guard led to them, and events that follow each other so closely that time
/// only creeps; a stop when they lead nowhere.
std::optional<Stop> count_visit(const NodeTools& tools, RunState& state, const Cause& cause);

/// A switch that goes to and fro at one instant (a sign that pushes back on both sides) has no side to be held on.
std::optional<Stop> restless_switch(const NodeTools& tools, const RunState& state,
                                    const Cause& cause);

}  // namespace clack
