// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/inertia.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "clack/mechanism/tolerances.hpp"

namespace clack {
namespace {

bool is_positive_definite(const Eigen::MatrixXd& mass) {
  if (!(mass.diagonal().minCoeff() > 0.0)) return false;
  // Independent of units: at unit diagonal.
  const Eigen::VectorXd scale = mass.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::LDLT<Eigen::MatrixXd> factor(scale.asDiagonal() * mass * scale.asDiagonal());
  return factor.info() == Eigen::Success &&
         factor.vectorD().minCoeff() > mechanism_tolerances.massless;
}

}  // namespace

Inertia inertia_with(const Eigen::Ref<const Eigen::MatrixXd>& mass,
                     const Eigen::Ref<const Eigen::MatrixXd>& rows) {
  Inertia inertia{mass, 0.0};
  if (mass.rows() == 0 || rows.rows() == 0 || is_positive_definite(inertia.matrix)) return inertia;
  const double size = rows.squaredNorm();
  if (!(size > 0.0)) return inertia;
  inertia.added = std::max(mass.trace(), std::numeric_limits<double>::min()) / size;
  inertia.matrix += inertia.added * rows.transpose() * rows;
  return inertia;
}

SmallestEigenvalue smallest_eigenvalue(const Snapshot& s) {
  SmallestEigenvalue found;
  const int n = s.speeds();
  for (int end = n, begin = n; end > 0; end = begin) {
    for (int row = begin = end - 1; row >= begin; --row) begin = std::min(begin, s.mass_begin(row));
    const Eigen::MatrixXd block = s.mass_matrix().block(begin, begin, end - begin, end - begin);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(block);
    if (!(eigen.eigenvalues()[0] < found.value)) continue;
    Eigen::Index speed = 0;
    eigen.eigenvectors().col(0).cwiseAbs().maxCoeff(&speed);
    found = {eigen.eigenvalues()[0], begin + static_cast<int>(speed)};
  }
  return found;
}

Inertia inertia_of(const Snapshot& s) {
  if (s.constraint_rows() == 0) return {Eigen::MatrixXd(s.mass_matrix()), 0.0};
  return inertia_with(Eigen::MatrixXd(s.mass_matrix()), Eigen::MatrixXd(s.constraint_jacobian()));
}

}  // namespace clack
