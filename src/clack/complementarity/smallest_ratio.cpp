// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/smallest_ratio.hpp"

#include <limits>

#include "clack/complementarity/wide.hpp"

namespace clack {

namespace {

using wide::Lane;
using wide::lanes;

double larger(double a, double b) { return a > b ? a : b; }

struct Largest {
  double value = 0.0, entry = 0.0;
};

/// max |x| and max |a|.
CLACK_WIDE Largest largest_of(const double* x, const double* a, int n) {
  Lane value{}, entry{};
  int k = 0;
  for (; k + lanes <= n; k += lanes) {
    Lane v, e;
    wide::load(v, x + k);
    wide::load(e, a + k);
    wide::make_positive(v);
    wide::make_positive(e);
    value = v > value ? v : value;
    entry = e > entry ? e : entry;
  }
  Largest largest;
  for (int l = 0; l < lanes; ++l) {
    largest.value = larger(largest.value, value[l]);
    largest.entry = larger(largest.entry, entry[l]);
  }
  for (; k < n; ++k) {
    largest.value = larger(largest.value, x[k] < 0.0 ? -x[k] : x[k]);
    largest.entry = larger(largest.entry, a[k] < 0.0 ? -a[k] : a[k]);
  }
  return largest;
}

/// The smallest ratio and its row, the first of equals; row -1 when no entry is above zero.
CLACK_WIDE void smallest_ratio(const double* x, const double* a, int n, double zero,
                               RatioTest& test) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Lane none = Lane{} + infinity;
  Lane smallest = none, row = Lane{}, index = Lane{0, 1, 2, 3};
  int k = 0;
  for (; k + lanes <= n; k += lanes) {
    Lane v, e;
    wide::load(v, x + k);
    wide::load(e, a + k);
    v = v > 0.0 ? v : Lane{};
    Lane ratio = v / e;
    ratio = e > zero ? ratio : none;
    row = ratio < smallest ? index : row;
    smallest = ratio < smallest ? ratio : smallest;
    index += static_cast<double>(lanes);
  }
  test.ratio = infinity;
  for (int l = 0; k > 0 && l < lanes; ++l) {
    const int candidate = row[l];
    if (smallest[l] > test.ratio || smallest[l] == infinity) continue;
    if (smallest[l] == test.ratio && candidate > test.row) continue;
    test.ratio = smallest[l];
    test.row = candidate;
  }
  for (; k < n; ++k) {
    if (!(a[k] > zero)) continue;
    const double ratio = (x[k] > 0.0 ? x[k] : 0.0) / a[k];
    if (!(ratio < test.ratio)) continue;
    test.ratio = ratio;
    test.row = k;
  }
}

/// How many rows with a > zero keep no more than `nothing`.
CLACK_WIDE int count_ties(const double* x, const double* a, int n, double zero, double ratio,
                          double nothing) {
  const Lane one = Lane{} + 1.0;
  Lane count{};
  int k = 0;
  for (; k + lanes <= n; k += lanes) {
    Lane v, e;
    wide::load(v, x + k);
    wide::load(e, a + k);
    const Lane kept = v - ratio * e;
    Lane tied = kept <= nothing ? one : Lane{};
    tied = e > zero ? tied : Lane{};
    count += tied;
  }
  double total = 0.0;
  for (int l = 0; l < lanes; ++l) total += count[l];
  int result = total;
  for (; k < n; ++k) result += a[k] > zero && x[k] - ratio * a[k] <= nothing;
  return result;
}

}  // namespace

RatioTest ratio_test(const double* x, const double* a, int n, double pivot_tolerance,
                     double tie_tolerance, int* tied) {
  RatioTest test;
  const Largest largest = largest_of(x, a, n);
  test.zero = pivot_tolerance * largest.entry;
  smallest_ratio(x, a, n, test.zero, test);
  if (test.row < 0) return test;
  const double ratio = test.ratio;
  const double nothing = tie_tolerance * largest.value;
  if (count_ties(x, a, n, test.zero, ratio, nothing) <= 1) {
    tied[0] = test.row;
    test.ties = 1;
    return test;
  }
  for (int k = 0; k < n; ++k)
    if (a[k] > test.zero && x[k] - ratio * a[k] <= nothing) tied[test.ties++] = k;
  return test;
}

}  // namespace clack
