#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

namespace clack {

/// The numbers of the step control of an embedded pair (none is a literal in the algorithm).
struct StepControlNumbers {
  double error_exponent;           // 1/q, the error estimate behaves like h^q
  double memory = 0.0;             // exponent of the previous error (PI control; 0: plain control)
  double safety = 0.9;             // aim at safety^q times the tolerance
  double smallest_factor = 0.333;  // of one change of the step size
  double largest_factor = 6.0;
  double keep_from =
      0.95;  // dead band: factors in [keep_from, keep_to] leave the step size as it is
  double keep_to = 1.15;
};

/// Step size after an error estimate (1 = exactly the tolerance):
///
///   h_new = h * safety * error^(-1/q + 3/4 memory) * error_before^memory     (Gustafsson's PI
///   control;
///                                             Hairer, Nørsett, Wanner I, eq. IV.2.43 for `memory`
///                                             > 0)
///
/// within the bounds of one change, and unchanged inside the dead band.
class StepControl {
 public:
  explicit StepControl(const StepControlNumbers& numbers) : numbers_(numbers) {}

  void reset() {
    error_before_ = least_remembered;
    was_rejected_ = false;
  }

  double after_accepted(double h, double error) {
    const double exponent = numbers_.error_exponent - 0.75 * numbers_.memory;
    double factor =
        error > 0.0 ? numbers_.safety * std::pow(error, -exponent) : numbers_.largest_factor;
    if (numbers_.memory > 0.0) factor *= std::pow(error_before_, numbers_.memory);
    factor = std::clamp(factor, numbers_.smallest_factor, numbers_.largest_factor);
    if (was_rejected_) factor = std::min(factor, 1.0);
    error_before_ = std::max(error, least_remembered);
    was_rejected_ = false;
    const bool is_inside_dead_band = factor >= numbers_.keep_from && factor <= numbers_.keep_to;
    return is_inside_dead_band ? h : h * factor;
  }

  double after_rejected(double h, double error) {
    was_rejected_ = true;
    const double factor = numbers_.safety * std::pow(error, -numbers_.error_exponent);
    return h * std::clamp(factor, numbers_.smallest_factor, numbers_.safety);
  }

  /// The right-hand side was not finite somewhere in the step.
  double after_not_finite(double h) {
    was_rejected_ = true;
    return h * not_finite_factor;
  }

 private:
  static constexpr double least_remembered = 1e-4;
  static constexpr double not_finite_factor = 0.25;
  StepControlNumbers numbers_;
  double error_before_ = least_remembered;
  bool was_rejected_ = false;
};

/// The step to take from a wanted one when `remaining` is left until the end: the whole rest when
/// that is at most a few percent more than wanted, half of the rest when two steps are left, so
/// that the last step is never a sliver.
inline double fit_to_end(double wanted, double largest, double remaining) {
  constexpr double stretch = 1.03;
  constexpr double rounding = 1.0 + 1e-9;  // `largest` may be exceeded by this, not by `stretch`
  const double h = std::min(wanted, largest);
  if (remaining <= std::min(h * stretch, largest * rounding)) return remaining;
  if (remaining < 2.0 * h) return 0.5 * remaining;
  return h;
}

/// Steps below this leave t unchanged up to a few units in its last place.
inline double smallest_step(double t) {
  constexpr double units = 10.0;
  return units * std::numeric_limits<double>::epsilon() * std::abs(t) +
         std::numeric_limits<double>::min();
}

}  // namespace clack
