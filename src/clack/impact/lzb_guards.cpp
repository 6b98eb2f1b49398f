// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/lzb_guards.hpp"

#include "clack/impact/lzb_tolerances.hpp"
#include "clack/integrate/root_finding.hpp"

namespace clack {
namespace {

/// The cubic through values and rates at the ends of a step stays clear of zero: its Bernstein
/// coefficients do, by a part of their spread (a step of the integrator follows its solution far
/// better than a cubic does, so the rest is smaller than that).
bool stays_clear(Sample a, Sample b, double h) {
  const double inner_a = a.value + h * a.rate / 3.0, inner_b = b.value - h * b.rate / 3.0;
  const double least = std::min({a.value, b.value, inner_a, inner_b});
  const double most = std::max({a.value, b.value, inner_a, inner_b});
  return least > 0.25 * (most - least);
}

}  // namespace

void LzbGuards::look(const double* y) {
  std::copy_n(y, y_.size(), y_.data());
  phase_.evaluate(y_.data(), rate_.data());
  motion_rate_.noalias() = system_.G * phase_.force();
}

void LzbGuards::look_dense(Integrator& integrator, double s) {
  if (has_looked_ && looked_at_ == s) return;
  integrator.dense(s, {y_.data(), static_cast<std::size_t>(y_.size())});
  phase_.evaluate(y_.data(), rate_.data());
  motion_rate_.noalias() = system_.G * phase_.force();
  looked_at_ = s;
  has_looked_ = true;
}

/// Values and their rates per impact time.
Sample LzbGuards::at_instant(const LzbGuard& guard) const {
  const int i = guard.contact, k = system_.tangents;
  const LzbContactState& state = (*states_)[i];
  const double v = phase_.motion()[i], a = motion_rate_[i];
  switch (guard.kind) {
    case LzbGuard::Kind::turn:
      return state.load == Load::compressing ? Sample{-v, -a} : Sample{v, a};
    case LzbGuard::Kind::end:
      return {phase_.compression(y_.data(), i) - state.end, phase_.compression_rate(i)};
    case LzbGuard::Kind::start:
      return {v, a};
    case LzbGuard::Kind::stop: {
      const int row = system_.tangent_row[i];
      if (k == 1)
        return {state.direction[0] * phase_.motion()[row], state.direction[0] * motion_rate_[row]};
      const auto slip = phase_.motion().segment(row, 2);
      const double size = slip.norm();
      return {size - lzb_tolerances.spatial_slip / lzb_tolerances.slip * system_.slip_zero,
              size > 0.0 ? slip.dot(motion_rate_.segment(row, 2)) / size : 0.0};
    }
    case LzbGuard::Kind::reserve:
      return {system_.static_friction[i] * phase_.force()[i] * (1.0 + lzb_tolerances.reserve) -
                  phase_.force().segment(system_.tangent_row[i], k).norm(),
              0.0};
  }
  return {};
}

Sample LzbGuards::sample(const LzbGuard& guard) const {
  const int i = guard.contact;
  if (guard.kind == LzbGuard::Kind::end && phase_.is_root(i))
    return {y_[system_.rows() + i] + guard.shift, rate_[system_.rows() + i]};
  const Sample at = at_instant(guard);
  return {at.value + guard.shift, at.rate * phase_.pace()};
}

void LzbGuards::begin(const std::vector<LzbContactState>& states, const double* y) {
  states_ = &states;
  y_.resize(phase_.size());
  rate_.resize(phase_.size());
  motion_rate_.resize(system_.rows());
  guards_.clear();
  has_looked_ = false;
  for (int i = 0; i < system_.contacts; ++i) {
    const LzbContactState& state = states[i];
    if (state.load == Load::idle) {
      guards_.push_back({LzbGuard::Kind::start, i});
      continue;
    }
    guards_.push_back({LzbGuard::Kind::turn, i});
    if (state.load == Load::expanding) guards_.push_back({LzbGuard::Kind::end, i});
    if (state.grip == Grip::sliding) guards_.push_back({LzbGuard::Kind::stop, i});
    if (state.grip == Grip::sticking) guards_.push_back({LzbGuard::Kind::reserve, i});
  }
  look(y);
  before_.resize(guards_.size());
  after_.resize(guards_.size());
  for (std::size_t g = 0; g < guards_.size(); ++g) {
    guards_[g].shift = std::max(0.0, lzb_tolerances.zero - sample(guards_[g]).value);
    before_[g] = sample(guards_[g]);
  }
}

std::optional<double> LzbGuards::first_event(Integrator& integrator) {
  has_looked_ = false;
  look(integrator.state().data());
  const double a = integrator.time_before(), b = integrator.time();
  std::optional<double> first;
  for (std::size_t g = 0; g < guards_.size(); ++g) after_[g] = sample(guards_[g]);
  for (std::size_t g = 0; g < guards_.size(); ++g) {
    const LzbGuard& guard = guards_[g];
    std::optional<Root> root;
    if (guard.kind == LzbGuard::Kind::reserve) {
      const auto value = [&](double s) {
        look_dense(integrator, s);
        return sample(guard).value;
      };
      root = first_falling_root_of_values(value, a, before_[g].value, b, after_[g].value, {});
    } else if (!stays_clear(before_[g], after_[g], b - a)) {
      const auto at = [&](double s) {
        look_dense(integrator, s);
        return sample(guard);
      };
      root = first_falling_root(at, a, before_[g], b, after_[g], {});
    }
    if (root && (!first || root->t < *first)) first = root->t;
  }
  return first;
}

void LzbGuards::pass(Integrator& integrator) {
  has_looked_ = false;
  look(integrator.state().data());
  for (std::size_t g = 0; g < guards_.size(); ++g) {
    if (after_[g].value - guards_[g].shift > lzb_tolerances.zero) guards_[g].shift = 0.0;
    before_[g] = sample(guards_[g]);
  }
}

const std::vector<LzbGuard>& LzbGuards::events_at(Integrator& integrator, double s) {
  look_dense(integrator, s);
  events_.clear();
  for (const LzbGuard& guard : guards_) {
    const Sample at = at_instant(guard);
    const double value = at.value + guard.shift;
    const bool is_near = guard.kind == LzbGuard::Kind::reserve
                             ? value <= lzb_tolerances.together *
                                            system_.static_friction[guard.contact] *
                                            phase_.force()[guard.contact]
                             : at.rate < 0.0 && value <= -lzb_tolerances.together * at.rate;
    if (value <= 0.0 || is_near) events_.push_back(guard);
  }
  return events_;
}

}  // namespace clack
