// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "clack/contact/problem.hpp"
#include "clack/trace/trace.hpp"

namespace clack {

// The node trace (docs/tasks/automaton.md): every non-dynamical location that a run traverses,
// written to `trace.node_visits`. It writes down what the solver did (ImpactResult::path,
// ContactResult::path); the trajectory is the same bit for bit with and without it.
//
// Nodes are named after their kind and contacts, I{ab,bc} and C{ab}; their locations are
//
//   en | 1..N updates of f_N | N+1..2N updates of f_T
//      | 2N+1..3N tests of f_N | 3N+1..4N tests of f_T | 4N+1 | ex.
//
// A sweep updates contact by contact, f_N and then f_T of each; a failed test leads back to 1. Law
// newton and decision prox sweep; other laws and decisions, rest, and nodes in which nothing presses
// are one step from en to ex. `limit`: the sweeps gave up, another method has found the answer.

/// One pass through I_k. `contacts` are model indices, `part` those (by their place in `contacts`)
/// that the solver was asked for and that the steps of `path` count.
void log_impact_node(Trace& trace, double t, std::span<const int> contacts,
                     std::span<const int> part, std::span<const SolverStep> path);
/// One pass through C_k; where a contact is in transition also the zero-time location s_k,i that
/// follows (its word).
void log_contact_node(Trace& trace, double t, std::span<const int> contacts,
                      const ContactResult& result);
/// A node that is one step: closed forms, plastic projections.
void log_closed_form_node(Trace& trace, double t, std::span<const int> contacts);

/// The location of a step in a node of `contacts` contacts.
std::string location_of(const SolverStep& step, int contacts);

}  // namespace clack
