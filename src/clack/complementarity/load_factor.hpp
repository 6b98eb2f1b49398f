// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/complementarity/admissible_reactions.hpp"

namespace clack {

/// A load that reactions hold: dead + live + W x = 0 with x in its cones.
struct HeldLoad {
  Eigen::MatrixXd reactions;  // W, n x m: what a unit of each reaction does
  std::vector<ReactionCone> cones;
  int tangents = 1;            // per sticking contact
  Eigen::VectorXd dead, live;  // n
};

/// Whether some x in the cones gives W x + load = 0, to `admissible_reaction_tolerances.zero` of the load.
bool is_held(const HeldLoad& held, const Eigen::Ref<const Eigen::VectorXd>& load);

/// How much more of the live load is held, beside the dead one:
///
///   max s   with   W x + dead + s live = 0,   x in its cones
///
/// In the plane the cones are pairs of half planes, and this is a linear program; in space it is a second-order cone
/// program. Cones are homogeneous: what holds a load holds every multiple of it. So there is a largest s only where the
/// dead load is needed to hold the live one, and none (self-locking) where the reactions hold the live load alone.
enum class LoadLimit { largest, unbounded, not_solved };
struct [[nodiscard]] LoadFactor {
  LoadLimit limit = LoadLimit::not_solved;
  double factor = 0.0;  // largest: s
};
LoadFactor largest_load_factor(const HeldLoad& held);

}  // namespace clack
