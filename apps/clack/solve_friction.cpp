// SPDX-License-Identifier: Apache-2.0
// clack solve friction FILE: one frictional contact problem from a file, with its certificate.
#include "solve_friction.hpp"

#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <numeric>

#include "clack/complementarity/friction_enumeration.hpp"
#include "clack/complementarity/friction_file.hpp"
#include "clack/complementarity/friction_solver.hpp"
#include "clack/error.hpp"
#include "clack/json_output.hpp"
#include "clack/nearest_name.hpp"

namespace clack::command {

namespace {

struct FrictionRequest {
  std::string file;
  std::string solver = "automatic";
  double tolerance = 1e-8;
  long long limit = 0;
  bool is_plain = false;
  bool is_json = false;
};

constexpr std::array<std::string_view, 4> solver_names = {"automatic", "sorprox", "newton",
                                                          "enumeration"};

FrictionOptions options_of(const FrictionRequest& request) {
  const auto found = std::find(solver_names.begin(), solver_names.end(), request.solver);
  if (found == solver_names.end()) {
    const std::string nearest = nearest_name(request.solver, solver_names);
    throw InputError(fmt::format("unknown solver {}", request.solver), "",
                     nearest.empty() ? "known solvers: " + list_names(solver_names)
                                     : "did you mean " + nearest + "?");
  }
  if (!(request.tolerance > 0.0) || !std::isfinite(request.tolerance))
    throw InputError(fmt::format("--tolerance is {}, must be positive", request.tolerance), "",
                     "1e-8 is the default");
  if (request.limit < 0 || request.limit > 2147483647)
    throw InputError(fmt::format("--limit is {}, must be in [0, 2147483647]", request.limit), "",
                     "0 is the default limit of the solver");
  FrictionOptions options;
  options.solver = static_cast<FrictionSolver>(found - solver_names.begin());
  options.tolerance = request.tolerance;
  if (request.limit > 0) options.limit = request.limit;
  return options;
}

// One line on the terminal, rewritten twice a second, once two seconds have passed.
class ProgressLine {
 public:
  explicit ProgressLine(bool is_wanted) : is_wanted_(is_wanted && isatty(STDERR_FILENO) != 0) {}
  ~ProgressLine() {
    if (is_drawn_) fmt::print(stderr, "\r{:70}\r", "");
  }
  void show(std::string_view stage, long iterations, double residual) {
    const auto now = std::chrono::steady_clock::now();
    if (!is_wanted_ || now - begin_ < std::chrono::seconds(2) ||
        now - last_ < std::chrono::milliseconds(500))
      return;
    last_ = now;
    is_drawn_ = true;
    fmt::print(stderr, "\r{:8} {:9} steps  residual {:.2e}  {:5.1f} s ", stage, iterations,
               residual, std::chrono::duration<double>(now - begin_).count());
    std::fflush(stderr);
  }

 private:
  bool is_wanted_, is_drawn_ = false;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now(), last_ = begin_;
};

// The words of problem files (docs/solvers-friction.md).
std::string_view word_for(SolveStatus status) {
  switch (status) {
    case SolveStatus::solved:
    case SolveStatus::several:
      return "solved";
    case SolveStatus::none_exists:
      return "unsolvable";
    case SolveStatus::not_converged:
    case SolveStatus::unfinished:
      break;
  }
  return "limit";
}

nlohmann::ordered_json to_json(const FrictionProblem& problem, const FrictionResult& result,
                               const FrictionRequest& request) {
  nlohmann::ordered_json document;
  document["status"] = word_for(result.status);
  document["solver"] = request.solver;
  document["reaction"] = to_json_list(result.reaction);
  document["velocity"] = to_json_list(result.velocity);
  document["residual"] = result.residual;
  document["worst"] = nlohmann::ordered_json::object();
  if (result.worst_contact >= 0)
    document["worst"]["contact"] = result.worst_contact;
  else
    document["worst"]["contact"] = nullptr;
  document["worst"]["value"] = result.worst;
  document["iterations"] = result.iterations;
  document["seconds"] = result.seconds;
  document["flags"] = result.flags;
  if (!result.solutions.empty()) {
    document["solutions"] = nlohmann::ordered_json::array();
    for (const auto& solution : result.solutions)
      document["solutions"].push_back(to_json_list(solution));
  }
  if (request.is_plain)
    document["plain_residual"] = plain_friction_residual(problem, result.reaction);
  return document;
}

void print_contacts(const FrictionProblem& problem, const FrictionResult& result,
                    double tolerance) {
  constexpr int most_rows = 20;
  const int d = problem.dimension, nc = problem.contacts();
  std::vector<int> order(nc);
  std::iota(order.begin(), order.end(), 0);
  const Eigen::VectorXd residuals = contact_residuals(problem, result.reaction);
  const std::vector<ContactStatus> statuses = contact_statuses(problem, result, tolerance);
  const bool shows_worst = !has_answer(result.status) || nc > most_rows;
  if (shows_worst)
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return residuals(a) > residuals(b); });
  if (nc > most_rows) order.resize(has_answer(result.status) ? 5 : most_rows);
  fmt::print("\n{}{:>7}  {:5}  {:>10}  {:>24}  {}\n", shows_worst ? "worst contacts first\n" : "",
             "contact", "state", "residual", "reaction: normal", "tangential");
  for (const int i : order) {
    fmt::print("{:>7}  {:5}  {:>10.2e}  {:>24.16g}", i, to_string(statuses[i]), residuals(i),
               result.reaction(d * i));
    for (int a = 1; a < d; ++a) fmt::print("  {:.16g}", result.reaction(d * i + a));
    fmt::print("\n");
  }
}

void print_table(const FrictionProblem& problem, const FrictionResult& result,
                 const FrictionRequest& request) {
  fmt::print(
      "status      {}\nsolver      {}\ncontacts    {} in {} dimensions\nresidual    {:.3g}{}\n",
      word_for(result.status), request.solver, problem.contacts(), problem.dimension,
      result.residual, result.has_flag("absolute-residual") ? " (absolute: q = 0)" : "");
  if (result.worst_contact >= 0)
    fmt::print("worst       {:.3g} at contact {}\n", result.worst, result.worst_contact);
  if (request.is_plain)
    fmt::print("plain       {:.3g}\n", plain_friction_residual(problem, result.reaction));
  fmt::print("iterations  {}\ntime        {:.3g} s\n", result.iterations, result.seconds);
  if (!result.flags.empty()) fmt::print("flags       {}\n", list_names(result.flags));
  if (!result.solutions.empty()) fmt::print("solutions   {}\n", result.solutions.size());
  if (problem.contacts() > 0) print_contacts(problem, result, request.tolerance);
  for (std::size_t s = 0; s < result.solutions.size() && result.solutions.size() > 1; ++s) {
    fmt::print("\nsolution {}: reaction\n", s + 1);
    for (Eigen::Index k = 0; k < result.solutions[s].size(); ++k)
      fmt::print("{:>7}  {:.17g}\n", k, result.solutions[s][k]);
  }
}

void run(const FrictionRequest& request, int& exit_code) {
  FrictionOptions options = options_of(request);
  const FrictionProblem problem = read_friction_file(request.file);
  if (options.solver == FrictionSolver::enumeration && !is_enumerable(problem)) {
    const FrictionEnumerationOptions limits;
    throw NoAnswer(
        fmt::format(
            "{} contacts are too many for enumeration (at most {} in the plane, {} in space)",
            problem.contacts(), limits.planar_limit, limits.spatial_limit),
        request.file, "use --solver automatic");
  }
  ProgressLine line(!request.is_json);
  options.progress = [&](std::string_view stage, long iterations, double residual) {
    line.show(stage, iterations, residual);
  };
  const FrictionResult result = solve_friction(problem, options);
  if (result.has_flag("indefinite"))
    fmt::print(stderr,
               "warning: the symmetric part of W has an eigenvalue below -1e-6 of its largest; "
               "solved as given\n");
  if (request.is_json)
    fmt::print("{}\n", to_json_text(to_json(problem, result, request), 2));
  else
    print_table(problem, result, request);
  exit_code = has_answer(result.status) ? 0 : 1;
}

}  // namespace

void add_solve_friction(CLI::App& solve, int& exit_code) {
  const auto request = std::make_shared<FrictionRequest>();
  CLI::App* command = solve.add_subcommand(
      "friction", "find contact reactions that obey Coulomb's law: u = W r + q");
  command
      ->add_option(
          "FILE", request->file,
          "JSON {\"dimension\", \"W\", \"q\", \"mu\"}, text (local or global form) or HDF5 (fclib)")
      ->required();
  command->add_option("--solver", request->solver,
                      "automatic (default), sorprox, newton or enumeration");
  command->add_option("--tolerance", request->tolerance,
                      "largest unit-free residual called solved (1e-8)");
  command->add_option("--limit", request->limit,
                      "most sweeps and Newton steps per group of connected contacts");
  command->add_flag("--plain", request->is_plain,
                    "also print the residual with all masses 1, as published tables do");
  command->add_flag("--json", request->is_json, "print one JSON document");
  command->footer("Example: clack solve friction pile.json --tolerance 1e-12 --json");
  command->callback([request, &exit_code] { run(*request, exit_code); });
}

}  // namespace clack::command
