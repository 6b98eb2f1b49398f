// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/drift_rows.hpp"

#include "clack/hybrid/tolerances.hpp"

namespace clack {

void DriftRows::resize(Eigen::Index count, Eigen::Index speeds) {
  rows_.resize(count, speeds);
  values_.resize(count);
}

void DriftRows::take_positions(const Snapshot& s) {
  const int c = s.contacts(), b = s.constraint_rows();
  resize(c + b, s.speeds());
  rows_.topRows(c) = s.normal_jacobian();
  rows_.bottomRows(b) = s.constraint_jacobian();
  values_.head(c) = s.gap();
  values_.tail(b) = s.constraint_value();
  take(s);
}

void DriftRows::take_rates(const Snapshot& s, const std::vector<bool>& is_stick) {
  const int k = s.tangents();
  int count = s.contacts() + s.constraint_rows();
  for (const bool stick : is_stick) count += stick ? k : 0;
  resize(count, s.speeds());
  int at = 0;
  for (int i = 0; i < s.contacts(); ++i) {
    rows_.row(at++) = s.normal_jacobian().row(i);
    for (int a = 0; is_stick[i] && a < k; ++a)
      rows_.row(at++) = s.tangent_jacobian().row(i * k + a);
  }
  rows_.bottomRows(s.constraint_rows()) = s.constraint_jacobian();
  take_rate_values(s, is_stick);
  take(s);
}

void DriftRows::take_rate_values(const Snapshot& s, const std::vector<bool>& is_stick) {
  const int k = s.tangents();
  int at = 0;
  for (int i = 0; i < s.contacts(); ++i) {
    values_[at++] = s.gap_rate()[i];
    for (int a = 0; is_stick[i] && a < k; ++a) values_[at++] = s.slip()[i * k + a];
  }
  values_.tail(s.constraint_rows()) = s.constraint_rate();
}

void DriftRows::take(const Snapshot& s) {
  if (rows_.rows() == 0) return;
  mass_.compute(inertia_.at(s).matrix);
  turned_ = rows_.transpose();
  mass_.matrixL().solveInPlace(turned_);
  scaled_ = turned_.transpose();
  smallest_.compute(scaled_, hybrid_tolerances.drift_rank);
}

const Eigen::VectorXd& DriftRows::correction() {
  correction_.setZero(rows_.cols());
  if (rows_.rows() == 0) return correction_;
  correction_ = smallest_.solve(values_);
  mass_.matrixU().solveInPlace(correction_);
  correction_ = -correction_;
  return correction_;
}

DriftRows::Missed DriftRows::missed() const {
  Missed missed;
  for (Eigen::Index r = 0; r < rows_.rows(); ++r) {
    const double mobility = scaled_.row(r).norm();
    if (!(mobility > 0.0)) continue;
    const double left = values_[r] + rows_.row(r).dot(correction_);
    missed.left = std::max(missed.left, std::abs(left) / mobility);
    missed.before = std::max(missed.before, std::abs(values_[r]) / mobility);
  }
  return missed;
}

}  // namespace clack
