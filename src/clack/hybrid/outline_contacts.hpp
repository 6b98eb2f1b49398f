// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/hybrid/nodes.hpp"
#include "clack/hybrid/outline_guards.hpp"

namespace clack {

/// The contacts of outlines among those that touch, made anew from geometry: which edges a corner is about to leave
/// depends on the speeds, which impacts change. Contacts of other sources stay as they are.
OutlineClosing with_outline_contacts(const NodeTools& tools, const Instant& instant, bool is_start,
                                     ContactSet contacts);

}  // namespace clack
