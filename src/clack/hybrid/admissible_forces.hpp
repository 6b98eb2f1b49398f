// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/complementarity/admissible_reactions.hpp"
#include "clack/formulation/formulation.hpp"

namespace clack {

/// The forces of a mode as a family: those of the formulation plus the distributions that the rows
/// of the mode do not feel. Unknowns in the order normal, sticking friction, constraint.
ReactionFamily family_of(const ModeForces& forces, const ModeShape& shape,
                         std::span<const double> static_friction);

/// How far the forces of a mode are from breaking it, in N.
///
/// Unique forces: per closed contact the normal force and, where it sticks, the friction reserve
/// mu_s N - |T|. Hyperstatic forces x + Z z (Z: distributions that the rows do not feel): sticking
/// and contact end only when NO distribution is admissible. Where the forces x themselves are
/// admissible their own margin is returned, a lower bound; else
///
///   max over z of  min over contacts ( N_i,  mu_s N_i - |T_i| )
///
/// by a second-order cone program (complementarity/admissible_reactions.hpp), exact in the plane and
/// in space; infinite where forces may grow without bound.
double admissible_margin(const ModeForces& forces, const ModeShape& shape,
                         std::span<const double> static_friction);

/// The forces with that margin: where the forces of the formulation have one of their own, these.
WidestMember widest_forces(const ModeForces& forces, const ModeShape& shape,
                           std::span<const double> static_friction);

/// A lower bound of the margin, in a few products: from the widest forces of a state nearby in the same mode.
double margin_bound(const ModeForces& forces, const ModeShape& shape,
                    std::span<const double> static_friction, std::span<const double> near);

/// Makes hyperstatic forces the smallest admissible ones (no contact pulls, none leaves its cone),
/// with the accelerations that belong to them; where none is admissible, those that break the
/// conditions least. `near`: admissible reactions of a state nearby in the same mode, or empty; it becomes those of this
/// state, from which the next ones are found in a few steps.
void take_smallest_admissible(const ModeShape& shape, ModeForces& forces, Eigen::VectorXd& near);

/// The friction reserve of one sticking contact for the forces as they are.
double stick_reserve(const ModeForces& forces, int tangents, int contact, double static_friction);

}  // namespace clack
