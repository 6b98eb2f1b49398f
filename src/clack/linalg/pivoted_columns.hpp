// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <Eigen/QR>
#include <vector>

#include "clack/linalg/pseudo_inverse.hpp"

namespace clack {

/// Which columns of an m x n matrix carry it: QR with column pivoting takes, one after the other,
/// the column with the largest part outside the span of those already taken (the first of equals).
struct ColumnChoice {
  std::vector<int> independent;  // in the order in which they were taken
  std::vector<int> dependent;    // the others, rising
  /// |diagonal of R|, falling: min(m, n). Entries at or below the cut-off end the choice.
  Eigen::VectorXd pivots;
  double cutoff = 0.0;          // absolute
  bool is_near_cutoff = false;  // as for singular values
};

[[nodiscard]] ColumnChoice independent_columns(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                                               const RankOptions& options = {});

/// The same for rows (columns of the transposed matrix).
[[nodiscard]] ColumnChoice independent_rows(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                                            const RankOptions& options = {});

}  // namespace clack
