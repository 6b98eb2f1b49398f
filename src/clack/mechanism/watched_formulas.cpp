// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/watched_formulas.hpp"

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
    is_rate_known_.push_back(is_known);
    outputs.push_back(formula);
    outputs.push_back(is_known ? motion.rate(formula) : motion.zero());
  }
  program_ = symbolic::Program(motion.inputs(), outputs);
  outputs_.resize(outputs.size());
}

void WatchedFormulas::evaluate(const double* inputs, FormulaValue* values) {
  if (is_rate_known_.empty()) return;
  program_(inputs, outputs_.data());
  for (std::size_t i = 0; i < is_rate_known_.size(); ++i) {
    values[i].value = outputs_[2 * i];
    values[i].rate =
        is_rate_known_[i] ? outputs_[2 * i + 1] : std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace clack
