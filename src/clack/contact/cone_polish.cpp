#include "clack/contact/cone_polish.hpp"

#include <Eigen/QR>

#include "clack/contact/tolerances.hpp"

namespace clack {
namespace {

enum class ConeState { open, stick, slip };

/// The states of an answer's contacts; empty when one of them is not clear.
std::vector<ConeState> clear_states(const ConeFriction& problem, const Eigen::VectorXd& force,
                                    const Eigen::VectorXd& motion) {
  const int c = problem.contacts(), k = problem.tangents;
  const double zero = contact_tolerances.motion * problem.scale;
  std::vector<ConeState> states;
  for (int i = 0; i < c; ++i) {
    const double force_zero = zero / problem.G(i, i);
    const double slip = motion.segment(c + i * k, k).norm();
    const double friction = force.segment(c + i * k, k).norm();
    const double limit = problem.friction[i] * force[i];
    const bool is_pushing = force[i] > force_zero, is_leaving = motion[i] > zero;
    if (is_pushing == is_leaving) return {};
    if (is_leaving) {
      states.push_back(ConeState::open);
    } else if (problem.is_sliding(i) || problem.friction[i] == 0.0) {
      states.push_back(ConeState::slip);
    } else if (slip <= zero && friction < limit - force_zero) {
      states.push_back(ConeState::stick);
    } else if (slip > zero && friction > limit - force_zero) {
      states.push_back(ConeState::slip);
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
  StateEquations(const ConeFriction& problem, std::vector<ConeState> states)
      : problem_(problem), states_(std::move(states)) {
    const int c = problem.contacts(), k = problem.tangents;
    for (int i = 0; i < c; ++i) {
      if (state(i) == ConeState::open) continue;
      rows_.push_back(i);
      for (int a = 0; a < k && problem.friction[i] > 0.0; ++a) rows_.push_back(c + i * k + a);
    }
  }

  const std::vector<int>& rows() const { return rows_; }
  const std::vector<ConeState>& states() const { return states_; }

  /// Left sides, and their derivatives by the unknowns.
  void evaluate(const Eigen::VectorXd& force, const Eigen::VectorXd& motion, Eigen::VectorXd& value,
                Eigen::MatrixXd& slope) const {
    const int c = problem_.contacts(), k = problem_.tangents;
    value = motion(rows_);
    slope = problem_.G(rows_, rows_);
    for (int r = 0; r < static_cast<int>(rows_.size()); ++r) {
      const int row = rows_[static_cast<std::size_t>(r)], i = (row - c) / k, a = (row - c) % k;
      if (row < c || state(i) != ConeState::slip) continue;
      const double mobility = problem_.G(row, row), mu = problem_.friction[i];
      const bool is_known = problem_.is_sliding(i);
      const double speed = is_known ? 1.0 : motion.segment(c + i * k, k).norm();
      const Eigen::VectorXd direction =
          (is_known ? problem_.direction.segment(i * k, k) : motion.segment(c + i * k, k)) / speed;
      value[r] = mobility * (force[row] + mu * force[i] * direction[a]);
      slope.row(r).setZero();
      for (int q = 0; q < static_cast<int>(rows_.size()); ++q) {
        const int unknown = rows_[static_cast<std::size_t>(q)];
        double turn = 0.0;  // of the direction by this unknown
        for (int b = 0; b < k && !is_known; ++b)
          turn += ((a == b ? 1.0 : 0.0) - direction[a] * direction[b]) / speed *
                  problem_.G(c + i * k + b, unknown);
        slope(r, q) = mobility * ((unknown == row ? 1.0 : 0.0) +
                                  (unknown == i ? mu * direction[a] : 0.0) + mu * force[i] * turn);
      }
    }
  }

 private:
  ConeState state(int i) const { return states_[static_cast<std::size_t>(i)]; }

  const ConeFriction& problem_;
  std::vector<ConeState> states_;
  std::vector<int> rows_;
};

}  // namespace

bool polish_cone_answer(const ConeFriction& problem, ConeAnswer& answer) {
  Eigen::VectorXd force = answer.force;
  Eigen::VectorXd motion = problem.G * force + problem.b;
  std::vector<ConeState> states = clear_states(problem, force, motion);
  if (states.empty()) return false;
  const StateEquations equations(problem, std::move(states));
  if (equations.rows().empty()) return false;
  std::vector<bool> is_unknown(static_cast<std::size_t>(force.size()), false);
  for (const int row : equations.rows()) is_unknown[static_cast<std::size_t>(row)] = true;
  for (Eigen::Index row = 0; row < force.size(); ++row)
    if (!is_unknown[static_cast<std::size_t>(row)]) force[row] = 0.0;
  Eigen::VectorXd value;
  Eigen::MatrixXd slope;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor;
  factor.setThreshold(contact_tolerances.rank);
  double before = 0.0;
  constexpr int steps = 3;
  for (int step = 0; step < steps; ++step) {
    motion = problem.G * force + problem.b;
    equations.evaluate(force, motion, value, slope);
    if (step == 0) before = value.cwiseAbs().maxCoeff();
    factor.compute(slope);
    force(equations.rows()) -= factor.solve(value);
  }
  motion = problem.G * force + problem.b;
  equations.evaluate(force, motion, value, slope);
  if (!(value.cwiseAbs().maxCoeff() < before)) return false;
  if (clear_states(problem, force, motion) != equations.states()) return false;
  answer.force = force;
  return true;
}

}  // namespace clack
