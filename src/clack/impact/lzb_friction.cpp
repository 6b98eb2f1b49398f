// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/lzb_phase.hpp"
#include "clack/impact/lzb_tolerances.hpp"

namespace clack {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The question of which contacts at rest hold, step by step smaller.
class GripDecision {
 public:
  GripDecision(const LzbSystem& system, std::vector<LzbContactState>& states)
      : system_(system), k_(system.tangents), states_(states) {}

  bool run(const VectorXd& force, std::vector<int> at_rest, const std::vector<bool>& must_slip,
           const VectorXd& stick_force) {
    force_ = force;
    while (!at_rest.empty()) {
      std::vector<int> released, held;
      const VectorXd trial = hold(at_rest, must_slip, released, held);
      if (released.empty()) break;
      release(released, held, trial, must_slip, stick_force);
      at_rest = held;
    }
    for (const int i : at_rest) states_[i].grip = Grip::sticking;
    return is_converged_;
  }

 private:
  MatrixXd block(const std::vector<int>& a, const std::vector<int>& b) const {
    MatrixXd out(a.size() * k_, b.size() * k_);
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < b.size(); ++j)
        out.block(i * k_, j * k_, k_, k_) =
            system_.G.block(system_.tangent_row[a[i]], system_.tangent_row[b[j]], k_, k_);
    return out;
  }
  VectorXd drive(const std::vector<int>& contacts) const {
    VectorXd out(contacts.size() * k_);
    for (std::size_t i = 0; i < contacts.size(); ++i)
      out.segment(i * k_, k_) = system_.G.middleRows(system_.tangent_row[contacts[i]], k_) * force_;
    return out;
  }
  VectorXd radii(const std::vector<int>& contacts, const VectorXd& friction) const {
    VectorXd out(contacts.size());
    for (std::size_t i = 0; i < contacts.size(); ++i)
      out[i] = friction[contacts[i]] * force_[contacts[i]];
    return out;
  }
  /// What counts as no slip acceleration at a contact: a part of the terms that add up to it.
  double vanishing(int contact) const {
    const auto rows = system_.G.middleRows(system_.tangent_row[contact], k_);
    return lzb_tolerances.slip_acceleration * (rows.cwiseAbs() * force_.cwiseAbs()).maxCoeff();
  }

  /// Step 1: the slip accelerations under static friction of those that may hold.
  VectorXd hold(const std::vector<int>& at_rest, const std::vector<bool>& must_slip,
                std::vector<int>& released, std::vector<int>& held) {
    const KnownNormalFriction answer = friction_under_known_normals(
        block(at_rest, at_rest), drive(at_rest), radii(at_rest, system_.static_friction), k_);
    is_converged_ = is_converged_ && answer.is_converged;
    VectorXd motion(answer.acceleration.size());
    for (std::size_t i = 0; i < at_rest.size(); ++i) {
      const auto a = answer.acceleration.segment(i * k_, k_);
      if (must_slip[at_rest[i]] || a.norm() > vanishing(at_rest[i])) {
        motion.segment(released.size() * k_, k_) = a;
        released.push_back(at_rest[i]);
      } else {
        held.push_back(at_rest[i]);
      }
    }
    return motion;
  }

  /// Step 2: dynamic friction for the released ones, the held ones as equalities (eliminated).
  void release(const std::vector<int>& released, const std::vector<int>& held,
               const VectorXd& trial, const std::vector<bool>& must_slip,
               const VectorXd& stick_force) {
    MatrixXd own = block(released, released);
    VectorXd b = drive(released);
    if (!held.empty()) {
      const MatrixXd across = block(released, held);
      StickForces stick(block(held, held), k_);
      const VectorXd equal = VectorXd::Ones(held.size());
      VectorXd f(held.size() * k_);
      stick.forces(drive(held), equal, f);
      b += across * f;
      for (Eigen::Index column = 0; column < own.cols(); ++column) {
        stick.forces(across.row(column).transpose(), equal, f);
        own.col(column) += across * f;
      }
      own = (0.5 * (own + own.transpose())).eval();
    }
    const KnownNormalFriction answer =
        friction_under_known_normals(own, b, radii(released, system_.dynamic_friction), k_);
    is_converged_ = is_converged_ && answer.is_converged;
    for (std::size_t i = 0; i < released.size(); ++i) {
      const int contact = released[i], row = system_.tangent_row[contact];
      VectorXd way = answer.acceleration.segment(i * k_, k_);
      if (way.norm() <= vanishing(contact)) way = trial.segment(i * k_, k_);
      if (way.norm() <= vanishing(contact) && must_slip[contact])
        way = -stick_force.segment(row, k_);
      states_[contact].grip = Grip::sliding;
      states_[contact].direction.head(k_) = way.norm() > 0.0 ? VectorXd(way.normalized()) : way;
      force_.segment(row, k_) = -system_.dynamic_friction[contact] * force_[contact] *
                                states_[contact].direction.head(k_);
    }
  }

  const LzbSystem& system_;
  const int k_;
  std::vector<LzbContactState>& states_;
  VectorXd force_;
  bool is_converged_ = true;
};

}  // namespace

bool decide_grips(const LzbSystem& system, const VectorXd& motion, const VectorXd& normal_force,
                  const std::vector<bool>& at_rest, const std::vector<bool>& must_slip,
                  const VectorXd& stick_force, std::vector<LzbContactState>& states) {
  const int k = system.tangents;
  VectorXd force = VectorXd::Zero(system.rows());
  std::vector<int> candidates;
  for (int i = 0; i < system.contacts; ++i) {
    LzbContactState& state = states[i];
    state.grip = Grip::none;
    state.direction.setZero();
    if (state.load == Load::idle) continue;
    force[i] = normal_force[i];
    if (!system.has_friction(i)) continue;
    if (at_rest[i]) {
      candidates.push_back(i);
      continue;
    }
    const int row = system.tangent_row[i];
    state.grip = Grip::sliding;
    state.direction.head(k) = motion.segment(row, k).normalized();
    force.segment(row, k) = -system.dynamic_friction[i] * force[i] * state.direction.head(k);
  }
  return GripDecision(system, states).run(force, candidates, must_slip, stick_force);
}

}  // namespace clack
