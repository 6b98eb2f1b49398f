// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/embedded_program.hpp"

#include <algorithm>
#include <limits>

#include "clack/linalg/positive_system.hpp"

namespace clack {

EmbeddedProgram::EmbeddedProgram(const MotionSymbols& motion, const EmbeddedEquations& equations,
                                 Elimination order)
    : order_(std::move(order)),
      p_(number_of(order_.independent)),
      r_(number_of(order_.dependent)),
      coordinates_(motion.coordinates()),
      speeds_(motion.speeds()),
      rates_are_speeds_(motion.rates_are_speeds()) {
  std::vector<Expression> outputs = equations.dependent_speeds;
  const auto add = [&](const std::vector<Expression>& more) {
    outputs.insert(outputs.end(), more.begin(), more.end());
  };
  for (const auto& row : equations.mass) add(row);
  add(equations.force);
  for (const Expression& c : equations.drive) is_driven_ = is_driven_ || c != motion.zero();
  if (is_driven_) {  // rows that stand still do no work
    for (const auto& row : equations.reaction_inertia) add(row);
    add(equations.reaction_force);
    add(equations.drive);
  }
  add(equations.coordinate_rates);
  outputs.push_back(equations.applied_power);
  outputs.push_back(equations.drive_power);
  program_ = symbolic::Program(motion.inputs(), outputs);
  in_.resize(motion.inputs().size(), 0.0);
  out_.resize(outputs.size());
  system_.resize(p_ * (p_ + 1));
}

void EmbeddedProgram::set_signals(std::span<const double> numbers) {
  std::ranges::copy(numbers, in_.begin() + 1 + coordinates_ + speeds_);
}

void EmbeddedProgram::evaluate(double t, const double* q, double* v) {
  in_[0] = t;
  std::copy_n(q, coordinates_, in_.begin() + 1);
  std::copy_n(v, speeds_, in_.begin() + 1 + coordinates_);
  program_(in_.data(), out_.data());
  for (int i = 0; i < r_; ++i) v[order_.dependent[i]] = out_[i];
}

void EmbeddedProgram::write_coordinate_rates(const double* v, double* dqdt) const {
  const double* rates = out_.data() + out_.size() - 2 - coordinates_;
  std::copy_n(rates_are_speeds_ ? v : rates, coordinates_, dqdt);
}

void EmbeddedProgram::complete(double t, const double* q, double* v) { evaluate(t, q, v); }

/// M~ x = f~. False where M~ is not positive definite.
bool EmbeddedProgram::solve(double* x) {
  const double *M = mass(), *f = force();
  double* row = system_.data();
  for (int i = 0; i < p_; ++i, row += p_ + 1) {
    std::copy(M + i * p_ + i, M + (i + 1) * p_, row + i);
    row[p_] = f[i];
  }
  return solve_positive_in_place(system_.data(), p_, x);
}

EmbeddedProgram::Powers EmbeddedProgram::rates(double t, const double* q, double* v,
                                               double* w_rate) {
  evaluate(t, q, v);
  if (!solve(w_rate)) std::fill_n(w_rate, p_, std::numeric_limits<double>::quiet_NaN());
  Powers powers;
  const double* inertia = force() + p_;
  if (is_driven_) {
    const double *rest = inertia + r_ * p_, *drive = rest + r_;
    for (int i = 0; i < r_; ++i) {
      double x = -rest[i];
      for (int j = 0; j < p_; ++j) x += inertia[i * p_ + j] * w_rate[j];
      powers.drives -= x * drive[i];
    }
  }
  powers.drives += out_.back();
  powers.forces = out_[out_.size() - 2];
  return powers;
}

}  // namespace clack
