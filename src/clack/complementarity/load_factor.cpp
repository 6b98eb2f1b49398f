// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/load_factor.hpp"

#include <Eigen/QR>

namespace clack {
namespace {

/// Solutions x of W x = -load as a family; `residual`: of the smallest, relative to the load.
struct BalancedFamily {
  ReactionFamily family;
  double residual = 0.0;
};

BalancedFamily balanced(const Eigen::MatrixXd& columns, const HeldLoad& held,
                        const Eigen::Ref<const Eigen::VectorXd>& load) {
  BalancedFamily found;
  const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver(columns);
  found.family.smallest = solver.solve(-load);
  const double size = load.norm();
  found.residual = size > 0.0 ? (columns * found.family.smallest + load).norm() / size : 0.0;
  const Eigen::Index m = columns.cols(), rank = solver.rank();
  // The last columns of Z^T span the null space.
  const Eigen::MatrixXd z = solver.matrixZ().transpose();
  found.family.free = solver.colsPermutation() * z.rightCols(m - rank);
  found.family.cones = held.cones;
  found.family.tangents = held.tangents;
  return found;
}

constexpr double unbalanced = 1e-9;  // part of a load that no reaction takes: it is not held

}  // namespace

bool is_held(const HeldLoad& held, const Eigen::Ref<const Eigen::VectorXd>& load) {
  if (!(load.norm() > 0.0)) return true;
  const BalancedFamily found = balanced(held.reactions, held, load);
  if (!(found.residual <= unbalanced)) return false;
  return largest_margin(found.family) >= -100.0 * found.family.zero_reaction();
}

LoadFactor largest_load_factor(const HeldLoad& held) {
  if (is_held(held, held.live)) return {LoadLimit::unbounded, 0.0};
  const Eigen::Index m = held.reactions.cols();
  Eigen::MatrixXd columns(held.reactions.rows(), m + 1);
  // The factor as a reaction: of the size of the load itself.
  const double unit = held.live.norm() / held.reactions.colwise().norm().maxCoeff();
  columns << held.reactions, held.live / unit;
  const BalancedFamily found = balanced(columns, held, held.dead);
  if (!(found.residual <= unbalanced)) return {};
  const auto factor = largest_unknown(found.family, static_cast<int>(m));
  if (!factor) return {};
  return {LoadLimit::largest, *factor / unit};
}

}  // namespace clack
