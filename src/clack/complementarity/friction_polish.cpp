// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/friction_polish.hpp"

#include <Eigen/QR>

#include "clack/complementarity/friction_tolerances.hpp"
#include "clack/index.hpp"

namespace clack {
namespace {

/// The states of an answer's contacts; empty when one of them is not clear.
std::vector<ContactStatus> clear_states(const FrictionProblem& problem,
                                        const Eigen::VectorXd& force,
                                        const Eigen::VectorXd& motion) {
  const int d = problem.dimension, k = problem.tangents();
  const double zero = friction_tolerances.motion * problem.motion_scale();
  std::vector<ContactStatus> states;
  for (int i = 0; i < problem.contacts(); ++i) {
    const double normal = force[d * i], force_zero = zero / problem.diagonal_block(i)[0];
    const double slip = motion.segment(d * i + 1, k).norm();
    const double friction = force.segment(d * i + 1, k).norm();
    const double limit = problem.mu[i] * normal;
    const bool is_pushing = normal > force_zero, is_leaving = motion[d * i] > zero;
    if (is_pushing == is_leaving) return {};
    if (is_leaving) {
      states.push_back(ContactStatus::open);
    } else if (problem.is_sliding(i) || problem.mu[i] == 0.0) {
      states.push_back(ContactStatus::slip);
    } else if (slip <= zero && friction < limit - force_zero) {
      states.push_back(ContactStatus::stick);
    } else if (slip > zero && friction > limit - force_zero) {
      states.push_back(ContactStatus::slip);
    } else {
      return {};
    }
  }
  return states;
}

/// The equations of the states, one per unknown: normals of closed contacts, tangents of those that
/// stick or slip with friction. Those of slip are multiplied by the row's mobility, so that all are
/// motions.
class StateEquations {
 public:
  StateEquations(const FrictionProblem& problem, std::vector<ContactStatus> states)
      : problem_(problem), W_(dense_delassus(problem)), states_(std::move(states)) {
    const int d = problem.dimension;
    for (int i = 0; i < problem.contacts(); ++i) {
      if (states_[i] == ContactStatus::open) continue;
      for (int a = 0; a < (friction_of(i) > 0.0 ? d : 1); ++a) rows_.push_back(d * i + a);
    }
  }

  const std::vector<int>& rows() const { return rows_; }
  const std::vector<ContactStatus>& states() const { return states_; }

  /// Left sides, and their derivatives by the unknowns.
  void evaluate(const Eigen::VectorXd& force, const Eigen::VectorXd& motion, Eigen::VectorXd& value,
                Eigen::MatrixXd& slope) const {
    const int d = problem_.dimension, k = problem_.tangents();
    const int size = number_of(rows_);
    value = motion(rows_);
    slope = W_(rows_, rows_);
    for (int r = 0; r < size; ++r) {
      const int row = rows_[r], i = row / d, a = row % d - 1;
      if (a < 0 || states_[i] != ContactStatus::slip) continue;
      const double mobility = W_(row, row), mu = friction_of(i), normal = force[d * i];
      const bool is_known = problem_.is_sliding(i);
      const double speed = is_known ? 1.0 : motion.segment(d * i + 1, k).norm();
      const Eigen::VectorXd direction =
          (is_known ? problem_.direction.segment(i * k, k) : motion.segment(d * i + 1, k)) / speed;
      value[r] = mobility * (force[row] + mu * normal * direction[a]);
      slope.row(r).setZero();
      for (int q = 0; q < size; ++q) {
        const int unknown = rows_[q];
        double turn = 0.0;  // change of the direction by this unknown
        for (int b = 0; b < k && !is_known; ++b)
          turn += ((a == b ? 1.0 : 0.0) - direction[a] * direction[b]) / speed *
                  W_(d * i + 1 + b, unknown);
        slope(r, q) =
            mobility * ((unknown == row ? 1.0 : 0.0) +
                        (unknown == d * i ? mu * direction[a] : 0.0) + mu * normal * turn);
      }
    }
  }

 private:
  double friction_of(int i) const {
    return problem_.is_sliding(i) ? problem_.dynamic_mu_of(i) : problem_.mu[i];
  }

  const FrictionProblem& problem_;
  Eigen::MatrixXd W_;
  std::vector<ContactStatus> states_;
  std::vector<int> rows_;
};

}  // namespace

bool polish_reaction(const FrictionProblem& problem, Eigen::VectorXd& reaction) {
  Eigen::VectorXd force = reaction;
  Eigen::VectorXd motion = contact_velocity(problem, force);
  std::vector<ContactStatus> states = clear_states(problem, force, motion);
  if (states.empty()) return false;
  const StateEquations equations(problem, std::move(states));
  if (equations.rows().empty()) return false;
  std::vector<bool> is_unknown(force.size(), false);
  for (const int row : equations.rows()) is_unknown[row] = true;
  for (int row = 0; row < force.size(); ++row)
    if (!is_unknown[row]) force[row] = 0.0;
  Eigen::VectorXd value;
  Eigen::MatrixXd slope;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor;
  factor.setThreshold(friction_tolerances.rank);
  double before = 0.0;
  for (int step = 0; step < friction_tolerances.polish_steps; ++step) {
    motion = contact_velocity(problem, force);
    equations.evaluate(force, motion, value, slope);
    if (step == 0) before = value.cwiseAbs().maxCoeff();
    factor.compute(slope);
    force(equations.rows()) -= factor.solve(value);
  }
  motion = contact_velocity(problem, force);
  equations.evaluate(force, motion, value, slope);
  if (!(value.cwiseAbs().maxCoeff() < before)) return false;
  if (clear_states(problem, force, motion) != equations.states()) return false;
  reaction = force;
  return true;
}

}  // namespace clack
