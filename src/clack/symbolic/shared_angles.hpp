// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "clack/symbolic/expression.hpp"

namespace clack::symbolic {

/// From so many angles on, what they share is computed once; fewer keep the bits of the formulas as they were written.
inline constexpr std::size_t least_shared_angles = 8;

/// Formulas in which one angle comes with many constants c, such as the corners of a polygon or the teeth of a wheel,
/// written with one sine and one cosine:
///
///   sin(x + c) = sin(x) cos(c) + cos(x) sin(c),   cos(x + c) = cos(x) cos(c) - sin(x) sin(c)
///
/// for every x that comes with at least `least` different c. Exact but for rounding: each is within 2e-16 or so of what
/// it was, whose own error is that of x + c. Other formulas come back as they are, node by node.
std::vector<Expression> share_angles(std::span<const Expression> formulas,
                                     std::size_t least = least_shared_angles);

}  // namespace clack::symbolic
