#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace clack {

/// A smooth function and its derivative at one time.
struct Sample {
  double value = 0.0, rate = 0.0;
};

struct RootOptions {
  double time_tolerance = 0.0;  // s; 0: brackets shrink to adjacent doubles
  int depth_limit = 40;         // halvings of the interval
  int piece_limit = 1000;       // pieces looked at (rounding noise around zero has no end of turns)
  double zero = 0.0;            // values up to this count as zero: a touch, and not yet armed again
  bool armed = true;            // false: the function must first rise above zero
};

struct Root {
  double t = 0.0;         // the value is <= 0 here and > 0 just before (a touch: the lowest value)
  bool is_graze = false;  // touches zero to rounding without passing it
};

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

namespace root_detail {

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
/// proposes the next point; a guess outside the bracket or three steps without halving it give way
/// to bisection, and guesses that have converged on one side jump a few units over the root to
/// bring in the other side.
template <class Value, class Guess>
double shrink_bracket(double low, double high, double tolerance, Value&& value, Guess&& guess) {
  double width_before = high - low;
  double value_before = std::numeric_limits<double>::infinity();
  double nudge = 0.0;
  for (int slow = 0; !is_narrow(low, high, tolerance);) {
    double t = slow < 3 ? guess(low, high) : middle(low, high);
    const bool is_inside = t > low && t < high;
    if (slow >= 3 || !is_inside) {
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
    if (slow > 3) slow = 0;
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
  double rounding() const { return 4.0 * std::numeric_limits<double>::epsilon() * scale; }
  void see(double value) {
    if (!armed && value > options.zero) armed = true;
  }
  void measure(double value) { scale = std::max(scale, std::abs(value)); }
};

template <class F>
class SampleSearch {
 public:
  SampleSearch(F& f, const RootOptions& options)
      : f_(f), options_(options), state_{options, options.armed} {}

  std::optional<Root> run(double a, Sample fa, double b, Sample fb) {
    if (state_.armed && fa.value <= 0.0) return Root{a, fa.rate >= 0.0};
    state_.see(fa.value);
    state_.measure(fa.value), state_.measure(fb.value);
    return search(a, fa, b, fb, 0);
  }

 private:
  std::optional<Root> search(double l, Sample fl, double r, Sample fr, int depth) {
    const double m = middle(l, r);
    if (!(m > l && m < r)) return ends(l, fl, r, fr);
    const Sample fm = f_(m);
    state_.measure(fm.value);
    const Piece piece = piece_from_samples(fl, fm, fr, r - l);
    switch (shape_of(piece, options_.zero, state_.armed)) {
      case Shape::positive:
        state_.see(std::max({fl.value, fm.value, fr.value}));
        return std::nullopt;
      case Shape::negative:
        return std::nullopt;
      case Shape::monotone:
        return ends(l, fl, r, fr);
      case Shape::convex:
        return state_.armed && fl.rate < 0.0 && fr.rate > 0.0 ? dip(l, fl, r, fr)
                                                              : ends(l, fl, r, fr);
      case Shape::concave:
        return !state_.armed && fl.rate > 0.0 && fr.rate < 0.0 ? hump(l, fl, r, fr)
                                                               : ends(l, fl, r, fr);
      case Shape::unknown:
        break;
    }
    const bool is_exact = piece.error <= state_.rounding();
    if (is_exact || ++pieces_ > options_.piece_limit || depth >= options_.depth_limit ||
        r - l <= options_.time_tolerance)
      return settle(piece, l, fl, r, fr);
    if (auto root = search(l, fl, m, fm, depth + 1)) return root;
    return search(m, fm, r, fr, depth + 1);
  }

  /// At most one sign change in between.
  std::optional<Root> ends(double l, Sample fl, double r, Sample fr) {
    if (state_.armed && fr.value <= 0.0) return bracket(l, fl, r, fr);
    state_.see(fr.value);
    return std::nullopt;
  }

  Root bracket(double l, Sample fl, double r, Sample fr) {
    double t = l;  // the best point so far
    Sample at = fl;
    if (std::abs(fr.value) < std::abs(fl.value)) t = r, at = fr;
    double rate_low = fl.rate, rate_high = fr.rate;
    const double root = shrink_bracket(
        l, r, options_.time_tolerance,
        [&](double time) {
          const Sample there = f_(time);
          if (std::abs(there.value) <= std::abs(at.value)) t = time, at = there;
          (there.value > 0.0 ? rate_low : rate_high) = there.rate;
          return there.value;
        },
        [&](double low, double high) {
          // Newton's step with the mean curvature of the bracket: the falling root of the parabola
          // value + rate d + curvature d²/2, which also finds its way out of the bottom of a dip.
          const double curvature = (rate_high - rate_low) / (high - low);
          const double slope = std::sqrt(at.rate * at.rate - 2.0 * curvature * at.value);
          const double guess = t + 2.0 * at.value / (slope - at.rate);
          return std::clamp(guess, std::nextafter(low, high), std::nextafter(high, low));
        });
    return {root, fr.value >= -state_.rounding() && fr.rate >= 0.0 && r == root};
  }

  /// Convex and armed, falling at l and rising at r: the lowest point decides. A convex function
  /// lies above its tangents, which ends the search early when they meet above zero.
  std::optional<Root> dip(double l, Sample fl, double r, Sample fr) {
    const double start = l, end = r;
    const Sample f_start = fl, f_end = fr;
    for (int i = 0; i < turn_limit && !is_narrow(l, r, 0.0); ++i) {
      const double meet = (fl.value - fr.value - fl.rate * l + fr.rate * r) / (fr.rate - fl.rate);
      const double floor = fl.value + fl.rate * (meet - l);
      if (floor > options_.zero + state_.rounding()) break;
      const double t = turn_guess(l, fl.rate, r, fr.rate, i);
      const Sample at = f_(t);
      if (at.value < -state_.rounding()) return bracket(start, f_start, t, at);
      if (at.rate == 0.0 || at.value <= 0.0) {
        l = r = t;
        fl = fr = at;
        break;
      }
      (at.rate < 0.0 ? l : r) = t;
      (at.rate < 0.0 ? fl : fr) = at;
    }
    const bool is_left_lower = fl.value <= fr.value;
    const double t = is_left_lower ? l : r;
    const Sample lowest = is_left_lower ? fl : fr;
    if (lowest.value <= 0.0 && t > start && t < end) {
      Root root = bracket(start, f_start, t, lowest);
      root.is_graze = lowest.value >= -state_.rounding();
      return root;
    }
    if (lowest.value <= options_.zero && t > start && t < end) return Root{t, true};
    return ends(start, f_start, end, f_end);
  }

  /// Concave and not armed, rising at l and falling at r: armed if the highest point is above zero.
  std::optional<Root> hump(double l, Sample fl, double r, Sample fr) {
    const double end = r;
    const Sample f_end = fr;
    if (fr.value > options_.zero) return ends(l, fl, r, fr);
    for (int i = 0; i < turn_limit && !is_narrow(l, r, 0.0); ++i) {
      const double t = turn_guess(l, fl.rate, r, fr.rate, i);
      const Sample at = f_(t);
      if (at.value > options_.zero) {
        state_.armed = true;
        return ends(t, at, end, f_end);
      }
      if (at.rate == 0.0) break;
      (at.rate > 0.0 ? l : r) = t;
      (at.rate > 0.0 ? fl : fr) = at;
    }
    return std::nullopt;
  }

  /// Secant guess for the zero of the rate, bisection every third time.
  static double turn_guess(double l, double rate_l, double r, double rate_r, int i) {
    double t = i % 3 == 2 ? middle(l, r) : l + (r - l) * (rate_l / (rate_l - rate_r));
    if (!(t > l)) t = std::nextafter(l, r);
    if (!(t < r)) t = std::nextafter(r, l);
    return t;
  }

  /// The cubic is the function to rounding (or the limit is reached): its turning points decide.
  std::optional<Root> settle(const Piece& piece, double l, Sample fl, double r, Sample fr) {
    double s[2];
    const int count = turning_points(piece.c, s);
    const double width = r - l;
    double t = l;
    Sample at = fl;
    for (int i = 0; i <= count; ++i) {
      const double next = i < count ? l + s[i] * width : r;
      if (!(next > t)) continue;
      const Sample f_next = i < count ? f_(next) : fr;
      const bool is_touch = state_.armed && i < count && f_next.value > 0.0 &&
                            f_next.value <= options_.zero && f_next.value < at.value;
      if (is_touch) return Root{next, true};
      if (auto root = ends(t, at, next, f_next)) return root;
      t = next, at = f_next;
    }
    return std::nullopt;
  }

  static constexpr int turn_limit = 200;
  F& f_;
  const RootOptions& options_;
  Arming state_;
  int pieces_ = 0;
};

template <class F>
class ValueSearch {
 public:
  ValueSearch(F& f, const RootOptions& options)
      : f_(f), options_(options), state_{options, options.armed} {}

  std::optional<Root> run(double a, double fa, double b, double fb) {
    if (state_.armed && fa <= 0.0) return Root{a, false};
    state_.see(fa);
    state_.measure(fa), state_.measure(fb);
    const double m = middle(a, b);
    return search(a, fa, m, f_(m), b, fb, 0);
  }

 private:
  std::optional<Root> search(double l, double fl, double m, double fm, double r, double fr,
                             int depth) {
    const double q1 = middle(l, m), q3 = middle(m, r);
    if (!(q1 > l && q1 < m && q3 > m && q3 < r)) return through(l, fl, m, fm, r, fr);
    const double f1 = f_(q1), f3 = f_(q3);
    state_.measure(fm);
    const Piece piece = piece_from_values(fl, f1, fm, f3, fr);
    const Shape shape = shape_of(piece, options_.zero, state_.armed);
    if (shape == Shape::negative) return std::nullopt;
    if (shape == Shape::positive || shape == Shape::monotone) return through(l, fl, m, fm, r, fr);
    const bool is_exact = piece.error <= state_.rounding();
    if (shape == Shape::convex || shape == Shape::concave || is_exact ||
        ++pieces_ > options_.piece_limit || depth >= options_.depth_limit ||
        r - l <= options_.time_tolerance)
      return turn(piece, l, fl, r, fr);
    if (auto root = search(l, fl, q1, f1, m, fm, depth + 1)) return root;
    return search(m, fm, q3, f3, r, fr, depth + 1);
  }

  std::optional<Root> ends(double l, double fl, double r, double fr) {
    if (state_.armed && fr <= 0.0) return bracket(l, fl, r, fr);
    state_.see(fr);
    return std::nullopt;
  }
  std::optional<Root> through(double l, double fl, double m, double fm, double r, double fr) {
    if (auto root = ends(l, fl, m, fm)) return root;
    return ends(m, fm, r, fr);
  }

  /// False position; the end that stays has its value halved (Illinois).
  Root bracket(double l, double fl, double r, double fr) {
    int side = 0;
    const double root = shrink_bracket(
        l, r, options_.time_tolerance,
        [&](double t) {
          const double v = f_(t);
          if (v > 0.0) {
            fl = v;
            if (side == 1) fr *= 0.5;
            side = 1;
          } else {
            fr = v;
            if (side == -1) fl *= 0.5;
            side = -1;
          }
          return v;
        },
        [&](double low, double high) { return low + (high - low) * (fl / (fl - fr)); });
    return {root, false};
  }

  /// One turning point at most: golden section for the lowest (armed) or highest point (not armed).
  std::optional<Root> turn(const Piece& piece, double l, double fl, double r, double fr) {
    double s[2];
    if (turning_points(piece.c, s) == 0) return ends(l, fl, r, fr);
    const double sign = state_.armed ? 1.0 : -1.0;
    const double threshold = state_.armed ? 0.0 : options_.zero;
    constexpr double golden = 0.38196601125010515;
    double low = l, high = r, x = l + s[0] * (r - l), fx = f_(x);
    for (int i = 0; i < turn_limit && sign * (fx - threshold) > 0.0 && high - low > 1e-9 * (r - l);
         ++i) {
      const double t = x - low > high - x ? x - golden * (x - low) : x + golden * (high - x);
      const double ft = f_(t);
      const bool is_better = sign * (ft - fx) < 0.0;
      (is_better == (t < x) ? high : low) = is_better ? x : t;
      if (is_better) x = t, fx = ft;
    }
    if (state_.armed && fx > 0.0 && fx <= options_.zero) return Root{x, true};
    if (auto root = ends(l, fl, x, fx)) return root;
    return ends(x, fx, r, fr);
  }

  static constexpr int turn_limit = 100;
  F& f_;
  const RootOptions& options_;
  Arming state_;
  int pieces_ = 0;
};

}  // namespace root_detail

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
