// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/complementarity/lcp.hpp"

namespace clack {

struct EnumerationOptions {
  double tolerance = 1e-10;  // largest residual (lcp_residual) of a solution
  int largest_size = 20;  // 2^n supports are looked at; a larger n is `limit` at once (at most 24)
  long long system_limit = 20'000'000;  // linear systems
};

/// Every solution of a small LCP, by its support a = {k : z_k > 0}:
///
///   M_aa z_a = -q_a,   z_a > 0,   w_b = M_ba z_a + q_b >= 0    (b: the others)
///
/// Supports that the signs of M and q exclude cost a few bit operations. Where M_aa is singular the
/// solutions with this support may form a face; its vertices are found from M_aa and as many
/// further rows w_k = 0, k in b, as the rank lacks. So `solutions` are all isolated solutions and
/// all vertices of solution faces, in the order of their supports as binary numbers; solutions
/// closer than 1e-8 of their size count once.
///
/// - solved: z is the first of them, `pivots` the number of linear systems. `is_singular`: some
///   solutions are not isolated (two vertices span a segment of solutions, or a face runs to
///   infinity).
/// - unsolvable: no support gives a solution and none comes near one (scaled violation above 1e-7).
/// - limit: n or the number of systems is too large, or nothing was found but a near miss leaves it
///   open; `solutions` holds what was found.
///
/// Wrong sizes and numbers that are not finite throw InputError.
LcpResult enumerate_lcp(const Lcp& problem, const EnumerationOptions& options = {});

}  // namespace clack
