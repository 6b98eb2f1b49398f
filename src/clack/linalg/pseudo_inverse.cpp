// SPDX-License-Identifier: Apache-2.0
#include "clack/linalg/pseudo_inverse.hpp"

#include "clack/linalg/tolerances.hpp"

namespace clack {

RankDecision decide_rank(const Eigen::Ref<const Eigen::VectorXd>& singular_values,
                         Eigen::Index rows, Eigen::Index columns, const RankOptions& options) {
  RankDecision decision;
  if (singular_values.size() == 0) return decision;
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const double share = options.relative_cutoff > 0.0
                           ? options.relative_cutoff
                           : linalg_tolerances.rank_rounding *
                                 static_cast<double>(std::max(rows, columns)) * epsilon;
  decision.cutoff = share * singular_values[0];
  decision.rank = (singular_values.array() > decision.cutoff).count();
  if (decision.rank > 0)
    decision.is_near_cutoff =
        singular_values[decision.rank - 1] < options.warning_factor * decision.cutoff;
  // With the default cut-off the dropped values are rounding and always near it: no news.
  if (decision.rank < singular_values.size() && singular_values[decision.rank] > 0.0 &&
      options.relative_cutoff > 0.0)
    decision.is_near_cutoff =
        decision.is_near_cutoff ||
        singular_values[decision.rank] * options.warning_factor > decision.cutoff;
  return decision;
}

void PseudoInverse::compute(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                            const RankOptions& options) {
  const Eigen::Index m = matrix.rows(), n = matrix.cols();
  if (m == 0 || n == 0) {
    U_ = Eigen::MatrixXd::Identity(m, m);
    V_ = Eigen::MatrixXd::Identity(n, n);
    singular_values_.resize(0);
    decision_ = {};
    inverse_ = Eigen::MatrixXd::Zero(n, m);
    return;
  }
  svd_.compute(matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
  U_ = svd_.matrixU();
  V_ = svd_.matrixV();
  singular_values_ = svd_.singularValues();
  decision_ = decide_rank(singular_values_, m, n, options);
  scaled_.resize(n, std::min(m, n));
  scaled_.setZero();
  for (int k = 0; k < decision_.rank; ++k) scaled_.col(k) = V_.col(k) / singular_values_[k];
  inverse_.resize(n, m);
  inverse_.noalias() = scaled_.lazyProduct(U_.leftCols(scaled_.cols()).transpose());
}

Eigen::MatrixXd pseudo_inverse(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                               const RankOptions& options) {
  PseudoInverse result;
  result.compute(matrix, options);
  return result.matrix();
}

}  // namespace clack
