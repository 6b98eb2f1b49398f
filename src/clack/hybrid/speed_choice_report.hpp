// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "clack/hybrid/nodes.hpp"

namespace clack {

/// Names of the rows of a mode in the order of formulations: normals, tangents of sticking contacts, constraints
/// ("belt", "belt tangent", "loop 2").
std::vector<std::string> row_names(const Model& model, const ModeDynamics& dynamics);

/// Names of speeds.
std::vector<std::string> speed_names(const Model& model, const std::vector<int>& speeds);

/// Why a mode cannot be embedded at the state evaluated last: rows that contradict each other, or a motion without
/// inertia (named). Nothing where it can.
std::optional<Stop> embedding_failure(const Model& model, ModeDynamics& dynamics, double t);

/// The rank has fallen from `rank_before`: time, rank, names, smallest pivot.
Stop rank_failure(const Model& model, const ModeDynamics& dynamics, double t, int rank_before,
                  const SpeedChoice& choice);

/// Rows that were left out because they depend on others; empty when none was.
std::string redundancy_note(const Model& model, const ModeDynamics& dynamics, double t,
                            const SpeedChoice& choice);

}  // namespace clack
