// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <type_traits>
#include <vector>

#include "clack/integrate/root.hpp"
#include "clack/integrate/sample_root_search.hpp"
#include "clack/integrate/value_root_search.hpp"

namespace clack {

/// First t in [a, b] where a function falls from above zero to zero or below, grazes included.
///
/// 1. On a piece of the interval take the cubic through the samples at its ends and measure its
///    error with one more sample in the middle (values alone: the parabola through ends and middle,
///    measured at the quarters). Known shapes of the leading error terms turn that into bounds for
///    the error of value, slope and curvature over the piece, with a safety factor.
/// 2. Within the bounds the piece is certainly positive or negative (nothing there), monotone (at
///    most one root), convex (at most one minimum: it is located by the rate and decides) or concave
///    (one maximum: decides whether the function is armed). Otherwise the piece is halved, earlier
///    half first.
/// 3. A bracket [positive, not positive] is shrunk by safeguarded Newton-like steps to adjacent
///    doubles.
///
/// `f(t)` returns a Sample; `fa`, `fb` are the samples at the ends. Nothing is allocated. The
/// function must be resolved by the interval as dense output is by its step: features much narrower
/// than b - a that leave no trace at ends and middle are not seen. A function that is zero or below
/// at `a` has its root there if it is armed; if not, it is armed once its value exceeds `zero`.
template <class F>
std::optional<Root> first_falling_root(F&& f, double a, Sample fa, double b, Sample fb,
                                       const RootOptions& options);

/// The same when only values are known: `f(t)` returns a double.
template <class F>
std::optional<Root> first_falling_root_of_values(F&& f, double a, double fa, double b, double fb,
                                                 const RootOptions& options);

/// All sign changes and touches in [a, b], earliest first (`f` returns a Sample).
template <class F>
std::vector<Root> all_roots(F&& f, double a, double b, const RootOptions& options);

/// True when a function stays above zero over a step of length h by a safe margin, from value, rate
/// and second derivative at both ends alone: the minimum of the cubic through values and rates
/// exceeds twice the largest difference between the cubic and the quintic that also meets the
/// second derivatives.
bool certainly_positive(Sample fa, double second_rate_a, Sample fb, double second_rate_b, double h);

template <class F>
std::optional<Root> first_falling_root(F&& f, double a, Sample fa, double b, Sample fb,
                                       const RootOptions& options) {
  return root_detail::SampleSearch<std::remove_reference_t<F>>(f, options).run(a, fa, b, fb);
}

template <class F>
std::optional<Root> first_falling_root_of_values(F&& f, double a, double fa, double b, double fb,
                                                 const RootOptions& options) {
  return root_detail::ValueSearch<std::remove_reference_t<F>>(f, options).run(a, fa, b, fb);
}

template <class F>
std::vector<Root> all_roots(F&& f, double a, double b, const RootOptions& options) {
  const auto mirrored = [&](double t) {
    const Sample at = f(t);
    return Sample{-at.value, -at.rate};
  };
  std::vector<Root> roots;
  RootOptions from_zero = options;
  from_zero.armed = false;
  const Sample end = f(b);
  if (f(a).value == 0.0) roots.push_back({a, false});
  for (double t = a; t < b;) {
    const Sample at = f(t);
    auto next = first_falling_root(f, t, at, b, end, from_zero);
    const auto rising = first_falling_root(mirrored, t, {-at.value, -at.rate}, b,
                                           {-end.value, -end.rate}, from_zero);
    if (rising && (!next || rising->t < next->t)) next = rising;
    if (!next) break;
    roots.push_back(*next);
    t = next->t;
  }
  return roots;
}

}  // namespace clack
