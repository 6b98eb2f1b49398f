// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "clack/hybrid/guards.hpp"
#include "clack/hybrid/tolerances.hpp"

// Guards of the formulas that a model watches: events, zones, activity of constraints.

namespace clack {

void GuardSet::evaluate_formulas(double t, const double* y) {
  mechanism_.formula_motion(t, dynamics_.q(y), dynamics_.v(y), forces_.at(dynamics_, t, y),
                            formulas_.data());
}

/// On which side the formulas of forces and speeds are as the mode ends, and how large they were in its last step.
void GuardSet::remember_formulas() {
  jumped_.reset();
  for (std::size_t i = 0; i < memory_.guards.size(); ++i) {
    const Guard& guard = memory_.guards[i];
    if (guard.kind != GuardKind::formula || !std::isnan(formulas_[guard.formula].rate)) continue;
    before_[guard.formula] = {guard.sign, std::max(std::abs(memory_.start[i].sample.value),
                                                   std::abs(memory_.end[i].sample.value))};
  }
}

/// Its sign is the side on which a formula begins. One that has just crossed zero goes on in that sense; where
/// the rate is not known that is the side it was not on, unless forces or speeds have jumped since.
double GuardSet::decisive_value(int f, bool is_fired) const {
  const FormulaValue& now = formulas_[f];
  if (!is_fired && now.value != 0.0) return now.value;
  if (!std::isnan(now.rate)) return now.rate;
  if (!is_fired) return before_[f].sign;  // a force that is off has not crossed
  const bool has_jumped = std::abs(now.value) > hybrid_tolerances.force_jump * before_[f].size;
  return has_jumped || before_[f].sign == 0.0 ? now.value : -before_[f].sign;
}

bool GuardSet::is_constant(const Guard& guard) const {
  if (guard.kind != GuardKind::formula) return false;
  const WatchedFormulas& watched = mechanism_.watched();
  return watched.is_of_forces_alone(guard.formula) &&
         std::ranges::all_of(watched.forces_of(guard.formula),
                             [&](int force) { return forces_.is_off(dynamics_, force); });
}

void GuardSet::add_formula_guards(const FormulaSides& known, double t, const double* y) {
  evaluate_formulas(t, y);
  const int first_switch = number_of(formulas_) - number_of(known.switches);
  for (int f = 0; f < first_switch; ++f) {
    Guard guard{.kind = GuardKind::formula, .formula = f};
    const bool is_fired = std::ranges::binary_search(known.fired, f);
    guard.sign = decisive_value(f, is_fired) < 0.0 ? -1.0 : 1.0;
    if (!is_fired && !jumped_ && mechanism_.uses_forces(f) && before_[f].sign * guard.sign < 0.0)
      jumped_ = Guard{.kind = GuardKind::formula, .formula = f, .sign = before_[f].sign};
    guard.is_armed = !is_fired && formulas_[f].value != 0.0;
    memory_.guards.push_back(guard);
  }
  for (int f = first_switch; f < number_of(formulas_); ++f) {
    const double side = known.switches[f - first_switch];
    for (const double sign : {1.0, -1.0}) {  // both where it stays zero
      if (side == -sign) continue;
      memory_.guards.push_back({.kind = GuardKind::formula,
                                .formula = f,
                                .sign = sign,
                                .is_armed = sign * formulas_[f].value > 0.0});
    }
  }
}

std::vector<Guard> GuardSet::fired_at(const GuardCrossing& crossing, const double* y) {
  std::vector<Guard> fired;
  evaluate_formulas(crossing.t, y);
  const double window = tolerances_.time * std::max(1.0, std::abs(crossing.t));
  for (std::size_t i = 0; i < memory_.guards.size(); ++i) {
    const Guard& guard = memory_.guards[i];
    bool is_fired = i == crossing.guard;
    if (!is_fired && guard.kind == GuardKind::formula && guard.is_armed) {
      const FormulaValue& f = formulas_[guard.formula];
      const double value = guard.sign * f.value, fall = -guard.sign * f.rate;
      is_fired = fall > 0.0 && value <= fall * window;
      if (std::isnan(f.rate) &&
          !mechanism_.uses_forces(guard.formula))  // speeds: by their size in the step
        is_fired = value <= hybrid_tolerances.vanished_formula *
                                std::max(std::abs(memory_.start[i].sample.value),
                                         std::abs(memory_.end[i].sample.value));
    }
    if (is_fired) fired.push_back(guard);
  }
  return fired;
}

}  // namespace clack
