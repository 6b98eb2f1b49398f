// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/run.hpp"

// Looking at a run, keeping it and going on from what was kept.

namespace clack {

RunView Run::look() {
  RunView view;
  view.t = time();
  std::vector<double> y = state_.y;
  if (view.t > state_.t) {
    integrator_->dense(view.t, y);
    mechanism_->normalise(y.data());
  }
  view.q.assign(tools_.q(y), tools_.q(y) + dynamics_.coordinates());
  view.v.assign(tools_.v(y), tools_.v(y) + dynamics_.speeds());
  view.mode = state_.mode;
  dynamics_.evaluate(view.t, y.data());
  const ModeForces& forces = dynamics_.forces();
  const ContactSet possible = united(recorder_.contacts(), state_.mode.contacts());
  GapMotions gaps;
  gap_motion_of(*mechanism_, possible, view.t, tools_.q(y), tools_.v(y), forces.acceleration.data(),
                gaps);
  int row = 0;
  for (const int c : dynamics_.rows().constraints) {
    ConstraintView& constraint = view.constraints.emplace_back(ConstraintView{c, {}});
    for (int end = row + mechanism_->constraint_rows(c); row < end; ++row)
      constraint.force.push_back(forces.constraint_force[row]);
  }
  const int k = dynamics_.tangents();
  int local = 0;
  for (std::size_t i = 0; i < possible.size(); ++i) {
    ContactView& contact = view.contacts.emplace_back();
    contact.contact = possible[i];
    contact.status = state_.mode.status_of(possible[i]);
    contact.gap = gaps.of[i].gap;
    contact.gap_rate = gaps.of[i].rate;
    if (contact.status == ContactStatus::open) continue;
    contact.normal_force = forces.normal_force[local];
    for (int a = 0; a < k; ++a) contact.friction_force[a] = forces.friction_force[local * k + a];
    ++local;
  }
  return view;
}

EnergyLedger Run::ledger() {
  std::vector<double> y = state_.y;
  const double t = time();
  if (t > state_.t) {
    integrator_->dense(t, y);
    mechanism_->normalise(y.data());
  }
  return recorder_.ledger(t, y.data());
}

SavedRun Run::save() const {
  SavedRun saved;
  saved.state = state_;
  saved.view = view_;
  saved.record = recorder_.memory();
  if (state_.is_over) return saved;
  saved.pending = pending_;
  saved.integrator = integrator_->save();
  saved.guards = guards_.memory();
  saved.slip_references = dynamics_.slip_references();
  saved.reference_reaction = dynamics_.reference_reaction();
  if (dynamics_.minimal()) saved.speeds = dynamics_.minimal()->choice();
  return saved;
}

void Run::restore(const SavedRun& saved) {
  state_ = saved.state;
  state_.accumulation = Accumulation(model_.tolerances);
  state_.accumulation.remember(saved.state.accumulation.impacts());
  view_ = saved.view;
  pending_ = saved.pending;
  surroundings_.hold(state_.surroundings);
  recorder_.resume(saved.record, state_.last_event_time, state_.mode);
  enter_mode(tools_, state_);
  if (state_.is_over) return recorder_.finish(state_.t, state_.y.data(), state_.stop);
  dynamics_.set_slip_references(saved.slip_references);
  dynamics_.set_reference_reaction(saved.reference_reaction);
  if (saved.speeds) dynamics_.minimal()->restore(*saved.speeds);
  integrator_->restore(dynamics_.right_hand_side(), saved.integrator);
  guards_.restore(saved.guards);
}

void Run::restore(const SavedRun& saved, const SavedRecord& record) {
  restore(saved);
  recorder_.take_up(record);
}

std::unique_ptr<Run> Run::clone() const {
  std::unique_ptr<Run> twin(new Run(model_, options_, Resumed{}));
  twin->restore(save());
  twin->recorder_.copy(recorder_);
  return twin;
}

}  // namespace clack
