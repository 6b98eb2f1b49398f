// SPDX-License-Identifier: Apache-2.0
// clack contact PROBLEM.json --decision D: next statuses of closed contacts.
#include "clack/contact/problem_json.hpp"
#include "clack/hybrid/theory.hpp"
#include "clack/json_input.hpp"
#include "clack/json_output.hpp"
#include "clack/library/answers.hpp"
#include "clack/nearest_name.hpp"
#include "clack/parts/tables.hpp"
#include "clack/terminal_text.hpp"
#include "commands.hpp"

namespace clack::command {
namespace {

struct ContactRequest {
  std::string file, decision;
  bool is_json = false;
};

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
        fmt::print("{:<16} {:>13.6g} {:>13.6g} {:>13.6g} {:>13.6g}  {}\n",
                   for_terminal(problem.names[i]), result.normal_force[i],
                   result.friction_force[row], result.gap_acceleration[i],
                   result.slip_acceleration[row], to_string(result.statuses[i]));
      else
        fmt::print("{:<16} {:>13} {:>13.6g} {:>13} {:>13.6g}\n", "", "", result.friction_force[row],
                   "", result.slip_acceleration[row]);
    }
  fmt::print("\nacceleration ");
  for (const double v : result.acceleration) fmt::print(" {:.10g}", v);
  fmt::print("\nresidual {:.2g}, {} iterations\n", result.certificate.residual, result.iterations);
  if (!result.flags.empty()) fmt::print("flags: {}\n", list_names(result.flags));
  for (const auto& note : result.notes) fmt::print("note: {}\n", for_terminal(note));
}

int run_contact(const ContactRequest& request) {
  const ContactAnswer answer =
      answer_contact(read_json_file(request.file), request.file, request.decision);
  if (request.is_json)
    fmt::print("{}\n", to_json_text(to_json(answer.problem, request.decision, answer.result)));
  else
    print_table(answer.problem, request, answer.result);
  if (!has_answer(answer.result.status)) refuse_contact(answer, request.file);
  return 0;
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
