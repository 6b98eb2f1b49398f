// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/hybrid/nodes.hpp"

namespace clack {

/// Refuses a start that no run can begin from: non-finite equations, indefinite mass, penetration
/// (throws ModelError). Returns the scales: length, see length_scale; speed, the largest contact
/// speed and what the free motion gains over that length.
Scales check_start(const NodeTools& tools, const Instant& instant);

}  // namespace clack
