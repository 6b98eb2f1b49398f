// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "clack/complementarity/admissible_reactions.hpp"

namespace clack {

/// The admissible member of least norm of a family, from that of a family nearby (the state before in the same mode): the
/// cones that `near` lies on are taken for those of the answer,
///
///   min 1/2 |z|^2   with   N_i = 0 (and T_i = 0 where it sticks), or  mu_j N_j - |T_j| = 0
///
/// which Newton's method solves in a few steps of the size of z. Nothing where that is not the answer: a multiplier has
/// the wrong sign, another cone is left, or the method does not settle.
std::optional<Eigen::VectorXd> smallest_nearby(const ReactionFamily& family,
                                               const Eigen::Ref<const Eigen::VectorXd>& near);

/// A member nearest to `guess` on the edges and borders of the cones that `guess` lies on or near, for the width of "near"
/// that leads into all cones; nothing where none does. Where the admissible members have no inside (a sphere in a corner
/// pushes on no wall) an interior-point method stops short of them, but close enough to tell which cones they lie on.
std::optional<Eigen::VectorXd> admissible_on_borders(
    const ReactionFamily& family, const Eigen::Ref<const Eigen::VectorXd>& guess);

}  // namespace clack
