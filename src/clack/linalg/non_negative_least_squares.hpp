// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>

namespace clack {

/// min |A x - b|  with x_i >= 0 for i >= free_columns; the first `free_columns` unknowns have any
/// sign. Active set method of Lawson and Hanson (Solving Least Squares Problems, 1974, chapter 23);
/// finite.
struct [[nodiscard]] NonNegativeLeastSquares {
  Eigen::VectorXd x;
  double residual = 0.0;  // |A x - b|_2
  int iterations = 0;
  bool is_converged = false;  // false only at the iteration limit
};
NonNegativeLeastSquares solve_non_negative(const Eigen::Ref<const Eigen::MatrixXd>& A,
                                           const Eigen::Ref<const Eigen::VectorXd>& b,
                                           int free_columns = 0);

/// Least distance: min |y|  with  G y >= h. Reduced to non-negative least squares (same book,
/// chapter 23.4): with u >= 0 minimising |[G h]^T u - e|, e the last unit vector, and r = [G h]^T u
/// - e:  y = -r_1..n / r_n+1. `is_feasible` is false when no y satisfies G y >= h (then r = 0), or the iteration ended
/// without an answer. `is_refuted` tells the two apart: u is Farkas' proof, G^T u = 0 with h . u > 0 and u >= 0.
struct [[nodiscard]] ShortestVector {
  bool is_feasible = false;
  bool is_refuted = false;
  Eigen::VectorXd y;
  Eigen::VectorXd multipliers;  // one per row of G, >= 0: y = G^T multipliers
  int iterations = 0;
};
ShortestVector shortest_vector(const Eigen::Ref<const Eigen::MatrixXd>& G,
                               const Eigen::Ref<const Eigen::VectorXd>& h);

}  // namespace clack
