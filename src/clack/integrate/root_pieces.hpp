// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the searches for roots share: pieces of the interval and their shapes, brackets, arming.
#include <algorithm>
#include <cmath>
#include <limits>

#include "clack/integrate/root.hpp"
#include "clack/integrate/tolerances.hpp"

namespace clack::root_detail {

/// p(s) = c0 + c1 s + c2 s² + c3 s³ on [0, 1], with bounds for the error of p, p' and p''.
struct Piece {
  double c[4];
  double error, slope_error, curvature_error;
};
Piece piece_from_samples(Sample left, Sample middle, Sample right, double width);
Piece piece_from_values(double left, double first_quarter, double middle, double third_quarter,
                        double right);

enum class Shape { positive, negative, monotone, convex, concave, unknown };
/// Positive: above `zero`; negative: below zero, or not above `zero` for a function that is not
/// armed.
Shape shape_of(const Piece& piece, double zero, bool armed);

/// Where p' = 0 inside (0, 1), in order; returns how many.
int turning_points(const double (&c)[4], double (&s)[2]);
double minimum(const double (&c)[4]);

inline double middle(double l, double r) { return l + 0.5 * (r - l); }
inline bool is_narrow(double l, double r, double tolerance) {
  return r - l <= tolerance || std::nextafter(l, r) >= r;
}

/// Shrinks [low, high] with f(low) > 0 >= f(high) to adjacent doubles (or the tolerance). `guess`
/// proposes the next point; a guess outside the bracket or too many without halving it give way to
/// bisection, and guesses that have converged on one side jump a few units over the root to
/// bring in the other side.
template <class Value, class Guess>
double shrink_bracket(double low, double high, double tolerance, Value&& value, Guess&& guess) {
  double width_before = high - low;
  double value_before = std::numeric_limits<double>::infinity();
  double nudge = 0.0;
  for (int slow = 0; !is_narrow(low, high, tolerance);) {
    double t = slow < root_tolerances.patience ? guess(low, high) : middle(low, high);
    const bool is_inside = t > low && t < high;
    if (slow >= root_tolerances.patience || !is_inside) {
      t = middle(low, high);
      nudge = 0.0;
    } else {
      const double unit =
          std::numeric_limits<double>::epsilon() * std::max(std::abs(low), std::abs(high));
      const double jump = std::max(unit, 2.0 * nudge);
      const bool is_at_low = t - low <= jump, is_at_high = high - t <= jump;
      nudge = is_at_low || is_at_high ? jump : 0.0;
      if (is_at_low && low + jump < high) t = low + jump;
      if (is_at_high && high - jump > low) t = high - jump;
    }
    const double v = value(t);
    if (v == 0.0) return t;
    (v > 0.0 ? low : high) = t;
    const bool has_halved = high - low <= 0.5 * width_before || std::abs(v) <= 0.5 * value_before;
    slow = has_halved ? 0 : slow + 1;
    if (slow > root_tolerances.patience) slow = 0;
    width_before = std::min(width_before, high - low);
    value_before = std::min(value_before, std::abs(v));
  }
  return high;
}

/// What the searches with and without rates share: arming and the reading of end values.
struct Arming {
  const RootOptions& options;
  bool armed;
  double scale = 0.0;  // largest value seen
  double rounding() const {
    return root_tolerances.rounding * std::numeric_limits<double>::epsilon() * scale;
  }
  void see(double value) {
    if (!armed && value > options.zero) armed = true;
  }
  void measure(double value) { scale = std::max(scale, std::abs(value)); }
};

}  // namespace clack::root_detail
