// SPDX-License-Identifier: Apache-2.0
#include "clack/contact/lcp_decision.hpp"

#include "clack/complementarity/friction_rounds.hpp"
#include "clack/complementarity/friction_solver.hpp"
#include "clack/complementarity/friction_tolerances.hpp"
#include "clack/contact/decision_problem.hpp"

namespace clack {
namespace {

/// What started to slip keeps slipping the same way, and what slips could not have stuck: otherwise
/// the two frictions have no common answer along this path.
bool is_true_answer(const FrictionProblem& friction, const FrictionResult& answer) {
  const double zero = friction_tolerances.motion * friction.motion_scale();
  for (int i = 0; i < friction.contacts(); ++i) {
    if (!friction.has_tangent_law(i) || answer.velocity[2 * i] > zero) continue;
    const double slip = answer.velocity[2 * i + 1];
    if (std::abs(slip) <= zero) continue;
    const double expected =
        -std::copysign(friction.dynamic_mu_of(i) * answer.reaction[2 * i], slip);
    const double own = friction.diagonal_block(i)[3], mobility = own > 0.0 ? own : 1.0;
    if (std::abs(answer.reaction[2 * i + 1] - expected) * mobility >
        friction_tolerances.residual * friction.motion_scale())
      return false;
  }
  return true;
}

/// Parts by which the mobility of one contact is far from singular; rounding is ten digits smaller.
constexpr double clear_mobility = 1e-6;

/// Whether the forces of every state of the contacts are unique without a look at their rank: one contact whose mobility is
/// far from singular, sticking and sliding.
bool is_clearly_determined(const FrictionProblem& friction) {
  if (friction.contacts() != 1) return false;
  const double* block = friction.diagonal_block(0);
  const double normal = block[0], tangent = block[3], least = clear_mobility;
  const bool sticks = normal > 0.0 && tangent > 0.0 &&
                      normal * tangent - block[1] * block[2] > least * normal * tangent;
  const double mu = std::max(friction.mu[0], friction.dynamic_mu_of(0));
  return sticks && normal - mu * std::max(std::abs(block[1]), std::abs(block[2])) > least * normal;
}

/// Lemke found nothing, or what it found is not the law: all states of few contacts, else sweeps,
/// second-order steps and once more all states.
ContactResult decide_otherwise(const DecisionProblem& prepared, const FrictionResult& best) {
  const bool is_small = prepared.friction.contacts() <= friction_tolerances.fallback_contacts;
  if (is_small) {
    ContactResult listed = decide_by_words(prepared);
    if (listed.status != SolveStatus::not_converged) return listed;
  }
  FrictionResult answer = solve_friction(prepared.friction, run_friction_options());
  answer.iterations += best.iterations;
  if (!has_answer(answer.status)) return finish_without_answer(prepared, answer, answer.status);
  return answer.status == SolveStatus::several ? decide_by_words(prepared)
                                               : finish_decision(prepared, answer);
}

ContactResult decide_by_lemke(const DecisionProblem& prepared, LcpSize size) {
  if (const FrictionResult rest = try_rest(prepared); has_answer(rest.status))
    return finish_decision(prepared, rest);
  const std::vector<std::string> paradox = painleve_notes(prepared);
  if (!paradox.empty() && prepared.friction.contacts() <= friction_tolerances.counted_contacts)
    return decide_by_words(prepared);
  FrictionResult answer =
      solve_in_rounds(prepared.friction, SlipRelease::known_direction,
                      [&](const FrictionProblem& p) { return solve_planar_lcp(p, size); });
  if (!has_answer(answer.status) || !is_true_answer(prepared.friction, answer))
    return decide_otherwise(prepared, answer);
  auto smallest =
      is_clearly_determined(prepared.friction)
          ? std::nullopt
          : solve_word(prepared.friction, word_of(prepared.friction, answer), ForceNorm::euclidean);
  if (smallest && smallest->is_hyperstatic && smallest->residual <= friction_tolerances.residual) {
    smallest->iterations = answer.iterations;
    answer = std::move(*smallest);
  }
  ContactResult result = finish_decision(prepared, answer);
  result.notes.insert(result.notes.end(), paradox.begin(), paradox.end());
  return result;
}

}  // namespace

DecisionPart LcpDecision::part() {
  DecisionPart part;
  part.name = "lcp";
  part.help = "Lemke's method on a linear complementarity problem";
  part.needs.plane = true;
  part.options = {lcp_size_option()};
  part.make = [](const OptionValues& values) {
    return std::make_unique<LcpDecision>(values.chosen<LcpSize>("lcp_size"));
  };
  return part;
}

ContactResult LcpDecision::decide(const ContactProblem& problem) const {
  return decide_by_islands(
      problem, [&](const DecisionProblem& island) { return decide_by_lemke(island, size_); });
}

}  // namespace clack
