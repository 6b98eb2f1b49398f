// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <vector>

#include "clack/complementarity/lcp.hpp"
#include "clack/complementarity/product_form.hpp"

namespace clack {

/// Where the covering vector d of  w = M z + q + d t  is (1, ..., 1): in the units of the problem,
/// or after its rows have been scaled. A ray or a solution of a problem outside the solvable
/// classes may depend on it.
enum class Covering { problem_units, scaled_rows };

struct LemkeOptions {
  double tolerance = 1e-10;     // largest residual (lcp_residual) that is called solved
  double tie_tolerance = 1e-8;  // ratios closer than this, relative to the basic values, are ties;
                                // 1e-11 and less let rounding decide ties and end on false rays
  double pivot_tolerance = 1e-11;  // entries below this share of their (scaled) column are zero
  int pivot_limit = 0;             // 0: 50 n + 1000
  Covering covering = Covering::problem_units;
};

/// Lexicographic Lemke (Cottle, Pang, Stone: The Linear Complementarity Problem, 4.4 and 4.9).
///
///   w - M z - d t = q
///
/// t enters first; then always the complement of the variable that left enters; the lexicographic
/// minimum of [x_B | B^-1] / (pivot entry) leaves, t first among ties. t leaves: solved. No positive
/// pivot entry: secondary ray.
///
/// - Rows and columns are scaled by powers of two, w'_k = r_k w_k and z_k = c_k z'_k, r, c > 0: this
///   keeps complementarity and every rounding, and makes the two tolerances above unit-free.
/// - d is a full column and would fill the inverse, so t stays outside of it. C is the basis with a
///   variable of the problem, the dummy, in the place p of t; with h = C^-1 q, g = C^-1 d and
///   u = C^-1 a of the entering column a:
///
///     t = -h_p/g_p,   x_B = h + t g,        B^-1 a = u - (u_p/g_p) g,   and -u_p/g_p in row p.
///
///   When row l leaves, a takes either the place of the dummy, and the leaving variable is the next
///   dummy, or the place l, and the dummy stays: whichever has the larger pivot u_p or u_l (one of
///   them is not zero, since B stays regular). The sparsity of M is that of C^-1.
/// - C^-1 is a product of elementary columns (etas); a pivot costs one pass over them. Rows of the
///   inverse are formed for tied rows only.
/// - At the end the basic values are corrected by iterative refinement on the unscaled problem, if
///   need be by an LU factorisation of the basic block of M. Basic values that are negative by
///   rounding are set to zero before w and the residual are recomputed, so the residual speaks of
///   the z that is returned.
/// - A ray, or an end whose residual is above the tolerance, is tried once more with the other side
///   of the tie tolerance (1e-4 of it). What still fails is `ray`, or `limit` for a residual above
///   the tolerance.
///
/// The solver owns its workspace: after the first problem of a size no memory is allocated (LU
/// excepted).
class LemkeSolver {
 public:
  /// M: n x n, q: n, all finite. The answer stays valid until the next solve.
  LcpStatus solve(const Eigen::Ref<const Eigen::MatrixXd>& M,
                  const Eigen::Ref<const Eigen::VectorXd>& q, const LemkeOptions& options = {});

  Eigen::Map<const Eigen::VectorXd> z() const { return {z_.data(), size_}; }
  Eigen::Map<const Eigen::VectorXd> w() const { return {w_.data(), size_}; }
  double residual() const { return residual_; }
  int pivots() const { return pivots_; }

 private:
  enum class End { artificial_left, ray, limit };

  void resize(Eigen::Index n);
  End pivot_to_the_end(const LemkeOptions& options, double tie_tolerance, int pivot_limit);
  void load_column(int variable);
  int leaving_row(const LemkeOptions& options, double tie_tolerance);
  int lexicographic_minimum(int count);
  int first_leaving_row() const;
  void exchange(int row, int variable);
  bool is_inverse_long() const;
  bool reinvert();
  void evaluate(const Eigen::Ref<const Eigen::MatrixXd>& M,
                const Eigen::Ref<const Eigen::VectorXd>& q);
  void refine(const Eigen::Ref<const Eigen::MatrixXd>& M,
              const Eigen::Ref<const Eigen::VectorXd>& q);
  void solve_basic_block(const Eigen::Ref<const Eigen::MatrixXd>& M,
                         const Eigen::Ref<const Eigen::VectorXd>& q);
  void keep_if_better();

  Eigen::Index size_ = 0;
  std::vector<double> z_, w_;            // the answer
  std::vector<double> best_z_, best_w_;  // the best of several attempts
  std::vector<double> row_scale_, column_scale_, cover_;
  std::vector<double> scaled_q_;
  std::vector<double> h_, g_;        // C^-1 q and C^-1 d
  std::vector<double> column_;       // u = C^-1 (entering column)
  std::vector<double> basic_value_;  // x_B
  std::vector<double> entering_;     // B^-1 (entering column)
  ProductForm inverse_;              // C^-1
  std::vector<int> basic_;           // variable in each column of C: 0..n-1 w, n..2n-1 z
  std::vector<int> tied_;
  std::vector<int> structural_;  // for a fresh inversion
  std::vector<char> is_taken_;
  std::vector<double> tied_rows_;
  const double* matrix_ = nullptr;  // M of the running solve
  Eigen::Index stride_ = 0;
  int artificial_row_ = -1;  // the place of t; -1 once it has left
  std::size_t entries_of_inversion_ = 0;
  double residual_ = 0.0, best_residual_ = 0.0, rounding_ = 0.0;
  int pivots_ = 0;
};

/// One problem, checked: wrong sizes and numbers that are not finite throw InputError.
LcpResult lemke(const Lcp& problem, const LemkeOptions& options = {});

}  // namespace clack
