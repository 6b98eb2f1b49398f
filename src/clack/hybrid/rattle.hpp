// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/hybrid/instant.hpp"

namespace clack {

/// Contacts that rattle do not let go.
///
/// In heaps small impacts kick neighbours off, which fall back within microseconds and kick others: as many impacts as one
/// likes, whose flights nobody sees. A contact that has taken part in `chatter` impacts below `zeno_speed` rattles
/// (Accumulation::rattles). Where an impact lets it part slower than that speed it stays closed: the rate is taken away
/// together with those of the contacts that persist, by the smallest change of speeds in the kinetic metric. The contact
/// node then decides whether a force keeps it.
///
/// Energy is only lost, half the mass times the square of the speeds taken away; it is a correction of the ledger. Nothing
/// changes where the change would be larger than the rates (rows that nearly depend on each other). Flag
/// `chatter-completed`, and a note where it begins.
void hold_rattling(const NodeTools& tools, RunState& state, const ContactSet& contacts,
                   InstantRecord& record);

}  // namespace clack
