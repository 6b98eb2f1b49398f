// SPDX-License-Identifier: Apache-2.0
#include "clack/formulation/mode_rows.hpp"

#include <cmath>

namespace clack {

void ModeRows::enter(const ModeShape& shape) {
  shape_ = shape;
  n_ = shape.speeds;
  k_ = shape.tangents;
  c_ = static_cast<int>(shape.statuses.size());
  b_ = shape.constraint_rows;
  stick_at_.assign(c_, -1);
  m_ = c_;
  slides_ = false;
  for (int i = 0; i < c_; ++i) {
    if (shape.statuses[i] == ContactStatus::stick) {
      stick_at_[i] = m_;
      m_ += k_;
    } else {
      slides_ = slides_ || shape.friction[i] > 0.0;
    }
  }
  m_ += b_;
  rows_.setZero(m_, n_);
  columns_.setZero(m_, n_);
  bias_.setZero(m_);
  rate_.setZero(m_);
  value_.setZero(m_);
  mass_.setZero(n_, n_);
  force_.setZero(n_);
  scale_.setOnes(n_);
  direction_ = shape.slip_direction;
}

void ModeRows::gather_contact(const Snapshot& s, int i) {
  rows_.row(i) = s.normal_jacobian().row(i);
  columns_.row(i) = rows_.row(i);
  bias_[i] = s.gap_bias()[i];
  rate_[i] = s.gap_rate()[i];
  value_[i] = s.gap()[i];
  if (const int at = stick_at_[i]; at >= 0) {
    rows_.middleRows(at, k_) = s.tangent_jacobian().middleRows(i * k_, k_);
    columns_.middleRows(at, k_) = rows_.middleRows(at, k_);
    bias_.segment(at, k_) = s.slip_bias().segment(i * k_, k_);
    rate_.segment(at, k_) = s.slip().segment(i * k_, k_);
    return;
  }
  const double mu = shape_.friction[i];
  if (mu == 0.0) return;
  double* direction = &direction_[i * k_];
  if (k_ == 2) {
    const double x = s.slip()[2 * i], y = s.slip()[2 * i + 1], speed = std::hypot(x, y);
    const bool is_moving = speed > shape_.slip_floor && speed > 0.0;
    direction[0] = is_moving ? x / speed : shape_.slip_direction[2 * i];
    direction[1] = is_moving ? y / speed : shape_.slip_direction[2 * i + 1];
  }
  for (int a = 0; a < k_; ++a)
    columns_.row(i) -= mu * direction[a] * s.tangent_jacobian().row(i * k_ + a);
}

void ModeRows::gather(const Snapshot& s) {
  mass_ = s.mass_matrix();
  force_ = s.smooth_force();
  for (int j = 0; j < n_; ++j) scale_[j] = mass_(j, j) > 0.0 ? 1.0 / std::sqrt(mass_(j, j)) : 1.0;
  for (int i = 0; i < c_; ++i) gather_contact(s, i);
  rows_.bottomRows(b_) = s.constraint_jacobian();
  columns_.bottomRows(b_) = s.constraint_jacobian();
  bias_.tail(b_) = s.constraint_bias();
  rate_.tail(b_) = s.constraint_rate();
  value_.tail(b_) = s.constraint_value();
}

void ModeRows::scatter(const Eigen::VectorXd& acceleration, const Eigen::VectorXd& x,
                       ModeForces& forces) const {
  forces.acceleration = acceleration;
  forces.normal_force = x.head(c_);
  forces.friction_force.resize(c_ * k_);
  for (int i = 0; i < c_; ++i)
    for (int a = 0; a < k_; ++a)
      forces.friction_force[i * k_ + a] = stick_at_[i] >= 0
                                              ? x[stick_at_[i] + a]
                                              : -shape_.friction[i] * x[i] * direction_[i * k_ + a];
  forces.constraint_force = x.tail(b_);
}

}  // namespace clack
