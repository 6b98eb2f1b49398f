// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/complementarity/friction_problem.hpp"
#include "clack/complementarity/friction_tolerances.hpp"

namespace clack {

struct FrictionEnumerationOptions {
  double tolerance = 1e-8;  // on the unit-free residual of every listed solution
  int planar_limit = friction_tolerances.planar_contacts;
  int spatial_limit = friction_tolerances.spatial_contacts;
};

/// Can the enumeration take a problem of this size?
bool is_enumerable(const FrictionProblem& problem, const FrictionEnumerationOptions& options = {});

/// Every state of few contacts (contact_words.hpp): all solutions with different velocities, one
/// reaction for each, in the order of preference. Status `several` (flag "not-unique"), `solved`,
/// `none_exists` when the search refutes every state; else, and for too many contacts,
/// `not_converged`. `reaction` is the first solution.
FrictionResult enumerate_friction(const FrictionProblem& problem,
                                  const FrictionEnumerationOptions& options = {});

}  // namespace clack
