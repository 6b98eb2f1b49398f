// SPDX-License-Identifier: Apache-2.0
#include "clack/linalg/pivoted_columns.hpp"

namespace clack {

ColumnChoice independent_columns(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                                 const RankOptions& options) {
  ColumnChoice choice;
  const int columns = matrix.cols();
  std::vector<char> is_taken(columns, 0);
  if (matrix.rows() > 0 && columns > 0) {
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(matrix);
    choice.pivots = qr.matrixQR().diagonal().cwiseAbs();
    const RankDecision decision = decide_rank(choice.pivots, matrix.rows(), matrix.cols(), options);
    choice.cutoff = decision.cutoff;
    choice.is_near_cutoff = decision.is_near_cutoff;
    for (int k = 0; k < decision.rank; ++k) {
      const int column = qr.colsPermutation().indices()[k];
      choice.independent.push_back(column);
      is_taken[column] = 1;
    }
  }
  for (int k = 0; k < columns; ++k)
    if (!is_taken[k]) choice.dependent.push_back(k);
  return choice;
}

ColumnChoice independent_rows(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                              const RankOptions& options) {
  return independent_columns(matrix.transpose(), options);
}

}  // namespace clack
