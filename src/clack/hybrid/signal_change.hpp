// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/hybrid/nodes.hpp"

namespace clack {

/// What the speeds do when inputs jump. A body that is moved by an input w pushes the coordinates with its inertia: the force h
/// is affine in the acceleration of w, so a jump of its rate is an impulse,
///
///   h = h_0 + H w'',      M (v+ - v-) = H (w'+ - w'-)
///
/// Inputs of forces have H = 0 and change nothing here. `before`: the signals that held until now; the mechanism already has
/// those of the state. A stop where a body would have to jump.
std::optional<Stop> follow_signals(const NodeTools& tools, Instant& instant,
                                   const std::vector<Signal>& before);

}  // namespace clack
