// SPDX-License-Identifier: Apache-2.0
#include "clack/formulation/nullspace.hpp"

#include "clack/formulation/tolerances.hpp"

namespace clack {

using Eigen::MatrixXd;
using Eigen::VectorXd;

FormulationPart NullspaceFormulation::part() {
  FormulationPart part;
  part.name = "nullspace";
  part.help =
      "motions that the rows allow, from a QR or singular value decomposition at every evaluation";
  part.needs.no_sliding_friction = true;
  part.options = {choice_option("nullspace", {"qr", "svd"}, "how the allowed motions are found")};
  part.make = [](const OptionValues& values) {
    return std::make_unique<NullspaceFormulation>(values.chosen<NullspaceMethod>("nullspace"));
  };
  return part;
}

void NullspaceFormulation::enter(const ModeShape& shape) {
  mode_.enter(shape);
  cutoff_ = shape.rank_cutoff > 0.0 ? shape.rank_cutoff : formulation_tolerances.row_rank;
  lengths_.setOnes(mode_.count());
}

/// R and the rank from the rows at unit length, in units of 1/sqrt(M_jj).
void NullspaceFormulation::decompose() {
  const int n = mode_.speeds(), m = mode_.count();
  unit_rows_ = mode_.rows() * mode_.scale().asDiagonal();
  for (int r = 0; r < m; ++r) {
    lengths_[r] = unit_rows_.row(r).norm();
    if (lengths_[r] > 0.0) unit_rows_.row(r) /= lengths_[r];
  }
  if (m == 0) {
    rank_ = 0;
    motions_ = MatrixXd::Identity(n, n);
  } else if (method_ == NullspaceMethod::svd) {
    const Eigen::JacobiSVD<MatrixXd> svd(unit_rows_, Eigen::ComputeFullV);
    rank_ = 0;
    for (const double value : svd.singularValues())
      rank_ += value > cutoff_ * svd.singularValues()[0];
    motions_ = svd.matrixV().rightCols(n - rank_);
  } else {
    Eigen::ColPivHouseholderQR<MatrixXd> qr(n, m);
    qr.setThreshold(cutoff_);
    qr.compute(unit_rows_.transpose());
    rank_ = static_cast<int>(qr.rank());
    const MatrixXd all = qr.householderQ();
    motions_ = all.rightCols(n - rank_);
  }
}

void NullspaceFormulation::solve(const Snapshot& snapshot, ModeForces& forces) {
  mode_.gather(snapshot);
  decompose();
  const int n = mode_.speeds(), m = mode_.count();
  const VectorXd& scale = mode_.scale();
  mass_ = scale.asDiagonal() * mode_.mass() * scale.asDiagonal();
  const VectorXd smooth = scale.cwiseProduct(mode_.force());
  acceleration_.setZero(n);
  double left = 0.0, size = 0.0;
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> rows(m, n);
  rows.setThreshold(cutoff_);
  if (m > 0) {
    right_ = -mode_.bias().cwiseQuotient(lengths_.cwiseMax(std::numeric_limits<double>::min()));
    for (int r = 0; r < m; ++r) right_[r] = lengths_[r] > 0.0 ? right_[r] : -mode_.bias()[r];
    rows.compute(unit_rows_);
    acceleration_ = rows.solve(right_);
    acceleration_ += rows.solve((right_ - unit_rows_ * acceleration_).eval());
    left = (unit_rows_ * acceleration_ - right_).lpNorm<Eigen::Infinity>();
    size = right_.lpNorm<Eigen::Infinity>();
  }
  bool is_positive = true;
  if (motions_.cols() > 0) {
    const Eigen::LDLT<MatrixXd> inner(motions_.transpose() * mass_ * motions_);
    is_positive = inner.info() == Eigen::Success && inner.vectorD().minCoeff() > 0.0;
    if (is_positive)
      acceleration_ +=
          motions_ * inner.solve(motions_.transpose() * (smooth - mass_ * acceleration_));
  }
  size += acceleration_.lpNorm<Eigen::Infinity>() + smooth.norm();
  forces.is_finite = is_positive && left <= formulation_tolerances.unreachable * size;
  force_ = scale.cwiseInverse().cwiseProduct(mass_ * acceleration_ - smooth);
  x_.setZero(m);
  forces.is_hyperstatic = rank_ < m;
  if (m > 0) {  // the smallest forces of the rows as given
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> columns(n, m);
    columns.setThreshold(cutoff_);
    columns.compute(scale.asDiagonal() * mode_.rows().transpose());
    x_ = columns.solve(scale.cwiseProduct(force_));
    if (forces.is_hyperstatic)
      forces.null_forces =
          columns.colsPermutation() * columns.matrixZ().transpose().rightCols(m - columns.rank());
  }
  mode_.scatter(scale.cwiseProduct(acceleration_), x_, forces);
}

}  // namespace clack
