// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/known_normal_friction.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "clack/complementarity/friction_solver.hpp"
#include "clack/impact/lzb_tolerances.hpp"
#include "clack/impact/outgoing_slip.hpp"

namespace clack {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// One contact: stopped inside its disc, or on the rim against the motion.
VectorXd force_of_one(const MatrixXd& G, const VectorXd& b, double radius) {
  if (b.size() == 1) {
    const double f = G(0, 0) > 0.0 ? -b[0] / G(0, 0) : 0.0;
    return VectorXd::Constant(1, std::clamp(f, -radius, radius));
  }
  const auto slip = outgoing_slip(G, b, radius);
  if (slip) return -radius * slip->direction;
  VectorXd f(2);
  StickForces(G, 2).forces(b, VectorXd::Ones(1), f);
  return f;
}

bool is_inside(const VectorXd& f, const VectorXd& radius, int tangents) {
  for (Eigen::Index i = 0; i < radius.size(); ++i)
    if (!(f.segment(i * tangents, tangents).norm() <= radius[i] * (1.0 + lzb_tolerances.reserve)))
      return false;
  return true;
}

/// Several contacts as a friction problem of room complementarity whose normal reactions are the
/// given ones: normal rows of their own, W_NN r_N = W_NN radius, friction 1.
FrictionProblem with_given_normals(const MatrixXd& G, const VectorXd& b, const VectorXd& radius,
                                   int tangents) {
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

KnownNormalFriction friction_under_known_normals(const MatrixXd& G, const VectorXd& b,
                                                 const VectorXd& radius, int tangents) {
  KnownNormalFriction answer;
  const Eigen::Index contacts = radius.size();
  answer.force = VectorXd::Zero(b.size());
  if (contacts == 1 && radius[0] > 0.0) {
    answer.force = force_of_one(G, b, radius[0]);
  } else if (contacts > 1) {
    StickForces(G, tangents).forces(b, radius, answer.force);
    if (!is_inside(answer.force, radius, tangents)) {
      const FrictionResult solved =
          solve_friction(with_given_normals(G, b, radius, tangents), run_friction_options());
      for (Eigen::Index i = 0; i < contacts; ++i)
        answer.force.segment(i * tangents, tangents) =
            solved.reaction.segment(i * (tangents + 1) + 1, tangents);
      answer.is_converged = has_answer(solved.status);
    }
  }
  answer.acceleration = b + G * answer.force;
  return answer;
}

StickForces::StickForces(const MatrixXd& G, int tangents)
    : size_(static_cast<int>(G.rows())), tangents_(tangents) {
  if (size_ == 0) return;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> axes(G);
  const double largest = axes.eigenvalues()[size_ - 1];
  for (int k = 0; k < size_; ++k)
    rank_ += axes.eigenvalues()[k] > lzb_tolerances.rank * largest ? 1 : 0;
  basis_ = axes.eigenvectors().rightCols(rank_);
  const auto values = axes.eigenvalues().tail(rank_);
  if (!is_hyperstatic()) {
    inverse_ = basis_ * values.cwiseInverse().asDiagonal() * basis_.transpose();
    return;
  }
  rows_ = values.asDiagonal() * basis_.transpose();
  weighted_.resize(rank_, size_);
  sum_.resize(rank_, rank_);
  right_.resize(rank_);
}

void StickForces::forces(const Eigen::Ref<const VectorXd>& b,
                         const Eigen::Ref<const VectorXd>& weight, Eigen::Ref<VectorXd> f) {
  if (size_ == 0) return;
  if (!is_hyperstatic()) {
    f.noalias() = -(inverse_ * b);
    return;
  }
  const double largest = weight.maxCoeff();
  for (int k = 0; k < size_; ++k) {
    const double share = largest > 0.0 ? weight[k / tangents_] / largest : 1.0;
    weighted_.col(k) = std::max(share, lzb_tolerances.least_weight) * rows_.col(k);
  }
  sum_.noalias() = weighted_ * rows_.transpose();
  right_.noalias() = basis_.transpose() * b;
  Eigen::LLT<Eigen::Ref<MatrixXd>> factor(sum_);
  factor.solveInPlace(right_);
  f.noalias() = -(weighted_.transpose() * right_);
}

}  // namespace clack
