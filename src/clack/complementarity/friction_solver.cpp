#include "clack/complementarity/friction_solver.hpp"

#include <Eigen/SparseCholesky>
#include <chrono>
#include <numeric>

#include "clack/complementarity/friction_enumeration.hpp"
#include "clack/complementarity/friction_islands.hpp"
#include "clack/complementarity/sorprox.hpp"

namespace clack {

namespace {

bool is_at_rest(const FrictionProblem& problem, const FrictionResult& result, double tolerance) {
  return result.status == FrictionStatus::solved && problem.contacts() > 0 &&
         result.velocity.norm() <= tolerance * problem.q.norm();
}

// One island through the stages of the chosen strategy; keeps the best answer and counts the work.
class IslandSolve {
 public:
  IslandSolve(const FrictionProblem& problem, const FrictionOptions& options)
      : problem_(problem), options_(options) {
    best_.reaction = Eigen::VectorXd::Zero(problem.q.size());
    certify(problem_, options_.tolerance, best_);
  }

  FrictionResult run() {
    const bool is_open = !is_approaching();
    if (is_open && options_.solver != FrictionSolver::enumeration && !is_small())
      return std::move(best_);
    switch (options_.solver) {
      case FrictionSolver::automatic:
        is_open ? enumerate() : automatic();
        break;
      case FrictionSolver::sorprox:
        sweep(10000);
        break;
      case FrictionSolver::newton:
        newton(Eigen::VectorXd(), 300);
        break;
      case FrictionSolver::enumeration:
        enumerate();
        break;
    }
    return std::move(best_);
  }

 private:
  static constexpr int quick_sweeps = 1000;
  static constexpr int newton_steps = 2000;
  static constexpr int uniqueness_contacts =
      3;  // planar islands up to this size are always enumerated

  bool is_approaching() const {
    for (int i = 0; i < problem_.contacts(); ++i)
      if (problem_.q(problem_.dimension * i) < 0.0) return true;
    return false;
  }
  bool is_small() const {
    return problem_.dimension == 2 && problem_.contacts() <= uniqueness_contacts;
  }
  bool is_solved() const { return best_.status == FrictionStatus::solved; }
  long budget_left() const { return std::max(0L, options_.limit - used_); }

  void take(const FrictionResult& candidate) {
    used_ += candidate.iterations;
    if (candidate.residual < best_.residual ||
        (candidate.status == FrictionStatus::solved && !is_solved())) {
      const std::vector<Eigen::VectorXd> solutions = std::move(best_.solutions);
      best_ = candidate;
      if (best_.solutions.empty()) best_.solutions = solutions;
    }
    best_.iterations = used_;
    if (options_.progress) options_.progress("stage", used_, best_.residual);
  }

  void rest() {
    FrictionNewtonOptions newton;
    newton.law = FrictionLaw::relaxed;
    newton.tolerance = 0.1 * options_.tolerance;
    newton.moving_ratio = 0.05;
    newton.extragradient_steps = static_cast<int>(std::min<long>(300, budget_left()));
    newton.newton_limit = static_cast<int>(std::min<long>(300, budget_left()));
    newton.progress = options_.progress;
    FrictionResult result = solve_friction_newton(problem_, newton);
    certify(problem_, options_.tolerance, result);
    if (is_at_rest(problem_, result, options_.tolerance)) {
      take(result);
    } else {
      used_ += result.iterations;
      best_.iterations = used_;
    }
  }

  void sweep(long sweeps) {
    SorproxOptions sorprox;
    sorprox.tolerance = options_.tolerance;
    sorprox.sweep_limit = std::min(sweeps, budget_left());
    sorprox.start = best_.reaction;
    if (options_.progress)
      sorprox.progress = [&](long k, double residual) {
        options_.progress("sorprox", used_ + k, residual);
      };
    take(solve_sorprox(problem_, sorprox));
  }

  void newton(const Eigen::VectorXd& start, int extragradient_steps) {
    FrictionNewtonOptions newton;
    newton.tolerance = options_.tolerance;
    newton.extragradient_steps =
        static_cast<int>(std::min<long>(extragradient_steps, budget_left()));
    newton.newton_limit = static_cast<int>(
        std::clamp<long>(budget_left() - newton.extragradient_steps, 0, newton_steps));
    newton.start = start;
    newton.progress = options_.progress;
    take(solve_friction_newton(problem_, newton));
  }

  void enumerate() {
    FrictionEnumerationOptions enumeration;
    enumeration.tolerance = options_.tolerance;
    FrictionResult result = enumerate_friction(problem_, enumeration);
    const bool is_not_unique = result.solutions.size() > 1;
    const auto status = result.status;
    const auto solutions = result.solutions;
    take(result);
    best_.solutions = solutions;
    if (status == FrictionStatus::unsolvable && !is_solved()) best_.status = status;
    if (is_not_unique && !best_.has_flag("not-unique")) best_.flags.emplace_back("not-unique");
  }

  void automatic() {
    if (options_.tries_rest_first) rest();
    if (!is_solved()) sweep(quick_sweeps);
    if (!is_solved()) newton(best_.reaction, 0);
    if (!is_solved()) newton(Eigen::VectorXd(), 300);
    if (is_small() || (!is_solved() && is_enumerable(problem_))) enumerate();
    if (!is_solved() && best_.status != FrictionStatus::unsolvable) sweep(10000);
  }

  const FrictionProblem& problem_;
  const FrictionOptions& options_;
  FrictionResult best_;
  long used_ = 0;
};

}  // namespace

FrictionResult solve_friction(const FrictionProblem& problem, const FrictionOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  FrictionResult result;
  result.reaction = Eigen::VectorXd::Zero(problem.q.size());
  bool is_unsolvable = false;
  std::vector<std::vector<int>> islands = friction_islands(problem);
  if (options.solver == FrictionSolver::enumeration && is_enumerable(problem) &&
      problem.contacts() > 0) {
    islands.assign(
        1, std::vector<int>(
               problem.contacts()));  // the whole at once: its list of solutions is complete
    std::iota(islands[0].begin(), islands[0].end(), 0);
  }
  for (const std::vector<int>& island : islands) {
    const FrictionProblem part = sub_problem(problem, island);
    FrictionResult answer = IslandSolve(part, options).run();
    scatter(answer.reaction, island, problem.dimension, result.reaction);
    result.iterations += answer.iterations;
    is_unsolvable = is_unsolvable || answer.status == FrictionStatus::unsolvable;
    for (const std::string& flag : answer.flags)
      if (flag == "not-unique" && !result.has_flag(flag)) result.flags.push_back(flag);
    if (islands.size() == 1) result.solutions = std::move(answer.solutions);
  }
  certify(problem, options.tolerance, result);
  if (is_unsolvable && result.status != FrictionStatus::solved)
    result.status = FrictionStatus::unsolvable;
  if (is_at_rest(problem, result, options.tolerance)) result.flags.emplace_back("rest");
  if (problem.contacts() > 0 && is_indefinite(problem)) result.flags.emplace_back("indefinite");
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
  for (int k = 0; k < 30; ++k) {
    const Eigen::VectorXd y = S * x;
    largest = y.norm();
    if (largest == 0.0) break;
    x = y / largest;
  }
  Eigen::SparseMatrix<double> identity(n, n);
  identity.setIdentity();
  const Eigen::SparseMatrix<double> shifted = S + 1e-6 * largest * identity;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors(shifted);
  return factors.info() != Eigen::Success || factors.vectorD().minCoeff() < 0.0;
}

}  // namespace clack
