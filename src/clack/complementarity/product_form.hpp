// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <vector>

namespace clack {

/// The inverse of an n x n basis as a product of elementary matrices, B^-1 = E_k ... E_2 E_1: E
/// differs from the identity in one column (eta). Starts as the identity; exchanging one column of
/// the basis appends one eta. Etas with few entries are stored packed, the others in groups of up
/// to four that are applied in one pass; what meets only zeros costs nothing. Keeps its memory when
/// cleared.
class ProductForm {
 public:
  void clear(Eigen::Index size);
  int count() const { return count_; }
  /// Stored entries of all etas: what one product with a full column costs.
  std::size_t entries() const { return packed_used_ + dense_used_; }

  /// `column` = B^-1 a of the entering column a, which replaces the basic column of `row`. The eta:
  /// -column/column[row], and 1/column[row] in `row`.
  void append(const double* column, int row);

  /// column = B^-1 column, in place. The same bits on every processor: wide registers only group
  /// rows.
  void apply(double* column) const;

  /// The row e_row^T B^-1.
  void row_of_inverse(int row, double* inverse_row) const;

  static constexpr int group = 4;
  /// One packed eta, or one group of dense etas with different rows.
  struct Step {
    int packed = 0;                      // entries when packed, 0 for a group
    int count = 0;                       // etas
    std::size_t start = 0;               // in packed_row_ and packed_entry_, or in dense_
    int row[group] = {};                 // of each eta
    double crossing[group][group] = {};  // [p][k]: entry of eta k in the row of eta p
  };

 private:
  void append_packed(const double* column, int row, int entries);
  void append_dense(const double* column, int row);

  Eigen::Index size_ = 0;
  int count_ = 0;
  std::vector<Step> steps_;
  std::size_t dense_used_ = 0, packed_used_ = 0;
  std::vector<double> dense_;  // n numbers each
  std::vector<int> packed_row_;
  std::vector<double> packed_entry_;
};

}  // namespace clack
