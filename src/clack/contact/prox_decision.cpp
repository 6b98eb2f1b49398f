// SPDX-License-Identifier: Apache-2.0
#include "clack/contact/prox_decision.hpp"

#include "clack/complementarity/friction_enumeration.hpp"
#include "clack/complementarity/friction_solver.hpp"
#include "clack/contact/decision_problem.hpp"

namespace clack {
namespace {

ContactResult decide_by_sweeps(const DecisionProblem& prepared) {
  if (const FrictionResult rest = try_rest(prepared); has_answer(rest.status))
    return finish_decision(prepared, rest);
  const std::vector<std::string> paradox = painleve_notes(prepared);
  const int most = prepared.friction.dimension == 2 ? friction_tolerances.counted_contacts
                                                    : friction_tolerances.spatial_contacts;
  if (!paradox.empty() && prepared.friction.contacts() <= most) return decide_by_words(prepared);
  FrictionOptions options = run_friction_options();
  options.records_path = prepared.problem->options.record_path;
  const FrictionResult answer = solve_friction(prepared.friction, options);
  if (!has_answer(answer.status)) return finish_without_answer(prepared, answer, answer.status);
  if (answer.status == SolveStatus::several) return decide_by_words(prepared);
  ContactResult result = finish_decision(prepared, answer);
  result.notes.insert(result.notes.end(), paradox.begin(), paradox.end());
  return result;
}

}  // namespace

DecisionPart ProxDecision::part() {
  DecisionPart part;
  part.name = "prox";
  part.help = "projected Gauss-Seidel sweeps; plane and space";
  part.make = [](const OptionValues&) { return std::make_unique<ProxDecision>(); };
  return part;
}

ContactResult ProxDecision::decide(const ContactProblem& problem) const {
  return decide_by_islands(problem, decide_by_sweeps);
}

}  // namespace clack
