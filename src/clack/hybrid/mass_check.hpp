// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "clack/hybrid/dynamics.hpp"

namespace clack {

/// Where a mass matrix stops being positive definite.
struct IndefiniteMass {
  double t = 0.0;           // s
  double eigenvalue = 0.0;  // the smallest, not above zero
  int speed = 0;            // with the largest part in its eigenvector
};

/// At one state.
std::optional<IndefiniteMass> indefinite_mass_at(ModeDynamics& dynamics, double t, const double* y);

/// The first place in the integrator's last step up to `until`, to rounding of t where the sign changes once; the step
/// is looked at in HybridTolerances::mass_samples parts.
std::optional<IndefiniteMass> first_indefinite_mass(ModeDynamics& dynamics, Integrator& integrator,
                                                    double until);

}  // namespace clack
