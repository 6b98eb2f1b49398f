// SPDX-License-Identifier: Apache-2.0
#include "clack/linalg/cholesky.hpp"

#include "clack/error.hpp"
#include "clack/linalg/tolerances.hpp"

namespace clack {

bool Cholesky::compute(const Eigen::Ref<const Eigen::MatrixXd>& matrix) {
  const Eigen::Index n = matrix.rows();
  lower_.resize(n, n);
  lower_.setZero();
  failed_row_ = -1;
  failed_pivot_ = 0.0;
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  for (Eigen::Index k = 0; k < n; ++k) {
    const double pivot = matrix(k, k) - lower_.row(k).head(k).squaredNorm();
    if (!(pivot > static_cast<double>(n) * epsilon * std::abs(matrix(k, k)))) {
      failed_row_ = k;
      failed_pivot_ = pivot;
      return false;
    }
    lower_(k, k) = std::sqrt(pivot);
    for (Eigen::Index i = k + 1; i < n; ++i)
      lower_(i, k) =
          (matrix(i, k) - lower_.row(i).head(k).dot(lower_.row(k).head(k))) / lower_(k, k);
  }
  return true;
}

void Cholesky::half_solve_in_place(Eigen::Ref<Eigen::MatrixXd> x) const {
  for (Eigen::Index c = 0; c < x.cols(); ++c)
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
      double value = x(i, c);
      for (Eigen::Index j = 0; j < i; ++j) value -= lower_(i, j) * x(j, c);
      x(i, c) = value / lower_(i, i);
    }
}

void Cholesky::solve_in_place(Eigen::Ref<Eigen::MatrixXd> x) const {
  half_solve_in_place(x);
  for (Eigen::Index c = 0; c < x.cols(); ++c)
    for (Eigen::Index i = x.rows() - 1; i >= 0; --i) {
      double value = x(i, c);
      for (Eigen::Index j = i + 1; j < x.rows(); ++j) value -= lower_(j, i) * x(j, c);
      x(i, c) = value / lower_(i, i);
    }
}

void check_positive_definite(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                             std::string_view what) {
  if (matrix.rows() != matrix.cols())
    throw InputError(
        fmt::format("the {} is {} x {}, must be square", what, matrix.rows(), matrix.cols()), "",
        "give as many rows as columns");
  if (!matrix.allFinite())
    throw InputError(fmt::format("the {} has an entry that is not finite", what), "",
                     "use finite numbers only");
  constexpr double symmetry = linalg_tolerances.symmetry;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < i; ++j) {
      const double size = std::sqrt(std::abs(matrix(i, i) * matrix(j, j)));
      if (std::abs(matrix(i, j) - matrix(j, i)) <= symmetry * size) continue;
      throw InputError(fmt::format("the {} is not symmetric: entry ({}, {}) is {:.17g}, entry ({}, "
                                   "{}) is {:.17g}",
                                   what, i, j, matrix(i, j), j, i, matrix(j, i)),
                       "", "make the two entries equal");
    }
  Cholesky factor;
  if (!factor.compute(matrix))
    throw InputError(fmt::format("the {} is not positive definite: pivot {} is {:.6g}", what,
                                 factor.failed_row(), factor.failed_pivot()),
                     "", "every body needs a positive mass and inertia; check for repeated rows");
}

}  // namespace clack
