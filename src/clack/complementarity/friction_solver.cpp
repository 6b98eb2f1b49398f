// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/friction_solver.hpp"

#include <Eigen/SparseCholesky>
#include <chrono>
#include <numeric>
#include <optional>

#include "clack/complementarity/contact_words.hpp"
#include "clack/complementarity/friction_enumeration.hpp"
#include "clack/complementarity/friction_islands.hpp"
#include "clack/complementarity/friction_polish.hpp"
#include "clack/complementarity/friction_rounds.hpp"
#include "clack/complementarity/sorprox.hpp"
#include "clack/complementarity/threads.hpp"
#include "clack/index.hpp"

namespace clack {

namespace {

bool is_at_rest(const FrictionProblem& problem, const FrictionResult& result, double tolerance) {
  return has_answer(result.status) && problem.contacts() > 0 &&
         result.velocity.norm() <= tolerance * problem.q.norm();
}

// One island, one coefficient per contact, through the stages of the chosen strategy; keeps the best
// answer and counts the work.
class IslandSolve {
 public:
  IslandSolve(const FrictionProblem& problem, const FrictionOptions& options)
      : problem_(problem),
        bent_(problem.direction.size() > 0 ? std::make_optional(without_known_slips(problem))
                                           : std::nullopt),
        plain_(bent_ ? *bent_ : problem),
        options_(options) {
    best_.reaction = Eigen::VectorXd::Zero(problem.q.size());
    certify(plain_, options_.tolerance, best_);
    // Painleve at a sliding contact: the bent contact has no inertia, no iteration is for it.
    is_iterable_ = inverse_apparent_mass(plain_).minCoeff() > 0.0;
  }

  FrictionResult run() {
    const bool is_open = !is_approaching();
    if (is_open) best_.method = FrictionMethod::free;
    if (!is_open || options_.solver == FrictionSolver::enumeration || is_counted()) solve(is_open);
    restore_known_slips(problem_, best_.reaction);
    return std::move(best_);
  }

 private:
  void solve(bool is_open) {
    switch (options_.solver) {
      case FrictionSolver::automatic:
        is_open ? enumerate() : automatic();
        break;
      case FrictionSolver::sorprox:
        sweep(friction_tolerances.long_sweeps);
        break;
      case FrictionSolver::newton:
        newton(Eigen::VectorXd(), friction_tolerances.extragradient);
        break;
      case FrictionSolver::enumeration:
        enumerate();
        break;
    }
  }

  bool is_approaching() const {
    for (int i = 0; i < problem_.contacts(); ++i)
      if (!(problem_.q(problem_.dimension * i) >= 0.0) || problem_.offset_of(i) > 0.0) return true;
    return false;
  }
  bool is_counted() const {
    return options_.counts_solutions && problem_.dimension == 2 &&
           problem_.contacts() <= friction_tolerances.unique_contacts;
  }
  bool is_good_enough() const {
    const double enough = options_.enough > 0.0 ? options_.enough : options_.tolerance;
    return best_.status == SolveStatus::solved &&
           (best_.residual <= enough || best_.has_flag("rounding-limit"));
  }
  double target() const { return options_.target > 0.0 ? options_.target : options_.tolerance; }
  int budget(long wanted) const {
    return static_cast<int>(std::clamp<long>(options_.limit - used_, 0, wanted));
  }

  void take(FrictionResult candidate, FrictionMethod method) {
    used_ += candidate.iterations;
    std::vector<SolverStep> path = std::move(best_.path);
    path.insert(path.end(), candidate.path.begin(), candidate.path.end());
    certify(plain_, options_.tolerance, candidate);
    if (candidate.residual < best_.residual ||
        (candidate.status == SolveStatus::solved && best_.status != SolveStatus::solved)) {
      best_ = std::move(candidate);
      best_.method = method;
    }
    best_.path = std::move(path);
    best_.iterations = used_;
    if (options_.progress) options_.progress("stage", used_, best_.residual);
  }

  void rest() {
    FrictionNewtonOptions newton;
    newton.law = FrictionLaw::relaxed;
    newton.tolerance = friction_tolerances.rest_accuracy * options_.tolerance;
    newton.moving_ratio = friction_tolerances.moving_ratio;
    newton.extragradient_steps = budget(friction_tolerances.extragradient);
    newton.newton_limit = budget(friction_tolerances.rest_steps);
    newton.progress = options_.progress;
    FrictionResult result = solve_friction_newton(plain_, newton);
    certify(plain_, options_.tolerance, result);
    if (is_at_rest(plain_, result, options_.tolerance)) {
      take(std::move(result), FrictionMethod::rest);
    } else {
      used_ += result.iterations;
      best_.iterations = used_;
    }
  }

  void sweep(long sweeps) {
    SorproxOptions sorprox;
    sorprox.tolerance = target();
    sorprox.sweep_limit = budget(sweeps);
    sorprox.start = best_.reaction;
    sorprox.records_path = options_.records_path;
    if (options_.progress)
      sorprox.progress = [&](long k, double residual) {
        options_.progress("sorprox", used_ + k, residual);
      };
    take(solve_sorprox(plain_, sorprox), FrictionMethod::sweeps);
    polish();
    if (!is_good_enough() && options_.records_path)
      best_.path.push_back({SolverStep::Kind::limit, -1});
  }

  void newton(const Eigen::VectorXd& start, int extragradient_steps) {
    FrictionNewtonOptions newton;
    newton.tolerance = target();
    newton.extragradient_steps = budget(extragradient_steps);
    newton.newton_limit = std::min(
        options_.newton_steps, std::max(0, budget(options_.limit) - newton.extragradient_steps));
    newton.start = start;
    newton.progress = options_.progress;
    take(solve_friction_newton(plain_, newton), FrictionMethod::second_order);
    polish();
  }

  void polish() {
    if (!options_.polishes || best_.status != SolveStatus::solved || problem_.offset.size() > 0)
      return;
    FrictionResult polished = best_;
    restore_known_slips(problem_, polished.reaction);
    if (!polish_reaction(problem_, polished.reaction)) return;
    for (int i = 0; i < problem_.contacts(); ++i)
      if (problem_.is_sliding(i))
        polished.reaction.segment(problem_.dimension * i + 1, problem_.tangents()).setZero();
    certify(plain_, options_.tolerance, polished);
    if (polished.residual <= best_.residual) best_ = std::move(polished);
  }

  /// Jammed contacts between stick and slip: the states that the best iterate may belong to, solved
  /// exactly. In the plane, where a state is a linear system.
  void guess_states() {
    if (problem_.dimension != 2) return;
    FrictionResult near = best_;
    restore_known_slips(problem_, near.reaction);
    near.velocity = contact_velocity(problem_, near.reaction);
    for (const double zero : friction_tolerances.guesses) {
      auto found = solve_word(problem_, word_of(problem_, near, zero), ForceNorm::euclidean);
      if (!found) continue;
      for (int i = 0; i < problem_.contacts(); ++i)
        if (problem_.is_sliding(i)) found->reaction[2 * i + 1] = 0.0;
      found->iterations = 1;
      take(std::move(*found), FrictionMethod::enumeration);
      if (is_good_enough()) return;
    }
  }

  void enumerate() {
    FrictionEnumerationOptions enumeration;
    enumeration.tolerance = options_.tolerance;
    FrictionResult listed = enumerate_friction(problem_, enumeration);
    used_ += listed.iterations;
    best_.iterations = used_;
    best_.solutions = listed.solutions;
    if (has_answer(listed.status) && best_.status != SolveStatus::solved) {
      listed.path = std::move(best_.path);
      listed.iterations = used_;
      best_ = std::move(listed);
    } else if (listed.status == SolveStatus::none_exists && !has_answer(best_.status)) {
      best_.status = listed.status;
    }
    if (best_.solutions.size() > 1 && has_answer(best_.status)) {
      best_.status = SolveStatus::several;
      if (!best_.has_flag("not-unique")) best_.flags.emplace_back("not-unique");
    }
  }

  void automatic() {
    if (is_iterable_) {
      if (options_.tries_rest_first && problem_.offset.size() == 0) rest();
      if (!is_good_enough()) sweep(options_.first_sweeps);
      if (!is_good_enough()) newton(best_.reaction, 0);
      if (!is_good_enough()) guess_states();
      if (!is_good_enough()) newton(Eigen::VectorXd(), friction_tolerances.extragradient);
      if (!is_good_enough()) guess_states();
    }
    const bool is_open_question = best_.status == SolveStatus::not_converged;
    if (is_counted() || (is_open_question && is_enumerable(problem_))) enumerate();
    if (best_.status == SolveStatus::not_converged && is_iterable_)
      sweep(friction_tolerances.long_sweeps);
  }

  const FrictionProblem& problem_;
  const std::optional<FrictionProblem> bent_;
  const FrictionProblem& plain_;  // known slips bent into W
  const FrictionOptions& options_;
  FrictionResult best_;  // of plain_, until the end
  long used_ = 0;
  bool is_iterable_ = true;
};

FrictionResult solve_island(const FrictionProblem& problem, const FrictionOptions& options) {
  if (options.solver == FrictionSolver::enumeration) return IslandSolve(problem, options).run();
  return solve_in_rounds(problem, SlipRelease::lower_bound, [&](const FrictionProblem& p) {
    FrictionResult result = IslandSolve(p, options).run();
    result.velocity = contact_velocity(p, result.reaction);
    return result;
  });
}

// What is worse of two parts is the status of the whole.
SolveStatus worse(SolveStatus a, SolveStatus b) {
  constexpr std::array order = {SolveStatus::solved, SolveStatus::several,
                                SolveStatus::not_converged, SolveStatus::none_exists};
  const auto rank = [&](SolveStatus s) { return std::find(order.begin(), order.end(), s); };
  return rank(a) < rank(b) ? b : a;
}

void join(const FrictionProblem& problem, const std::vector<int>& island, FrictionResult answer,
          FrictionResult& result) {
  scatter(answer.reaction, island, problem.dimension, result.reaction);
  result.iterations += answer.iterations;
  result.status = worse(result.status, answer.status);
  result.method = std::max(result.method, answer.method);
  result.is_hyperstatic = result.is_hyperstatic || answer.is_hyperstatic;
  if (answer.has_flag("not-unique") && !result.has_flag("not-unique"))
    result.flags.emplace_back("not-unique");
  for (SolverStep step : answer.path) {
    if (step.contact >= 0) step.contact = island[step.contact];
    result.path.push_back(step);
  }
}

}  // namespace

FrictionOptions run_friction_options() {
  FrictionOptions options;
  options.tolerance = friction_tolerances.residual;
  options.enough = friction_tolerances.enough;
  options.target = friction_tolerances.target;
  options.first_sweeps = friction_tolerances.long_sweeps;
  options.newton_steps = friction_tolerances.second_order_run;
  options.tries_rest_first = false;
  options.counts_solutions = false;
  options.polishes = true;
  options.checks_definiteness = false;
  return options;
}

FrictionResult solve_friction(const FrictionProblem& problem, const FrictionOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  FrictionResult result;
  result.reaction = Eigen::VectorXd::Zero(problem.q.size());
  result.status = SolveStatus::solved;
  std::vector<std::vector<int>> islands = friction_islands(problem);
  if (options.solver == FrictionSolver::enumeration && is_enumerable(problem) &&
      problem.contacts() > 0) {
    islands.assign(
        1, std::vector<int>(
               problem.contacts()));  // the whole at once: its list of solutions is complete
    std::iota(islands[0].begin(), islands[0].end(), 0);
  }
  const int count = number_of(islands);
  std::vector<FrictionResult> answers(count);
  for_each_in_threads(count, options.threads, [&](int k) {
    answers[k] = count == 1 ? solve_island(problem, options)
                            : solve_island(sub_problem(problem, islands[k]), options);
  });
  if (count == 1) result.solutions = answers[0].solutions;
  for (int k = 0; k < count; ++k) join(problem, islands[k], std::move(answers[k]), result);
  const SolveStatus of_parts = result.status;
  certify(problem, options.tolerance, result);
  if (of_parts == SolveStatus::none_exists ||
      (of_parts == SolveStatus::several && result.status == SolveStatus::solved))
    result.status = of_parts;
  if (is_at_rest(problem, result, options.tolerance)) result.flags.emplace_back("rest");
  if (options.checks_definiteness && problem.contacts() > 0 && is_indefinite(problem))
    result.flags.emplace_back("indefinite");
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

bool is_indefinite(const FrictionProblem& p) {
  const int d = p.dimension, n = p.unknowns();
  if (n == 0) return false;
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(p.values.size() * 2 + n);
  for (int i = 0; i < p.contacts(); ++i)
    for (int k = p.row_start[i]; k < p.row_start[i + 1]; ++k)
      for (int e = 0; e < d * d; ++e) {
        const int row = d * i + e / d, column = d * p.column[k] + e % d;
        const double half = 0.5 * p.values[std::size_t(k) * d * d + e];
        entries.emplace_back(row, column, half);
        entries.emplace_back(column, row, half);
      }
  Eigen::SparseMatrix<double> S(n, n);
  S.setFromTriplets(entries.begin(), entries.end());
  // Largest eigenvalue from below by power iteration; a start without symmetry of its own.
  Eigen::VectorXd x(n);
  for (int k = 0; k < n; ++k) x(k) = 1.0 + 0.37 * ((k * 7919) % 101) / 101.0;
  x.normalize();
  double largest = 0.0;
  for (int k = 0; k < friction_tolerances.power_steps; ++k) {
    const Eigen::VectorXd y = S * x;
    largest = y.norm();
    if (largest == 0.0) break;
    x = y / largest;
  }
  Eigen::SparseMatrix<double> identity(n, n);
  identity.setIdentity();
  const Eigen::SparseMatrix<double> shifted =
      S + friction_tolerances.indefinite * largest * identity;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors(shifted);
  return factors.info() != Eigen::Success || factors.vectorD().minCoeff() < 0.0;
}

}  // namespace clack
