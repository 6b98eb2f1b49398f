// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>

#include "clack/linalg/pseudo_inverse.hpp"

namespace clack {

/// Orthonormal basis (n x (n-r)) of {x : A x = 0} for an m x n matrix A; no rows: the identity.
[[nodiscard]] Eigen::MatrixXd null_space(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                                         const RankOptions& options = {});

/// Orthonormal basis (m x r) of {A x}.
[[nodiscard]] Eigen::MatrixXd range_space(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                                          const RankOptions& options = {});

}  // namespace clack
