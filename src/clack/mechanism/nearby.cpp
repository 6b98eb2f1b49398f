// SPDX-License-Identifier: Apache-2.0
// Which contacts can touch on the way from one state to another.
#include "clack/mechanism/mechanism.hpp"

namespace clack {

void Mechanism::nearby(const StepEnds& step, ContactSet& contacts) {
  if (!formula_neighbourhood_.is_trivial()) {
    end_rates_.resize(2 * coordinates_);
    coordinate_rates(step.t_begin, step.q_begin, step.v_begin, end_rates_.data());
    coordinate_rates(step.t_end, step.q_end, step.v_end, end_rates_.data() + coordinates_);
    load(step.t_end, step.q_end, step.v_end);
    const int held = 1 + coordinates_ + speeds_;
    formula_neighbourhood_.find(step, end_rates_,
                                std::span(inputs_).subspan(held, motion_.inputs().size() - held),
                                contacts);
    return drop_resting(step.q_end, contacts);
  }
  if (neighbourhood_.is_trivial()) {
    contacts.assign(neighbourhood_.all().begin(), neighbourhood_.all().end());
    return drop_resting(step.q_end, contacts);
  }
  place(step.t_begin, step.q_begin, step.v_begin);
  neighbourhood_.begin(kinematics_.bodies());
  place(step.t_end, step.q_end, step.v_end);
  neighbourhood_.end(kinematics_.bodies());
  neighbourhood_.find(step.t_end - step.t_begin, contacts);
  drop_resting(step.q_end, contacts);
}

}  // namespace clack
