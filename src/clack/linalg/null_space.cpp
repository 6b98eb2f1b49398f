// SPDX-License-Identifier: Apache-2.0
#include "clack/linalg/null_space.hpp"

namespace clack {

Eigen::MatrixXd null_space(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                           const RankOptions& options) {
  PseudoInverse decomposition;
  decomposition.compute(matrix, options);
  return decomposition.null_basis();
}

Eigen::MatrixXd range_space(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                            const RankOptions& options) {
  PseudoInverse decomposition;
  decomposition.compute(matrix, options);
  return decomposition.range_basis();
}

}  // namespace clack
