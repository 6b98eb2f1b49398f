// SPDX-License-Identifier: Apache-2.0
#include "clack/formulation/multipliers.hpp"

#include "clack/formulation/tolerances.hpp"

namespace clack {

FormulationPart MultipliersFormulation::part() {
  FormulationPart part;
  part.name = "multipliers";
  part.help =
      "the whole saddle-point system, with Baumgarte's stabilisation; masses may be singular";
  part.options = {
      list_option("baumgarte", {0.0, 0.0}, {.low = 0.0, .high = 1e6},
                  "alpha and beta, 1/s: how fast rates and positions of joints are pulled "
                  "back to zero")};
  part.make = [](const OptionValues& values) {
    const std::vector<double>& rates = values.list("baumgarte");
    const double alpha = rates.empty() ? 0.0 : rates.front();
    return std::make_unique<MultipliersFormulation>(alpha, rates.empty() ? 0.0 : rates.back());
  };
  return part;
}

void MultipliersFormulation::enter(const ModeShape& shape) {
  mode_.enter(shape);
  const int size = mode_.speeds() + mode_.count();
  saddle_.setZero(size, size);
  right_.setZero(size);
  unknowns_.setZero(size);
  orthogonal_ = Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(size, size);
  cutoff_ = shape.rank_cutoff > 0.0 ? shape.rank_cutoff : formulation_tolerances.row_rank;
}

/// Speeds are counted in units of 1/sqrt(M_jj) and rows at unit length, so that the rank does not depend on units; the
/// unknown forces keep their own, so that the smallest of them is the smallest as given.
void MultipliersFormulation::solve(const Snapshot& snapshot, ModeForces& forces) {
  mode_.gather(snapshot);
  const int n = mode_.speeds(), m = mode_.count();
  const Eigen::VectorXd& scale = mode_.scale();
  saddle_.topLeftCorner(n, n) = scale.asDiagonal() * mode_.mass() * scale.asDiagonal();
  saddle_.topRightCorner(n, m) = -(scale.asDiagonal() * mode_.columns().transpose());
  right_.head(n) = scale.cwiseProduct(mode_.force());
  double longest = 0.0;
  for (int r = 0; r < m; ++r) {
    auto row = saddle_.block(n + r, 0, 1, n);
    row = mode_.rows().row(r) * scale.asDiagonal();
    const double length = row.norm();
    longest = std::max(longest, length);
    right_[n + r] =
        -(mode_.bias()[r] + 2.0 * alpha_ * mode_.rate()[r] + beta_ * beta_ * mode_.value()[r]);
    if (!(length > 0.0)) continue;
    row /= length;
    right_[n + r] /= length;
  }
  // One common unit of force: columns and rows are then of the same size.
  const double unit = longest > 0.0 ? longest : 1.0;
  saddle_.topRightCorner(n, m) /= unit;
  orthogonal_.setThreshold(cutoff_);
  orthogonal_.compute(saddle_);
  unknowns_ = orthogonal_.solve(right_);
  const double left = (saddle_ * unknowns_ - right_).lpNorm<Eigen::Infinity>();
  const double size = right_.lpNorm<Eigen::Infinity>() + unknowns_.lpNorm<Eigen::Infinity>();
  forces.is_finite = unknowns_.allFinite() && left <= formulation_tolerances.unreachable * size;
  forces.is_hyperstatic = orthogonal_.rank() < n + m;
  if (forces.is_hyperstatic)
    forces.null_forces =
        Eigen::MatrixXd(orthogonal_.colsPermutation() *
                        orthogonal_.matrixZ().transpose().rightCols(n + m - orthogonal_.rank()))
            .bottomRows(m);
  mode_.scatter(scale.cwiseProduct(unknowns_.head(n)), unknowns_.tail(m) / unit, forces);
}

}  // namespace clack
