// SPDX-License-Identifier: Apache-2.0
#include "clack/formulation/speed_choice.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>

#include "clack/linalg/pivoted_columns.hpp"

namespace clack {

SpeedChoice choose_speeds(const Eigen::MatrixXd& rows, const Eigen::VectorXd& scale,
                          double cutoff) {
  SpeedChoice choice;
  const int n = static_cast<int>(rows.cols());
  Eigen::MatrixXd unit = rows * scale.asDiagonal();
  for (Eigen::Index r = 0; r < unit.rows(); ++r) {
    const double length = unit.row(r).norm();
    if (length > 0.0) unit.row(r) /= length;
  }
  const RankOptions options{.relative_cutoff = cutoff};
  const ColumnChoice independent = independent_rows(unit, options);
  choice.rows = independent.independent;
  std::sort(choice.rows.begin(), choice.rows.end());
  choice.dropped = independent.dependent;
  const int rank = static_cast<int>(choice.rows.size());
  if (rank > 0) {
    choice.smallest_pivot = independent.pivots[rank - 1] / independent.pivots[0];
    if (rank < independent.pivots.size())
      choice.next_pivot = independent.pivots[rank] / independent.pivots[0];
  }
  std::vector<bool> is_dependent(n, false);
  if (rank > 0) {
    const Eigen::MatrixXd kept = unit(choice.rows, Eigen::all);
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(kept);
    for (int k = 0; k < rank; ++k) {
      const int column = qr.colsPermutation().indices()[k];
      choice.dependent.push_back(column);
      is_dependent[column] = true;
    }
  }
  for (int j = 0; j < n; ++j)
    if (!is_dependent[j]) choice.independent.push_back(j);
  order_rows(unit, choice);
  return choice;
}

void order_rows(const Eigen::MatrixXd& rows, SpeedChoice& choice) {
  if (choice.rows.empty() || choice.rows.size() != choice.dependent.size()) return;
  const Eigen::MatrixXd block = rows(choice.rows, choice.dependent);
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(block);
  const std::vector<int> before = choice.rows;
  for (std::size_t i = 0; i < before.size(); ++i)
    choice.rows[lu.permutationP().indices()[i]] = before[i];
}

}  // namespace clack
