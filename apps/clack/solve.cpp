// SPDX-License-Identifier: Apache-2.0
// clack solve lcp|friction FILE: one complementarity problem from a file.
#include <chrono>
#include <nlohmann/json.hpp>

#include "clack/complementarity/lcp_file.hpp"
#include "clack/json_output.hpp"
#include "clack/library/questions.hpp"
#include "commands.hpp"
#include "solve_friction.hpp"

namespace clack::command {

namespace {

struct LcpRequest : LcpOptions {
  std::string file;
  bool is_json = false;
};

nlohmann::ordered_json to_json(const LcpResult& result, const LcpRequest& request, double seconds) {
  nlohmann::ordered_json document;
  document["status"] = to_string(result.status);
  document["solver"] = request.solver;
  document["z"] = to_json_list(result.z);
  document["w"] = to_json_list(result.w);
  document["residual"] = result.residual;
  document["pivots"] = result.pivots;
  document["seconds"] = seconds;
  if (request.solver == "enumeration") {
    document["solutions"] = nlohmann::ordered_json::array();
    for (const auto& solution : result.solutions)
      document["solutions"].push_back(to_json_list(solution));
    document["singular"] = result.is_singular;
  }
  return document;
}

std::string explain(const LcpResult& result, const LcpRequest& request) {
  const bool is_enumeration = request.solver == "enumeration";
  switch (result.status) {
    case LcpStatus::solved:
      return result.is_singular ? "solutions are not isolated: M is singular on a face of them"
                                : "";
    case LcpStatus::ray:
      return "Lemke ended on a ray, which leaves open whether a solution exists; --solver "
             "enumeration decides it for small n";
    case LcpStatus::unsolvable:
      return "no support gives a solution";
    case LcpStatus::limit:
      if (is_enumeration && result.pivots == 0)
        return "the problem is too large for enumeration; use --solver lemke";
      return is_enumeration ? "not decided within the limit; raise --limit"
                            : "no answer within the pivot limit and the tolerance; raise --limit "
                              "or --tolerance";
  }
  return "";
}

void print_table(const LcpResult& result, const LcpRequest& request, double seconds) {
  const bool is_enumeration = request.solver == "enumeration";
  fmt::print(
      "status    {}\nsolver    {}\nunknowns  {}\nresidual  {:.3g}\n{}  {}\ntime      {:.3g} s\n",
      to_string(result.status), request.solver, result.z.size(), result.residual,
      is_enumeration ? "systems " : "pivots  ", result.pivots, seconds);
  if (const std::string note = explain(result, request); !note.empty())
    fmt::print("note      {}\n", note);
  if (is_enumeration) fmt::print("solutions {}\n", result.solutions.size());
  if (result.status == LcpStatus::solved) {
    fmt::print("\n{:>6}  {:>24}  {:>24}\n", "k", "z", "w");
    for (Eigen::Index k = 0; k < result.z.size(); ++k)
      fmt::print("{:>6}  {:>24.17g}  {:>24.17g}\n", k, result.z[k], result.w[k]);
  }
  for (std::size_t s = 1; s < result.solutions.size(); ++s) {
    fmt::print("\nsolution {}\n", s + 1);
    for (Eigen::Index k = 0; k < result.solutions[s].size(); ++k)
      fmt::print("{:>6}  {:>24.17g}\n", k, result.solutions[s][k]);
  }
}

void add_solve_lcp(CLI::App& solve_command, int& exit_code) {
  const auto request = std::make_shared<LcpRequest>();
  CLI::App* command =
      solve_command.add_subcommand("lcp", "find z >= 0 with w = M z + q >= 0 and z.w = 0");
  command
      ->add_option("FILE", request->file,
                   "JSON {\"M\": [[...]], \"q\": [...]} or text: n, matrix, q")
      ->required();
  command->add_option("--solver", request->solver,
                      "lemke (default) or enumeration (all solutions)");
  command->add_option("--tolerance", request->tolerance, "largest residual called solved (1e-10)");
  command->add_option("--limit", request->limit, "most pivots (lemke) or systems (enumeration)");
  command->add_flag("--json", request->is_json, "print one JSON document");
  command->footer("Example: clack solve lcp docs/problems/lcp.json --solver enumeration --json");
  command->callback([request, &exit_code] {
    const Lcp problem = read_lcp_file(request->file);
    const auto start = std::chrono::steady_clock::now();
    const LcpResult result = solve_lcp(problem, *request);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    if (request->is_json)
      fmt::print("{}\n", to_json_text(to_json(result, *request, time.count()), 2));
    else
      print_table(result, *request, time.count());
    exit_code = result.status == LcpStatus::solved ? 0 : 1;
  });
}

}  // namespace

void add_solve(CLI::App& program, int& exit_code) {
  CLI::App* command =
      program.add_subcommand("solve", "solve a complementarity problem from a file");
  command->require_subcommand(1);
  command->footer(
      "Examples:\n"
      "  clack solve lcp docs/problems/lcp.json\n"
      "  clack solve lcp docs/problems/lcp.json --solver enumeration --json\n"
      "  clack solve friction pile.json --tolerance 1e-12\n"
      "Exit code 1: not solved, with the reason; 2: the problem is not valid.");
  add_solve_lcp(*command, exit_code);
  add_solve_friction(*command, exit_code);
}

}  // namespace clack::command
