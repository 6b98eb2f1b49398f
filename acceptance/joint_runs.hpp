// SPDX-License-Identifier: Apache-2.0
// What the tests of joints share: rows of a trace against what they should be.
#pragma once
#include <cmath>

#include "acceptance/run_support.hpp"

namespace clack::acceptance {

inline double last(const Trace& trace, const std::string& name) {
  return at_row(trace, trace.row_count() - 1, name);
}

/// The largest difference of a column from a function of the row.
template <class Expected>
double largest_error(const Trace& trace, const std::string& name, const Expected& expected) {
  double worst = 0.0;
  for (std::size_t row = 0; row < trace.row_count(); ++row) {
    const double error = std::abs(at_row(trace, row, name) - expected(row));
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

}  // namespace clack::acceptance
