// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "clack/symbolic/expression.hpp"

namespace clack::symbolic {

/// The largest set of equations that hang together which `solve_linear` takes.
inline constexpr int largest_linear_block = 8;

/// x of A x = b as formulas, by Cramer's rule in each block of equations that hang together:
///
///   x_j = sum_i cofactor_ij(A) b_i / det A
///
/// Minors are shared and structural zeros skipped. No pivot is chosen, so the solution is regular wherever A is (an
/// elimination would divide by entries that vanish somewhere, as cos(q) in a rotation). Nothing for a block that is
/// larger than `largest_linear_block`, or whose determinant is the number 0. A is square.
std::optional<std::vector<Expression>> solve_linear(Graph& graph,
                                                    const std::vector<std::vector<Expression>>& A,
                                                    const std::vector<Expression>& b);

}  // namespace clack::symbolic
