// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/lzb_phase.hpp"

#include "clack/impact/lzb_tolerances.hpp"

namespace clack {

void LzbPhase::resize() {
  rows_ = system_->rows();
  contacts_ = system_->contacts;
  tangents_ = system_->tangents;
  motion_.resize(rows_);
  force_.resize(rows_);
  const int tangential = rows_ - contacts_;
  stick_rows_.resize(tangential, rows_);
  stick_drive_.resize(tangential);
  stick_force_.resize(tangential);
  stick_weight_.resize(contacts_);
  sliding_.reserve(contacts_);
  sticking_.reserve(contacts_);
}

/// A contact that begins; without one, of those that unload to nothing the one that ends first if
/// nothing changes.
int LzbPhase::choose_root(const Eigen::VectorXd& compression) const {
  if (system_->is_whole) return -1;
  int root = -1;
  double first = std::numeric_limits<double>::infinity();
  for (int i = 0; i < contacts_; ++i) {
    const LzbContactState& state = (*states_)[i];
    const double v = motion_start_[i], d = compression[i];
    if (state.load == Load::compressing && d == 0.0 && v < -lzb_tolerances.brisk) return i;
    // The energy in a compression below `brisk` is less than the rounding of its end could spoil.
    if (state.load != Load::expanding || state.end > 0.0 || !(d > lzb_tolerances.brisk)) continue;
    const double left = d / std::max(v, lzb_tolerances.brisk);
    if (!(left < first)) continue;
    first = left;
    root = i;
  }
  return root;
}

double LzbPhase::step_of(double h) const {
  if (root_ < 0) return h;
  // s = |v| sigma^2/4 from the start of a contact
  return root_start_ > 0.0 ? h / root_start_ : 2.0 * std::sqrt(h / std::abs(motion_start_[root_]));
}

void LzbPhase::start(const Eigen::VectorXd& compression, double s, Eigen::VectorXd& y) const {
  y.setZero();
  y.segment(rows_, contacts_) = compression;
  if (root_ >= 0) y[rows_ + root_] = std::sqrt(compression[root_]);
  y[rows_ + contacts_ + 1] = s;
}

void LzbPhase::begin(const std::vector<LzbContactState>& states, const Eigen::VectorXd& motion,
                     const Eigen::VectorXd& compression) {
  states_ = &states;
  motion_start_ = motion;
  root_ = choose_root(compression);
  root_start_ = root_ >= 0 ? std::sqrt(compression[root_]) : 0.0;
  sliding_.clear();
  sticking_.clear();
  for (int i = 0; i < contacts_; ++i) {
    if (states[i].grip == Grip::sliding && system_->dynamic_friction[i] > 0.0)
      sliding_.push_back(i);
    if (states[i].grip == Grip::sticking) sticking_.push_back(i);
  }
  const auto stuck = static_cast<Eigen::Index>(sticking_.size());
  if (stuck == 0) return;
  for (Eigen::Index a = 0; a < stuck; ++a)
    stick_rows_.middleRows(a * tangents_, tangents_) =
        system_->G.middleRows(system_->tangent_row[sticking_[a]], tangents_);
  gather_tangents(*system_, sticking_, sticking_, stick_own_);
  stick_.factor(stick_own_.topLeftCorner(stuck * tangents_, stuck * tangents_), tangents_);
}

void LzbPhase::evaluate(const double* y, double* dydt) {
  const Eigen::Map<const Eigen::VectorXd> impulse(y, rows_);
  const double* d = y + rows_;
  motion_ = motion_start_;
  motion_.noalias() += system_->G * impulse;
  force_.setZero();
  for (int i = 0; i < contacts_; ++i)
    if ((*states_)[i].load != Load::idle && i != root_)
      force_[i] = system_->continued_force(i, d[i]);
  pace_ = 1.0;
  if (root_ >= 0) {  // odd in x, so that steps beyond the end go on smoothly
    pace_ = d[root_];
    const double force = system_->force(root_, pace_ * pace_);
    force_[root_] = pace_ < 0.0 ? -force : force;
  }
  add_sliding_friction();
  add_sticking_friction();
  Eigen::Map<Eigen::VectorXd>(dydt, rows_) = pace_ * force_;
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
        rate[i] = compression_rate(i);
        break;
    }
    rate[i] *= i == root_ ? 0.5 : pace_;
  }
  rate[contacts_] = pace_ * force_.tail(rows_ - contacts_).dot(motion_.tail(rows_ - contacts_));
  rate[contacts_ + 1] = pace_;
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
  const auto stuck = static_cast<Eigen::Index>(sticking_.size()), rows = stuck * tangents_;
  stick_drive_.head(rows).noalias() = stick_rows_.topRows(rows) * force_;
  for (Eigen::Index a = 0; a < stuck; ++a)
    stick_weight_[a] = system_->static_friction[sticking_[a]] * force_[sticking_[a]];
  stick_.forces(stick_drive_.head(rows), stick_weight_.head(stuck), stick_force_.head(rows));
  for (Eigen::Index a = 0; a < stuck; ++a)
    force_.segment(system_->tangent_row[sticking_[a]], tangents_) =
        stick_force_.segment(a * tangents_, tangents_);
}

}  // namespace clack
