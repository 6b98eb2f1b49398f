#include "clack/contact/enumeration_decision.hpp"

#include "clack/contact/planar_decision.hpp"
#include "clack/contact/tolerances.hpp"

namespace clack {
namespace {

ContactResult finish(const ContactProblem& problem, const PlanarDecision& prepared,
                     const WordAnswer& answer) {
  ContactResult result = finish_planar_decision(problem, prepared, answer);
  if (answer.is_hyperstatic) add_flag(result.flags, "hyperstatic");
  return result;
}

void note_solutions(const ContactProblem& problem, const PlanarDecision& prepared,
                    const std::vector<WordAnswer>& answers, ContactResult& result) {
  add_flag(result.flags, "several-solutions");
  for (auto& note : painleve_notes(problem, prepared)) result.notes.push_back(std::move(note));
  const int c = prepared.friction.contacts();
  for (std::size_t k = 0; k < answers.size(); ++k) {
    std::string line = fmt::format("solution {}:", k + 1);
    for (int i = 0; i < c; ++i) {
      const auto contact = static_cast<std::size_t>(prepared.members[static_cast<std::size_t>(i)]);
      line += fmt::format("{} {} with normal force {:.6g} N, gap acceleration {:.6g} m/s2",
                          i == 0 ? "" : ",", problem.names[contact], answers[k].force[i],
                          answers[k].motion[i]);
    }
    result.notes.push_back(std::move(line));
  }
}

}  // namespace

DecisionPart EnumerationDecision::part() {
  DecisionPart part;
  part.name = "enumeration";
  part.help = "every combination of open, stick and both slips; counts the solutions";
  part.needs = {.plane = true, .contact_limit = contact_tolerances.enumerated_contacts};
  part.make = [](const OptionValues&) { return std::make_unique<EnumerationDecision>(); };
  return part;
}

ContactResult EnumerationDecision::decide(const ContactProblem& problem) const {
  const PlanarDecision prepared = prepare_planar_decision(problem);
  std::vector<WordAnswer> answers =
      distinct_answers(prepared.friction, solve_all_words(prepared.friction, ForceNorm::euclidean));
  if (answers.empty()) {
    ContactResult result = no_planar_solution(problem, prepared);
    result.solutions = 0;
    return result;
  }
  ContactResult result = finish(problem, prepared, answers.front());
  result.solutions = static_cast<int>(answers.size());
  if (answers.size() > 1) note_solutions(problem, prepared, answers, result);
  return result;
}

std::vector<ContactResult> all_contact_solutions(const ContactProblem& problem) {
  const PlanarDecision prepared = prepare_planar_decision(problem);
  std::vector<ContactResult> results;
  for (const WordAnswer& answer : distinct_answers(
           prepared.friction, solve_all_words(prepared.friction, ForceNorm::euclidean)))
    results.push_back(finish(problem, prepared, answer));
  return results;
}

}  // namespace clack
