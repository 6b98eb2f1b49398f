#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "clack/contact/problem.hpp"
#include "clack/trace/trace.hpp"

namespace clack {

// The node trace (docs/tasks/automaton.md): every non-dynamical location that a run traverses,
// written to `trace.node_visits`. It only looks; the trajectory is the same bit for bit with and
// without it.
//
// Nodes are named after their kind and contacts, I{ab,bc} and C{ab}; their locations are
//
//   en | 1..N updates of f_N | N+1..2N updates of f_T
//      | 2N+1..3N tests of f_N | 3N+1..4N tests of f_T | 4N+1 | ex.
//
// A failed test leads back to 1. Law newton and decision prox are this node; other laws and
// decisions are one step from en to ex.

/// The SORPROX node of docs/tasks/automaton.md on a problem  xi = G f + b  with rows ordered
/// normals first, then tangents.
struct SorproxNode {
  Eigen::MatrixXd G;
  Eigen::VectorXd b;
  std::vector<double> friction;  // per contact
  Eigen::VectorXd
      slip_direction;  // contact node: unit where a contact slips, else zero (tangents per contact)
  int contacts = 0, tangents = 1;
};

/// What a node goes through from f = 0 with relaxation 1.
struct NodePath {
  std::vector<int> locations;  // between en and ex
  Eigen::VectorXd force;
  int sweeps = 0;
  bool is_converged = false;  // false: the limit of sweeps, or a sliding contact that cannot be
                              // solved for (Painleve)
};
NodePath walk_node(const SorproxNode& node, int sweep_limit = 1000);

SorproxNode impact_node(const ImpactProblem& problem);
SorproxNode contact_node(const ContactProblem& problem);

/// One pass through I_k. `contacts` are model indices.
void log_impact_node(Trace& trace, double t, std::span<const int> contacts,
                     const ImpactProblem& problem, std::string_view law);
/// One pass through C_k; where a contact is in transition also the zero-time location s_k,i that
/// follows (its word).
void log_contact_node(Trace& trace, double t, std::span<const int> contacts,
                      const ContactProblem& problem, const ContactResult& result,
                      std::string_view decision);
/// A node that is one step: closed forms, plastic projections.
void log_closed_form_node(Trace& trace, double t, std::span<const int> contacts);

}  // namespace clack
