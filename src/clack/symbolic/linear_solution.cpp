// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/linear_solution.hpp"

#include <bit>
#include <map>
#include <utility>

namespace clack::symbolic {
namespace {

using Matrix = std::vector<std::vector<Expression>>;

/// Determinants of square pieces of a matrix, by expansion along the first of their rows; each piece once.
class Minors {
 public:
  Minors(Graph& graph, const Matrix& matrix, std::vector<int> rows, std::vector<int> columns)
      : matrix_(matrix),
        rows_(std::move(rows)),
        columns_(std::move(columns)),
        zero_(graph.number(0.0)),
        one_(graph.number(1.0)) {}

  int size() const { return static_cast<int>(rows_.size()); }
  unsigned all() const { return (1U << rows_.size()) - 1U; }

  /// Of the rows and columns whose bits are set.
  Expression determinant(unsigned rows, unsigned columns) {
    if (rows == 0) return one_;
    const auto key = std::pair(rows, columns);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    const int first = std::countr_zero(rows);
    Expression sum = zero_;
    bool is_negative = false;
    for (int j = 0; j < size(); ++j) {
      const unsigned bit = 1U << j;
      if ((columns & bit) == 0) continue;
      const Expression entry = matrix_[rows_[first]][columns_[j]];
      if (entry != zero_) {
        const Expression rest = determinant(rows & ~(1U << first), columns & ~bit);
        sum = is_negative ? sum - entry * rest : sum + entry * rest;
      }
      is_negative = !is_negative;
    }
    known_.emplace(key, sum);
    return sum;
  }

 private:
  const Matrix& matrix_;
  std::vector<int> rows_, columns_;
  Expression zero_, one_;
  std::map<std::pair<unsigned, unsigned>, Expression> known_;
};

/// Blocks of equations and unknowns that hang together.
std::vector<std::pair<std::vector<int>, std::vector<int>>> blocks_of(const Matrix& A,
                                                                     Expression zero) {
  const int n = static_cast<int>(A.size());
  std::vector<int> block(2 * n);  // of rows, then of columns
  for (int i = 0; i < 2 * n; ++i) block[i] = i;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (A[i][j] == zero || block[i] == block[n + j]) continue;
      const int from = block[n + j], to = block[i];
      for (int& b : block)
        if (b == from) b = to;
    }
  std::map<int, std::pair<std::vector<int>, std::vector<int>>> blocks;
  for (int i = 0; i < n; ++i) {
    blocks[block[i]].first.push_back(i);
    blocks[block[n + i]].second.push_back(i);
  }
  std::vector<std::pair<std::vector<int>, std::vector<int>>> list;
  for (auto& [name, members] : blocks) list.push_back(std::move(members));
  return list;
}

}  // namespace

std::optional<std::vector<Expression>> solve_linear(Graph& graph, const Matrix& A,
                                                    const std::vector<Expression>& b) {
  const Expression zero = graph.number(0.0);
  std::vector<Expression> x(A.size(), zero);
  for (const auto& [rows, columns] : blocks_of(A, zero)) {
    const int n = static_cast<int>(rows.size());
    if (rows.size() != columns.size() || n > largest_linear_block) return std::nullopt;
    Minors minors(graph, A, rows, columns);
    const Expression determinant = minors.determinant(minors.all(), minors.all());
    if (determinant == zero) return std::nullopt;
    for (int j = 0; j < n; ++j) {
      Expression sum = zero;
      for (int i = 0; i < n; ++i) {
        const Expression minor =
            minors.determinant(minors.all() & ~(1U << i), minors.all() & ~(1U << j));
        if (minor == zero) continue;
        const Expression term = minor * b[rows[i]];
        sum = (i + j) % 2 == 0 ? sum + term : sum - term;
      }
      x[columns[j]] = sum / determinant;
    }
  }
  return x;
}

}  // namespace clack::symbolic
