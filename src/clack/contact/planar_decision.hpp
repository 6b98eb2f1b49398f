#pragma once
#include "clack/contact/delassus.hpp"
#include "clack/contact/planar_friction.hpp"
#include "clack/contact/report.hpp"

namespace clack {

/// A ContactProblem in the plane, prepared for the decisions `lcp` and `enumeration`: the contacts
/// that do not separate, their accelerations xi and forces l (docs/theories/poisson.md).
struct PlanarDecision {
  Delassus delassus;
  FreeMotion free;
  ContactStates states;
  std::vector<int> members;  // contacts that do not separate
  PlanarFriction friction;   // over the members
};
PlanarDecision prepare_planar_decision(const ContactProblem& problem);

/// The result for forces on the members.
ContactResult finish_planar_decision(const ContactProblem& problem, const PlanarDecision& prepared,
                                     const PlanarAnswer& answer);

/// Rest first: when nothing slips, forces inside the (static) cones that keep all members at rest,
/// the smallest of them; empty when there are none or something slips.
std::optional<WordAnswer> try_rest(const PlanarDecision& prepared);

/// Painleve: sliding contacts whose normal force does not push them apart,
///   p = w_N^T M^-1 (w_N - sgn(slip) mu w_T) <= 0.   One sentence per such contact.
std::vector<std::string> painleve_notes(const ContactProblem& problem,
                                        const PlanarDecision& prepared);

/// No forces satisfy the laws: accelerations of the free motion, flag `no-solution`, the reasons.
ContactResult no_planar_solution(const ContactProblem& problem, const PlanarDecision& prepared);

}  // namespace clack
