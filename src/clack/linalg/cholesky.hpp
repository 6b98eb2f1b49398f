// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <string_view>

namespace clack {

/// A = L L^T of a small symmetric positive definite matrix. Numerical outcomes are values: look at
/// `is_positive`. Keeps its memory: a further matrix of the same size needs none.
class Cholesky {
 public:
  /// Reads the lower triangle. False when a pivot is not above n eps times its diagonal entry: then
  /// `failed_row` and `failed_pivot` say where and how far.
  [[nodiscard]] bool compute(const Eigen::Ref<const Eigen::MatrixXd>& matrix);

  bool is_positive() const { return failed_row_ < 0; }
  int failed_row() const { return failed_row_; }
  double failed_pivot() const { return failed_pivot_; }
  const Eigen::MatrixXd& lower() const { return lower_; }  // L, zeros above the diagonal

  /// x = A^-1 x, column by column, in place.
  void solve_in_place(Eigen::Ref<Eigen::MatrixXd> x) const;
  /// x = L^-1 x: then |x|^2 is the square in the metric A^-1.
  void half_solve_in_place(Eigen::Ref<Eigen::MatrixXd> x) const;

 private:
  Eigen::MatrixXd lower_;
  int failed_row_ = -1;
  double failed_pivot_ = 0.0;
};

/// Throws InputError, naming the matrix (`what`, e.g. "mass matrix") and the first entry or row at
/// fault, unless it is square, finite, symmetric to 1e-9 of its diagonal and positive definite.
void check_positive_definite(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                             std::string_view what);

}  // namespace clack
