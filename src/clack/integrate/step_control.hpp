// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "clack/integrate/tolerances.hpp"

namespace clack {

/// The numbers of the step control of an embedded pair.
struct StepControlNumbers {
  double order;                    // q: the error estimate behaves like h^q
  double memory = 0.0;             // weight of the previous error (0: none)
  double safety = 0.8;             // aim at safety^q times the tolerance
  double smallest_factor = 0.333;  // of one change of the step size
  double largest_factor = 6.0;
  double keep_from =
      0.9;  // dead band: factors in [keep_from, keep_to] leave the step size as it is
  double keep_to = 1.2;
};

/// Step size after an error estimate (1 = exactly the tolerance):
///
///   h_new = h * safety * error^(-1/q + 3/4 memory) * error_before^memory,
///
/// the PI control of Gustafsson (Hairer and Wanner II, section IV.2), within the bounds of one
/// change, and unchanged inside the dead band. A safety of 0.8 instead of the usual 0.9 halves the
/// rejected steps; the dead band changes their number little (README), but without memory a step
/// inside it needs no power at all.
class StepControl {
 public:
  explicit StepControl(const StepControlNumbers& numbers)
      : numbers_(numbers),
        exponent_(1.0 / numbers.order - 0.75 * numbers.memory),
        least_kept_error_(std::pow(numbers.safety / numbers.keep_to, numbers.order)),
        largest_kept_error_(std::pow(numbers.safety / numbers.keep_from, numbers.order)) {}

  void reset() {
    error_before_ = least_remembered;
    was_rejected_ = false;
  }

  double error_before() const { return error_before_; }
  bool was_rejected() const { return was_rejected_; }
  void restore(double error_before, bool was_rejected) {
    error_before_ = error_before;
    was_rejected_ = was_rejected;
  }

  double after_accepted(double h, double error) {
    const bool was_rejected = std::exchange(was_rejected_, false);
    const double error_before = std::exchange(error_before_, std::max(error, least_remembered));
    if (numbers_.memory == 0.0 && error >= least_kept_error_ && error <= largest_kept_error_)
      return h;
    double factor = numbers_.largest_factor;
    if (error > 0.0) factor = numbers_.safety * std::pow(error, -exponent_);
    if (numbers_.memory > 0.0) factor *= std::pow(error_before, numbers_.memory);
    factor = std::clamp(factor, numbers_.smallest_factor, numbers_.largest_factor);
    if (was_rejected) factor = std::min(factor, 1.0);
    return factor >= numbers_.keep_from && factor <= numbers_.keep_to ? h : h * factor;
  }

  double after_rejected(double h, double error) {
    was_rejected_ = true;
    const double factor = numbers_.safety * std::pow(error, -1.0 / numbers_.order);
    return h * std::clamp(factor, numbers_.smallest_factor, numbers_.safety);
  }

  /// The right-hand side was not finite somewhere in the step.
  double after_not_finite(double h) {
    was_rejected_ = true;
    return h * step_tolerances.not_finite_factor;
  }

 private:
  static constexpr double least_remembered = step_tolerances.least_remembered;
  StepControlNumbers numbers_;
  double exponent_, least_kept_error_, largest_kept_error_;
  double error_before_ = least_remembered;
  bool was_rejected_ = false;
};

/// The step to take from a wanted one when `remaining` is left until the end: the whole rest when
/// that is at most a few percent more than wanted, half of the rest when two steps are left, so
/// that the last step is never a sliver. `largest` is exceeded by rounding only.
inline double fit_to_end(double wanted, double largest, double remaining) {
  constexpr double stretch = step_tolerances.stretch;
  constexpr double rounding = 1.0 + step_tolerances.largest_rounding;
  const double h = std::min(wanted, largest);
  if (remaining <= std::min(h * stretch, largest * rounding)) return remaining;
  if (remaining < 2.0 * h) return 0.5 * remaining;
  return h;
}

/// Shorter steps change t by a few units in its last place only.
inline double smallest_step(double t) {
  return step_tolerances.shortest_units * std::numeric_limits<double>::epsilon() * std::abs(t) +
         std::numeric_limits<double>::min();
}

}  // namespace clack
