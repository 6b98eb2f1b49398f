// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <Eigen/SVD>

namespace clack {

/// How the rank of an m x n matrix is read off its singular values s_1 >= s_2 >= ...
struct RankOptions {
  double relative_cutoff = 0.0;  // share of s_1 below which a value is zero; 0: 8 max(m, n) eps
  double warning_factor = 1e3;   // values within this factor of the cut-off are reported
};

struct RankDecision {
  int rank = 0;
  double cutoff = 0.0;  // absolute: values at or below it count as zero
  bool is_near_cutoff =
      false;  // the smallest kept or the largest dropped value is within the factor
};

/// `singular_values` falling, of a matrix with `rows` x `columns`. A dropped value that is exactly
/// zero is never near.
[[nodiscard]] RankDecision decide_rank(const Eigen::Ref<const Eigen::VectorXd>& singular_values,
                                       Eigen::Index rows, Eigen::Index columns,
                                       const RankOptions& options = {});

/// Moore-Penrose inverse A+ = V1 S1^-1 U1^T by the singular value decomposition, with the four
/// subspaces. Keeps its memory: a further matrix of the same size needs none.
///
///   A A+ A = A,   A+ A A+ = A+,   A A+ and A+ A symmetric
class PseudoInverse {
 public:
  /// Any m x n matrix of finite numbers, also with m or n = 0.
  void compute(const Eigen::Ref<const Eigen::MatrixXd>& matrix, const RankOptions& options = {});

  int rank() const { return decision_.rank; }
  double cutoff() const { return decision_.cutoff; }
  bool is_near_cutoff() const { return decision_.is_near_cutoff; }
  const Eigen::VectorXd& singular_values() const { return singular_values_; }  // min(m, n), falling

  const Eigen::MatrixXd& matrix() const { return inverse_; }                 // n x m: A+
  auto range_basis() const { return U_.leftCols(rank()); }                   // m x r, of A
  auto left_null_basis() const { return U_.rightCols(U_.cols() - rank()); }  // m x (m-r)
  auto row_basis() const { return V_.leftCols(rank()); }                     // n x r, range of A^T
  auto null_basis() const { return V_.rightCols(V_.cols() - rank()); }       // n x (n-r)

 private:
  Eigen::JacobiSVD<Eigen::MatrixXd> svd_;
  Eigen::MatrixXd U_, V_, scaled_, inverse_;
  Eigen::VectorXd singular_values_;
  RankDecision decision_;
};

/// A+ alone.
[[nodiscard]] Eigen::MatrixXd pseudo_inverse(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                                             const RankOptions& options = {});

}  // namespace clack
