// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/contact/problem.hpp"
#include "clack/parts/part.hpp"

namespace clack {

/// What a problem asks of a law or a decision; both coefficients of friction count.
Circumstances circumstances_of(const ContactSystem& system);
/// Restitutions as well.
Circumstances circumstances_of(const ImpactProblem& problem);

/// Throws InputError unless the problem meets the needs of the part of this name.
void require_needs(PartKind kind, std::string_view name, const Needs& needs,
                   const ContactSystem& system);

}  // namespace clack
