// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/instant.hpp"

#include <algorithm>
#include <cmath>

#include "clack/hybrid/drift.hpp"

namespace clack {
namespace {

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

/// Counts visits at one instant; a stop when they lead nowhere.
std::optional<Stop> count_visit(const Model& model, RunState& state, const Cause& cause) {
  if (state.t != state.last_event_time || cause.is_start) {
    state.visits = 0;
    return std::nullopt;
  }
  if (++state.visits <= model.tolerances.instant_limit) return std::nullopt;
  return Stop{fmt::format("t = {:.17g} s: {} node visits at one instant lead nowhere", state.t,
                          state.visits),
              "the statuses repeat; try another decision, or report the model"};
}

/// Model events, zone borders and known times; true when a constraint was switched on.
bool switch_surroundings(const NodeTools& tools, RunState& state, const Cause& cause,
                         InstantRecord& record) {
  if (tools.surroundings.is_constant()) return false;
  SwitchResult result =
      tools.surroundings.switch_at(state.surroundings, state.mode, cause.fired, cause.is_time,
                                   state.t, tools.q(state.y), tools.v(state.y));
  for (const SwitchEvent& event : result.events) {
    InstantEvent& written = record.events.emplace_back();
    written.t = state.t;
    written.kind = event.kind;
    written.label = event.label;
  }
  state.surroundings = std::move(result.state);
  state.mode.constraints = std::move(result.constraints);
  state.is_over = state.is_over || result.is_stop;
  return result.is_constraint_on;
}

/// The impact node; false when it stopped the run.
bool take_impacts(const NodeTools& tools, RunState& state, const ContactSet& contacts,
                  bool may_jump, InstantRecord& record, double& approach_speed) {
  ImpactChain chain = visit_impact_node(tools, state, contacts, may_jump);
  state.y = std::move(chain.y);
  state.scales.speed = chain.speed_scale;
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
  DriftProjection drift = project_drift(tools, state);
  state.y = std::move(drift.y);
  record.corrections.push_back(drift.energy_change);
  if (drift.is_large) record.flags.push_back("drift-corrected");
  return drift.size;
}

/// Moves on by a time so short that a parabola is exact to rounding; not at all when another
/// contact would close meanwhile.
void advance_briefly(const NodeTools& tools, RunState& state, double duration) {
  const Eigen::VectorXd& a = tools.dynamics.forces().acceleration;
  const int n = tools.dynamics.speeds();
  std::vector<double> y = state.y;
  double* v = tools.v(y);
  Eigen::VectorXd move(n);
  for (int j = 0; j < n; ++j) move[j] = duration * (v[j] + 0.5 * duration * a[j]);
  tools.mechanism.displace(tools.q(y), move.data());
  for (int j = 0; j < n; ++j) v[j] += duration * a[j];
  ContactSet others;
  tools.mechanism.nearby(
      {state.t, state.t + duration, tools.q(state.y), tools.v(state.y), tools.q(y), tools.v(y)},
      others);
  std::erase_if(
      others, [&](ContactKey c) { return state.mode.is_closed(c) || contains(state.released, c); });
  GapMotions gaps;
  gap_motion_of(tools.mechanism, others, state.t, tools.q(state.y), tools.v(state.y), a.data(),
                gaps);
  for (const GapMotion& g : gaps.of)
    if (g.gap + duration * (g.rate + 0.5 * duration * g.acceleration) <= 0.0) return;
  for (const OutlineSource& source : tools.mechanism.outlines()) {
    const PairGap gap =
        outline_start_gap(tools.mechanism, source, state.t + duration, tools.q(y), tools.v(y));
    const double drift = 2.0 * tools.model.tolerances.drift * state.scales.length;
    if (!gap.gap || *gap.gap < -drift) return;
  }
  state.y = std::move(y);
  state.t += duration;
}

}  // namespace

ContactSet touching_contacts(const NodeTools& tools, const Instant& instant, const Cause& cause) {
  const Tolerances& tol = tools.model.tolerances;
  const double* v = tools.v(instant.y);
  const double* q = tools.q(instant.y);
  ContactSet near;
  tools.mechanism.nearby({instant.t, instant.t, q, v, q, v}, near);
  ContactSet possible = united(near, instant.mode.contacts());
  std::erase_if(possible, [&](const ContactKey& c) {
    return tools.mechanism.outlines_of_source(c.source) != nullptr;
  });
  GapMotions gaps;
  gap_motion_of(tools.mechanism, possible, instant.t, q, v, nullptr, gaps);
  const double window = tol.time * std::max(1.0, std::abs(instant.t));
  ContactSet set;
  for (std::size_t i = 0; i < possible.size(); ++i) {
    const GapMotion& g = gaps.of[i];
    const bool is_known =
        instant.mode.is_closed(possible[i]) || cause.has_fired(GuardKind::gap, possible[i]);
    const bool touches = cause.is_start
                             ? g.gap <= tol.gap * instant.scales.length
                             : is_known || g.gap <= std::max(-g.rate * window, tol.rearm_gap);
    if (touches) set.push_back(possible[i]);
  }
  return with_outline_contacts(tools, instant, cause.is_start, set).contacts;
}

void enter_mode(const NodeTools& tools, const Instant& instant) {
  const Tolerances& tol = tools.model.tolerances;
  tools.dynamics.enter(instant.mode,
                       tools.surroundings.materials(instant.surroundings, instant.mode.contacts()),
                       tol.slip * instant.scales.speed, tol.rank_cutoff);
  tools.dynamics.align_slip_reference(instant.t, instant.y.data());
}

InstantRecord resolve_instant(const NodeTools& tools, RunState& state, const Cause& cause) {
  InstantRecord record;
  record.t = state.t;
  record.before = state.mode;
  state.at_border.clear();
  for (const Guard& guard : cause.fired)
    if (guard.kind == GuardKind::border) state.at_border.push_back(guard.contact);
  record.stop = count_visit(tools.model, state, cause);
  if (record.stop) return record;
  const bool is_constraint_on = switch_surroundings(tools, state, cause, record);
  ContactSet contacts = touching_contacts(tools, state, cause);
  double approach_speed = 0.0;
  if (!take_impacts(tools, state, contacts, is_constraint_on || cause.is_start, record,
                    approach_speed))
    return record;
  const bool had_impact = !record.passes.empty();
  OutlineClosing after = with_outline_contacts(tools, state, cause.is_start, std::move(contacts));
  if (after.has_vertex_on_vertex) record.flags.push_back("vertex-vertex");
  contacts = std::move(after.contacts);
  if (!take_decision(tools, state, contacts, cause, had_impact, record)) return record;
  release_open(state);
  const double drift = take_drift(tools, state, record);
  record.after = state.mode;
  record.y = state.y;
  std::vector<InstantEvent> transitions =
      transition_events(tools, state, record.before, cause, record.passes, drift);
  append(record.events, transitions);
  if (!had_impact) return record;
  state.accumulation.add(state.t, impact_contacts(record.passes).contacts, approach_speed);
  if (const auto completion = state.accumulation.completed(state.scales.speed))
    record.completion = complete_accumulation(tools, state, *completion);
  return record;
}

CompletionRecord complete_accumulation(const NodeTools& tools, RunState& state,
                                       const Accumulation::Completion& completion) {
  CompletionRecord record;
  const Mode before = state.mode;
  const double energy_before = tools.total_energy(state.t, state.y);
  const ContactSet contacts = united(completion.contacts, state.mode.contacts());
  const Snapshot& s = tools.snapshot(state, contacts);
  const Eigen::VectorXd shift = position_correction(s),
                        change = velocity_correction(s, std::vector<bool>(contacts.size(), false));
  tools.mechanism.displace(tools.q(state.y), shift.data());
  for (int j = 0; j < tools.dynamics.speeds(); ++j) tools.v(state.y)[j] += change[j];
  record.t = state.t;
  // What was released before stays so: nothing but the accumulation happens here.
  const ContactSet released = state.released;
  if (!take_decision(tools, state, contacts, Cause{}, true, record)) return record;
  state.released = united(released, contacts);
  enter_mode(tools, state);
  tools.dynamics.evaluate(state.t, state.y.data());
  advance_briefly(tools, state, completion.time - state.t);
  const double drift = take_drift(tools, state, record);
  record.corrections.push_back(tools.total_energy(state.t, state.y) - energy_before);
  release_open(state);
  const Tolerances& tol = tools.model.tolerances;
  record.flags.push_back(completion.ratio < 1.0 ? "zeno-completed" : "chatter-completed");
  if (!(completion.ratio < 1.0))
    record.notes.push_back(fmt::format(
        "t = {:.9g} s: {} impacts below {:.3g} m/s did not fade; their contacts were closed",
        state.t, tol.chatter, tol.zeno_speed * state.scales.speed));
  InstantEvent& event = record.events.emplace_back();
  event.t = record.limit_time = state.t;
  event.kind = EventKind::zeno;
  event.contacts = completion.contacts;
  event.drift = drift;
  for (const ContactKey& c : united(before.contacts(), state.mode.contacts()))
    if (state.mode.status_of(c) != before.status_of(c))
      event.changes.push_back({c, before.status_of(c), state.mode.status_of(c)});
  record.after = state.mode;
  state.accumulation.collapse(completion);
  return record;
}

}  // namespace clack
