// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/friction_rounds.hpp"

#include "clack/complementarity/friction_tolerances.hpp"

namespace clack {

FrictionResult solve_in_rounds(
    const FrictionProblem& problem, SlipRelease release,
    const std::function<FrictionResult(const FrictionProblem&)>& solve_one_friction) {
  const bool is_one_friction =
      problem.dynamic_mu.size() == 0 || (problem.dynamic_mu.array() == problem.mu.array()).all();
  if (is_one_friction) return solve_one_friction(problem);
  const int c = problem.contacts(), d = problem.dimension, k = problem.tangents();
  const double zero = friction_tolerances.motion * problem.motion_scale();
  FrictionProblem round_problem = problem;
  round_problem.dynamic_mu.resize(0);
  for (int i = 0; i < c; ++i)
    if (problem.is_sliding(i)) round_problem.mu[i] = problem.dynamic_mu[i];
  FrictionResult result;
  long iterations = 0;
  std::vector<SolverStep> path;
  for (int round = 0; round <= c; ++round) {
    result = solve_one_friction(round_problem);
    iterations += result.iterations;
    result.iterations = iterations;
    path.insert(path.end(), result.path.begin(), result.path.end());
    result.path = path;
    if (!has_answer(result.status)) return result;
    int fastest = -1;
    double speed = zero;
    for (int i = 0; i < c; ++i) {
      const double slip = result.velocity.segment(d * i + 1, k).norm();
      if (!round_problem.has_tangent_law(i) || result.velocity[d * i] > zero) continue;
      if (round_problem.mu[i] <= problem.dynamic_mu[i] || slip <= speed) continue;
      fastest = i;
      speed = slip;
    }
    if (fastest < 0) return result;
    round_problem.mu[fastest] = problem.dynamic_mu[fastest];
    if (release == SlipRelease::lower_bound) continue;
    if (round_problem.direction.size() == 0) round_problem.direction = Eigen::VectorXd::Zero(c * k);
    round_problem.direction.segment(fastest * k, k) =
        result.velocity.segment(d * fastest + 1, k) / speed;
  }
  result.status = SolveStatus::not_converged;
  return result;
}

}  // namespace clack
