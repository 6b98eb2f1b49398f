// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>

namespace clack {

/// Positive scales r, c (n numbers each, powers of two, so that scaling changes no digit) that
/// bring the largest entry of every row and column of  diag(r) M diag(c)  near 1: two sweeps that
/// divide rows and columns at once by the square roots of their largest entries (Ruiz 2001). Rows
/// and columns of zeros keep scale 1. In an LCP, w' = r w and z = c z' stay complementary. `work`:
/// n numbers.
void equilibrate(const Eigen::Ref<const Eigen::MatrixXd>& M, double* r, double* c, double* work);

}  // namespace clack
