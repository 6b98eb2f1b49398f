// SPDX-License-Identifier: Apache-2.0
#include "clack/linalg/projector.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

#include "clack/error.hpp"
#include "clack/index.hpp"
#include "clack/linalg/tolerances.hpp"

namespace clack {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using MatrixRef = Eigen::Ref<const MatrixXd>;

namespace {

struct UnitRows {
  MatrixXd rows;                   // kept rows at unit length
  std::vector<Eigen::Index> kept;  // their places
};

UnitRows unit_rows(const MatrixRef& jacobian, double cutoff, Projector& projector) {
  UnitRows out;
  const Eigen::Index m = jacobian.rows();
  const VectorXd lengths = m > 0 ? VectorXd(jacobian.rowwise().stableNorm()) : VectorXd();
  const double longest = m > 0 ? lengths.maxCoeff() : 0.0;
  for (Eigen::Index i = 0; i < m; ++i) {
    if (lengths[i] > cutoff * longest) {
      out.kept.push_back(i);
    } else {
      projector.zero_rows.push_back(i);
    }
  }
  out.rows.resize(number_of(out.kept), jacobian.cols());
  for (Eigen::Index k = 0; k < out.rows.rows(); ++k) {
    out.rows.row(k) = jacobian.row(out.kept[k]) / lengths[out.kept[k]];
  }
  return out;
}

void report_nearness(Projector& projector, double warning_factor, double rounding) {
  const VectorXd& sigma = projector.singular_values;
  if (sigma.size() == 0 || !(sigma[0] > 0)) return;
  double nearest = 0.0, distance = warning_factor;
  for (Eigen::Index k = 0; k < sigma.size(); ++k) {
    const double ratio = sigma[k] / sigma[0];
    if (ratio <= 0) continue;
    const double apart = std::max(ratio / projector.cutoff, projector.cutoff / ratio);
    // Rounding leaves exactly dependent rows at a few eps; that is no sign of a close decision.
    const bool is_rounding = k >= projector.rank && ratio < 0.5 * rounding;
    if (apart <= distance && !is_rounding) distance = apart, nearest = ratio;
  }
  if (nearest <= 0) return;
  projector.is_near_cutoff = true;
  projector.nearest_ratio = nearest;
  projector.notes.push_back(
      fmt::format("rank {} is a close decision: a singular value is {:.3g} of the largest, the "
                  "cut-off is {:.3g}; the motion jumps "
                  "where the rank changes",
                  projector.rank, nearest, projector.cutoff));
}

void find_rank_and_bases(const MatrixXd& rows, Projector& projector) {
  const Eigen::Index n = rows.cols();
  if (rows.rows() == 0) {
    projector.row_basis = MatrixXd(n, 0);
    projector.null_basis = MatrixXd::Identity(n, n);
    return;
  }
  const Eigen::BDCSVD<MatrixXd> svd(rows, Eigen::ComputeFullV);
  projector.singular_values = svd.singularValues();
  const double threshold = projector.cutoff * projector.singular_values[0];
  projector.rank = (projector.singular_values.array() > threshold).count();
  projector.row_basis = svd.matrixV().leftCols(projector.rank);
  projector.null_basis = svd.matrixV().rightCols(n - projector.rank);
}

// A+ = V1 (A V1)^+ where A V1 has full column rank, for the rows as given.
MatrixXd pseudo_inverse_on(const MatrixXd& row_basis, const MatrixRef& jacobian,
                           const std::vector<Eigen::Index>& kept) {
  MatrixXd inverse = MatrixXd::Zero(jacobian.cols(), jacobian.rows());
  if (row_basis.cols() == 0) return inverse;
  const Eigen::Index m = number_of(kept);
  const MatrixXd images = jacobian(kept, Eigen::all) * row_basis;  // m x r
  Eigen::ColPivHouseholderQR<MatrixXd> qr(images);
  qr.setThreshold(0.0);
  const MatrixXd solved = row_basis * qr.solve(MatrixXd::Identity(m, m));
  for (Eigen::Index k = 0; k < m; ++k) inverse.col(kept[k]) = solved.col(k);
  return inverse;
}

}  // namespace

void require_mass_matrix(const MatrixRef& mass_matrix) {
  const Eigen::Index n = mass_matrix.rows();
  if (n != mass_matrix.cols()) {
    throw InputError(
        fmt::format("the mass matrix has {} rows and {} columns", n, mass_matrix.cols()), "",
        "give a square matrix with one row per speed");
  }
  if (!mass_matrix.allFinite()) {
    throw InputError("the mass matrix has an entry that is not a finite number", "",
                     "check its entries");
  }
  if (n == 0) return;
  const double scale = mass_matrix.cwiseAbs().maxCoeff();
  const double skew = (mass_matrix - mass_matrix.transpose()).cwiseAbs().maxCoeff();
  const bool is_symmetric = skew <= linalg_tolerances.symmetry * scale;
  if (is_symmetric && Eigen::LLT<MatrixXd>(mass_matrix).info() == Eigen::Success) {
    return;
  }
  const MatrixXd symmetric = 0.5 * (mass_matrix + mass_matrix.transpose());
  const double smallest =
      Eigen::SelfAdjointEigenSolver<MatrixXd>(symmetric, Eigen::EigenvaluesOnly).eigenvalues()[0];
  if (!is_symmetric) {
    throw InputError(fmt::format("the mass matrix is not symmetric (largest difference {:.3g}; "
                                 "smallest eigenvalue of its "
                                 "symmetric part {:.6g})",
                                 skew, smallest),
                     "", "give a symmetric positive definite mass matrix");
  }
  throw InputError(
      fmt::format("the mass matrix is not positive definite, its smallest eigenvalue is {:.6g}",
                  smallest),
      "", "every speed needs inertia: give a symmetric positive definite mass matrix");
}

Projector make_projector(const MatrixRef& mass_matrix, const MatrixRef& jacobian,
                         const ProjectorOptions& options) {
  require_mass_matrix(mass_matrix);
  const Eigen::Index n = mass_matrix.rows(), m = jacobian.rows();
  if (m > 0 && jacobian.cols() != n) {
    throw InputError(
        fmt::format("the Jacobian has {} columns, the mass matrix {}", jacobian.cols(), n), "",
        "give one column per speed");
  }
  if (!jacobian.allFinite()) {
    throw InputError("the Jacobian has an entry that is not a finite number", "", "check its rows");
  }
  Projector out;
  const double rounding = linalg_tolerances.rank_rounding *
                          static_cast<double>(std::max<Eigen::Index>({m, n, 1})) *
                          std::numeric_limits<double>::epsilon();
  out.cutoff = options.rank_cutoff > 0 ? options.rank_cutoff : rounding;

  // 1. rank and the two bases, from rows at unit length
  UnitRows unit = unit_rows(jacobian, out.cutoff, out);
  if (unit.rows.rows() == 0) unit.rows.resize(0, n);
  find_rank_and_bases(unit.rows, out);
  report_nearness(out, options.warning_factor, rounding);
  out.pseudo_inverse =
      m > 0 ? pseudo_inverse_on(out.row_basis, jacobian, unit.kept) : MatrixXd(n, 0);

  // 2. P, M_o, nu, M_c
  out.feasible_projector.noalias() = out.null_basis * out.null_basis.transpose();
  const MatrixXd reduced = out.null_basis.transpose() * mass_matrix * out.null_basis;
  out.feasible_inertia = out.null_basis * reduced * out.null_basis.transpose();
  out.virtual_mass = out.rank < n ? reduced.trace() / static_cast<double>(n - out.rank)
                                  : (n > 0 ? mass_matrix.trace() / static_cast<double>(n) : 1.0);
  out.constraint_inertia =
      out.feasible_inertia + out.virtual_mass * (out.row_basis * out.row_basis.transpose());

  // 3. M_o^+ = M_c^-1 P (applied on both sides so that it is symmetric), S = I - M_o^+ M
  const MatrixXd solved = out.constraint_inertia.llt().solve(out.null_basis);
  const MatrixXd core = out.null_basis.transpose() * solved;
  out.feasible_mobility =
      out.null_basis * (0.5 * (core + core.transpose())) * out.null_basis.transpose();
  out.impact_projector = MatrixXd::Identity(n, n) - out.feasible_mobility * mass_matrix;
  return out;
}

MatrixXd reflection(const Projector& projector) {
  const Eigen::Index n = projector.impact_projector.rows();
  return MatrixXd::Identity(n, n) - 2.0 * projector.impact_projector;
}

double constraint_inertia_condition(const Projector& projector) {
  if (projector.constraint_inertia.rows() == 0) return 1.0;
  const VectorXd values =
      Eigen::SelfAdjointEigenSolver<MatrixXd>(projector.constraint_inertia, Eigen::EigenvaluesOnly)
          .eigenvalues();
  return values[values.size() - 1] / values[0];
}

MatrixXd constraint_metric(const Projector& projector, const MatrixRef& mass_matrix) {
  const MatrixXd lifted = projector.impact_projector * projector.pseudo_inverse;
  const MatrixXd metric = lifted.transpose() * mass_matrix * lifted;
  return 0.5 * (metric + metric.transpose());
}

VectorXd unreachable_part(const Projector& projector, const MatrixRef& jacobian,
                          const Eigen::Ref<const VectorXd>& target) {
  if (jacobian.rows() == 0) return VectorXd(0);
  return target - jacobian * (projector.pseudo_inverse * target);
}

}  // namespace clack
