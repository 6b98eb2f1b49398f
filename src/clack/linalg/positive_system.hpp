// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clack {

/// A x = b of a small symmetric positive definite A: elimination down the diagonal, A = L D L^T. `rows`: n rows of n + 1
/// numbers, the upper triangle of A (what is below is not read) with b behind it; they are spent. Without square roots, and b
/// goes along as a column, so that little has to wait for what comes before.
/// False, and x as it was, when a pivot is not positive.
[[nodiscard]] bool solve_positive_in_place(double* rows, int n, double* x);

}  // namespace clack
