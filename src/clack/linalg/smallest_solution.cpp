// SPDX-License-Identifier: Apache-2.0
#include "clack/linalg/smallest_solution.hpp"

namespace clack {
namespace {

/// (first, rest) := (1 - coefficient v v^T) (first, rest) with v = (1, essential), in place.
void reflect(const auto& essential, double coefficient, double& first, double* rest) {
  double along = first;
  for (Eigen::Index j = 0; j < essential.size(); ++j) along += essential[j] * rest[j];
  along *= coefficient;
  first -= along;
  for (Eigen::Index j = 0; j < essential.size(); ++j) rest[j] -= along * essential[j];
}

}  // namespace

void SmallestSolution::compute(const Eigen::MatrixXd& matrix, double relative_cutoff) {
  factor_.setThreshold(relative_cutoff);
  factor_.compute(matrix);
  sorted_.resize(matrix.cols());
  solution_.resize(matrix.cols());
}

const Eigen::VectorXd& SmallestSolution::solve(const Eigen::VectorXd& right) {
  const Eigen::Index rank = factor_.rank();
  sorted_.setZero();
  // 1. Q^T b, a product of reflections
  rotated_ = right;
  for (Eigen::Index k = 0; k < rank; ++k)
    reflect(factor_.matrixQTZ().col(k).tail(rotated_.size() - k - 1), factor_.hCoeffs()[k],
            rotated_[k], rotated_.data() + k + 1);
  // 2. T^-1 of its first part
  sorted_.head(rank) = rotated_.head(rank);
  factor_.matrixT()
      .topLeftCorner(rank, rank)
      .triangularView<Eigen::Upper>()
      .solveInPlace(sorted_.head(rank));
  // 3. Z^T, then the order of the columns
  if (rank < factor_.cols()) apply_z_transposed();
  const auto& place = factor_.colsPermutation().indices();
  for (Eigen::Index j = 0; j < sorted_.size(); ++j) solution_[place[j]] = sorted_[j];
  return solution_;
}

/// Z is a product of reflections, each of one kept column and those that are dropped.
void SmallestSolution::apply_z_transposed() {
  const Eigen::Index rank = factor_.rank(), dropped = factor_.cols() - rank;
  for (Eigen::Index k = 0; k < rank; ++k)
    reflect(factor_.matrixQTZ().row(k).tail(dropped), factor_.zCoeffs()[k], sorted_[k],
            sorted_.data() + rank);
}

}  // namespace clack
