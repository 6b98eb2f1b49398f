// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/complementarity/friction_problem.hpp"
#include "clack/contact/delassus.hpp"

namespace clack {

/// The friction problem of some contacts of a Delassus matrix: W and q contact by contact, normal
/// first, where Delassus has all normals first. `motion`: relative motions without contact forces,
/// rows as in Delassus. Friction coefficients and all else are the caller's to fill in. Memory of
/// `friction` is used again.
void fill_friction_problem(const Delassus& delassus, const Eigen::VectorXd& motion, double scale,
                           const std::vector<int>& contacts, FrictionProblem& friction);

/// Reactions of `contacts` as forces on the rows of Delassus; the others have none.
Eigen::VectorXd forces_of(const Delassus& delassus, const std::vector<int>& contacts,
                          const Eigen::VectorXd& reaction);

}  // namespace clack
