// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "clack/index.hpp"
#include "clack/integrate/methods.hpp"
#include "clack/integrate/step_control.hpp"

namespace clack {
namespace {

/// The classical method of order 4 with a fixed step,
///
///   y+ = y + h/6 (k1 + 2 k2 + 2 k3 + k4),
///
/// and the cubic through the states and rates at both ends as dense output (order 3). The end of an
/// interval is hit by making the last two steps equal and shorter.
class ClassicalRungeKutta final : public Integrator {
 public:
  explicit ClassicalRungeKutta(const IntegratorOptions& options) : options_(options) {}

  std::string_view name() const override { return "rk4"; }

  void reset(RightHandSide f, double t, std::span<const double> y, double first_step) override {
    f_ = f;
    for (std::vector<double>* v :
         {&before_, &after_, &rate_before_, &rate_, &k2_, &k3_, &k4_, &stage_})
      v->resize(y.size());
    std::copy(y.begin(), y.end(), after_.begin());
    f_(t, after_.data(), rate_.data());
    before_ = after_;
    rate_before_ = rate_;
    counts_ = {.evaluations = 1};
    time_ = time_before_ = t;
    next_step_ = first_step > 0.0 ? std::min(first_step, options_.fixed_step) : options_.fixed_step;
  }

  StepStatus step(double t_end) override {
    before_.swap(after_);
    rate_before_.swap(rate_);
    after_ = before_;
    rate_ = rate_before_;
    time_before_ = time_;
    const double remaining = t_end - time_;
    if (!(remaining > 0.0)) return is_finite() ? StepStatus::ok : StepStatus::not_finite;
    if (counts_.accepted >= options_.step_limit) return StepStatus::limit;
    const double h = fit_to_end(next_step_, next_step_, remaining);
    if (h < remaining && h < smallest_step(time_)) return StepStatus::step_too_small;
    advance(h, h == remaining ? t_end : time_ + h);
    if (!is_finite()) {  // a fixed step cannot become smaller: stay at the last good state
      after_ = before_;
      rate_ = rate_before_;
      time_ = time_before_;
      return StepStatus::not_finite;
    }
    ++counts_.accepted;
    next_step_ = options_.fixed_step;
    return StepStatus::ok;
  }

  double time_before() const override { return time_before_; }
  double time() const override { return time_; }
  std::span<const double> state_before() const override { return before_; }
  std::span<const double> state() const override { return after_; }
  std::span<const double> rate_before() const override { return rate_before_; }
  std::span<const double> rate() const override { return rate_; }

  void dense(double t, std::span<double> y) override {
    const double h = time_ - time_before_;
    const double theta = h > 0.0 ? (t - time_before_) / h : 1.0, rest = 1.0 - theta;
    for (std::size_t i = 0; i < after_.size(); ++i) {
      const double change = after_[i] - before_[i];
      const double start = h * rate_before_[i] - change, end = change - h * rate_[i] - start;
      y[i] = before_[i] + theta * (change + rest * (start + theta * end));
    }
  }

  double next_step() const override { return next_step_; }
  const IntegratorCounts& counts() const override { return counts_; }

  IntegratorMemory save() const override {
    IntegratorMemory memory{.dimension = number_of(after_),
                            .time = time_,
                            .time_before = time_before_,
                            .next_step = next_step_,
                            .rows = {},
                            .counts = counts_};
    for (const std::vector<double>* v : {&before_, &after_, &rate_before_, &rate_})
      memory.rows.insert(memory.rows.end(), v->begin(), v->end());
    return memory;
  }

  void restore(RightHandSide f, const IntegratorMemory& memory) override {
    f_ = f;
    const int n = memory.dimension;
    auto from = memory.rows.begin();
    for (std::vector<double>* v : {&before_, &after_, &rate_before_, &rate_}) {
      v->assign(from, from + n);
      from += n;
    }
    for (std::vector<double>* v : {&k2_, &k3_, &k4_, &stage_}) v->resize(n);
    time_ = memory.time;
    time_before_ = memory.time_before;
    next_step_ = memory.next_step;
    counts_ = memory.counts;
  }

 private:
  void advance(double h, double t_new) {
    const std::vector<double>& k1 = rate_before_;
    const double t_half = time_ + 0.5 * h;
    const std::size_t n = before_.size();
    for (std::size_t i = 0; i < n; ++i) stage_[i] = before_[i] + 0.5 * h * k1[i];
    f_(t_half, stage_.data(), k2_.data());
    for (std::size_t i = 0; i < n; ++i) stage_[i] = before_[i] + 0.5 * h * k2_[i];
    f_(t_half, stage_.data(), k3_.data());
    for (std::size_t i = 0; i < n; ++i) stage_[i] = before_[i] + h * k3_[i];
    f_(t_new, stage_.data(), k4_.data());
    for (std::size_t i = 0; i < n; ++i)
      after_[i] = before_[i] + h / 6.0 * (k1[i] + 2.0 * k2_[i] + 2.0 * k3_[i] + k4_[i]);
    f_(t_new, after_.data(), rate_.data());
    counts_.evaluations += 4;
    time_ = t_new;
  }

  bool is_finite() const {
    const auto finite = [](double x) { return std::isfinite(x); };
    return std::ranges::all_of(after_, finite) && std::ranges::all_of(rate_, finite);
  }

  IntegratorOptions options_;
  RightHandSide f_;
  std::vector<double> before_, after_, rate_before_, rate_, k2_, k3_, k4_, stage_;
  IntegratorCounts counts_;
  double time_ = 0.0, time_before_ = 0.0, next_step_ = 0.0;
};

}  // namespace

std::unique_ptr<Integrator> make_rk4(const IntegratorOptions& options) {
  return std::make_unique<ClassicalRungeKutta>(options);
}

}  // namespace clack
