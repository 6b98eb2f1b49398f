// SPDX-License-Identifier: Apache-2.0
// clack impact PROBLEM.json --law L: speeds after one impact.
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

struct ImpactRequest {
  std::string file, law;
  bool is_json = false;
};

void print_table(const ImpactProblem& problem, const ImpactRequest& request,
                 const ImpactResult& result) {
  fmt::print("law {}: {} contacts, {} speeds\n\n", request.law, problem.contacts(),
             problem.speeds());
  fmt::print("{:<16} {:>13} {:>13} {:>13} {:>13} {:>13} {:>13}  {}\n", "contact", "gap rate -",
             "gap rate +", "slip -", "slip +", "L_N (N s)", "L_T (N s)", "status");
  const Eigen::VectorXd rate_before = problem.gap_rates(problem.velocity);
  const Eigen::VectorXd rate_after = problem.gap_rates(result.velocity);
  const Eigen::VectorXd slip_before = problem.slips(problem.velocity);
  const Eigen::VectorXd slip_after = problem.slips(result.velocity);
  const int k = problem.tangents();
  for (int i = 0; i < problem.contacts(); ++i)
    for (int a = 0; a < k; ++a) {
      const int row = i * k + a;
      if (a == 0)
        fmt::print("{:<16} {:>13.6g} {:>13.6g} {:>13.6g} {:>13.6g} {:>13.6g} {:>13.6g}  {}\n",
                   for_terminal(problem.names[i]), rate_before[i], rate_after[i], slip_before[row],
                   slip_after[row], result.normal_impulse[i], result.tangent_impulse[row],
                   to_string(result.statuses[i]));
      else
        fmt::print("{:<16} {:>13} {:>13} {:>13.6g} {:>13.6g} {:>13} {:>13.6g}\n", "", "", "",
                   slip_before[row], slip_after[row], "", result.tangent_impulse[row]);
    }
  fmt::print("\nvelocity ");
  const double speed = std::max(problem.velocity.lpNorm<Eigen::Infinity>(),
                                result.velocity.lpNorm<Eigen::Infinity>());
  for (const double v : result.velocity)  // rounding beside the other speeds reads as 0
    fmt::print(" {:.10g}", std::abs(v) < 1e-14 * speed ? 0.0 : v);
  fmt::print("\nkinetic energy {:.10g} J before, {:.10g} J after; residual {:.2g}, {} iterations\n",
             result.energy_before, result.energy_after, result.certificate.residual,
             result.iterations);
  for (std::size_t k = 0; k < result.events.size(); ++k) {
    const ImpactEvent& event = result.events[k];
    std::vector<std::string> members;
    for (const int i : event.contacts) members.push_back(problem.names[i]);
    fmt::print(
        "event {}: {}; e {:.6g}, work {:.6g} of {:.6g} J, friction {:.6g} J, impulse {:.6g} N s\n",
        k + 1, list_names(members), event.restitution, event.normal_work, event.compression_work,
        event.tangential_work, event.terminal_impulse);
  }
  if (!result.flags.empty()) fmt::print("flags: {}\n", list_names(result.flags));
  for (const auto& note : result.notes) fmt::print("note: {}\n", for_terminal(note));
}

int run_impact(const ImpactRequest& request) {
  const ImpactAnswer answer =
      answer_impact(read_json_file(request.file), request.file, request.law);
  if (request.is_json)
    fmt::print("{}\n", to_json_text(to_json(answer.problem, request.law, answer.result)));
  else
    print_table(answer.problem, request, answer.result);
  if (!has_answer(answer.result.status)) refuse_impact(answer, request.law, request.file);
  return 0;
}

}  // namespace

void add_impact(CLI::App& program, int& exit_code) {
  auto request = std::make_shared<ImpactRequest>();
  CLI::App* impact =
      program.add_subcommand("impact", "speeds after one impact, by a law of your choice");
  impact->add_option("problem", request->file, "JSON problem: masses, speeds, contacts")
      ->required();
  impact->add_option("--law", request->law, "one of " + list_names(impact_law_names()))->required();
  impact->add_flag("--json", request->is_json, "print one JSON document");
  impact->footer(
      "Laws, what they need, and their options (\"options\" of the problem; in models: see "
      "brackets):\n" +
      part_list(catalogue_of(standard_parts()), PartKind::impact_law) +
      "\nExamples:\n"
      "  clack impact docs/problems/disc-on-floor.json --law poisson\n"
      "  clack impact docs/problems/three-balls.json --law newton --json\n"
      "Exit code 1: the law has no answer; 2: the problem is not valid.");
  impact->callback([request, &exit_code] { exit_code = run_impact(*request); });
}

}  // namespace clack::command
