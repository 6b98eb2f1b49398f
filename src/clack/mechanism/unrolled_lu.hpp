// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "clack/symbolic/expression.hpp"

namespace clack {

/// A matrix of formulas as L U in the order given, L with unit diagonal, written out on the graph: straight code, no
/// branches. The order must suit the matrix: rows and columns sorted by pivots that were chosen in numbers, or positive
/// definite.
class UnrolledLu {
 public:
  using Row = std::vector<symbolic::Expression>;

  explicit UnrolledLu(std::vector<Row> matrix) : a_(std::move(matrix)) {
    const std::size_t r = a_.size();
    for (std::size_t k = 0; k < r; ++k)
      for (std::size_t i = k + 1; i < r; ++i) {
        a_[i][k] = a_[i][k] / a_[k][k];
        for (std::size_t j = k + 1; j < r; ++j) a_[i][j] = a_[i][j] - a_[i][k] * a_[k][j];
      }
  }
  /// A^-1 x
  Row solve(Row x) const {
    const std::size_t r = a_.size();
    for (std::size_t i = 0; i < r; ++i)
      for (std::size_t k = 0; k < i; ++k) x[i] = x[i] - a_[i][k] * x[k];
    for (std::size_t i = r; i-- > 0;) {
      for (std::size_t k = i + 1; k < r; ++k) x[i] = x[i] - a_[i][k] * x[k];
      x[i] = x[i] / a_[i][i];
    }
    return x;
  }
  /// A^-T x
  Row solve_transposed(Row x) const {
    const std::size_t r = a_.size();
    for (std::size_t i = 0; i < r; ++i) {
      for (std::size_t k = 0; k < i; ++k) x[i] = x[i] - a_[k][i] * x[k];
      x[i] = x[i] / a_[i][i];
    }
    for (std::size_t i = r; i-- > 0;)
      for (std::size_t k = i + 1; k < r; ++k) x[i] = x[i] - a_[k][i] * x[k];
    return x;
  }

 private:
  std::vector<Row> a_;
};

}  // namespace clack
