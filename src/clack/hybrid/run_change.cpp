// SPDX-License-Identifier: Apache-2.0
// What somebody outside does to a run: changes at the time at which it is looked at, and a larger model in place of its own.
#include <algorithm>
#include <cmath>

#include "clack/error.hpp"
#include "clack/hybrid/run.hpp"
#include "clack/hybrid/scales.hpp"

namespace clack {

/// Ends the pending step where the run is looked at, and the mode with it. The step is taken in any case, so that nothing
/// depends on whether somebody has looked.
void Run::cut() {
  if (!pending_) pending_ = next_step();
  if (pending_->status != StepStatus::ok) {
    commit();
    return;
  }
  const double t = time();
  if (t > state_.t) {
    if (stop_at_indefinite_mass(t)) return;
    recorder_.sample_step(*integrator_, t);
    if (stop_outside_domain()) return;
    state_.t = t;
    integrator_->dense(t, state_.y);
    mechanism_->normalise(state_.y.data());
  }
  pending_.reset();
  recorder_.row(state_.t, state_.y.data());
  if (stop_outside_domain()) return;
  if (integrator_->time() > integrator_->time_before())
    state_.last_step = integrator_->time() - integrator_->time_before();
  recorder_.add_counts(integrator_->counts());
}

void Run::change(const OutsideChange& change) {
  if (state_.is_over)
    throw InputError(fmt::format("t = {:.9g} s: the run is over, nothing can change it", state_.t),
                     "", "restore it from an earlier time");
  cut();
  if (state_.is_over) return;
  Cause cause{.is_time = true, .outside = &change};
  read_forces(cause);
  resolve(cause);
}

std::unique_ptr<Run> Run::waiting(const Model& model, const RunOptions& options) {
  std::unique_ptr<Run> run(new Run(model, options, Resumed{}));
  run->build_before_start();
  return run;
}

/// What the state of a smaller model says of this one: entries at the end of the lists are off, open and as at the start.
std::optional<Stop> Run::extend(const Run& other) {
  state_ = other.state_;
  const Works works = other.dynamics_.works(state_.y.data());
  dynamics_.write_powers(works, state_.y.data() + dynamics_.coordinates() + dynamics_.speeds());
  state_.mode.constraints.resize(model_.constraints.size(), false);
  SurroundingsState& surroundings = state_.surroundings;
  surroundings.fired.clear();
  surroundings.side.clear();
  for (std::size_t i = surroundings.switched_on.size(); i < model_.constraints.size(); ++i)
    surroundings.switched_on.push_back(false);
  for (std::size_t i = surroundings.signals.size(); i < model_.inputs.size(); ++i)
    surroundings.signals.push_back(model_.inputs[i].start);
  surroundings.zone.resize(number_of(model_.contacts), -1);
  surroundings_.choose_sides(surroundings, {}, state_.t, tools_.q(state_.y), tools_.v(state_.y));
  recorder_.succeed(other.recorder_);
  const ContactSet contacts =
      united(possible_contacts(model_),
             mechanism_->solid_contacts(state_.t, tools_.q(state_.y), tools_.v(state_.y)));
  GapMotions gaps;
  gap_motion_of(*mechanism_, contacts, state_.t, tools_.q(state_.y), tools_.v(state_.y), nullptr,
                gaps);
  const Scales now =
      scales_at_start(*mechanism_, contacts, gaps.of, tools_.q(state_.y), tools_.v(state_.y));
  for (int i = state_.scales.contacts.size(); i < now.contacts.size(); ++i)
    state_.scales.contacts.push_back(now.contacts[SourceIndex(i)]);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (contacts[i].source.value < other.state_.scales.contacts.size()) continue;
    state_.scales.widen(contacts[i], std::abs(gaps.of[i].rate));
    if (!(gaps.of[i].gap >= -penetration_limit(model_.tolerances, state_.scales.of(contacts[i]))))
      return Stop{fmt::format("t = {:.9g} s: contact {} penetrates by {:.6g} m when it arrives",
                              state_.t, contact_name(model_, contacts[i]), -gaps.of[i].gap),
                  "let it arrive where its gap is open or closed"};
  }
  return std::nullopt;
}

void Run::succeed(Run& other, const OutsideChange& change) {
  other.cut();
  if (other.state_.is_over) {  // nothing comes of it: the other's end is this one's
    state_ = other.state_;
    view_ = other.view_;
    state_.mode.constraints.resize(model_.constraints.size(), false);
    recorder_.succeed(other.recorder_);
    return;
  }
  embeddings_ = other.embeddings_;
  if (other.announced_)
    embeddings_.pop_back();  // of a model that is over; here it is built when it is needed
  Cause cause{.is_time = true, .outside = &change};
  other.read_forces(cause);
  cause.watched_forces.clear();  // the larger model may watch others
  std::optional<Stop> stop = extend(other);
  enter_mode(tools_, state_);
  if (stop) return end(std::move(stop));
  resolve(cause);
}

}  // namespace clack
