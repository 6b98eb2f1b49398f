// SPDX-License-Identifier: Apache-2.0
#include "clack/library/answers.hpp"

#include <nlohmann/json.hpp>

#include "clack/contact/circumstances.hpp"
#include "clack/contact/enumeration_decision.hpp"
#include "clack/contact/problem_json.hpp"
#include "clack/contact/tolerances.hpp"
#include "clack/error.hpp"
#include "clack/hybrid/theory.hpp"
#include "clack/nearest_name.hpp"

namespace clack {
namespace {

const TheoryParts& parts_once() {
  static const TheoryParts parts = standard_parts();
  return parts;
}

/// Parts know no files: what they refuse gets the name of ours.
template <class Action>
auto named(const std::string& file, const Action& action) {
  try {
    return action();
  } catch (const NoAnswer&) {
    throw;
  } catch (const InputError& error) {
    throw InputError(error.what(), error.where().empty() ? file : error.where(), error.remedy());
  }
}

/// Several solutions are looked for where enumeration is cheap; the law's own answer stays.
void note_uniqueness(const ImpactProblem& problem, const ImpactLaw& law, ImpactResult& result) {
  const auto count = problem.contacts() > 0 ? law.count_solutions(problem) : std::nullopt;
  if (!count || *count <= 1) return;
  result.flags.emplace_back("not-unique");
  result.notes.push_back(
      fmt::format("{} different velocities satisfy the law; the one shown is Lemke's", *count));
}

void note_uniqueness(const ContactProblem& problem, ContactResult& result) {
  const bool is_countable = problem.dimension == 2 && problem.contacts() > 0 &&
                            problem.contacts() <= contact_tolerances.counted_contacts;
  if (result.solutions || !is_countable || result.status != SolveStatus::solved) return;
  result.solutions = number_of(all_contact_solutions(problem));
  if (*result.solutions <= 1) return;
  result.status = SolveStatus::several;
  result.flags.emplace_back("several-solutions");
  result.notes.push_back(
      fmt::format("{} different accelerations satisfy the laws", *result.solutions));
}

void note_approaching(const ContactProblem& problem, ContactResult& result) {
  const Eigen::VectorXd rates = problem.gap_rates(problem.velocity);
  const double largest = problem.velocity.size() > 0 ? problem.velocity.cwiseAbs().maxCoeff() : 0.0;
  for (int i = 0; i < problem.contacts(); ++i)
    if (rates[i] < -problem.options.slip_tolerance * largest)
      result.notes.push_back(
          fmt::format("contact {} approaches at {:.6g} m/s: forces do not stop it, an impact does "
                      "(clack impact)",
                      problem.names[i], -rates[i]));
}

}  // namespace

const ImpactLawRegistry& standard_impact_laws() { return parts_once().impact_laws; }

ImpactResult resolve_impact(const ImpactProblem& problem, std::string_view name,
                            const OptionValues& options, const std::string& file) {
  const ImpactLawRegistry& laws = parts_once().impact_laws;
  const auto law = named(file, [&] { return laws.make(name, options); });
  if (const std::string reason = laws.refusal(name, circumstances_of(problem)); !reason.empty())
    throw InputError(reason, file, "clack impact --help lists the laws and their needs");
  if (const auto refusal = law->refusal(problem))
    throw InputError(fmt::format("law {}: {}", name, refusal->what), file, refusal->remedy);
  ImpactResult result = named(file, [&] { return law->resolve(problem); });
  note_uniqueness(problem, *law, result);
  return result;
}

ContactResult decide_contact(const ContactProblem& problem, std::string_view name,
                             const OptionValues& options, const std::string& file) {
  const DecisionRegistry& decisions = parts_once().decisions;
  if (const std::string reason = decisions.refusal(name, circumstances_of(problem));
      !reason.empty())
    throw InputError(reason, file, "clack contact --help lists the decisions and their needs");
  const auto decision = decisions.make(name, options);
  ContactResult result = named(file, [&] { return decision->decide(problem); });
  note_uniqueness(problem, result);
  note_approaching(problem, result);
  return result;
}

ImpactAnswer answer_impact(const nlohmann::json& document, const std::string& file,
                           std::string_view law) {
  const ImpactLawPart& part = parts_once().impact_laws.find(law);
  ProblemDocument read =
      read_problem(document, file, {.part = &part, .catalogue = catalogue_of(parts_once())},
                   {.lowest_restitution = part.needs.lowest_restitution});
  read.impact.options.record_history = true;
  ImpactAnswer answer{read.impact, resolve_impact(read.impact, law, read.options, file)};
  if (!read.unread_options.empty())
    answer.result.notes.push_back(
        fmt::format("law {} does not read options {}", law, list_names(read.unread_options)));
  if (!read.contact_only.empty())
    answer.result.notes.push_back("an impact does not read " + list_names(read.contact_only));
  return answer;
}

ContactAnswer answer_contact(const nlohmann::json& document, const std::string& file,
                             std::string_view decision) {
  const DecisionPart& part = parts_once().decisions.find(decision);
  ValidationLimits limits;
  limits.lowest_restitution = -1.0;  // not read here
  ProblemDocument read = read_problem(
      document, file, {.part = &part, .catalogue = catalogue_of(parts_once())}, limits);
  ContactAnswer answer{read.contact, decide_contact(read.contact, decision, read.options, file)};
  if (!read.impact_only.empty())
    answer.result.notes.push_back("a contact decision does not read " +
                                  list_names(read.impact_only));
  return answer;
}

void refuse_impact(const ImpactAnswer& answer, std::string_view law, const std::string& file) {
  const ImpactResult& result = answer.result;
  if (result.status == SolveStatus::unfinished)
    throw NoAnswer(fmt::format("law {}: contacts still approach with {:.6g} m/s after {} events",
                               law, result.certificate.penetration, result.events.size()),
                   file, "set options max_events to take the answer as it is then");
  const bool has_friction = std::ranges::any_of(
      answer.problem.materials, [](const ContactMaterial& m) { return m.static_friction > 0.0; });
  const std::string reason = result.notes.empty()
                                 ? fmt::format("residual {:.3g} after {} iterations",
                                               result.certificate.residual, result.iterations)
                                 : result.notes.front();
  throw NoAnswer(fmt::format("law {} found no admissible impulses: {}", law, reason), file,
                 has_friction
                     ? "try another law, or less friction"
                     : "change the surface velocities or rows that ask for opposite motions");
}

void refuse_contact(const ContactAnswer& answer, const std::string& file) {
  const bool is_none = answer.result.status == SolveStatus::none_exists;
  std::string why;
  for (const std::string& note : answer.result.notes) why += "; " + note;
  throw NoAnswer(fmt::format("{} (residual {:.3g}){}",
                             is_none ? "no admissible forces" : "the decision did not converge",
                             answer.result.certificate.residual, why),
                 file,
                 is_none ? "lower the friction, or resolve it as an impact (clack impact)"
                         : "try another --decision");
}

}  // namespace clack
