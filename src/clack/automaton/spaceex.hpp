// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/automaton/affine_model.hpp"
#include "clack/automaton/automaton_export.hpp"

namespace clack {

/// SpaceEx XML (docs/tasks/automaton.md), namespace sspaceex 0.2.
///
/// With an affine model the file is exact: one location per contact combination (without friction
/// its mode words are the same), flows with the contact forces eliminated, and the computation
/// nodes in closed form, one transition per set of contacts that take an impulse (Newton's law) or
/// stay closed. Zero-time locations carry a clock that starts at zero and must not leave it.
/// Otherwise it is structure only: locations and labelled transitions without flows and guards,
/// with the reason in a comment.
void write_spaceex(const Automaton& automaton, const AffineAnswer& affine, const TextSink& sink);

}  // namespace clack
