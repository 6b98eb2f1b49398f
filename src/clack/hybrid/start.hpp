// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/hybrid/nodes.hpp"

namespace clack {

/// Refuses a start that no run can begin from: non-finite equations, indefinite mass, penetration
/// (throws ModelError). Returns the scales: of every contact its lengths (scales_at_start), its speed and what the free
/// motion gains over its length.
Scales check_start(const NodeTools& tools, const Instant& instant);

/// Refuses a theory whose parts cannot treat what touches at the start (throws ModelError; `clack check` says the same).
void require_parts(const NodeTools& tools, const Instant& instant);

/// Refuses a start that violates constraints which are on there (throws ModelError with names and sizes), or moves it
/// onto them where the run may (NodeTools::may_project) and says by how much.
std::vector<std::string> settle_constraints(const NodeTools& tools, Instant& instant);

}  // namespace clack
