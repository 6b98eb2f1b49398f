// SPDX-License-Identifier: Apache-2.0
#include "clack/contact/enumeration_decision.hpp"

#include "clack/complementarity/friction_tolerances.hpp"
#include "clack/contact/decision_problem.hpp"

namespace clack {

DecisionPart EnumerationDecision::part() {
  DecisionPart part;
  part.name = "enumeration";
  part.help = "every combination of open, stick and slip; counts the solutions";
  part.needs.contact_limit = friction_tolerances.planar_contacts;
  part.needs.spatial_contact_limit = friction_tolerances.spatial_contacts;
  part.make = [](const OptionValues&) { return std::make_unique<EnumerationDecision>(); };
  return part;
}

ContactResult EnumerationDecision::decide(const ContactProblem& problem) const {
  return decide_by_islands(problem, decide_by_words);
}

std::vector<ContactResult> all_contact_solutions(const ContactProblem& problem) {
  // Not by islands: their solutions would have to be combined with each other.
  const DecisionProblem prepared = as_one_island(problem);
  std::vector<ContactResult> results;
  for (const WordAnswer& answer : distinct_answers(
           prepared.friction, solve_all_words(prepared.friction, ForceNorm::euclidean).answers))
    results.push_back(finish_decision(prepared, answer));
  return results;
}

}  // namespace clack
