// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>
#include <vector>

#include "clack/symbolic/expression.hpp"

namespace clack {

/// A regular square matrix of formulas as A = Q R, the columns of Q orthogonal (of any length), R with unit diagonal, by the
/// modified Gram-Schmidt process written out on the graph:
///
///   q_k = a_k - sum_{j<k} r_jk q_j,    r_jk = q_j . a_k / d_j  (of what is left of a_k),    d_k = q_k . q_k
///
/// Straight code without branches, as an elimination by pivots would be, but it holds for every state in which A is regular: no
/// pivot can vanish, so that no order has to be chosen. Right-hand sides go through the same process as columns, which makes the
/// solution backward stable also where the q_k are not quite orthogonal any more (Bjorck 1967).
class UnrolledGramSchmidt {
 public:
  using Row = std::vector<symbolic::Expression>;

  explicit UnrolledGramSchmidt(const std::vector<Row>& matrix) {
    const std::size_t r = matrix.size();
    for (std::size_t k = 0; k < r; ++k) {
      Row column;
      for (const Row& row : matrix) column.push_back(row[k]);
      Row above;
      for (std::size_t j = 0; j < k; ++j) above.push_back(take_out(j, column));
      q_.push_back(std::move(column));
      length_.push_back(dot(q_[k], q_[k]));
      r_.push_back(std::move(above));
    }
  }
  /// A^-1 x
  Row solve(Row x) const {
    const std::size_t r = q_.size();
    if (r == 1) return {x[0] / q_[0][0]};
    Row y;
    for (std::size_t k = 0; k < r; ++k)
      y.push_back(k + 1 < r ? take_out(k, x) : dot(q_[k], x) / length_[k]);
    for (std::size_t i = r; i-- > 0;)
      for (std::size_t k = i + 1; k < r; ++k) y[i] = y[i] - r_[k][i] * y[k];
    return y;
  }
  /// A^-T x = sum_k q_k z_k
  Row solve_transposed(Row x) const {
    const std::size_t r = q_.size();
    if (r == 1) return {x[0] / q_[0][0]};
    for (std::size_t i = 0; i < r; ++i)
      for (std::size_t k = 0; k < i; ++k) x[i] = x[i] - r_[i][k] * x[k];  // R^-T x
    Row answer;
    for (std::size_t k = r; k-- > 0;) {
      const auto missing = answer.empty() ? x[k] : x[k] - dot(q_[k], answer);
      const auto z = missing / length_[k];
      for (std::size_t a = 0; a < r; ++a) {
        const auto part = q_[k][a] * z;
        if (a < answer.size())
          answer[a] = answer[a] + part;
        else
          answer.push_back(part);
      }
    }
    return answer;
  }

 private:
  static symbolic::Expression dot(const Row& a, const Row& b) {
    symbolic::Expression sum = a[0] * b[0];
    for (std::size_t i = 1; i < a.size(); ++i) sum = sum + a[i] * b[i];
    return sum;
  }
  /// How much of q_k is in x, which is taken out of it.
  symbolic::Expression take_out(std::size_t k, Row& x) const {
    const symbolic::Expression part = dot(q_[k], x) / length_[k];
    for (std::size_t a = 0; a < x.size(); ++a) x[a] = x[a] - part * q_[k][a];
    return part;
  }

  std::vector<Row> q_;  // columns
  std::vector<Row> r_;  // r_[k][j], j < k: above the diagonal of column k
  Row length_;          // d_k
};

}  // namespace clack
