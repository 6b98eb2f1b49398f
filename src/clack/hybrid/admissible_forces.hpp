// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/contact/problem.hpp"
#include "clack/formulation/formulation.hpp"

namespace clack {

/// How far the forces of a mode are from breaking it, in N.
///
/// Unique forces: per closed contact the normal force and, where it sticks, the friction reserve
/// mu_s N - |T|. Hyperstatic forces x + Z z (Z: distributions that change no acceleration):
/// sticking and contact end only when NO distribution is admissible. Where the forces x themselves
/// are admissible their own margin is returned, a lower bound; else
///
///   max over z of  min over contacts ( N_i,  mu_s N_i - |T_i| )
///
/// a linear program in the plane; in space the disk |T| <= mu N is replaced by the 16-gon around
/// it, which is left at most 2 % late.
double admissible_margin(const ModeForces& forces, const ModeShape& shape,
                         std::span<const double> static_friction);

/// The friction reserve of one sticking contact for the forces as they are.
double stick_reserve(const ModeForces& forces, int tangents, int contact, double static_friction);

}  // namespace clack
