#pragma once
#include <Eigen/Core>
#include <vector>

namespace clack {

/// The inverse of an n x n basis as a product of elementary matrices, B^-1 = E_k ... E_2 E_1: E
/// differs from the identity in one column (eta). Starts as the identity; exchanging one column of
/// the basis appends one eta. Keeps its memory when cleared.
class ProductForm {
 public:
  void clear(Eigen::Index size);
  int count() const { return static_cast<int>(rows_.size()); }

  /// `column` = B^-1 a of the entering column a, which replaces the basic column of `row`; returns
  /// the eta: -column/column[row], and 1/column[row] in `row`.
  const double* append(const double* column, int row);

  /// column = B^-1 column, in place. The same bits on every processor: wide registers only group
  /// rows.
  void apply(double* column) const;

  /// The row e_row^T B^-1.
  void row_of_inverse(int row, double* inverse_row) const;

 private:
  Eigen::Index size_ = 0;
  std::vector<double> etas_;  // n numbers each
  std::vector<int> rows_;
};

}  // namespace clack
