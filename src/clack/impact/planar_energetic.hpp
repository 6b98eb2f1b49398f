// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/impact/energetic.hpp"

namespace clack {

/// Law `energetic` in the plane: chained events (P4, chapter 6; docs/theories/energetic.md).
///
/// 1. Joints that jump and external impulses act first.
/// 2. Members: contacts with v_n <= limit connected with one of v_n < -limit; none: done.
/// 3. One event (planar_march.hpp). Members that are asked to pull, or without which the question
///    has an answer, are left out and the event starts again from its beginning.
/// 4. Again from 2, with the next coefficient.
///
/// `problem` is not refused (EnergeticLaw::refusal).
void resolve_planar_energetic(const ImpactProblem& problem, const EnergeticOptions& options,
                              ImpactResult& result);

}  // namespace clack
