// SPDX-License-Identifier: Apache-2.0
#include "clack/contact/decision_problem.hpp"

#include <numeric>

#include "clack/complementarity/friction_enumeration.hpp"
#include "clack/complementarity/friction_rest.hpp"
#include "clack/complementarity/threads.hpp"
#include "clack/contact/friction_of.hpp"
#include "clack/contact/tolerances.hpp"
#include "clack/index.hpp"

namespace clack {
namespace {

ContactStates states_of_part(const ContactStates& whole, const std::vector<int>& contacts, int k) {
  ContactStates states;
  states.direction.resize(number_of(contacts) * k);
  for (int m = 0; m < number_of(contacts); ++m) {
    const int i = contacts[m];
    states.is_separating.push_back(whole.is_separating[i]);
    states.is_slipping.push_back(whole.is_slipping[i]);
    states.direction.segment(m * k, k) = whole.direction.segment(i * k, k);
    if (whole.is_slipping[i] && !whole.is_separating[i]) states.is_at_rest = false;
  }
  return states;
}

/// Members and their friction, when everything else is there.
void fill_friction(DecisionProblem& prepared) {
  const ContactProblem& problem = *prepared.problem;
  const int k = problem.tangents();
  prepared.members.clear();
  for (int i = 0; i < problem.contacts(); ++i)
    if (!prepared.states.is_separating[i]) prepared.members.push_back(i);
  FrictionProblem& friction = prepared.friction;
  fill_friction_problem(prepared.delassus, prepared.free.contact, prepared.free.scale,
                        prepared.members, friction);
  const int size = friction.contacts();
  friction.dynamic_mu.resize(size);
  friction.direction.resize(size * k);
  for (int m = 0; m < size; ++m) {
    const ContactMaterial& material = problem.materials[prepared.members[m]];
    friction.mu[m] = material.static_friction;
    friction.dynamic_mu[m] = material.dynamic_friction;
    friction.direction.segment(m * k, k) =
        prepared.states.direction.segment(prepared.members[m] * k, k);
  }
}

DecisionProblem prepare(IslandPart<ContactProblem>& part, const ContactStates& whole) {
  DecisionProblem prepared;
  prepared.problem = part.problem;
  prepared.delassus = std::move(part.delassus);
  prepared.free = std::move(part.free);
  prepared.states = states_of_part(whole, part.island.contacts, part.problem->tangents());
  fill_friction(prepared);
  return prepared;
}

/// A system that is one island, into memory that is used again.
void prepare_whole(const ContactProblem& problem, DecisionProblem& prepared) {
  prepared.problem = &problem;
  make_delassus(problem, problem.options.rank_cutoff, prepared.delassus);
  free_acceleration(prepared.delassus, problem, prepared.free);
  contact_states(problem, prepared.states);
  fill_friction(prepared);
}

/// Memory only: an answer does not depend on the ones before. It is taken while in use, so that who is asked may ask.
ContactResult decide_whole(const ContactProblem& problem, const IslandDecision& decide) {
  static thread_local DecisionProblem kept;
  DecisionProblem prepared = std::move(kept);
  prepare_whole(problem, prepared);
  ContactResult result = decide(prepared);
  kept = std::move(prepared);
  return result;
}

/// What is worse of two islands is the status of the whole.
SolveStatus worse(SolveStatus a, SolveStatus b) {
  constexpr std::array order = {SolveStatus::solved, SolveStatus::several,
                                SolveStatus::not_converged, SolveStatus::none_exists};
  const auto rank = [&](SolveStatus s) { return std::find(order.begin(), order.end(), s); };
  return rank(a) < rank(b) ? b : a;
}

ContactResult empty_result(const ContactProblem& problem) {
  const int c = problem.contacts(), k = problem.tangents();
  ContactResult whole;
  whole.acceleration.resize(problem.speeds());
  whole.normal_force.resize(c);
  whole.friction_force.resize(c * k);
  whole.gap_acceleration.resize(c);
  whole.slip_acceleration.resize(c * k);
  whole.bilateral_force.resize(problem.bilateral.rows());
  whole.statuses.resize(c);
  return whole;
}

void join(const SystemIsland& island, int k, ContactResult part, ContactResult& whole) {
  put(part.acceleration, island.speeds, 1, whole.acceleration);
  put(part.normal_force, island.contacts, 1, whole.normal_force);
  put(part.friction_force, island.contacts, k, whole.friction_force);
  put(part.gap_acceleration, island.contacts, 1, whole.gap_acceleration);
  put(part.slip_acceleration, island.contacts, k, whole.slip_acceleration);
  put(part.bilateral_force, island.bilateral, 1, whole.bilateral_force);
  for (std::size_t m = 0; m < island.contacts.size(); ++m)
    whole.statuses[island.contacts[m]] = part.statuses[m];
  whole.status = worse(whole.status, part.status);
  whole.certificate = largest_of(whole.certificate, part.certificate);
  whole.iterations += part.iterations;
  if (part.solutions) whole.solutions = whole.solutions.value_or(1) * *part.solutions;
  for (const std::string& flag : part.flags) add_flag(whole.flags, flag);
  for (std::string& note : part.notes) whole.notes.push_back(std::move(note));
  for (SolverStep step : part.path) {
    if (step.contact >= 0) step.contact = island.contacts[step.contact];
    whole.path.push_back(step);
  }
}

}  // namespace

ContactResult decide_by_islands(const ContactProblem& problem, const IslandDecision& decide) {
  if (is_one_island(problem)) return decide_whole(problem, decide);
  std::vector<IslandPart<ContactProblem>> parts = parts_of(problem);
  const ContactStates states = contact_states(problem);
  if (parts.size() == 1) return decide(prepare(parts[0], states));
  const int count = number_of(parts);
  std::vector<ContactResult> results(count);
  for_each_in_threads(count, problem.options.threads,
                      [&](int i) { results[i] = decide(prepare(parts[i], states)); });
  ContactResult whole = empty_result(problem);
  for (int i = 0; i < count; ++i)
    join(parts[i].island, problem.tangents(), std::move(results[i]), whole);
  return whole;
}

DecisionProblem as_one_island(const ContactProblem& problem) {
  IslandPart<ContactProblem> part;
  part.problem = &problem;
  part.delassus = make_delassus(problem, problem.options.rank_cutoff);
  part.free = free_acceleration(part.delassus, problem);
  part.island.contacts.resize(problem.contacts());
  std::iota(part.island.contacts.begin(), part.island.contacts.end(), 0);
  return prepare(part, contact_states(problem));
}

namespace {

/// A contact does not begin to slip with an acceleration below the error of the answer that says so: it sticks.
void hold_within_error(const DecisionProblem& prepared, double error, ContactResult& result) {
  const int k = prepared.problem->tangents();
  for (int i = 0; i < prepared.problem->contacts(); ++i)
    if (result.statuses[i] == ContactStatus::trans &&
        result.slip_acceleration.segment(i * k, k).norm() <= error)
      result.statuses[i] = ContactStatus::stick;
}

}  // namespace

ContactResult finish_decision(const DecisionProblem& prepared, const FrictionResult& answer) {
  const Eigen::VectorXd force = forces_of(prepared.delassus, prepared.members, answer.reaction);
  ContactResult result;
  complete_contact(*prepared.problem, prepared.delassus, prepared.free, prepared.states, force,
                   result);
  // Of the answer itself, whatever the solver believed of it.
  const double residual = friction_residual(prepared.friction, answer.reaction).value;
  if (has_answer(answer.status))
    hold_within_error(prepared, residual * prepared.friction.q.norm(), result);
  result.certificate.residual = residual;
  result.iterations = answer.iterations;
  for (SolverStep step : answer.path) {
    if (step.contact >= 0) step.contact = prepared.members[step.contact];
    result.path.push_back(step);
  }
  if (answer.is_hyperstatic) add_flag(result.flags, "hyperstatic");
  return result;
}

FrictionResult try_rest(const DecisionProblem& prepared) {
  if (!prepared.states.is_at_rest) return {};
  return reactions_at_rest(prepared.friction);
}

std::vector<std::string> painleve_notes(const DecisionProblem& prepared) {
  std::vector<std::string> notes;
  const FrictionProblem& friction = prepared.friction;
  for (int i = 0; i < friction.contacts(); ++i) {
    if (!friction.is_sliding(i)) continue;
    const double mobility = sliding_mobility(friction, i);
    if (mobility > 0.0) continue;
    const double* block = friction.diagonal_block(i);
    double coupling = 0.0;
    for (int a = 0; a < friction.tangents(); ++a)
      coupling += friction.direction[i * friction.tangents() + a] * block[a + 1];
    notes.push_back(fmt::format(
        "contact {}: sliding mobility is {:.6g} 1/kg (Painleve); it is positive for "
        "friction below {:.6g}",
        prepared.problem->names[prepared.members[i]], mobility, block[0] / std::abs(coupling)));
  }
  return notes;
}

ContactResult decide_by_words(const DecisionProblem& prepared) {
  const FrictionProblem& friction = prepared.friction;
  const WordSearch search = solve_all_words(friction, ForceNorm::euclidean);
  const std::vector<WordAnswer> answers = distinct_answers(friction, search.answers);
  if (answers.empty()) {
    FrictionResult none;
    none.reaction = Eigen::VectorXd::Zero(friction.unknowns());
    none.residual = friction_residual(friction, none.reaction).value;
    none.iterations = search.tried;
    ContactResult result = finish_without_answer(
        prepared, none, search.refutes ? SolveStatus::none_exists : SolveStatus::not_converged);
    if (search.refutes) result.solutions = 0;
    return result;
  }
  ContactResult result = finish_decision(prepared, answers.front());
  result.solutions = number_of(answers);
  if (answers.size() == 1) return result;
  result.status = SolveStatus::several;
  add_flag(result.flags, "several-solutions");
  for (auto& note : painleve_notes(prepared)) result.notes.push_back(std::move(note));
  const int d = friction.dimension;
  for (std::size_t k = 0; k < answers.size(); ++k) {
    std::string line = fmt::format("solution {}:", k + 1);
    for (int i = 0; i < friction.contacts(); ++i)
      line += fmt::format("{} {} with normal force {:.6g} N, gap acceleration {:.6g} m/s2",
                          i == 0 ? "" : ",", prepared.problem->names[prepared.members[i]],
                          answers[k].reaction[d * i], answers[k].velocity[d * i]);
    result.notes.push_back(std::move(line));
  }
  return result;
}

ContactResult finish_without_answer(const DecisionProblem& prepared, const FrictionResult& best,
                                    SolveStatus status) {
  ContactResult result = finish_decision(prepared, best);
  result.status = status;
  const bool is_proved = status == SolveStatus::none_exists;
  add_flag(result.flags, is_proved ? "no-solution" : "not-converged");
  for (auto& note : painleve_notes(prepared)) result.notes.push_back(std::move(note));
  if (!is_proved)
    result.notes.push_back(fmt::format("no forces found: residual {:.3g} after {} iterations",
                                       best.residual, best.iterations));
  return result;
}

}  // namespace clack
