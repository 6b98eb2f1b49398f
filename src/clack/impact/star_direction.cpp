// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/star_direction.hpp"

#include <Eigen/LU>

namespace clack {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

StarDirection::StarDirection(const SpatialEvent& event) : event_(event), m_(event.members()) {
  for (int i = 0; i < m_; ++i) {
    Tie tie;
    if (i != event.hub) {
      tie.line = (event.points[i] - event.points[event.hub]).normalized();
      const double own = tie.line.dot(event.frames[i].row(2));
      const double hub = tie.line.dot(event.frames[event.hub].row(2));
      tie.sign = own * hub < 0.0 ? -1.0 : 1.0;
    }
    ties_.push_back(tie);
  }
}

bool StarDirection::solve(const std::vector<bool>& is_stuck, const std::vector<Vector2d>& direction,
                          VectorXd& f) {
  if (m_ == 1 && !is_stuck[0]) {
    f.resize(3);
    f << -event_.dynamic_friction[0] * direction[0], 1.0;
    return true;
  }
  if (std::find(is_stuck.begin(), is_stuck.end(), true) == is_stuck.end())
    return slide(direction, f);
  assemble(is_stuck, direction);
  const VectorXd x = matrix_.fullPivLu().solve(right_);
  f.noalias() = map_ * x;
  const double miss = (matrix_ * x - right_).lpNorm<Eigen::Infinity>();
  return miss <= 1e-8 && pushes(f);
}

bool StarDirection::pushes(const VectorXd& f, double least) {
  int weakest = 0, strongest = 0;
  for (int i = 1; i < m_; ++i) {
    if (f[3 * i + 2] < f[3 * weakest + 2]) weakest = i;
    if (f[3 * i + 2] > f[3 * strongest + 2]) strongest = i;
  }
  if (f[3 * weakest + 2] >= least) return true;
  failed_ = weakest == event_.hub ? strongest : weakest;
  ratio_ = f[3 * failed_ + 2] / f[3 * event_.hub + 2];
  return false;
}

std::string StarDirection::failure() const {
  return fmt::format(
      "infeasible rigid-body constraint between contacts {} and {}: the ratio of their normal "
      "impulses comes to {:.6g}, one of them would have to pull",
      event_.names[failed_], event_.names[event_.hub], ratio_);
}

/// All points slide: c_i = c_hub sigma g_hub/g_i with g = d.F^T(-mu e, 1), the sum of all is 1.
bool StarDirection::slide(const std::vector<Vector2d>& direction, VectorXd& f) {
  const int hub = event_.hub;
  const auto push = [&](int i) {
    return Vector3d(-event_.dynamic_friction[i] * direction[i].x(),
                    -event_.dynamic_friction[i] * direction[i].y(), 1.0);
  };
  f.resize(3 * m_);
  double sum = 0.0;
  for (int i = 0; i < m_; ++i) {
    double c = 1.0;
    if (i != hub) {
      const double own = (event_.frames[i] * ties_[i].line).dot(push(i));
      c = ties_[i].sign * (event_.frames[hub] * ties_[i].line).dot(push(hub)) /
          (own != 0.0 ? own : std::numeric_limits<double>::min());
    }
    f.segment<3>(3 * i) = c * push(i);
    sum += c;
  }
  f /= sum;
  return pushes(f);
}

void StarDirection::assemble(const std::vector<bool>& is_stuck,
                             const std::vector<Vector2d>& direction) {
  int size = m_;
  for (const bool stuck : is_stuck) size += stuck ? 2 : 0;
  map_ = MatrixXd::Zero(3 * m_, size);
  for (int i = 0, next = m_; i < m_; ++i) {
    map_(3 * i + 2, i) = 1.0;
    if (!is_stuck[i]) {
      map_.block<2, 1>(3 * i, i) = -event_.dynamic_friction[i] * direction[i];
      continue;
    }
    map_(3 * i, next) = map_(3 * i + 1, next + 1) = 1.0;
    next += 2;
  }
  matrix_.resize(size, size);
  right_ = VectorXd::Zero(size);
  const int hub = event_.hub;
  for (int i = 0, next = m_; i < m_; ++i) {
    if (i == hub) {
      matrix_.row(i).setZero();
      matrix_.row(i).head(m_).setOnes();
      right_[i] = 1.0;
    } else {
      matrix_.row(i) = (event_.frames[i] * ties_[i].line).transpose() * map_.middleRows<3>(3 * i) -
                       ties_[i].sign * (event_.frames[hub] * ties_[i].line).transpose() *
                           map_.middleRows<3>(3 * hub);
    }
    if (!is_stuck[i]) continue;
    const double scale = event_.beta(3 * i, 3 * i) + event_.beta(3 * i + 1, 3 * i + 1);
    matrix_.middleRows<2>(next) = event_.beta.middleRows<2>(3 * i) * map_ / scale;
    next += 2;
  }
}

}  // namespace clack
