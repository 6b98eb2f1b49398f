// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <tuple>

#include "clack/index.hpp"
#include "clack/integrate/integrator.hpp"
#include "clack/integrate/stages.hpp"
#include "clack/integrate/step_control.hpp"

namespace clack {

/// An explicit Runge-Kutta pair with step control and dense output, for any `Method` that gives
///
///   name                 in model files and messages
///   stage_rows           rates it keeps: row 0 at the start, row `end_rate` at the end of the step
///   dense_rows           vectors of its dense output
///   control              numbers of its step control
///   attempt(...)         stages and new state for one step; returns the error (1 = tolerance)
///   prepare_dense(...)   coefficients of the dense output over the accepted step; returns the
///                        number of evaluations
///   interpolate(...)     state at the fraction theta of the step
///
/// Rows of the store: stage rates, then state before, state after, stage state, dense coefficients.
template <class Method>
class EmbeddedPair final : public Integrator {
 public:
  explicit EmbeddedPair(const IntegratorOptions& options)
      : options_(options),
        largest_(options.largest_step > 0.0 ? options.largest_step
                                            : std::numeric_limits<double>::infinity()),
        control_(Method::control) {}

  std::string_view name() const override { return Method::name; }

  void reset(RightHandSide f, double t, std::span<const double> y, double first_step) override {
    f_ = f;
    const int n = number_of(y);
    if (n != store_.dimension() || store_.pairs() == 0) {
      store_.resize(n, rows);
      for (int r : {before, after, stage}) store_.pad_as_state(r);
    }
    std::copy(y.begin(), y.end(), store_.row(after));
    std::copy(y.begin(), y.end(), store_.row(before));
    counts_ = {};
    time_ = time_before_ = t;
    evaluate(t, store_.row(after), store_.row(Method::end_rate));
    std::copy_n(store_.row(Method::end_rate), n, store_.row(0));
    is_dense_ready_ = false;
    control_.reset();
    is_start_finite_ = is_finite(store_.row(after)) && is_finite(store_.row(Method::end_rate));
    next_step_ = is_start_finite_ ? starting_step(first_step) : 0.0;
  }

  StepStatus step(double t_end) override {
    begin_step();
    if (!is_start_finite_) return StepStatus::not_finite;
    const double remaining = t_end - time_;
    if (!(remaining > 0.0)) return StepStatus::ok;
    double wanted = next_step_;
    bool was_finite = true;
    for (int not_finite = 0;;) {
      const double h = fit_to_end(wanted, largest_, remaining);
      if (h < remaining && h < smallest_step(time_))
        return fail(was_finite ? StepStatus::step_too_small : StepStatus::not_finite);
      if (counts_.accepted + counts_.rejected >= options_.step_limit)
        return fail(StepStatus::limit);
      const double t_new = h == remaining ? t_end : time_ + h;
      const double error = Method::attempt(store_, f_, options_, time_, h, t_new);
      counts_.evaluations += Method::attempt_evaluations;
      was_finite = std::isfinite(error);
      if (was_finite && error <= 1.0 && evaluate_end_rate(t_new)) {
        accept(wanted, h, t_new, error);
        return StepStatus::ok;
      }
      was_finite = was_finite && error > 1.0;
      ++counts_.rejected;
      if (!was_finite && ++not_finite > step_tolerances.not_finite_limit)
        return fail(StepStatus::not_finite);
      wanted = was_finite ? control_.after_rejected(h, error) : control_.after_not_finite(h);
      next_step_ = wanted;
    }
  }

  double time_before() const override { return time_before_; }
  double time() const override { return time_; }
  std::span<const double> state_before() const override { return view(before); }
  std::span<const double> state() const override { return view(after); }
  std::span<const double> rate_before() const override { return view(0); }
  std::span<const double> rate() const override { return view(Method::end_rate); }

  void dense(double t, std::span<double> y) override {
    if (time_ == time_before_) {
      std::copy_n(store_.row(after), store_.dimension(), y.begin());
      return;
    }
    if (!is_dense_ready_) {
      counts_.evaluations += Method::prepare_dense(store_, f_, time_before_, time_ - time_before_);
      is_dense_ready_ = true;
    }
    const double theta = (t - time_before_) / (time_ - time_before_);
    Method::interpolate(store_, theta, y.data());
  }

  bool is_dense_ready() const override { return is_dense_ready_ || time_ == time_before_; }
  double next_step() const override { return next_step_; }
  void suggest_step(double step) override {
    if (is_start_finite_) next_step_ = step;
  }
  const IntegratorCounts& counts() const override { return counts_; }

  IntegratorMemory save() const override {
    return {.dimension = store_.dimension(),
            .time = time_,
            .time_before = time_before_,
            .next_step = next_step_,
            .error_before = control_.error_before(),
            .was_rejected = control_.was_rejected(),
            .is_dense_ready = is_dense_ready_,
            .is_start_finite = is_start_finite_,
            .rows = store_.memory(),
            .counts = counts_};
  }

  void restore(RightHandSide f, const IntegratorMemory& memory) override {
    f_ = f;
    store_.restore(memory.dimension, memory.rows);
    time_ = memory.time;
    time_before_ = memory.time_before;
    next_step_ = memory.next_step;
    control_.restore(memory.error_before, memory.was_rejected);
    is_dense_ready_ = memory.is_dense_ready;
    is_start_finite_ = memory.is_start_finite;
    counts_ = memory.counts;
  }

 private:
  static constexpr int before = Method::before, after = before + 1, stage = before + 2;
  static constexpr int rows = before + 3 + Method::dense_rows;

  std::span<const double> view(int r) const {
    return {store_.row(r), static_cast<std::size_t>(store_.dimension())};
  }

  void evaluate(double t, const double* y, double* rate) {
    f_(t, y, rate);
    ++counts_.evaluations;
  }

  bool is_finite(const double* x) const {
    double sum = 0.0;  // 0 * infinity and 0 * NaN are NaN
    for (int i = 0; i < store_.dimension(); ++i) sum += 0.0 * x[i];
    return sum == 0.0;
  }

  /// The end of the last step is the start of the next; until that is accepted the last step is
  /// empty.
  void begin_step() {
    std::copy_n(store_.row(after), store_.dimension(), store_.row(before));
    std::copy_n(store_.row(Method::end_rate), store_.dimension(), store_.row(0));
    time_before_ = time_;
    is_dense_ready_ = false;
  }

  /// A rejected trial leaves nothing behind.
  StepStatus fail(StepStatus status) {
    std::copy_n(store_.row(before), store_.dimension(), store_.row(after));
    std::copy_n(store_.row(0), store_.dimension(), store_.row(Method::end_rate));
    return status;
  }

  bool evaluate_end_rate(double t_new) {
    if constexpr (!Method::attempt_ends_with_rate)
      evaluate(t_new, store_.row(after), store_.row(Method::end_rate));
    return is_finite(store_.row(Method::end_rate));
  }

  void accept(double wanted, double h, double t_new, double error) {
    ++counts_.accepted;
    time_ = t_new;
    next_step_ = control_.after_accepted(h, error);
    // A step cut short by the end of the interval says little about the next one.
    if (h < wanted) next_step_ = std::max(next_step_, wanted);
    next_step_ = std::min(next_step_, largest_);
  }

  /// First trial step by the size of the solution, of its rate and of the change of the rate over
  /// an Euler step (Hairer, Nørsett, Wanner I, section II.4), at most `bound` if that is positive.
  double starting_step(double bound) {
    // A bound near rounding (events that follow each other at once) would look like a failure.
    const double least_bound = step_tolerances.least_bound * smallest_step(time_);
    const double limit = bound > 0.0 ? std::min(std::max(bound, least_bound), largest_) : largest_;
    const double *y = store_.row(after), *rate = store_.row(0);
    double size = 0.0, speed = 0.0;
    for (int i = 0; i < store_.dimension(); ++i) {
      const double scale =
          options_.absolute_tolerance + options_.relative_tolerance * std::abs(y[i]);
      size += square(y[i] / scale);
      speed += square(rate[i] / scale);
    }
    // A solution below its tolerance counts as large as that; a rate of zero says nothing.
    const double least = static_cast<double>(store_.dimension());
    constexpr double change_wanted = step_tolerances.first_change;
    const double h = speed > 0.0 ? change_wanted * std::sqrt(std::max(size, least) / speed)
                                 : step_tolerances.blind_step;
    if (h >= limit) return limit;
    double *trial = store_.row(stage), *rate_there = store_.row(1);
    for (int i = 0; i < store_.dimension(); ++i) trial[i] = y[i] + h * rate[i];
    evaluate(time_ + h, trial, rate_there);
    double change = 0.0;
    for (int i = 0; i < store_.dimension(); ++i) {
      const double scale =
          options_.absolute_tolerance + options_.relative_tolerance * std::abs(y[i]);
      change += square((rate_there[i] - rate[i]) / scale);
    }
    if (!std::isfinite(change)) return std::min(h, limit);
    const double steepest = std::sqrt(std::max(change / (h * h), speed));
    const double largest = step_tolerances.first_growth * h;
    const double by_rate = steepest <= step_tolerances.no_rate
                               ? largest
                               : std::pow(change_wanted / steepest, 1.0 / Method::control.order);
    return std::min({largest, by_rate, limit});
  }

  static double square(double x) { return x * x; }

  IntegratorOptions options_;
  double largest_;
  StepControl control_;
  StageStore store_;
  RightHandSide f_;
  IntegratorCounts counts_;
  double time_ = 0.0, time_before_ = 0.0, next_step_ = 0.0;
  bool is_dense_ready_ = false, is_start_finite_ = false;
};

}  // namespace clack
