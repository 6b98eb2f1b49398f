#pragma once
#include <span>

#include "clack/contact/problem.hpp"
#include "clack/mechanism/snapshot.hpp"
#include "clack/model/model.hpp"

namespace clack {

/// The impact node's question: all rows of the snapshot touch; `contacts` are their model indices.
ImpactProblem make_impact_problem(const Model& model, const Snapshot& snapshot,
                                  std::span<const int> contacts,
                                  std::span<const ContactMaterial> materials, const double* v);

/// The same question for some of its contacts alone (local indices, ascending).
ImpactProblem restricted_to(const ImpactProblem& problem, const std::vector<int>& contacts);

/// The contact node's question: all rows of the snapshot touch and none approaches. `slip`
/// (tangents per contact) is what the node is to believe: exactly zero where a contact may stick.
ContactProblem make_contact_problem(const Model& model, const Snapshot& snapshot,
                                    std::span<const int> contacts,
                                    std::span<const ContactMaterial> materials, const double* v,
                                    const Eigen::VectorXd& slip);

}  // namespace clack
