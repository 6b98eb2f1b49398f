// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/lzb_phase.hpp"

namespace clack {

LzbPhase::LzbPhase(const LzbSystem& system)
    : system_(&system),
      rows_(system.rows()),
      contacts_(system.contacts),
      tangents_(system.tangents),
      motion_(rows_),
      force_(rows_) {}

void LzbPhase::begin(const std::vector<LzbContactState>& states, const Eigen::VectorXd& motion) {
  states_ = &states;
  motion_start_ = motion;
  sliding_.clear();
  sticking_.clear();
  for (int i = 0; i < contacts_; ++i) {
    if (states[i].grip == Grip::sliding && system_->dynamic_friction[i] > 0.0)
      sliding_.push_back(i);
    if (states[i].grip == Grip::sticking) sticking_.push_back(i);
  }
  const auto stuck = static_cast<Eigen::Index>(sticking_.size());
  if (stuck == 0) return;
  stick_rows_.resize(stuck * tangents_, rows_);
  Eigen::MatrixXd own(stuck * tangents_, stuck * tangents_);
  for (Eigen::Index a = 0; a < stuck; ++a)
    stick_rows_.middleRows(a * tangents_, tangents_) =
        system_->G.middleRows(system_->tangent_row[sticking_[a]], tangents_);
  for (Eigen::Index b = 0; b < stuck; ++b)
    own.middleCols(b * tangents_, tangents_) =
        stick_rows_.middleCols(system_->tangent_row[sticking_[b]], tangents_);
  stick_ = StickForces(own, tangents_);
  stick_drive_.resize(stuck * tangents_);
  stick_force_.resize(stuck * tangents_);
  stick_weight_.resize(stuck);
}

void LzbPhase::evaluate(const double* y, double* dydt) {
  const Eigen::Map<const Eigen::VectorXd> impulse(y, rows_);
  const double* d = y + rows_;
  motion_ = motion_start_;
  motion_.noalias() += system_->G * impulse;
  force_.setZero();
  for (int i = 0; i < contacts_; ++i)
    if ((*states_)[i].load != Load::idle) force_[i] = system_->force(i, d[i]);
  add_sliding_friction();
  add_sticking_friction();
  Eigen::Map<Eigen::VectorXd>(dydt, rows_) = force_;
  double* rate = dydt + rows_;
  for (int i = 0; i < contacts_; ++i) {
    const double v = motion_[i];
    switch ((*states_)[i].load) {
      case Load::idle:
        rate[i] = 0.0;
        break;
      case Load::compressing:
        rate[i] = v < 0.0 || d[i] > 0.0 ? -v : 0.0;
        break;
      case Load::expanding:
        rate[i] = system_->unloading == Unloading::mono
                      ? -v
                      : -v / (system_->restitution[i] * system_->restitution[i]);
        break;
    }
  }
  rate[contacts_] = force_.tail(rows_ - contacts_).dot(motion_.tail(rows_ - contacts_));
}

void LzbPhase::add_sliding_friction() {
  for (const int i : sliding_) {
    const int row = system_->tangent_row[i];
    const double size = system_->dynamic_friction[i] * force_[i];
    const Eigen::Vector2d& direction = (*states_)[i].direction;
    if (tangents_ == 1) {
      force_[row] = -size * direction[0];
      continue;
    }
    const double x = motion_[row], y = motion_[row + 1], slip = std::sqrt(x * x + y * y);
    force_[row] = -size * (slip > 0.0 ? x / slip : direction[0]);
    force_[row + 1] = -size * (slip > 0.0 ? y / slip : direction[1]);
  }
}

void LzbPhase::add_sticking_friction() {
  if (sticking_.empty()) return;
  stick_drive_.noalias() = stick_rows_ * force_;
  for (std::size_t a = 0; a < sticking_.size(); ++a)
    stick_weight_[a] = system_->static_friction[sticking_[a]] * force_[sticking_[a]];
  stick_.forces(stick_drive_, stick_weight_, stick_force_);
  for (std::size_t a = 0; a < sticking_.size(); ++a)
    force_.segment(system_->tangent_row[sticking_[a]], tangents_) =
        stick_force_.segment(a * tangents_, tangents_);
}

}  // namespace clack
