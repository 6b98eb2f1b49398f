// SPDX-License-Identifier: Apache-2.0
#pragma once
// Search by values and rates.
#include <optional>

#include "clack/integrate/root_pieces.hpp"

namespace clack::root_detail {

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
    for (int i = 0; i < root_tolerances.turn_limit && !is_narrow(l, r, 0.0); ++i) {
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
    for (int i = 0; i < root_tolerances.turn_limit && !is_narrow(l, r, 0.0); ++i) {
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

  F& f_;
  const RootOptions& options_;
  Arming state_;
  int pieces_ = 0;
};

}  // namespace clack::root_detail
