// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/mode_flow.hpp"

#include <algorithm>

namespace clack {

ModeFlow::ModeFlow(std::unique_ptr<Integrator> inner, ModeDynamics& dynamics)
    : inner_(std::move(inner)), dynamics_(dynamics) {
  const std::size_t size = dynamics.size();
  for (std::vector<double>* full : {&y_, &dydt_, &state_, &rate_, &state_before_, &rate_before_})
    full->resize(size);
}

/// Which speeds are integrated from here on.
void ModeFlow::begin(RightHandSide f) {
  full_ = f;
  has_expanded_ = false;
  const MinimalSpeeds* speeds = dynamics_.minimal();
  is_minimal_ = speeds && speeds->choice().rank() > 0;
  const long choice = is_minimal_ ? speeds->choices() : -1;
  if (choice_ == choice) return;
  choice_ = choice;
  program_.reset();
  if (!is_minimal_) return;
  independent_ = speeds->choice().independent;
  program_ = dynamics_.embedded();
  z_.resize(dynamics_.coordinates() + independent_.size() + ModeDynamics::work_count);
  expanded_z_.resize(z_.size());
}

void ModeFlow::reset(RightHandSide f, double t, std::span<const double> y, double first_step) {
  if (const MinimalSpeeds* speeds = dynamics_.minimal(); speeds && !speeds->has_choice())
    dynamics_.evaluate(t, y.data());  // chooses
  begin(f);
  if (!is_minimal_) return inner_->reset(f, t, y, first_step);
  reduce(y.data(), z_.data());
  inner_->reset({&ModeFlow::call, this}, t, z_, first_step);
  refresh(t, inner_->state(), state_, rate_);
  state_before_ = state_;
  rate_before_ = rate_;
}

void ModeFlow::restore(RightHandSide f, const IntegratorMemory& memory) {
  begin(f);
  if (!is_minimal_) return inner_->restore(f, memory);
  inner_->restore({&ModeFlow::call, this}, memory);
  refresh(inner_->time_before(), inner_->state_before(), state_before_, rate_before_);
  refresh(inner_->time(), inner_->state(), state_, rate_);
}

void ModeFlow::reduce(const double* y, double* z) const {
  const int nq = dynamics_.coordinates(), n = dynamics_.speeds();
  z = std::copy_n(y, nq, z);
  for (const int j : independent_) *z++ = y[nq + j];
  std::copy_n(y + nq + n, ModeDynamics::work_count, z);
}

void ModeFlow::expand(double t, const double* z, double* y) {
  const bool is_known =
      has_expanded_ && t == expanded_time_ && std::equal(expanded_z_.begin(), expanded_z_.end(), z);
  if (is_known) {
    std::copy(expanded_y_.begin(), expanded_y_.end(), y);
    return;
  }
  const int nq = dynamics_.coordinates(), n = dynamics_.speeds();
  std::copy_n(z, nq, y);
  std::fill_n(y + nq, n, 0.0);
  const double* w = z + nq;
  for (const int j : independent_) y[nq + j] = *w++;
  std::copy_n(w, ModeDynamics::work_count, y + nq + n);
  if (program_)
    program_->complete(t, y, y + nq);
  else
    dynamics_.complete(t, y);
  std::copy_n(z, expanded_z_.size(), expanded_z_.begin());
  expanded_y_.assign(y, y + dynamics_.size());
  expanded_time_ = t;
  has_expanded_ = true;
}

void ModeFlow::call(void* self, double t, const double* z, double* dzdt) {
  auto& flow = *static_cast<ModeFlow*>(self);
  if (flow.program_) return flow.call_program(t, z, dzdt);
  flow.expand(t, z, flow.y_.data());
  flow.full_(t, flow.y_.data(), flow.dydt_.data());
  flow.reduce(flow.dydt_.data(), dzdt);
}

/// The same by the compiled embedded equations.
void ModeFlow::call_program(double t, const double* z, double* dzdt) {
  const int nq = dynamics_.coordinates(), p = static_cast<int>(independent_.size());
  double* v = y_.data() + nq;
  for (int j = 0; j < p; ++j) v[independent_[j]] = z[nq + j];
  const EmbeddedProgram::Powers powers = program_->rates(t, z, v, dzdt + nq);
  program_->write_coordinate_rates(v, dzdt);
  dynamics_.mechanism().hold_feet(z, dzdt);
  dynamics_.write_powers({powers.forces, powers.drives, 0.0}, dzdt + nq + p);  // nothing slides
}

void ModeFlow::refresh(double t, std::span<const double> z, std::vector<double>& y,
                       std::vector<double>& rate) {
  expand(t, z.data(), y.data());
  full_(t, y.data(), rate.data());
}

StepStatus ModeFlow::step(double t_end) {
  const StepStatus status = inner_->step(t_end);
  if (!is_minimal_) return status;
  std::swap(state_, state_before_);
  std::swap(rate_, rate_before_);
  refresh(inner_->time(), inner_->state(), state_, rate_);
  return status;
}

std::span<const double> ModeFlow::state_before() const {
  return is_minimal_ ? std::span<const double>(state_before_) : inner_->state_before();
}
std::span<const double> ModeFlow::state() const {
  return is_minimal_ ? std::span<const double>(state_) : inner_->state();
}
std::span<const double> ModeFlow::rate_before() const {
  return is_minimal_ ? std::span<const double>(rate_before_) : inner_->rate_before();
}
std::span<const double> ModeFlow::rate() const {
  return is_minimal_ ? std::span<const double>(rate_) : inner_->rate();
}

void ModeFlow::dense(double t, std::span<double> y) {
  if (!is_minimal_) return inner_->dense(t, y);
  inner_->dense(t, z_);
  expand(t, z_.data(), y.data());
}

}  // namespace clack
