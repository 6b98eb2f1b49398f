// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/reactions_nearby.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <cmath>

namespace clack {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double row_rank =
    1e-10;  // singular values of unit rows below this part of the largest: dependent
// Parts of the largest reaction that cones may be missed by and still be the ones: the errors of an interior-point method.
constexpr double widths[] = {1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4};

/// Newton's method on the cones that are taken to be active, in the unknowns z.
class ActiveCones {
 public:
  ActiveCones(const ReactionFamily& family, const VectorXd& near, double zero)
      : family_(family), k_(family.tangents), p_(static_cast<int>(family.free.cols())) {
    for (const ReactionCone& cone : family.cones) {
      if (near[cone.normal] <= zero) {
        edges_.push_back({&cone, count_, cone.tangent >= 0});
        count_ += cone.tangent >= 0 ? 1 + k_ : 1;
      } else if (cone.tangent >= 0 &&
                 cone.mu * near[cone.normal] - near.segment(cone.tangent, k_).norm() <= zero) {
        borders_.push_back({&cone, count_++});
      }
    }
    rows_.resize(count_, p_);
    miss_.resize(count_);
    multipliers_ = VectorXd::Zero(count_);
    z_ = family.free.transpose() * (near - family.smallest);
  }

  /// True when the equations hold to `zero`.
  bool solve(double zero) {
    const AdmissibleReactionTolerances& tol = admissible_reaction_tolerances;
    if (count_ > p_) return false;
    for (int step = 0; step < tol.nearby_steps; ++step) {
      gather();
      const Eigen::LLT<MatrixXd> curvature(curvature_);
      const MatrixXd through = curvature.solve(rows_.transpose());
      const Eigen::LLT<MatrixXd> schur(rows_ * through);
      if (schur.info() != Eigen::Success) return false;
      multipliers_ = schur.solve(through.transpose() * z_ - miss_);
      const VectorXd change = through * multipliers_ - curvature.solve(z_);
      if (!change.allFinite()) return false;
      z_ += change;
      if (change.norm() <= zero && miss_.lpNorm<Eigen::Infinity>() <= zero) return true;
    }
    return false;
  }

  /// The shortest way onto the borders, whether or not their rows depend on each other; true when they hold to `zero`.
  bool reach(double zero) {
    for (int step = 0; step < admissible_reaction_tolerances.nearby_steps; ++step) {
      gather();
      if (count_ == 0 || miss_.lpNorm<Eigen::Infinity>() <= zero) return true;
      Eigen::CompleteOrthogonalDecomposition<MatrixXd> rows;
      rows.setThreshold(row_rank);
      rows.compute(rows_);
      z_ -= rows.solve(miss_);
      if (!z_.allFinite()) return false;
    }
    return false;
  }

  /// Every reaction pushes its cone outwards: otherwise a smaller one lies inside.
  bool has_signs(double zero) const {
    for (const Edge& edge : edges_) {
      const double along =
          edge.has_tangent ? edge.cone->mu * multipliers_.segment(edge.first + 1, k_).norm() : 0.0;
      if (!(multipliers_[edge.first] >= along - zero)) return false;
    }
    for (const Border& border : borders_)
      if (!(multipliers_[border.row] >= -zero)) return false;
    return true;
  }

  int rows() const { return count_; }
  VectorXd reaction() const { return family_.smallest + family_.free * z_; }

 private:
  struct Edge {  // N = 0, T = 0
    const ReactionCone* cone;
    int first;
    bool has_tangent;
  };
  struct Border {  // mu N = |T|
    const ReactionCone* cone;
    int row;
  };

  /// Rows, what they miss, and I + sum of multipliers times the curvature of their cones.
  void gather() {
    const VectorXd x = reaction();
    curvature_ = MatrixXd::Identity(p_, p_);
    for (const Edge& edge : edges_) {
      rows_.row(edge.first) = family_.free.row(edge.cone->normal);
      miss_[edge.first] = x[edge.cone->normal];
      if (!edge.has_tangent) continue;
      rows_.middleRows(edge.first + 1, k_) = family_.free.middleRows(edge.cone->tangent, k_);
      miss_.segment(edge.first + 1, k_) = x.segment(edge.cone->tangent, k_);
    }
    for (const Border& border : borders_) {
      const ReactionCone& cone = *border.cone;
      const VectorXd tangent = x.segment(cone.tangent, k_);
      const double size = tangent.norm();
      const VectorXd direction =
          size > 0.0 ? VectorXd(tangent / size) : VectorXd(VectorXd::Zero(k_));
      const auto free = family_.free.middleRows(cone.tangent, k_);
      rows_.row(border.row) =
          cone.mu * family_.free.row(cone.normal) - direction.transpose() * free;
      miss_[border.row] = cone.mu * x[cone.normal] - size;
      const double bend = multipliers_[border.row] / size;
      if (k_ == 1 || !(bend > 0.0) || !std::isfinite(bend)) continue;
      const MatrixXd across = free - direction * (direction.transpose() * free);
      curvature_.noalias() += bend * (across.transpose() * across);
    }
  }

  const ReactionFamily& family_;
  int k_, p_, count_ = 0;
  std::vector<Edge> edges_;
  std::vector<Border> borders_;
  MatrixXd rows_, curvature_;
  VectorXd miss_, multipliers_, z_;
};

}  // namespace

std::optional<VectorXd> smallest_nearby(const ReactionFamily& family,
                                        const Eigen::Ref<const VectorXd>& near) {
  if (near.size() != family.smallest.size() || family.free.cols() == 0) return std::nullopt;
  const double zero = family.zero_reaction(), size = family.smallest.lpNorm<Eigen::Infinity>();
  int tried = -1;
  for (const double width : widths) {
    ActiveCones cones(family, near, width * size);
    if (cones.rows() == tried) continue;  // the same cones as before
    tried = cones.rows();
    if (!cones.solve(admissible_reaction_tolerances.nearby * zero) || !cones.has_signs(zero))
      continue;
    VectorXd reaction = cones.reaction();
    if (margin_of(family, reaction) >= -zero) return reaction;
  }
  return std::nullopt;
}

std::optional<VectorXd> admissible_on_borders(const ReactionFamily& family,
                                              const Eigen::Ref<const VectorXd>& guess) {
  if (guess.size() != family.smallest.size() || family.free.cols() == 0) return std::nullopt;
  const double zero = family.zero_reaction(), size = family.smallest.lpNorm<Eigen::Infinity>();
  for (const double width : widths) {
    ActiveCones cones(family, guess, width * size);
    if (!cones.reach(admissible_reaction_tolerances.nearby * zero)) continue;
    VectorXd reaction = cones.reaction();
    if (margin_of(family, reaction) >= -zero) return reaction;
  }
  return std::nullopt;
}

}  // namespace clack
