// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "clack/complementarity/friction_problem.hpp"

namespace clack {

/// Groups of contacts that influence each other: connected by non-zero blocks of W (in either
/// direction). Contacts of an island increase, islands are ordered by their first contact; the
/// order never depends on anything but W.
std::vector<std::vector<int>> friction_islands(const FrictionProblem& problem);

/// The problem of some contacts alone, in the given order; blocks to other contacts are left out.
FrictionProblem sub_problem(const FrictionProblem& problem, const std::vector<int>& contacts);

/// Components of `vector` (d per contact) that belong to `contacts`, and the way back.
Eigen::VectorXd gather(const Eigen::Ref<const Eigen::VectorXd>& vector,
                       const std::vector<int>& contacts, int dimension);
void scatter(const Eigen::Ref<const Eigen::VectorXd>& part, const std::vector<int>& contacts,
             int dimension, Eigen::VectorXd& whole);

}  // namespace clack
