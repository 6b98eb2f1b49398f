#include "clack/contact/enumeration_decision.hpp"

#include "clack/complementarity/friction_tolerances.hpp"
#include "clack/contact/decision_problem.hpp"

namespace clack {

std::string EnumerationDecision::refuses(const ContactProblem& problem) const {
  const int most = problem.dimension == 2 ? friction_tolerances.planar_contacts
                                          : friction_tolerances.spatial_contacts;
  if (problem.contacts() > most)
    return fmt::format(
        "decision enumeration tries {}^contacts states and takes at most {} contacts, here are {}; "
        "use decision {}",
        problem.dimension == 2 ? 4 : 3, most, problem.contacts(),
        problem.dimension == 2 ? "lcp" : "prox");
  return "";
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
