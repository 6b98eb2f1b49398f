// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/complementarity/friction_problem.hpp"

namespace clack {

/// Reactions that keep every contact at rest: W r = -q with each r in its (static) cone.
///
/// A convex question. In the plane decided by linear inequalities (smallest reactions); in space the
/// smallest ones are tried, then projections between the affine set and the cones (Dykstra), which
/// converge to the smallest admissible ones. Contacts without friction need no tangential rest.
/// `none_exists`: no such reactions; `not_converged`: none found within the limit of projections, or
/// sets that do not seem to meet. `is_hyperstatic`: others do the same.
FrictionResult reactions_at_rest(const FrictionProblem& problem);

}  // namespace clack
