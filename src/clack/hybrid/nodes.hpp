// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "clack/contact/decision.hpp"
#include "clack/contact/problem_part.hpp"
#include "clack/hybrid/run_state.hpp"
#include "clack/hybrid/theory.hpp"
#include "clack/impact/law.hpp"

namespace clack {

/// What the nodes of an instant work with; none of it changes from one node to the next.
struct NodeTools {
  const Model& model;
  Mechanism& mechanism;
  ModeDynamics& dynamics;  // for its snapshots
  const Surroundings& surroundings;
  const ImpactLaw& law;
  const Decision& decision;
  const Theory& theory;
  const TheoryParts& parts;      // what the names in the theory stand for
  int threads = 1;               // that solvers may use
  bool may_project = false;      // onto constraints that do not hold where they begin
  bool records_paths = false;    // results carry the path of their solver, for the node trace
  bool records_history = false;  // laws that follow the inside of impacts record it

  /// The numbers of touching contacts and of the mode's constraints.
  const Snapshot& snapshot(const Instant& at, const ContactSet& contacts) const {
    return dynamics.snapshot_of(at.mode, contacts, at.t, at.y.data());
  }
  const double* q(const std::vector<double>& y) const { return y.data(); }
  double* q(std::vector<double>& y) const { return y.data(); }
  const double* v(const std::vector<double>& y) const { return y.data() + dynamics.coordinates(); }
  double* v(std::vector<double>& y) const { return y.data() + dynamics.coordinates(); }
  double kinetic(double t, const std::vector<double>& y) const;       // J
  double total_energy(double t, const std::vector<double>& y) const;  // J
};

/// Points, normals, bodies and mass centres of contacts, for laws that reason about rigid bodies
/// (bodies that are fixed or prescribed are "ground"). A contact given by formulas has no bodies.
std::vector<ContactGeometry> geometry_of(Mechanism& mechanism, std::span<const ContactKey> contacts,
                                         double t, const double* q, const double* v);

/// Who touches: the rows of a snapshot, in their order.
struct TouchingContacts {
  std::span<const ContactKey> contacts;
  std::vector<ContactMaterial> materials;
  std::vector<ContactGeometry> geometry;
};

/// The impact node's question: all rows of the snapshot touch.
ImpactProblem make_impact_problem(const Model& model, const Snapshot& snapshot,
                                  const TouchingContacts& touching, const double* v);

/// The same about a part of the contacts and speeds, without joints; `touching`: the contacts of the part.
ImpactProblem make_impact_problem(const Model& model, const Snapshot& snapshot,
                                  const TouchingContacts& touching, const double* v,
                                  const ProblemPart& part);

/// The contact node's question: all rows of the snapshot touch and none approaches. `slip`
/// (tangents per contact) is what the node is to believe: exactly zero where a contact may stick.
ContactProblem make_contact_problem(const Model& model, const Snapshot& snapshot,
                                    const TouchingContacts& touching, const double* v,
                                    const Eigen::VectorXd& slip);

}  // namespace clack
