// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/instant.hpp"

#include <algorithm>
#include <cmath>

#include "clack/hybrid/continuity.hpp"
#include "clack/hybrid/drift.hpp"
#include "clack/hybrid/foot_events.hpp"
#include "clack/hybrid/outline_contacts.hpp"
#include "clack/hybrid/progress.hpp"
#include "clack/hybrid/rattle.hpp"
#include "clack/hybrid/signal_change.hpp"
#include "clack/hybrid/tolerances.hpp"

namespace clack {
namespace {

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

/// What may have jumped at an instant.
struct Switched {
  bool constraint_on = false, formula = false;
  const char* cause = "a formula has switched";
};

/// Model events, zone borders, known times and switches of formulas.
Switched switch_surroundings(const NodeTools& tools, RunState& state, const Cause& cause,
                             InstantRecord& record) {
  if (tools.surroundings.is_constant() && !cause.outside) return {};
  const std::vector<Signal> signals = state.surroundings.signals;
  const double energy = cause.outside ? tools.total_energy(state.t, state.y) : 0.0;
  SwitchResult result = tools.surroundings.switch_at(
      state.surroundings, state.mode, cause.fired, cause.is_time && !cause.outside, state.t,
      tools.q(state.y), tools.v(state.y), cause.watched_forces, cause.outside);
  for (const SwitchEvent& event : result.events) {
    InstantEvent& written = record.events.emplace_back();
    written.t = state.t;
    written.kind = event.kind;
    written.label = event.label;
  }
  state.surroundings = std::move(result.state);
  state.mode.constraints = std::move(result.constraints);
  state.is_over = state.is_over || result.is_stop;
  if (!result.is_signal_changed) return {result.is_constraint_on, result.is_formula_switched};
  record.stop = follow_signals(tools, state, signals);
  record.work_of_inputs = tools.total_energy(state.t, state.y) - energy;
  return {result.is_constraint_on, true, "an input has changed"};
}

/// Constraints that were switched on hold, or are made to (policy of the run); gaps and joints have stayed when a formula
/// switched. False when the run cannot go on.
bool take_switches(const NodeTools& tools, RunState& state, const Switched& switched,
                   const ContactSet& contacts, InstantRecord& record) {
  if (switched.constraint_on) {
    const std::vector<Violation> violations = violated_constraints(tools, state);
    if (!violations.empty() && !tools.may_project)
      record.stop = Stop{fmt::format("t = {:.9g} s: {} when it is switched on", state.t,
                                     describe(tools.model, violations)),
                         "switch it on where it holds, or move the state onto it with --project"};
    if (!violations.empty() && tools.may_project)
      record.stop = project_start(tools, state, violations, state.mode.contacts(), record.notes);
  }
  if (switched.formula && !record.stop)
    record.stop = position_jump(tools, state, contacts, switched.cause);
  return !record.stop;
}

/// The impact node; false when it stopped the run.
bool take_impacts(const NodeTools& tools, RunState& state, const ContactSet& contacts,
                  bool may_jump, InstantRecord& record, double& approach_speed) {
  ImpactChain chain = visit_impact_node(tools, state, contacts, may_jump);
  state.y = std::move(chain.y);
  state.scales = std::move(chain.scales);
  approach_speed = chain.approach_speed;
  for (ImpactPass& pass : chain.passes) record.passes.emplace_back(std::move(pass));
  append(record.flags, chain.flags);
  append(record.notes, chain.notes);
  record.stop = std::move(chain.stop);
  return !record.stop;
}

/// The contact node; false when it stopped the run.
template <class Record>
bool take_decision(const NodeTools& tools, RunState& state, const ContactSet& contacts,
                   const Cause& cause, bool had_impact, Record& record) {
  state.released = contacts;
  StatusDecision decision =
      visit_contact_node(tools, state, persistent(tools, state, contacts), cause, had_impact);
  state.y = std::move(decision.y);
  record.passes.splice(record.passes.end(), decision.passes);
  append(record.flags, decision.flags);
  append(record.notes, decision.notes);
  if (decision.correction != 0.0) record.corrections.push_back(decision.correction);
  record.stop = std::move(decision.stop);
  if (record.stop) return false;
  state.mode = std::move(decision.mode);
  return true;
}

void release_open(RunState& state) {
  std::erase_if(state.released, [&](ContactKey c) { return state.mode.is_closed(c); });
}

template <class Record>
double take_drift(const NodeTools& tools, RunState& state, Record& record) {
  if (tools.model.policies.drift == DriftPolicy::leave) return 0.0;
  DriftProjection drift = project_drift(tools, state);
  state.y = std::move(drift.y);
  record.corrections.push_back(drift.energy_change);
  if (drift.is_large) record.flags.push_back("drift-corrected");
  if (drift.stop && !record.stop) record.stop = drift.stop;
  return drift.size;
}

/// Whether a change of speeds turns a slip that friction opposes; in the plane a slip has but two directions.
bool has_turned_slips(const NodeTools& tools, const Instant& instant,
                      const std::vector<double>& before) {
  const int k = tools.dynamics.tangents();
  const ContactSet contacts = instant.mode.contacts();
  const Eigen::VectorXd now = tools.snapshot(instant, contacts).slip();
  const RowSelection rows = instant.mode.rows_with(contacts);
  const Eigen::VectorXd then = tools.dynamics.snapshot_of(rows, instant.t, before.data()).slip();
  for (int i = 0; i < number_of(contacts); ++i) {
    const ClosedContact& closed = instant.mode.closed[i];
    const ContactMaterial material =
        tools.surroundings.material(instant.surroundings, closed.contact);
    if (closed.status != ContactStatus::slip || material.dynamic_friction == 0.0) continue;
    const double frozen = frozen_slip(tools, instant.scales.speed_of(closed.contact));
    if (k == 1 && !(now[i] * then[i] < 0.0 && std::abs(now[i]) > frozen)) continue;
    const double size = std::max(then.segment(i * k, k).norm(), frozen);
    const double change = (now - then).segment(i * k, k).norm();
    if (change > hybrid_tolerances.turned_slip * size) return true;
  }
  return false;
}

/// Whether a contact that the node has let go approaches: speeds taken away as drift have pushed it.
bool pushes_released(const NodeTools& tools, const RunState& state) {
  if (state.released.empty()) return false;
  const Eigen::VectorXd rates = tools.snapshot(state, state.released).gap_rate();
  for (int i = 0; i < number_of(state.released); ++i)
    if (rates[i] < -tools.model.tolerances.gap_rate * state.scales.speed_of(state.released[i]))
      return true;
  return false;
}

/// The contact node and the drift of its mode; false when the run stops. Slips within their tolerances that it takes for
/// zero are taken away as drift of contacts that stick: where that turns other slips, whose friction was decided along
/// with them, or pushes a contact that it let go, the node is asked again about the state that has come of it.
bool decide(const NodeTools& tools, RunState& state, const ContactSet& contacts, const Cause& cause,
            bool had_impact, InstantRecord& record, double& drift) {
  if (!take_decision(tools, state, contacts, cause, had_impact, record)) return false;
  for (int pass = 1;; ++pass) {
    release_open(state);
    const std::vector<double> before = state.y;
    drift = std::max(drift, take_drift(tools, state, record));
    if (record.stop) return false;
    if (pass == hybrid_tolerances.settling_passes ||
        !(has_turned_slips(tools, state, before) || pushes_released(tools, state)))
      return true;
    if (!take_decision(tools, state, contacts, Cause{}, true, record)) return false;
  }
}

/// Contacts of the mode that has ended neither approached nor parted in it: what says so is drift, no impact and no
/// flight. One that comes to the border of its feature does part, and the rates are left as they are.
void settle_closed(const NodeTools& tools, RunState& state, InstantRecord& record) {
  const ContactSet contacts = state.mode.contacts();
  if (contacts.empty()) return;
  const Snapshot& s = tools.snapshot(state, contacts);
  const double limit = tools.model.tolerances.gap_rate;
  const Eigen::VectorXd rates = s.gap_rate();
  bool has_drifted = false;
  for (int i = 0; i < number_of(contacts); ++i) {
    const double drift = limit * state.scales.speed_of(contacts[i]);
    // Outlines tell from their geometry who parts; a correction here would move the touch that was just found.
    const bool may_part = tools.mechanism.outlines_of_source(contacts[i].source) != nullptr;
    if (rates[i] >= -drift && (rates[i] <= drift || may_part)) continue;
    has_drifted = true;
    const BorderMotion border =
        tools.mechanism.border(state.t, tools.q(state.y), tools.v(state.y), contacts[i]);
    if (rates[i] > 0.0 && border.ends_at_border && border.margin <= border.band) return;
  }
  if (has_drifted) take_drift(tools, state, record);
}

/// The impacts of an instant as the accumulation remembers them.
Knock knock_of(const NodeTools& tools, const RunState& state, const NodePasses& passes,
               double approach_speed) {
  Knock knock{.t = state.t, .contacts = impact_contacts(passes).contacts, .speed = approach_speed};
  for (const NodePass& pass : passes)
    if (const auto* impact = std::get_if<ImpactPass>(&pass))
      knock.loss += impact->energy_before - impact->energy_after;
  const Snapshot& s = tools.snapshot(state, knock.contacts);
  for (int i = 0; i < s.contacts(); ++i)
    knock.slip.push_back(s.slip().segment(i * s.tangents(), s.tangents()).norm() /
                         state.scales.speed_of(knock.contacts[i]));
  return knock;
}

/// Whether gaps are no larger than those of closed contacts may be at an instant: closing them is no part of a motion.
bool is_drift(const NodeTools& tools, const Instant& instant, const ContactSet& contacts,
              const Eigen::VectorXd& gaps) {
  for (int i = 0; i < number_of(contacts); ++i)
    if (!(std::abs(gaps[i]) <=
          2.0 * drift_limit(tools.model.tolerances, instant.scales.of(contacts[i]))))
      return false;
  return true;
}

}  // namespace

ContactSet touching_contacts(const NodeTools& tools, const Instant& instant, const Cause& cause,
                             bool has_switched) {
  return touching_closing(tools, instant, cause, has_switched).contacts;
}

OutlineClosing touching_closing(const NodeTools& tools, const Instant& instant, const Cause& cause,
                                bool has_switched) {
  const Tolerances& tol = tools.model.tolerances;
  const double* v = tools.v(instant.y);
  const double* q = tools.q(instant.y);
  ContactSet near;
  tools.mechanism.nearby({instant.t, instant.t, q, v, q, v}, near);
  ContactSet possible = instant.mode.closed.empty() || tools.mechanism.is_small()
                            ? std::move(near)  // closed ones are among them
                            : united(near, instant.mode.contacts());
  if (!tools.mechanism.outlines().empty())
    std::erase_if(possible, [&](const ContactKey& c) {
      return tools.mechanism.outlines_of_source(c.source) != nullptr;
    });
  GapMotions gaps;
  gap_motion_of(tools.mechanism, possible, instant.t, q, v, nullptr, gaps);
  const double window = tol.time * std::max(1.0, std::abs(instant.t));
  // A witness beyond the border of its feature is no contact, however its plane lies.
  const auto is_left_behind = [&](const ContactKey& contact) {
    return tools.mechanism.border(instant.t, q, v, contact).is_left();
  };
  ContactSet set;
  for (std::size_t i = 0; i < possible.size(); ++i) {
    const GapMotion& g = gaps.of[i];
    const bool is_known =
        instant.mode.is_closed(possible[i]) || cause.has_fired(GuardKind::gap, possible[i]);
    const ContactScale& scale = instant.scales.of(possible[i]);
    const bool is_near = g.gap <= touch_limit(tol, scale);
    const bool touches =
        cause.is_start ? is_near
        : is_known     ? is_near || !has_switched
                       : g.gap <= std::max(-g.rate * window, rearm_limit(tol, scale, instant.t));
    if (touches && !is_left_behind(possible[i])) set.push_back(possible[i]);
  }
  return with_outline_contacts(tools, instant, cause.is_start, set);
}

void enter_mode(const NodeTools& tools, const Instant& instant) {
  tools.surroundings.hold(instant.surroundings);
  double speed = 0.0;  // of the closed contacts
  for (const ClosedContact& c : instant.mode.closed)
    speed = std::max(speed, instant.scales.speed_of(c.contact));
  const Tolerances& tol = tools.model.tolerances;
  tools.dynamics.enter(instant.mode,
                       tools.surroundings.materials(instant.surroundings, instant.mode.contacts()),
                       frozen_slip(tools, speed), tol.rank_cutoff);
  tools.dynamics.align_slip_reference(instant.t, instant.y.data());
}

InstantRecord resolve_instant(const NodeTools& tools, RunState& state, const Cause& cause) {
  InstantRecord record;
  record.t = state.t;
  record.before = state.mode;
  state.at_border.clear();
  for (const Guard& guard : cause.fired)
    if (guard.kind == GuardKind::border) state.at_border.push_back(guard.contact);
  record.stop = count_visit(tools, state, cause);
  if (record.stop) return record;
  if (!cause.is_start) settle_closed(tools, state, record);
  if (record.stop) return record;
  record.stop = restless_switch(tools, state, cause);
  if (record.stop) return record;
  FootChanges feet = follow_feet(tools, state, cause);
  append(record.events, feet.events);
  record.stop = std::move(feet.stop);
  if (record.stop) return record;
  std::optional<Cause> inherited;
  if (!feet.continued.empty()) inherit(feet.continued, state, inherited.emplace(cause));
  const Switched switched = switch_surroundings(tools, state, cause, record);
  if (record.stop) return record;
  OutlineClosing touching = touching_closing(tools, state, cause, switched.formula);
  ContactSet contacts = united(touching.contacts, feet.entered);
  if (!take_switches(tools, state, switched, contacts, record)) return record;
  double approach_speed = 0.0;
  const bool may_jump = switched.constraint_on || switched.formula || cause.is_start;
  if (!take_impacts(tools, state, contacts, may_jump, record, approach_speed)) return record;
  const bool had_impact = !record.passes.empty();
  OutlineClosing closing = with_outline_contacts(tools, state, cause.is_start, std::move(contacts));
  if (touching.has_vertex_on_vertex || closing.has_vertex_on_vertex)
    record.flags.push_back("vertex-vertex");
  contacts = std::move(closing.contacts);
  if (had_impact) hold_rattling(tools, state, contacts, record);
  record.taken_by_corners = slide_over_corners(tools, state, record.before, contacts);
  const std::vector<Continuation> continued = continued_contacts(tools, state, contacts);
  if (!continued.empty())
    inherit(continued, state, inherited ? *inherited : inherited.emplace(cause));
  double drift = 0.0;
  if (!decide(tools, state, contacts, inherited ? *inherited : cause,
              had_impact || switched.formula, record, drift))
    return record;
  record.after = state.mode;
  record.y = state.y;
  std::vector<InstantEvent> transitions =
      transition_events(tools, state, record.before, cause, record.passes, drift);
  append(record.events, transitions);
  if (!had_impact) return record;
  state.accumulation.add(knock_of(tools, state, record.passes, approach_speed));
  record.accumulates = state.accumulation.completed();
  return record;
}

CompletionRecord close_accumulation(const NodeTools& tools, RunState& state,
                                    const Accumulation::Completion& completion) {
  const HybridTolerances& own = hybrid_tolerances;
  CompletionRecord record;
  record.t = state.t;
  record.before = state.mode;
  const Energies before = tools.mechanism.energies(state.t, tools.q(state.y), tools.v(state.y));
  const ContactSet contacts = united(completion.contacts, state.mode.contacts());
  std::vector<bool> is_stick;
  for (const ContactKey& c : contacts)
    is_stick.push_back(contains(completion.at_rest, c) ||
                       state.mode.status_of(c) == ContactStatus::stick);
  const Snapshot& s = tools.snapshot(state, contacts);
  const Eigen::VectorXd shift = position_correction(s), change = velocity_correction(s, is_stick);
  const bool only_drifted = is_drift(tools, state, contacts, s.gap());
  tools.mechanism.displace(state.t, tools.q(state.y), shift.data());
  const double lifted = tools.total_energy(state.t, state.y) - (before.kinetic + before.potential);
  for (int j = 0; j < tools.dynamics.speeds(); ++j) tools.v(state.y)[j] += change[j];
  // What was released before stays so: nothing but the accumulation happens here.
  const ContactSet released = state.released;
  if (!take_decision(tools, state, contacts, Cause{}, true, record)) return record;
  state.released = united(released, contacts);
  release_open(state);
  take_drift(tools, state, record);
  record.corrections.assign(
      1, tools.total_energy(state.t, state.y) - (before.kinetic + before.potential));
  const double rounding = own.energy_rounding * std::numeric_limits<double>::epsilon() *
                          (std::abs(before.kinetic) + std::abs(before.potential));
  const double taken = record.corrections[0] - (only_drifted ? lifted : 0.0);
  record.is_small = std::abs(taken) <= own.completion_energy * completion.energy + rounding;
  return record;
}

void reach_limit(const NodeTools& tools, RunState& state,
                 const Accumulation::Completion& completion, CompletionRecord& record) {
  const double drift = take_drift(tools, state, record);
  const Tolerances& tol = tools.model.tolerances;
  record.flags.push_back(completion.ratio < 1.0 ? "zeno-completed" : "chatter-completed");
  if (!(completion.ratio < 1.0))
    record.notes.push_back(fmt::format(
        "t = {:.9g} s: {} impacts below {:.3g} of their speeds did not fade; their contacts were "
        "closed",
        state.t, tol.chatter, tol.zeno_speed));
  InstantEvent& event = record.events.emplace_back();
  event.t = record.limit_time = state.t;
  event.kind = EventKind::zeno;
  event.contacts = completion.contacts;
  event.drift = drift;
  for (const ContactKey& c : united(record.before.contacts(), state.mode.contacts()))
    if (state.mode.status_of(c) != record.before.status_of(c))
      event.changes.push_back({c, record.before.status_of(c), state.mode.status_of(c)});
  record.after = state.mode;
  state.accumulation.collapse(completion);
}

}  // namespace clack
