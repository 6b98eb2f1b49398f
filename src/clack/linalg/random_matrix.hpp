// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <random>

namespace clack {

/// For tests: independent standard normal entries, column by column.
inline Eigen::MatrixXd random_matrix(std::mt19937_64& random, int rows, int columns) {
  std::normal_distribution<double> normal;
  Eigen::MatrixXd out(rows, columns);
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i) out(i, j) = normal(random);
  return out;
}

}  // namespace clack
