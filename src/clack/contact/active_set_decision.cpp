// SPDX-License-Identifier: Apache-2.0
#include "clack/contact/active_set_decision.hpp"

#include <Eigen/Cholesky>

#include "clack/complementarity/metric_projection.hpp"
#include "clack/contact/circumstances.hpp"
#include "clack/contact/report.hpp"
#include "clack/error.hpp"
#include "clack/index.hpp"

namespace clack {

using Eigen::VectorXd;

namespace {

VectorXd negative_or_zero(const VectorXd& bias, Eigen::Index size) {
  return bias.size() > 0 ? VectorXd(-bias) : VectorXd::Zero(size);
}

MetricProjectionProblem nearest_acceleration(const ContactProblem& problem,
                                             const std::vector<int>& rows) {
  MetricProjectionProblem out;
  out.mass_matrix = problem.mass_matrix;
  out.point = problem.mass_matrix.llt().solve(problem.force);
  out.equality_rows = problem.bilateral;
  out.equality_values = negative_or_zero(problem.bilateral_bias, problem.bilateral.rows());
  out.inequality_rows = Eigen::MatrixXd(number_of(rows), problem.speeds());
  out.inequality_values = VectorXd(number_of(rows));
  const VectorXd wanted = negative_or_zero(problem.gap_bias, problem.contacts());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    out.inequality_rows.row(k) = problem.normal_jacobian.row(rows[k]);
    out.inequality_values[k] = wanted[rows[k]];
  }
  out.rank_cutoff = problem.options.rank_cutoff;
  return out;
}

/// Largest |min(force in units of acceleration, gap acceleration)| relative to the free motion.
double unit_free_residual(const Delassus& delassus, const FreeMotion& free,
                          const ContactStates& states, const ContactResult& result) {
  double worst = 0.0;
  for (Eigen::Index i = 0; i < result.normal_force.size(); ++i) {
    if (states.is_separating[i]) continue;
    const double force = result.normal_force[i] * delassus.matrix(i, i);
    worst = std::max(worst, std::abs(std::min(force, result.gap_acceleration[i])));
  }
  return free.scale > 0.0 ? worst / free.scale : worst;
}

constexpr Needs active_set_needs{.no_friction = true};

}  // namespace

DecisionPart ActiveSetDecision::part() {
  DecisionPart part;
  part.name = "active-set";
  part.help = "the nearest admissible acceleration in the kinetic metric";
  part.needs = active_set_needs;
  part.make = [](const OptionValues&) { return std::make_unique<ActiveSetDecision>(); };
  return part;
}

ContactResult ActiveSetDecision::decide(const ContactProblem& problem) const {
  require_needs(PartKind::decision, name(), active_set_needs, problem);
  const Delassus delassus = make_delassus(problem, problem.options.rank_cutoff);
  const FreeMotion free = free_acceleration(delassus, problem);
  const ContactStates states = contact_states(problem);
  std::vector<int> rows;
  for (int i = 0; i < problem.contacts(); ++i) {
    if (!states.is_separating[i]) rows.push_back(i);
  }
  const MetricProjectionResult found = project_in_metric(nearest_acceleration(problem, rows));

  ContactResult result;
  VectorXd force = VectorXd::Zero(delassus.rows());
  for (std::size_t k = 0; k < rows.size(); ++k) force[rows[k]] = found.inequality_multipliers[k];
  complete_contact(problem, delassus, free, states, force, result);
  result.iterations = found.sets;
  result.certificate.residual = unit_free_residual(delassus, free, states, result);
  result.notes = found.notes;
  if (!found.is_unique) add_flag(result.flags, "hyperstatic");
  if (found.is_near_cutoff) add_flag(result.flags, "rank-near-cutoff");
  if (found.status != MetricProjectionStatus::solved) {
    const bool is_proved = found.status == MetricProjectionStatus::contradictory;
    result.status = is_proved ? SolveStatus::none_exists : SolveStatus::not_converged;
    add_flag(result.flags, is_proved ? "no-solution" : "not-converged");
  }
  return result;
}

}  // namespace clack
