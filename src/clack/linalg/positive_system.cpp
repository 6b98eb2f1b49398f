// SPDX-License-Identifier: Apache-2.0
// A hot loop over small matrices: worth the compiler's effort.
#pragma GCC optimize("O3")
#include "clack/linalg/positive_system.hpp"

namespace clack {

bool solve_positive_in_place(double* rows, int n, double* x) {
  const int stride = n + 1;
  for (int k = 0; k < n; ++k) {
    double* const pivot = rows + k * stride;
    if (!(pivot[k] > 0.0)) return false;
    pivot[k] = 1.0 / pivot[k];
    for (int i = k + 1; i < n; ++i) {
      double* const row = rows + i * stride;
      const double factor = pivot[i] * pivot[k];
      for (int j = i; j <= n; ++j) row[j] -= factor * pivot[j];
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    const double* const row = rows + i * stride;
    double sum = row[n];
    for (int j = n - 1; j > i; --j) sum -= row[j] * x[j];
    x[i] = sum * row[i];
  }
  return true;
}

}  // namespace clack
