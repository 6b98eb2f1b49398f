// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

#include "clack/complementarity/friction_problem.hpp"

namespace clack {

/// A contact that has started to slip although static friction held it back is solved again with
/// dynamic friction: with a lower bound only (its direction follows by itself), or as sliding the
/// way it started.
enum class SlipRelease { lower_bound, known_direction };

/// Static and dynamic friction by a solver that knows one coefficient per contact: first the static
/// one everywhere; then, of the contacts that slip although static exceeds dynamic friction, the
/// fastest is released, and the others get another chance to stick; until none appears. The result
/// of the last round, `not_converged` when a round is. Iterations and paths are those of all rounds.
FrictionResult solve_in_rounds(
    const FrictionProblem& problem, SlipRelease release,
    const std::function<FrictionResult(const FrictionProblem&)>& solve_one_friction);

}  // namespace clack
