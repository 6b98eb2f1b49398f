// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/inertia.hpp"

#include <Eigen/Eigenvalues>

#include "clack/mechanism/tolerances.hpp"

namespace clack {

bool InertiaFinder::is_positive_definite() {
  const Eigen::MatrixXd& mass = inertia_.matrix;
  if (!(mass.diagonal().minCoeff() > 0.0)) return false;
  // Independent of units: at unit diagonal.
  scale_ = mass.diagonal().cwiseSqrt().cwiseInverse();
  scaled_ = scale_.asDiagonal() * mass * scale_.asDiagonal();
  factor_.compute(scaled_);
  return factor_.info() == Eigen::Success &&
         factor_.vectorD().minCoeff() > mechanism_tolerances.massless;
}

const Inertia& InertiaFinder::at(const Snapshot& s) {
  inertia_.matrix = s.mass_matrix();
  inertia_.added = 0.0;
  Eigen::MatrixXd& mass = inertia_.matrix;
  rows_ = s.constraint_jacobian();
  if (mass.rows() == 0 || rows_.rows() == 0 || is_positive_definite()) return inertia_;
  const double size = rows_.squaredNorm();
  if (!(size > 0.0)) return inertia_;
  inertia_.added = std::max(mass.trace(), std::numeric_limits<double>::min()) / size;
  mass += inertia_.added * rows_.transpose().lazyProduct(rows_);
  return inertia_;
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

Inertia inertia_of(const Snapshot& s) { return InertiaFinder().at(s); }

}  // namespace clack
