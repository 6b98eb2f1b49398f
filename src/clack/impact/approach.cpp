// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/approach.hpp"

#include <Eigen/Cholesky>

namespace clack {

using Eigen::VectorXd;

double largest_rate(const ImpactProblem& problem, const VectorXd& v) {
  double largest = v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0.0;
  if (problem.contacts() > 0)
    largest = std::max(largest, problem.gap_rates(v).lpNorm<Eigen::Infinity>());
  return largest;
}

double approach_limit_of(const ImpactProblem& problem, const VectorXd& motion, double part) {
  if (problem.approach_limit) return *problem.approach_limit;
  return motion.size() > 0 ? part * motion.lpNorm<Eigen::Infinity>() : 0.0;
}

VectorXd free_velocity_of(const ImpactProblem& problem, const VectorXd& v) {
  if (problem.external_impulse.size() == 0) return v;
  return v + problem.mass_matrix.llt().solve(problem.external_impulse);
}

ContactRows taking_part(const ImpactProblem& problem, const VectorXd& v, const VectorXd& v_free,
                        double zero) {
  const VectorXd before = problem.gap_rates(v), free = problem.gap_rates(v_free);
  ContactRows rows;
  for (int i = 0; i < problem.contacts(); ++i) {
    if (before[i] <= zero || free[i] < -zero) rows.push_back(i);
  }
  return rows;
}

ContactRows approaching(const ImpactProblem& problem, const VectorXd& v, double zero) {
  const VectorXd rates = problem.gap_rates(v);
  ContactRows rows;
  for (int i = 0; i < problem.contacts(); ++i) {
    if (rates[i] < -zero) rows.push_back(i);
  }
  return rows;
}

int fastest(const ImpactProblem& problem, const VectorXd& v, const ContactRows& rows) {
  const VectorXd rates = problem.gap_rates(v);
  return *std::min_element(rows.begin(), rows.end(),
                           [&](int a, int b) { return rates[a] < rates[b]; });
}

}  // namespace clack
