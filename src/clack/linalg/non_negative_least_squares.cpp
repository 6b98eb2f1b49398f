// SPDX-License-Identifier: Apache-2.0
#include "clack/linalg/non_negative_least_squares.hpp"

#include <Eigen/QR>

#include "clack/linalg/tolerances.hpp"

namespace clack {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

VectorXd solve_on(const MatrixXd& A, const VectorXd& b, const std::vector<char>& passive) {
  std::vector<Eigen::Index> columns;
  for (Eigen::Index j = 0; j < A.cols(); ++j) {
    if (passive[j]) columns.push_back(j);
  }
  VectorXd x = VectorXd::Zero(A.cols());
  if (columns.empty()) return x;
  const MatrixXd part = A(Eigen::all, columns);
  const VectorXd solved = part.completeOrthogonalDecomposition().solve(b);
  for (std::size_t k = 0; k < columns.size(); ++k) x[columns[k]] = solved[k];
  return x;
}

// Goes from x towards `wanted` until the first bounded unknown reaches zero; those at zero leave
// the passive set.
void step_to_border(VectorXd& x, const VectorXd& wanted, Eigen::Index free_columns,
                    std::vector<char>& passive) {
  double fraction = 1.0;
  Eigen::Index blocking = -1;
  for (Eigen::Index j = free_columns; j < x.size(); ++j) {
    if (!passive[j] || wanted[j] > 0) continue;
    const double reach = x[j] / std::max(x[j] - wanted[j], std::numeric_limits<double>::min());
    if (blocking < 0 || reach < fraction) fraction = reach, blocking = j;
  }
  x += fraction * (wanted - x);
  for (Eigen::Index j = free_columns; j < x.size(); ++j) {
    if (passive[j] && (j == blocking || x[j] <= 0)) {
      passive[j] = 0;
      x[j] = 0;
    }
  }
}

bool is_admissible(const VectorXd& x, Eigen::Index free_columns, const std::vector<char>& passive) {
  for (Eigen::Index j = free_columns; j < x.size(); ++j) {
    if (passive[j] && !(x[j] > 0)) return false;
  }
  return true;
}

}  // namespace

NonNegativeLeastSquares solve_non_negative(const Eigen::Ref<const MatrixXd>& A_given,
                                           const Eigen::Ref<const VectorXd>& b_given,
                                           int free_columns) {
  // Columns at unit length: the choice of the entering unknown must not depend on units.
  VectorXd lengths =
      A_given.cols() > 0 ? VectorXd(A_given.colwise().stableNorm().transpose()) : VectorXd();
  for (Eigen::Index j = 0; j < lengths.size(); ++j) lengths[j] = lengths[j] > 0 ? lengths[j] : 1.0;
  const MatrixXd A = A_given.cols() > 0 ? MatrixXd(A_given * lengths.cwiseInverse().asDiagonal())
                                        : MatrixXd(A_given);
  const VectorXd b = b_given;
  const Eigen::Index n = A.cols();
  const double tolerance = linalg_tolerances.descent * std::numeric_limits<double>::epsilon() *
                           b.norm() * std::sqrt(double(A.rows() + n));
  const int limit = linalg_tolerances.descents_per_unknown * static_cast<int>(n) +
                    linalg_tolerances.descents_in_any_case;

  NonNegativeLeastSquares out;
  std::vector<char> passive(n, 0);
  std::vector<char> refused(n, 0);
  std::fill(passive.begin(), passive.begin() + free_columns, char(1));
  VectorXd x = solve_on(A, b, passive);
  while (out.iterations < limit) {
    // 1. the bounded unknown that would lower the residual fastest enters
    const VectorXd descent = A.transpose() * (b - A * x);
    Eigen::Index entering = -1;
    for (Eigen::Index j = free_columns; j < n; ++j) {
      if (passive[j] || refused[j] || descent[j] <= tolerance) continue;
      if (entering < 0 || descent[j] > descent[entering]) entering = j;
    }
    if (entering < 0) {
      out.is_converged = true;
      break;
    }
    ++out.iterations;
    passive[entering] = 1;
    // 2. solve on the passive set; step back to the border while an unknown is not positive
    VectorXd wanted = solve_on(A, b, passive);
    if (!(wanted[entering] > 0)) {  // dependent to rounding: this one brings nothing
      passive[entering] = 0;
      refused[entering] = 1;
      continue;
    }
    while (!is_admissible(wanted, free_columns, passive)) {
      step_to_border(x, wanted, free_columns, passive);
      wanted = solve_on(A, b, passive);
    }
    x = wanted;
    std::fill(refused.begin(), refused.end(), char(0));
  }
  out.residual = (A * x - b).norm();
  out.x = n > 0 ? VectorXd(x.cwiseQuotient(lengths)) : x;
  return out;
}

ShortestVector shortest_vector(const Eigen::Ref<const MatrixXd>& G,
                               const Eigen::Ref<const VectorXd>& h) {
  ShortestVector out;
  const Eigen::Index n = G.cols(), m = G.rows();
  out.y = VectorXd::Zero(n);
  out.multipliers = VectorXd::Zero(m);
  if (m == 0 || (h.array() <= 0).all()) {
    out.is_feasible = true;
    return out;
  }
  // Scaled so that the answer is of order one: the last row is h over its largest distance h_i /
  // |G_i|.
  double scale = 0.0;
  for (Eigen::Index i = 0; i < m; ++i) {
    const double length = G.row(i).norm();
    if (length > 0) scale = std::max(scale, h[i] / length);
  }
  if (!(scale > 0)) {  // only empty rows ask for something: infeasible
    out.is_refuted = true;
    return out;
  }
  MatrixXd E(n + 1, m);
  E.topRows(n) = G.transpose();
  E.row(n) = h.transpose() / scale;
  VectorXd last = VectorXd::Zero(n + 1);
  last[n] = 1.0;
  const NonNegativeLeastSquares nnls = solve_non_negative(E, last);
  out.iterations = nnls.iterations;
  const VectorXd r = E * nnls.x - last;
  // r_{n+1} = -|r|^2: its square root is 1/sqrt(1 + |y|^2), so a small one stands for a
  // point that is far away against the largest single distance.
  out.is_refuted = nnls.residual < linalg_tolerances.infeasible;
  if (!nnls.is_converged || out.is_refuted) return out;
  out.is_feasible = true;
  out.y = -scale * r.head(n) / r[n];
  out.multipliers = -scale * nnls.x / r[n];
  return out;
}

}  // namespace clack
