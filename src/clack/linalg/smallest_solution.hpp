// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/QR>

namespace clack {

/// x of the smallest norm among those of the smallest |A x - b|, by a complete orthogonal decomposition A P = Q [T 0; 0 0] Z.
/// Keeps its memory: a further matrix of the same size needs none, and neither do its solutions.
class SmallestSolution {
 public:
  /// Any m x n matrix of finite numbers. Pivots below `relative_cutoff` of the largest count as zero.
  void compute(const Eigen::MatrixXd& matrix, double relative_cutoff);
  /// n numbers; valid until the next call.
  const Eigen::VectorXd& solve(const Eigen::VectorXd& right);
  int rank() const { return static_cast<int>(factor_.rank()); }

 private:
  void apply_z_transposed();

  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor_;
  Eigen::VectorXd rotated_, sorted_, solution_;
};

}  // namespace clack
