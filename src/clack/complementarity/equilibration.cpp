// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/equilibration.hpp"

#include <bit>

#include "clack/complementarity/wide.hpp"

namespace clack {

namespace {

/// 2^-floor(e/2) for a positive number with exponent e.
double inverse_root(double positive) {
  const auto exponent =
      static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(positive) >> 52) - 1023;
  const std::int64_t halved = exponent >= 0 ? exponent / 2 : -((1 - exponent) / 2);
  return std::bit_cast<double>(static_cast<std::uint64_t>(1023 - halved) << 52);
}

/// The same for scales 1.
CLACK_WIDE double take_first(const double* column, double* row_largest, Eigen::Index n) {
  using wide::Lane;
  Lane largest{};
  Eigen::Index k = 0;
  for (; k + wide::lanes <= n; k += wide::lanes) {
    Lane entry, row;
    wide::load(entry, column + k);
    wide::load(row, row_largest + k);
    wide::make_positive(entry);
    row = entry > row ? entry : row;
    largest = entry > largest ? entry : largest;
    wide::store(row_largest + k, row);
  }
  double result = 0.0;
  for (int l = 0; l < wide::lanes; ++l) result = std::max(result, largest[l]);
  for (; k < n; ++k) {
    row_largest[k] = std::max(row_largest[k], std::abs(column[k]));
    result = std::max(result, std::abs(column[k]));
  }
  return result;
}

/// One column, scaled by r and c: its largest entry; the largest entries of the rows so far are
/// raised.
CLACK_WIDE double take_column(const double* column, const double* r, double c, double* row_largest,
                              Eigen::Index n) {
  using wide::Lane;
  Lane largest{};
  Eigen::Index k = 0;
  for (; k + wide::lanes <= n; k += wide::lanes) {
    Lane entry, scale, row;
    wide::load(entry, column + k);
    wide::load(scale, r + k);
    wide::load(row, row_largest + k);
    entry = c * (entry * scale);
    wide::make_positive(entry);
    row = entry > row ? entry : row;
    largest = entry > largest ? entry : largest;
    wide::store(row_largest + k, row);
  }
  double result = 0.0;
  for (int l = 0; l < wide::lanes; ++l) result = std::max(result, largest[l]);
  for (; k < n; ++k) {
    const double entry = std::abs(c * (column[k] * r[k]));
    row_largest[k] = std::max(row_largest[k], entry);
    result = std::max(result, entry);
  }
  return result;
}

}  // namespace

void equilibrate(const Eigen::Ref<const Eigen::MatrixXd>& M, double* r, double* c, double* work) {
  const Eigen::Index n = M.rows();
  std::fill_n(r, n, 1.0);
  std::fill_n(c, n, 1.0);
  constexpr int sweeps = 2;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    std::fill_n(work, n, 0.0);
    for (Eigen::Index j = 0; j < n; ++j) {
      const double* const column = M.col(j).data();
      const double largest =
          sweep == 0 ? take_first(column, work, n) : take_column(column, r, c[j], work, n);
      if (largest > 0.0) c[j] *= inverse_root(largest);
    }
    for (Eigen::Index k = 0; k < n; ++k)
      if (work[k] > 0.0) r[k] *= inverse_root(work[k]);
  }
}

}  // namespace clack
