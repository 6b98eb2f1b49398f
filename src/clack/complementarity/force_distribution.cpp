// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/force_distribution.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <Eigen/SVD>

#include "clack/index.hpp"
#include "clack/linalg/non_negative_least_squares.hpp"
#include "clack/linalg/projector.hpp"

namespace clack {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Orthonormal multipliers that give no force and move some of the last `bounded` entries. Those
// that move only the others (dependent equalities) help no sign; their rounding must not pass for a
// way out.
MatrixXd silent_distributions(const MatrixXd& rows, const VectorXd& roots, Eigen::Index rank,
                              Eigen::Index bounded, double rounding) {
  const Eigen::Index m = rows.rows();
  const MatrixXd scaled = roots.cwiseInverse().asDiagonal() * rows;
  const Eigen::JacobiSVD<MatrixXd> svd(scaled, Eigen::ComputeFullU);
  const MatrixXd silent = roots.cwiseInverse().asDiagonal() * svd.matrixU().rightCols(m - rank);
  const MatrixXd all = MatrixXd(silent.householderQr().householderQ()).leftCols(m - rank);
  const Eigen::JacobiSVD<MatrixXd> bounded_part(MatrixXd(all.bottomRows(bounded)),
                                                Eigen::ComputeFullV);
  const Eigen::Index useful = (bounded_part.singularValues().array() > rounding).count();
  MatrixXd out = all * bounded_part.matrixV().leftCols(useful);
  for (Eigen::Index i = 0; i < m; ++i) {
    if (out.row(i).norm() <= rounding) out.row(i).setZero();
  }
  return out;
}

}  // namespace

Distribution distribute_force(const Eigen::Ref<const MatrixXd>& mass_matrix,
                              const Eigen::Ref<const MatrixXd>& rows, int equalities,
                              const Eigen::Ref<const VectorXd>& force, double scale,
                              double rank_cutoff, const MetricProjectionTolerances& tolerances) {
  Distribution out;
  const Eigen::Index m = rows.rows(), u = m - equalities;
  out.multipliers = VectorXd::Zero(m);
  if (m == 0) return out;
  ProjectorOptions options;
  options.rank_cutoff = rank_cutoff;
  const Projector projector = make_projector(mass_matrix, rows, options);
  out.is_unique = projector.rank + number_of(projector.zero_rows) == m;
  out.is_near_cutoff = projector.is_near_cutoff;
  out.notes = projector.notes;
  VectorXd& y = out.multipliers;
  y = projector.pseudo_inverse.transpose() * force;
  const Eigen::LLT<MatrixXd> mass(mass_matrix);
  const MatrixXd halves = mass.matrixL().solve(MatrixXd(rows.transpose()));
  VectorXd roots = halves.colwise().norm().transpose();
  for (Eigen::Index i = 0; i < m; ++i) roots[i] = roots[i] > 0.0 ? roots[i] : 1.0;
  const double zero = tolerances.multiplier * scale;
  const auto is_negative = [&](Eigen::Index i) { return y[i] * roots[i] < -zero; };
  const auto has_negative = [&] {
    for (Eigen::Index i = equalities; i < m; ++i) {
      if (is_negative(i)) return true;
    }
    return false;
  };
  if (has_negative() && !out.is_unique) {
    // y + N z over the distributions N that give no force, shortest with y_u + N_u z >= 0
    const MatrixXd N = silent_distributions(rows, roots, projector.rank, u, tolerances.silent);
    const ShortestVector shift = shortest_vector(N.bottomRows(u), -y.tail(u));
    if (shift.is_feasible) y += N * shift.y;
  }
  out.is_admissible = !has_negative();
  for (Eigen::Index i = equalities; i < m; ++i) {
    if (y[i] < 0.0 && !is_negative(i)) y[i] = 0.0;
  }
  return out;
}

}  // namespace clack
