// SPDX-License-Identifier: Apache-2.0
#include "clack/integrate/root_finding.hpp"

namespace clack {
namespace root_detail {
namespace {

constexpr double safety = root_tolerances.safety;

double at(const double (&c)[4], double s) { return c[0] + s * (c[1] + s * (c[2] + s * c[3])); }
double slope_at(const double (&c)[4], double s) { return c[1] + s * (2.0 * c[2] + s * 3.0 * c[3]); }

void set_hermite(double (&c)[4], Sample left, Sample right, double width) {
  const double change = right.value - left.value;
  const double rise_left = width * left.rate, rise_right = width * right.rate;
  c[0] = left.value;
  c[1] = rise_left;
  c[2] = 3.0 * change - 2.0 * rise_left - rise_right;
  c[3] = rise_left + rise_right - 2.0 * change;
}

/// Lowest value of p' on [0, 1].
double least_slope(const double (&c)[4]) {
  double least = std::min(slope_at(c, 0.0), slope_at(c, 1.0));
  if (c[3] > 0.0) {
    const double s = -c[2] / (3.0 * c[3]);
    if (s > 0.0 && s < 1.0) least = std::min(least, slope_at(c, s));
  }
  return least;
}

}  // namespace

/// The error of the cubic is v s²(1-s)² + r s²(1-s)²(s-1/2) + ...; the sample in the middle gives
/// v/16 by its value and r/16 by its rate. Largest of these shapes and of their derivatives: 1/16,
/// 0.193, 2 and 0.009, 1/16, 1.
Piece piece_from_samples(Sample left, Sample middle, Sample right, double width) {
  Piece piece;
  set_hermite(piece.c, left, right, width);
  const double value_error = std::abs(middle.value - at(piece.c, 0.5));
  const double rate_error = std::abs(width * middle.rate - slope_at(piece.c, 0.5));
  piece.error = safety * (value_error + 0.15 * rate_error);
  piece.slope_error = safety * (3.1 * value_error + rate_error);
  piece.curvature_error = safety * (32.0 * value_error + 16.0 * rate_error);
  return piece;
}

/// The error of the parabola is v s(s-1/2)(s-1) + ...; at the quarters it is 0.0469 v. Largest of
/// the shape and of its derivatives: 0.0482, 1/2, 3.
Piece piece_from_values(double left, double first_quarter, double middle, double third_quarter,
                        double right) {
  Piece piece{};
  piece.c[0] = left;
  piece.c[1] = 4.0 * middle - 3.0 * left - right;
  piece.c[2] = 2.0 * (left + right - 2.0 * middle);
  const double error = std::max(std::abs(first_quarter - at(piece.c, 0.25)),
                                std::abs(third_quarter - at(piece.c, 0.75)));
  piece.error = safety * 1.1 * error;
  piece.slope_error = safety * 11.0 * error;
  piece.curvature_error = safety * 64.0 * error;
  return piece;
}

int turning_points(const double (&c)[4], double (&s)[2]) {
  // 3 c3 s² + 2 c2 s + c1 = 0, without cancellation.
  const double discriminant = c[2] * c[2] - 3.0 * c[3] * c[1];
  if (!(discriminant >= 0.0)) return 0;
  const double q = -(c[2] + std::copysign(std::sqrt(discriminant), c[2]));
  const double candidates[2] = {q / (3.0 * c[3]), c[1] / q};
  int count = 0;
  for (double candidate : candidates)
    if (candidate > 0.0 && candidate < 1.0) s[count++] = candidate;
  if (count == 2 && s[0] > s[1]) std::swap(s[0], s[1]);
  return count;
}

double minimum(const double (&c)[4]) {
  double s[2];
  double lowest = std::min(c[0], at(c, 1.0));
  const int count = turning_points(c, s);
  for (int i = 0; i < count; ++i) lowest = std::min(lowest, at(c, s[i]));
  return lowest;
}

Shape shape_of(const Piece& piece, double zero, bool armed) {
  const double(&c)[4] = piece.c;
  if (minimum(c) > zero + piece.error) return Shape::positive;
  const double mirrored[4] = {-c[0], -c[1], -c[2], -c[3]};
  if (minimum(mirrored) > piece.error - (armed ? 0.0 : zero)) return Shape::negative;
  if (least_slope(c) > piece.slope_error || least_slope(mirrored) > piece.slope_error)
    return Shape::monotone;
  const double curvature_left = 2.0 * c[2], curvature_right = 2.0 * c[2] + 6.0 * c[3];
  if (std::min(curvature_left, curvature_right) > piece.curvature_error) return Shape::convex;
  if (std::max(curvature_left, curvature_right) < -piece.curvature_error) return Shape::concave;
  return Shape::unknown;
}

}  // namespace root_detail

bool certainly_positive(Sample fa, double second_rate_a, Sample fb, double second_rate_b,
                        double h) {
  // The cubic is at most 4/27 h (|rates|) below the lower end, left and right are at most
  // h²/2 |second rate| + 3 |change| + 3 h |rate|: what is far enough from zero needs no more.
  const double rise = h * std::max(std::abs(fa.rate), std::abs(fb.rate));
  const double bend = h * h * std::max(std::abs(second_rate_a), std::abs(second_rate_b));
  if (std::min(fa.value, fb.value) > 0.7 * rise + bend / 16.0 + 0.4 * std::abs(fb.value - fa.value))
    return true;
  // quintic - cubic = s²(1-s)² (left (1-s) + right s), at most max(|left|, |right|) / 16.
  double c[4];
  root_detail::set_hermite(c, fa, fb, h);
  const double left = 0.5 * h * h * second_rate_a - c[2];
  const double right = 0.5 * h * h * second_rate_b - (c[2] + 3.0 * c[3]);
  const double difference = std::max(std::abs(left), std::abs(right)) / 16.0;
  return root_detail::minimum(c) > 2.0 * difference;
}

}  // namespace clack
