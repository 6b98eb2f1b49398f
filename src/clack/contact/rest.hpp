#pragma once
#include <optional>

#include "clack/contact/cone_friction.hpp"

namespace clack {

/// Forces that keep every contact at rest: G l = -b with each l in its cone.
struct RestForces {
  Eigen::VectorXd force;        // rows as in G; the smallest found, see forces_at_rest
  double residual = 0.0;        // largest |G l + b| relative to the motion scale
  bool is_hyperstatic = false;  // other forces do the same
};

/// A convex question: is there an admissible force distribution with zero acceleration everywhere?
/// In the plane decided by linear inequalities (smallest forces); in space the smallest forces are
/// tried, then projections between the affine set and the cones (Dykstra), which converge to the
/// smallest admissible forces. Contacts without friction need no tangential rest.
/// Empty: no such forces (in space: none found within the limit of projections).
std::optional<RestForces> forces_at_rest(const ConeFriction& problem);

}  // namespace clack
