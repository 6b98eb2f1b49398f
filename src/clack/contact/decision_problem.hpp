// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

#include "clack/complementarity/contact_words.hpp"
#include "clack/complementarity/friction_problem.hpp"
#include "clack/contact/delassus.hpp"
#include "clack/contact/report.hpp"
#include "clack/contact/system_islands.hpp"

namespace clack {

/// One island of a ContactProblem, prepared for the decisions with friction: the contacts that do
/// not separate, their accelerations u and forces r. Static friction bounds sticking, dynamic
/// friction acts on what slips.
struct DecisionProblem {
  const ContactProblem* problem = nullptr;  // of the island
  Delassus delassus;
  FreeMotion free;
  ContactStates states;
  std::vector<int> members;  // contacts that do not separate
  FrictionProblem friction;  // over the members
};

/// What a decision does with one island.
using IslandDecision = std::function<ContactResult(const DecisionProblem&)>;

/// Decides island by island (islands on several threads when options.threads asks for it, with the
/// same bits) and puts the results together: the worst status, the largest violations, all notes;
/// the number of solutions is the product.
ContactResult decide_by_islands(const ContactProblem& problem, const IslandDecision& decide);

/// The whole problem as one island; `problem` must outlive it.
DecisionProblem as_one_island(const ContactProblem& problem);

/// The result for an answer on the members; flag `hyperstatic` where it is.
ContactResult finish_decision(const DecisionProblem& prepared, const FrictionResult& answer);

/// Rest first: when nothing slips, forces inside the (static) cones that keep all members at rest,
/// the smallest of them. No answer when there are none or something slips.
FrictionResult try_rest(const DecisionProblem& prepared);

/// Painleve: sliding contacts whose normal force does not push them apart,
///   p = w_N^T M^-1 (w_N - mu w_T e) <= 0,  e the direction of slip.   One sentence per such contact.
std::vector<std::string> painleve_notes(const DecisionProblem& prepared);

/// The answer of a search through all contact states: the preferred one of the different
/// accelerations, their number, and what there is to say about several or none. `none_exists` when
/// the search proves it, else `not_converged`.
ContactResult decide_by_words(const DecisionProblem& prepared);

/// No forces were found: accelerations under `best`, with its residual. `none_exists`: flag
/// `no-solution`; else `not-converged`.
ContactResult finish_without_answer(const DecisionProblem& prepared, const FrictionResult& best,
                                    SolveStatus status);

}  // namespace clack
