// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

namespace clack {

/// The ratio test of a pivoting method: basic values x, entering column a (n numbers each).
struct RatioTest {
  int row = -1;  // smallest ratio max(x, 0)/a among entries a > zero, the first of equals; -1: none
  double ratio = 0.0;
  double zero = 0.0;  // pivot_tolerance * max |a|
  int ties = 0;       // rows with a > zero and x - ratio a <= tie_tolerance * max |x|
};

RatioTest ratio_test(const double* x, const double* a, int n, double pivot_tolerance,
                     double tie_tolerance, int* tied);

}  // namespace clack
