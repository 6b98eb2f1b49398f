// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "clack/contact/circumstances.hpp"
#include "clack/hybrid/end_of_mode.hpp"
#include "clack/hybrid/look_ahead.hpp"
#include "clack/hybrid/mass_check.hpp"
#include "clack/hybrid/speed_choice_report.hpp"
#include "clack/hybrid/start.hpp"
#include "clack/hybrid/tolerances.hpp"
#include "clack/index.hpp"

namespace clack {
namespace {

/// The tolerance is relative; near zero it is absolute, in units of 1 m or, where bodies are smaller than a tenth of that, of ten times the
/// smallest.
std::unique_ptr<Integrator> integrator_for(const Model& model, const IntegratorRegistry& known) {
  const double size = smallest_size(model);
  const double unit = size > 0.0 ? std::min(1.0, 10.0 * size) : 1.0;
  return known.make(model.run.integrator, model.options[PartKind::integrator],
                    {.relative_tolerance = model.run.tolerance,
                     .absolute_tolerance = unit * model.run.tolerance,
                     .largest_step = model.run.max_step});
}

Stop stop_of(const Model& model, const IndefiniteMass& mass) {
  return {fmt::format("t = {:.9g} s: the mass matrix is not positive definite any more: its "
                      "smallest eigenvalue is {:.6g}, along {}",
                      mass.t, mass.eigenvalue, model.speeds[mass.speed].name),
          "look at the mass_matrix or the masses of the model near this state"};
}

}  // namespace

Run::Run(const Model& model, const RunOptions& options, Resumed)
    : model_(model),
      options_(options),
      theory_(choose_theory(model.run, options.parts, model.dimension)),
      mechanism_(make_mechanism(model)),
      formulation_(options.parts.formulations.make(theory_.formulation,
                                                   model.options[PartKind::formulation])),
      decision_(options.parts.decisions.make(theory_.decision, model.options[PartKind::decision])),
      law_(options.parts.impact_laws.make(theory_.impact, model.options[PartKind::impact_law])),
      dynamics_(*mechanism_, *formulation_),
      integrator_(
          std::make_unique<ModeFlow>(integrator_for(model, options.parts.integrators), dynamics_)),
      guards_(model, *mechanism_, dynamics_),
      surroundings_(model, *mechanism_),
      recorder_(model, theory_, *mechanism_, dynamics_, options),
      tools_{model_,
             *mechanism_,
             dynamics_,
             surroundings_,
             *law_,
             *decision_,
             theory_,
             options_.parts,
             options_.threads,
             options_.project,
             options_.node_trace},
      watched_forces_(model_) {}

Run::Run(const Model& model, const RunOptions& options) : Run(model, options, Resumed{}) {
  begin();
}

/// The start and the instant there.
void Run::begin() {
  build_before_start();
  announce();
  for (const Coordinate& c : model_.coordinates) state_.y.push_back(c.start);
  for (const Speed& s : model_.speeds) state_.y.push_back(s.start);
  state_.y.resize(dynamics_.size(), 0.0);
  state_.accumulation = Accumulation(model_.tolerances);
  state_.mode.constraints = surroundings_.constraints_at_start();
  state_.surroundings = surroundings_.start(state_.t, tools_.q(state_.y), tools_.v(state_.y));
  state_.scales = check_start(tools_, state_);
  const std::vector<std::string> moves = settle_constraints(tools_, state_);
  if (!moves.empty()) state_.scales = check_start(tools_, state_);
  require_parts(tools_, state_);
  recorder_.begin(state_.t, state_.y.data());
  for (const std::string& move : moves) recorder_.note(move);
  resolve(Cause{.is_start = true});
}

/// An instant, its record, and the mode that follows.
void Run::resolve(const Cause& cause) {
  tools_.records_history = law_->has_history() && recorder_.trace().impacts.size() <
                                                      static_cast<std::size_t>(options_.histories);
  take_announced();
  InstantRecord record = resolve_instant(tools_, state_, cause);
  if (!record.stop && record.accumulates) record.completion = complete(*record.accumulates);
  state_.events += record.event_count();
  std::optional<Stop> stop = record.stop;
  if (record.completion && record.completion->stop) stop = record.completion->stop;
  recorder_.instant(std::move(record));
  if (options_.progress) options_.progress(state_.t);
  if (stop) return end(std::move(stop));
  if (!cause.is_start && state_.events > model_.tolerances.event_limit)
    return end(Stop{fmt::format("t = {:.9g} s: the limit of {} events is reached", state_.t,
                                model_.tolerances.event_limit),
                    "impacts may accumulate slower than tolerances: zeno_ratio, or raise "
                    "tolerances: event_limit"});
  if (state_.is_over) return end(std::nullopt);
  enter_flow();
  if (!state_.is_over) follow_jumps();
}

/// A formula of forces that the new mode takes over zero at once fires at this instant.
void Run::follow_jumps() {
  const std::optional<Guard> jumped = guards_.jumped();
  if (!jumped) return;
  recorder_.add_counts(integrator_->counts());
  Cause cause;
  cause.fired.push_back(*jumped);
  read_forces(cause);
  resolve(cause);
}

/// The limit of an accumulation, provided that nothing else happens before it: its contacts are closed and everything is
/// integrated to the limit time. A guard on the way, a known time, the end of the run, forces that do not exist or a
/// correction that is too large leave the accumulation to its impacts.
std::optional<CompletionRecord> Run::complete(const Accumulation::Completion& completion) {
  const bool is_now =
      completion.time - state_.t <= model_.tolerances.time * std::max(1.0, std::abs(state_.t));
  if (!is_now && !(completion.time < surroundings_.next_known_time(state_.t))) return std::nullopt;
  const RunState before = state_;
  CompletionRecord record = close_accumulation(tools_, state_, completion);
  if (is_now && record.stop) return record;
  if (record.stop || !record.is_small || !(is_now || flows_undisturbed(completion.time))) {
    state_ = before;
    return std::nullopt;
  }
  reach_limit(tools_, state_, completion, record);
  return record;
}

/// Goes on in the mode of the state to a time; false when a guard ends the mode before.
bool Run::flows_undisturbed(double t_end) {
  enter_mode(tools_, state_);
  integrator_->reset(dynamics_.right_hand_side(), state_.t, state_.y, state_.last_step);
  guards_.enter(state_.mode, surroundings_.materials(state_.surroundings, state_.mode.contacts()),
                state_.released, formula_sides(state_.surroundings), state_.at_border,
                state_.scales, state_.t, state_.y.data(), integrator_->rate().data());
  while (state_.t < t_end) {
    if (integrator_->step(t_end) != StepStatus::ok || guards_.first_crossing(*integrator_))
      return false;
    take_integrator_state();
    guards_.advance(*integrator_);
  }
  recorder_.add_counts(integrator_->counts());
  return true;
}

/// The first step is no longer than the time since the event before, so that accelerating sequences
/// of events are followed.
void Run::enter_flow() {
  enter_mode(tools_, state_);
  view_ = state_.t;
  const Circumstances now = circumstances_of(dynamics_.shape());
  if (const std::string refusal = options_.parts.formulations.refusal(theory_.formulation, now);
      !refusal.empty())
    return end(Stop{refusal, "choose another --formulation; clack parts shows what each needs"});
  double first_step = state_.last_step;
  if (state_.t > state_.last_event_time)
    first_step = std::min(first_step, state_.t - state_.last_event_time);
  state_.last_event_time = state_.t;
  check_embedding();
  if (state_.is_over) return;
  integrator_->reset(dynamics_.right_hand_side(), state_.t, state_.y, first_step);
  guards_.enter(state_.mode, surroundings_.materials(state_.surroundings, state_.mode.contacts()),
                state_.released, formula_sides(state_.surroundings), state_.at_border,
                state_.scales, state_.t, state_.y.data(), integrator_->rate().data());
  dynamics_.keep_reaction(state_.t, state_.y.data());
  recorder_.row(state_.t, state_.y.data());
  state_.mode_end = surroundings_.next_known_time(state_.t);
}

/// The next step with the first crossing in it; an empty one where the mode ends by time.
PendingStep Run::next_step() {
  if (!(state_.t < state_.mode_end)) return {StepStatus::ok, std::nullopt, state_.t};
  PendingStep step;
  step.status = integrator_->step(state_.mode_end);
  step.reached = integrator_->time();
  if (step.status != StepStatus::ok) return step;
  step.crossing = guards_.first_crossing(*integrator_);
  if (step.crossing) step.reached = step.crossing->t;
  return step;
}

/// Goes through the pending step and what happens at its end; true when an instant was resolved.
bool Run::commit() {
  if (!(state_.t < state_.mode_end)) {
    pending_.reset();
    recorder_.add_counts(integrator_->counts());
    if (state_.t >= model_.run.until) {
      end(std::nullopt);
      return false;
    }
    Cause cause{.is_time = true};
    read_forces(cause);
    resolve(cause);
    return true;
  }
  const PendingStep step = *std::exchange(pending_, std::nullopt);
  if (step.status != StepStatus::ok) {
    take_integrator_state();
    recorder_.add_counts(integrator_->counts());
    end(failure(step.status));
    return false;
  }
  if (stop_at_indefinite_mass(step.reached)) return false;
  recorder_.sample_step(*integrator_, step.reached);
  if (stop_outside_domain()) return false;
  if (!step.crossing) {
    commit_step();
    return false;
  }
  state_.t = step.crossing->t;
  integrator_->dense(state_.t, state_.y);
  recorder_.add_counts(integrator_->counts());
  if (step.crossing->gave_up) {
    const Guard& guard = guards_.guards()[step.crossing->guard];
    end(Stop{fmt::format("t = {:.9g} s: the search for the next touch of {} did not converge",
                         state_.t, model_.contacts[guard.contact.source].name),
             "two bodies move along each other within rounding, or the motion has no bound; "
             "change the start a little"});
    return false;
  }
  mechanism_->normalise(state_.y.data());
  record_end_of_mode(tools_, *integrator_, guards_, *step.crossing, state_, recorder_);
  const Cause cause = cause_of(*step.crossing);
  state_.last_step = integrator_->time() - integrator_->time_before();
  resolve(cause);
  return true;
}

/// Ends the run where its mass matrix stops being positive definite, if that is in the pending step.
bool Run::stop_at_indefinite_mass(double until) {
  if (!dynamics_.was_unsolved()) return false;
  const std::optional<IndefiniteMass> mass = first_indefinite_mass(dynamics_, *integrator_, until);
  dynamics_.was_unsolved();
  if (!mass) return false;
  recorder_.sample_step(*integrator_, mass->t);
  state_.t = mass->t;
  integrator_->dense(state_.t, state_.y);
  recorder_.row(state_.t, state_.y.data());
  recorder_.add_counts(integrator_->counts());
  end(stop_of(model_, *mass));
  return true;
}

/// Ends the run when somebody outside wants so.
bool Run::stop_when_asked() {
  if (!options_.interruption || state_.is_over) return false;
  const std::string why = options_.interruption();
  if (why.empty()) return false;
  recorder_.row(state_.t, state_.y.data());
  end(Stop{fmt::format("t = {:.9g} s: {}", state_.t, why), "run it again for the rest"});
  return true;
}

/// A step in which nothing happened.
void Run::commit_step() {
  state_.last_step = integrator_->next_step();
  take_integrator_state();
  recorder_.step(state_.y.data());
  guards_.advance(*integrator_);
  correct_drift();
  reselect_speeds();
  if (state_.is_over) return;
  dynamics_.keep_reaction(state_.t, state_.y.data());
  if (options_.progress) options_.progress(state_.t);
  if (state_.t >= state_.mode_end) recorder_.row(state_.t, state_.y.data());
}

void Run::take_integrator_state() {
  state_.t = integrator_->time();
  std::copy(integrator_->state().begin(), integrator_->state().end(), state_.y.begin());
}

/// What ended the mode at the run's state, and how the mode is there.
Cause Run::cause_of(const GuardCrossing& crossing) {
  Cause cause;
  const Guard& guard = guards_.guards()[crossing.guard];
  cause.fired = guards_.fired_at(crossing, state_.y.data());
  if (guard.kind == GuardKind::slip && dynamics_.tangents() == 2)
    cause.slip_before = {dynamics_.slip_reference(2 * guard.local),
                         dynamics_.slip_reference(2 * guard.local + 1)};
  dynamics_.align_slip_reference(state_.t, state_.y.data());  // friction opposes a slip that turned
  read_forces(cause);
  if (!cause.is_force_guard_fired()) return cause;
  cause.ahead = states_in_step(*integrator_, state_.t);
  if (guard.kind != GuardKind::admissible) return cause;
  const GuardMemory& memory = guards_.memory();
  const double fall = memory.end[crossing.guard].sample.value -
                      memory.start[crossing.guard].sample.value;  // of the margin over the step
  for (StateAhead& far : states_of_lost_margin(
           tools_, state_, fall / (integrator_->time() - integrator_->time_before()),
           memory.force_floor / model_.tolerances.force))
    cause.ahead.push_back(std::move(far));
  return cause;
}

void Run::read_forces(Cause& cause) {
  dynamics_.evaluate_shown(state_.t, state_.y.data());
  cause.closed = dynamics_.rows().contacts;
  cause.normal_force = dynamics_.forces().normal_force;
  cause.friction_force = dynamics_.forces().friction_force;
  const std::span<const double> forces = watched_forces_.at(dynamics_, state_.t, state_.y.data());
  cause.watched_forces.assign(forces.begin(), forces.end());
}

Stop Run::failure(StepStatus status) {
  Stop stop;
  const std::string at = fmt::format("t = {:.9g} s", integrator_->time());
  switch (status) {
    case StepStatus::step_too_small:
      stop = {
          at + ": the step size has fallen to rounding; forces or formulas become singular here",
          "look at the last rows of trace.csv: a normal force that grows without bound is a "
          "Painleve configuration"};
      break;
    case StepStatus::not_finite:
      stop = {at + ": the equations of motion are not finite here",
              "check the formulas of the model near this state"};
      break;
    case StepStatus::limit:
      stop = {at + ": the integrator has reached its limit of steps",
              "raise the tolerance or shorten the run"};
      break;
    case StepStatus::ok:
      break;
  }
  if (const auto mass = indefinite_mass_at(dynamics_, state_.t, state_.y.data()))
    return stop_of(model_, *mass);
  dynamics_.evaluate(state_.t, state_.y.data());
  if (MinimalSpeeds* speeds = dynamics_.minimal()) {
    const int rank = speeds->choice().rank();
    speeds->choose(dynamics_.snapshot());
    if (speeds->choice().smallest_pivot < hybrid_tolerances.near_singular)
      stop = rank_failure(model_, dynamics_, state_.t, rank, speeds->choice());
  }
  for (int l = 0; l < number_of(dynamics_.rows().contacts); ++l)
    stop.reason +=
        fmt::format("; contact {}: {} with normal force {:.6g} N",
                    contact_name(model_, dynamics_.rows().contacts[l]),
                    to_string(dynamics_.shape().statuses[l]), dynamics_.forces().normal_force[l]);
  return stop;
}

void Run::end(std::optional<Stop> stop) {
  state_.is_over = true;
  state_.stop = std::move(stop);
  view_ = state_.t;
  pending_.reset();
  enter_mode(tools_, state_);
  recorder_.finish(state_.t, state_.y.data(), state_.stop);
}

void Run::advance_to(double t) {
  while (!state_.is_over && !stop_when_asked() && !stop_outside_domain()) {
    if (!pending_) pending_ = next_step();
    if (pending_->reached > t) break;
    commit();
  }
  if (pending_) view_ = std::max(time(), t);
}

bool Run::advance_to_next_event() {
  while (!state_.is_over && !stop_when_asked() && !stop_outside_domain()) {
    if (!pending_) pending_ = next_step();
    if (commit()) return true;
  }
  return false;
}

void Run::advance_to_end() {
  while (advance_to_next_event()) {
  }
}

double Run::time() const { return std::max(view_, state_.t); }

Trace run(const Model& model, const RunOptions& options) {
  Run run(model, options);
  using clock = std::chrono::steady_clock;
  const auto begin = clock::now();
  run.advance_to_end();
  Trace trace = run.take_trace();
  trace.wall_seconds = std::chrono::duration<double>(clock::now() - begin).count();
  return trace;
}

}  // namespace clack
