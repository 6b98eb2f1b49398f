// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/hybrid/contact_node.hpp"
#include "clack/integrate/integrator.hpp"

namespace clack {

/// Where the motion of a mode would go beyond the instant at which a force guard ended it, nearest first: parts of the
/// last step on its dense output, from HybridTolerances::look_ahead_first on.
std::vector<StateAhead> states_in_step(Integrator& integrator, double t);

/// The same by the distance that matters to forces, where an admissible distribution is lost: there the accelerations
/// with which contacts begin to slip grow from zero, and a decision resolves them only where the margin has fallen by
/// visible parts of the largest force (HybridTolerances::far_first). `rate`: of the margin, N/s; `force`: the largest, N.
/// Along the accelerations of the mode, with its drift taken out.
std::vector<StateAhead> states_of_lost_margin(const NodeTools& tools, const Instant& instant,
                                              double rate, double force);

/// Whether the mode of `instant` moves as the decision that asks for it says: what is to begin to slip or to part does
/// so, no contact pulls and none leaves its cone. Close to the onset of a motion, statuses are read off accelerations
/// that are hardly above the error of the decision: some of the contacts that must move together are then called
/// sticking, and hold the others.
bool moves_as_decided(const NodeTools& tools, const Instant& instant, const ContactPass& pass);

}  // namespace clack
