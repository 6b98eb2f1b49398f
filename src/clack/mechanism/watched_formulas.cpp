// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/watched_formulas.hpp"

#include <algorithm>
#include <limits>

namespace clack {

WatchedFormulas::WatchedFormulas(const Model& model, const std::vector<symbolic::Switch>& switches,
                                 const MotionSymbols& motion) {
  std::vector<Expression> formulas, outputs;
  for (const ModelEvent& event : model.events) formulas.push_back(event.when);
  for (const Contact& contact : model.contacts)
    for (const Zone& zone : contact.zones) formulas.push_back(zone.where);
  for (const Constraint& constraint : model.constraints)
    if (constraint.active.is_valid()) formulas.push_back(constraint.active);
  for (const symbolic::Switch& s : switches) formulas.push_back(s.condition);
  for (const Expression& formula : formulas) {
    bool is_known = true;
    for (int j = 0; j < motion.speeds(); ++j)
      is_known = is_known && !depends_on(formula, motion.speed(j));
    std::vector<int>& forces = forces_of_.emplace_back();
    for (int i = 0; i < number_of(model.watched_forces); ++i)
      if (depends_on(formula, model.watched_forces[i].symbol)) forces.push_back(i);
    is_of_forces_alone_.push_back(
        !forces.empty() && std::ranges::none_of(motion.inputs(), [&](const Expression& input) {
          return depends_on(formula, input);
        }));
    is_known = is_known && forces.empty();
    is_rate_known_.push_back(is_known);
    outputs.push_back(formula);
    outputs.push_back(is_known ? motion.rate(formula) : motion.zero());
  }
  std::vector<Expression> inputs = motion.inputs();
  motion_inputs_ = inputs.size();
  for (const WatchedForce& force : model.watched_forces) inputs.push_back(force.symbol);
  program_ = symbolic::Program(inputs, outputs);
  inputs_.resize(inputs.size());
  outputs_.resize(outputs.size());
}

void WatchedFormulas::evaluate(const double* inputs, std::span<const double> forces,
                               FormulaValue* values) {
  if (is_rate_known_.empty()) return;
  if (inputs_.size() > motion_inputs_) {
    std::copy_n(inputs, motion_inputs_, inputs_.begin());
    std::fill(inputs_.begin() + motion_inputs_, inputs_.end(), 0.0);
    std::copy(forces.begin(), forces.end(), inputs_.begin() + motion_inputs_);
    inputs = inputs_.data();
  }
  program_(inputs, outputs_.data());
  for (std::size_t i = 0; i < is_rate_known_.size(); ++i) {
    values[i].value = outputs_[2 * i];
    values[i].rate =
        is_rate_known_[i] ? outputs_[2 * i + 1] : std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace clack
