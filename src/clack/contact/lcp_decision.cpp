#include "clack/contact/lcp_decision.hpp"

#include "clack/contact/enumeration_decision.hpp"
#include "clack/contact/planar_decision.hpp"
#include "clack/contact/tolerances.hpp"

namespace clack {
namespace {

/// Steps 2 and 3. Of the contacts that start to slip although static friction held them back, the
/// fastest becomes a sliding one with dynamic friction; the others get another chance to stick.
std::optional<PlanarAnswer> solve_with_both_frictions(PlanarFriction friction, LcpSize size) {
  const int c = friction.contacts();
  int iterations = 0;
  for (int round = 0; round <= c; ++round) {
    auto answer = solve_planar_lcp(friction, size);
    if (!answer) return std::nullopt;
    iterations += answer->iterations;
    answer->iterations = iterations;
    const double zero = contact_tolerances.motion * friction.scale;
    int fastest = -1;
    for (int i = 0; i < c; ++i) {
      const double slip = std::abs(answer->motion[c + i]);
      if (answer->motion[i] > zero || !friction.has_tangent_law(i) || slip <= zero) continue;
      if (friction.static_friction[i] <= friction.dynamic_friction[i]) continue;
      if (fastest < 0 || slip > std::abs(answer->motion[c + fastest])) fastest = i;
    }
    if (fastest < 0) return answer;
    friction.slide[static_cast<std::size_t>(fastest)] = answer->motion[c + fastest] > 0.0 ? 1 : -1;
  }
  return std::nullopt;
}

/// What started to slip keeps slipping the same way, and what slips could not have stuck: otherwise
/// the two frictions have no common answer along this path.
bool is_true_answer(const PlanarFriction& friction, const PlanarAnswer& answer) {
  const int c = friction.contacts();
  const double zero = contact_tolerances.motion * friction.scale;
  for (int i = 0; i < c; ++i) {
    if (!friction.has_tangent_law(i) || answer.motion[i] > zero) continue;
    const double slip = answer.motion[c + i];
    if (std::abs(slip) <= zero) continue;
    const double expected = -std::copysign(friction.dynamic_friction[i] * answer.force[i], slip);
    const double row = friction.G(c + i, c + i) > 0.0 ? friction.G(c + i, c + i) : 1.0;
    if (std::abs(answer.force[c + i] - expected) * row >
        contact_tolerances.residual * friction.scale)
      return false;
  }
  return true;
}

ContactResult by_enumeration(const ContactProblem& problem, const PlanarDecision& prepared) {
  if (prepared.friction.contacts() <= contact_tolerances.fallback_contacts)
    return EnumerationDecision{}.decide(problem);
  ContactResult result = no_planar_solution(problem, prepared);
  add_flag(result.flags, "not-converged");
  result.notes.push_back(fmt::format(
      "Lemke found no forces and {} contacts are too many to enumerate", problem.contacts()));
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
  const PlanarDecision prepared = prepare_planar_decision(problem);
  if (const auto rest = try_rest(prepared)) {
    ContactResult result = finish_planar_decision(problem, prepared, *rest);
    if (rest->is_hyperstatic) add_flag(result.flags, "hyperstatic");
    return result;
  }
  const std::vector<std::string> paradox = painleve_notes(problem, prepared);
  const bool is_countable = prepared.friction.contacts() <= contact_tolerances.counted_contacts;
  if (!paradox.empty() && is_countable) return by_enumeration(problem, prepared);
  auto answer = solve_with_both_frictions(prepared.friction, size_);
  if (!answer || !is_true_answer(prepared.friction, *answer))
    return by_enumeration(problem, prepared);
  const auto smallest =
      solve_word(prepared.friction, word_of(prepared.friction, *answer), ForceNorm::euclidean);
  const bool is_hyperstatic = smallest && smallest->is_hyperstatic;
  if (is_hyperstatic) {
    const int iterations = answer->iterations;
    *answer = *smallest;
    answer->iterations = iterations;
  }
  ContactResult result = finish_planar_decision(problem, prepared, *answer);
  if (is_hyperstatic) add_flag(result.flags, "hyperstatic");
  result.notes.insert(result.notes.end(), paradox.begin(), paradox.end());
  return result;
}

}  // namespace clack
