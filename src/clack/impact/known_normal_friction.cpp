// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/known_normal_friction.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Jacobi>
#include <algorithm>

#include "clack/complementarity/friction_solver.hpp"
#include "clack/impact/lzb_tolerances.hpp"
#include "clack/impact/outgoing_slip.hpp"

namespace clack {
namespace {

using Eigen::MatrixXd;
using Eigen::Ref;
using Eigen::VectorXd;

void grow(MatrixXd& matrix, Eigen::Index size) {
  if (matrix.rows() < size) matrix.resize(size, size);
}
void grow(VectorXd& vector, Eigen::Index size) {
  if (vector.size() < size) vector.resize(size);
}

bool is_inside(const Ref<VectorXd>& f, const Ref<const VectorXd>& radius, int tangents) {
  for (Eigen::Index i = 0; i < radius.size(); ++i)
    if (!(f.segment(i * tangents, tangents).norm() <= radius[i] * (1.0 + lzb_tolerances.reserve)))
      return false;
  return true;
}

/// Several contacts as a friction problem of room complementarity whose normal reactions are the
/// given ones: normal rows of their own, W_NN r_N = W_NN radius, friction 1.
FrictionProblem with_given_normals(const Ref<const MatrixXd>& G, const Ref<const VectorXd>& b,
                                   const Ref<const VectorXd>& radius, int tangents) {
  const Eigen::Index contacts = radius.size();
  const int d = tangents + 1;
  const double w = G.trace() / static_cast<double>(G.rows());
  MatrixXd W = MatrixXd::Zero(d * contacts, d * contacts);
  VectorXd q(d * contacts);
  for (Eigen::Index i = 0; i < contacts; ++i) {
    W(d * i, d * i) = w;
    q[d * i] = -w * radius[i];
    q.segment(d * i + 1, tangents) = b.segment(i * tangents, tangents);
    for (Eigen::Index j = 0; j < contacts; ++j)
      W.block(d * i + 1, d * j + 1, tangents, tangents) =
          G.block(i * tangents, j * tangents, tangents, tangents);
  }
  return make_friction_problem(d, W, q, VectorXd::Ones(contacts));
}

}  // namespace

bool KnownNormalFriction::solve(const Ref<const MatrixXd>& G, const Ref<const VectorXd>& b,
                                const Ref<const VectorXd>& radius, int tangents,
                                Ref<VectorXd> force, Ref<VectorXd> acceleration) {
  const Eigen::Index contacts = radius.size();
  bool is_answered = true;
  force.setZero();
  if (contacts == 1 && radius[0] > 0.0) {
    solve_one(G, b, radius[0], force);
  } else if (contacts > 1 && !(tangents == 1 && solve_in_intervals(G, b, radius, force))) {
    stick_.factor(G, tangents);
    stick_.forces(b, radius, force);
    if (!is_inside(force, radius, tangents)) {
      const FrictionResult solved =
          solve_friction(with_given_normals(G, b, radius, tangents), run_friction_options());
      for (Eigen::Index i = 0; i < contacts; ++i)
        force.segment(i * tangents, tangents) =
            solved.reaction.segment(i * (tangents + 1) + 1, tangents);
      is_answered = has_answer(solved.status);
    }
  }
  acceleration = b;
  acceleration.noalias() += G * force;
  return is_answered;
}

/// Stopped inside its disc, or on the rim against the motion.
void KnownNormalFriction::solve_one(const Ref<const MatrixXd>& G, const Ref<const VectorXd>& b,
                                    double radius, Ref<VectorXd> force) {
  if (b.size() == 1) {
    force[0] = G(0, 0) > 0.0 ? std::clamp(-b[0] / G(0, 0), -radius, radius) : 0.0;
    return;
  }
  if (const auto slip = outgoing_slip(G, b, radius)) {
    force = -radius * slip->direction;
    return;
  }
  stick_.factor(G, 2);
  stick_.forces(b, VectorXd::Ones(1), force);
}

/// Active sets (bounded least squares): towards the answer in which the free contacts stick; the first
/// one that comes to the end of its interval is bound there; bound ones that friction would drive are
/// set free, the worst first. What is minimised falls from set to set, so none comes twice. False: not
/// done after as many sets as rounding could ask for.
bool KnownNormalFriction::solve_in_intervals(const Ref<const MatrixXd>& G,
                                             const Ref<const VectorXd>& b,
                                             const Ref<const VectorXd>& radius,
                                             Ref<VectorXd> force) {
  const int n = static_cast<int>(radius.size());
  free_.clear();
  bound_.clear();
  for (int i = 0; i < n; ++i) free_.push_back(i);
  for (int sets = 0; sets < lzb_tolerances.sets_per_contact * n; ++sets) {
    aim(G, b, radius, force);
    double part = 1.0;
    std::size_t hit = free_.size();
    for (std::size_t k = 0; k < free_.size(); ++k) {
      const double end = std::copysign(radius[free_[k]], aim_[k]), at = force[free_[k]];
      if (std::abs(aim_[k]) <= radius[free_[k]] * (1.0 + lzb_tolerances.reserve)) continue;
      const double x = std::max(0.0, (end - at) / (aim_[k] - at));
      if (hit < free_.size() && x >= part) continue;
      part = std::min(part, x);
      hit = k;
    }
    for (std::size_t k = 0; k < free_.size(); ++k)
      force[free_[k]] += part * (aim_[k] - force[free_[k]]);
    if (hit < free_.size()) {
      force[free_[hit]] = std::copysign(radius[free_[hit]], aim_[hit]);
      bound_.push_back(free_[hit]);
      free_.erase(free_.begin() + hit);
      continue;
    }
    double worst = 0.0;
    std::size_t driven = bound_.size();
    for (std::size_t k = 0; k < bound_.size(); ++k) {
      const int i = bound_[k];
      if (radius[i] == 0.0) continue;
      const double drive = std::copysign(1.0, force[i]) * (b[i] + G.row(i).dot(force));
      const double terms = std::abs(b[i]) + G.row(i).cwiseAbs().dot(force.cwiseAbs().transpose());
      if (!(drive > worst && drive > lzb_tolerances.reserve * terms)) continue;
      worst = drive;
      driven = k;
    }
    if (driven == bound_.size()) return true;
    free_.push_back(bound_[driven]);
    bound_.erase(bound_.begin() + driven);
  }
  return false;
}

/// Forces that keep the free contacts at rest while the others pull as they do.
void KnownNormalFriction::aim(const Ref<const MatrixXd>& G, const Ref<const VectorXd>& b,
                              const Ref<const VectorXd>& radius, const Ref<VectorXd>& force) {
  const auto n = static_cast<Eigen::Index>(free_.size());
  grow(own_, n);
  for (VectorXd* vector : {&drive_, &weight_, &aim_}) grow(*vector, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    drive_[k] = b[free_[k]];
    weight_[k] = radius[free_[k]];
    for (const int j : bound_) drive_[k] += G(free_[k], j) * force[j];
    for (Eigen::Index l = 0; l < n; ++l) own_(k, l) = G(free_[k], free_[l]);
  }
  stick_.factor(own_.topLeftCorner(n, n), 1);
  stick_.forces(drive_.head(n), weight_.head(n), aim_.head(n));
}

void StickForces::factor(const Ref<const MatrixXd>& G, int tangents) {
  size_ = static_cast<int>(G.rows());
  tangents_ = tangents;
  rank_ = 0;
  if (size_ == 0) return;
  for (MatrixXd* matrix : {&turned_, &axes_, &inverse_, &weighted_, &sum_}) grow(*matrix, size_);
  grow(right_, size_);
  turned_.topLeftCorner(size_, size_) = G;
  find_axes();
  const double largest = turned_.diagonal().head(size_).maxCoeff();
  // The axes of the range come first.
  for (int k = 0; k < size_; ++k) {
    if (!(turned_(k, k) > lzb_tolerances.rank * largest)) continue;
    axes_.col(rank_).head(size_) = axes_.col(k).head(size_);
    turned_(rank_, rank_) = turned_(k, k);
    ++rank_;
  }
  auto inverse = inverse_.topLeftCorner(size_, size_);
  inverse.setZero();
  for (int k = 0; k < rank_; ++k) {
    const auto axis = axes_.col(k).head(size_);
    if (is_hyperstatic())
      inverse.row(k) = turned_(k, k) * axis.transpose();  // A
    else
      for (int j = 0; j < size_; ++j) inverse.col(j) += axis[j] / turned_(k, k) * axis;
  }
}

/// G = U diag U^T by Jacobi's rotations, each of which takes one pair of entries away.
void StickForces::find_axes() {
  auto G = turned_.topLeftCorner(size_, size_);
  auto U = axes_.topLeftCorner(size_, size_);
  U.setIdentity();
  const double none = std::numeric_limits<double>::epsilon() * G.diagonal().maxCoeff();
  for (int sweep = 0; sweep < lzb_tolerances.sweeps; ++sweep) {
    bool has_turned = false;
    for (int p = 0; p < size_; ++p)
      for (int q = p + 1; q < size_; ++q) {
        if (!(std::abs(G(p, q)) > none)) continue;
        Eigen::JacobiRotation<double> turn;
        turn.makeJacobi(G, p, q);
        G.applyOnTheLeft(p, q, turn.adjoint());
        G.applyOnTheRight(p, q, turn);
        U.applyOnTheRight(p, q, turn);
        has_turned = true;
      }
    if (!has_turned) return;
  }
}

void StickForces::forces(const Ref<const VectorXd>& b, const Ref<const VectorXd>& weight,
                         Ref<VectorXd> f) {
  if (size_ == 0) return;
  if (!is_hyperstatic()) {
    f.noalias() = inverse_.topLeftCorner(size_, size_) * b;
    f *= -1.0;
    return;
  }
  const auto rows = inverse_.topLeftCorner(rank_, size_);
  auto weighted = weighted_.topLeftCorner(rank_, size_);
  const double largest = weight.maxCoeff();
  for (int k = 0; k < size_; ++k) {
    const double share = largest > 0.0 ? weight[k / tangents_] / largest : 1.0;
    weighted.col(k) = std::max(share, lzb_tolerances.least_weight) * rows.col(k);
  }
  for (int i = 0; i < rank_; ++i) {
    right_[i] = axes_.col(i).head(size_).dot(b);
    for (int j = 0; j < rank_; ++j) sum_(i, j) = weighted.row(i).dot(rows.row(j));
  }
  Ref<MatrixXd> sum(sum_.topLeftCorner(rank_, rank_));
  auto right = right_.head(rank_);
  Eigen::LLT<Ref<MatrixXd>> factor(sum);
  factor.solveInPlace(right);
  f.noalias() = weighted.transpose() * right;
  f *= -1.0;
}

}  // namespace clack
