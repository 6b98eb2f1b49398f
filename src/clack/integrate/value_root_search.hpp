// SPDX-License-Identifier: Apache-2.0
#pragma once
// Search by values alone.
#include <optional>

#include "clack/integrate/root_pieces.hpp"

namespace clack::root_detail {

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
    constexpr double golden = 0.38196601125010515;  // (3 - sqrt(5))/2
    double low = l, high = r, x = l + s[0] * (r - l), fx = f_(x);
    for (int i = 0; i < root_tolerances.golden_limit && sign * (fx - threshold) > 0.0 &&
                    high - low > root_tolerances.turn_width * (r - l);
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

  F& f_;
  const RootOptions& options_;
  Arming state_;
  int pieces_ = 0;
};

}  // namespace clack::root_detail
