// SPDX-License-Identifier: Apache-2.0
// clack contact PROBLEM.json --decision D: next statuses of closed contacts.
#include "clack/contact/circumstances.hpp"
#include "clack/contact/enumeration_decision.hpp"
#include "clack/contact/problem_json.hpp"
#include "clack/contact/tolerances.hpp"
#include "clack/error.hpp"
#include "clack/hybrid/theory.hpp"
#include "clack/index.hpp"
#include "clack/json_output.hpp"
#include "clack/nearest_name.hpp"
#include "clack/parts/tables.hpp"
#include "commands.hpp"

namespace clack::command {
namespace {

struct ContactRequest {
  std::string file, decision;
  bool is_json = false;
};

/// Several solutions are looked for where enumeration is cheap; the decision's own answer stays.
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
  const double largest = problem.velocity.cwiseAbs().maxCoeff();
  for (int i = 0; i < problem.contacts(); ++i)
    if (rates[i] < -problem.options.slip_tolerance * largest)
      result.notes.push_back(
          fmt::format("contact {} approaches at {:.6g} m/s: forces do not stop it, an impact does "
                      "(clack impact)",
                      problem.names[i], -rates[i]));
}

void print_table(const ContactProblem& problem, const ContactRequest& request,
                 const ContactResult& result) {
  fmt::print("decision {}: {} contacts, {} speeds\n\n", request.decision, problem.contacts(),
             problem.speeds());
  fmt::print("{:<16} {:>13} {:>13} {:>13} {:>13}  {}\n", "contact", "normal (N)", "friction (N)",
             "gap acc.", "slip acc.", "status");
  const int k = problem.tangents();
  for (int i = 0; i < problem.contacts(); ++i)
    for (int a = 0; a < k; ++a) {
      const int row = i * k + a;
      if (a == 0)
        fmt::print("{:<16} {:>13.6g} {:>13.6g} {:>13.6g} {:>13.6g}  {}\n", problem.names[i],
                   result.normal_force[i], result.friction_force[row], result.gap_acceleration[i],
                   result.slip_acceleration[row], to_string(result.statuses[i]));
      else
        fmt::print("{:<16} {:>13} {:>13.6g} {:>13} {:>13.6g}\n", "", "", result.friction_force[row],
                   "", result.slip_acceleration[row]);
    }
  fmt::print("\nacceleration ");
  for (const double v : result.acceleration) fmt::print(" {:.10g}", v);
  fmt::print("\nresidual {:.2g}, {} iterations\n", result.certificate.residual, result.iterations);
  if (!result.flags.empty()) fmt::print("flags: {}\n", list_names(result.flags));
  for (const auto& note : result.notes) fmt::print("note: {}\n", note);
}

std::string reasons(const ContactResult& result) {
  std::string text;
  for (const auto& note : result.notes) text += "; " + note;
  return text;
}

int run_contact(const ContactRequest& request) {
  const TheoryParts parts = standard_parts();
  const DecisionPart& part = parts.decisions.find(request.decision);
  ValidationLimits limits;
  limits.lowest_restitution = -1.0;  // not read here
  const ProblemDocument document =
      read_problem_file(request.file, {.part = &part, .catalogue = catalogue_of(parts)}, limits);
  const ContactProblem& problem = document.contact;
  const Circumstances now = circumstances_of(problem);
  if (const std::string reason = parts.decisions.refusal(request.decision, now); !reason.empty())
    throw InputError(reason, request.file,
                     "clack contact --help lists the decisions and their needs");
  const auto decision = parts.decisions.make(request.decision, document.options);
  ContactResult result = decision->decide(problem);
  const std::string why = reasons(result);
  note_uniqueness(problem, result);
  note_approaching(problem, result);
  if (!document.impact_only.empty())
    result.notes.push_back("a contact decision does not read " + list_names(document.impact_only));
  if (request.is_json)
    fmt::print("{}\n", to_json_text(to_json(problem, decision->name(), result)));
  else
    print_table(problem, request, result);
  if (has_answer(result.status)) return 0;
  const bool is_none = result.status == SolveStatus::none_exists;
  throw NoAnswer(fmt::format("{} (residual {:.3g}){}",
                             is_none ? "no admissible forces" : "the decision did not converge",
                             result.certificate.residual, why),
                 request.file,
                 is_none ? "lower the friction, or resolve it as an impact (clack impact)"
                         : "try another --decision");
}

}  // namespace

void add_contact(CLI::App& program, int& exit_code) {
  auto request = std::make_shared<ContactRequest>();
  CLI::App* contact =
      program.add_subcommand("contact", "forces and next statuses of closed contacts");
  contact->add_option("problem", request->file, "JSON problem: masses, speeds, forces, contacts")
      ->required();
  contact->add_option("--decision", request->decision, "one of " + list_names(decision_names()))
      ->required();
  contact->add_flag("--json", request->is_json, "print one JSON document");
  contact->footer(
      "Decisions, what they need, and their options (\"options\" of the problem; in models: see "
      "brackets):\n" +
      part_list(catalogue_of(standard_parts()), PartKind::decision) +
      "\nExamples:\n"
      "  clack contact docs/problems/block-at-rest.json --decision lcp\n"
      "  clack contact docs/problems/painleve-rod.json --decision enumeration --json\n"
      "Exit code 1: no forces satisfy the laws; 2: the problem is not valid.");
  contact->callback([request, &exit_code] { exit_code = run_contact(*request); });
}

}  // namespace clack::command
