// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/complementarity/friction_problem.hpp"

namespace clack {

/// Reactions that keep every contact at rest: W r = -q with each r in its (static) cone.
///
/// A convex question: linear inequalities in the plane, a second-order cone program in space
/// (admissible_reactions.hpp). The smallest of them. Contacts without friction need no tangential
/// rest. `none_exists`: no such reactions. `is_hyperstatic`: others do the same.
FrictionResult reactions_at_rest(const FrictionProblem& problem);

}  // namespace clack
