// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/surroundings.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "clack/index.hpp"

namespace clack {
namespace {

ContactMaterial material_of(const Coefficients& c) {
  return {.dynamic_friction = c.dynamic_friction,
          .static_friction = c.static_friction,
          .restitution = c.restitution,
          .tangential_restitution = c.tangential_restitution,
          .reversibility = c.reversibility,
          .stiffness = c.stiffness};
}

/// Whether a formula is on its positive side.
bool is_positive(int formula, const std::vector<FormulaValue>& values,
                 const std::vector<int>& fired) {
  const FormulaValue& f = values[formula];
  const bool is_zero = std::ranges::binary_search(fired, formula) || f.value == 0.0;
  return is_zero ? f.rate > 0.0 : f.value > 0.0;
}

bool counts(const ModelEvent& event, bool is_rising) {
  switch (event.direction) {
    case CrossingDirection::rising:
      return is_rising;
    case CrossingDirection::falling:
      return !is_rising;
    case CrossingDirection::both:
      return true;
  }
  return true;
}

}  // namespace

Surroundings::Surroundings(const Model& model, Mechanism& mechanism)
    : model_(model), mechanism_(mechanism) {
  count_ = number_of(model.events);
  for (const Contact& contact : model.contacts) {
    zone_formula_.push_back(count_);
    count_ += number_of(contact.zones);
  }
  for (const Constraint& constraint : model.constraints)
    activity_formula_.push_back(constraint.active.is_valid() ? std::optional(count_++)
                                                             : std::nullopt);
  first_switch_ = count_;
  count_ += mechanism.switching().count();
  assert(count_ == mechanism.formulas());
}

std::optional<int> Surroundings::switch_of(int formula) const {
  return formula < first_switch_ ? std::nullopt : std::optional(formula - first_switch_);
}

void Surroundings::hold(const SurroundingsState& state) const {
  if (!state.signals.empty()) mechanism_.set_signals(state.signals);
  Switching& switching = mechanism_.switching();
  if (switching.count() == 0) return;
  std::vector<double> branches;
  for (int i = 0; i < switching.count(); ++i)
    branches.push_back(symbolic::branch_of(switching.kind(i), state.side[i]));
  switching.hold(branches, std::vector<bool>(branches.size(), true));
}

/// A switch inside of another moves its condition: as often as there are switches, the sides settle.
void Surroundings::choose_sides(SurroundingsState& state, std::span<const Guard> fired, double t,
                                const double* q, const double* v) const {
  const int count = mechanism_.switching().count();
  state.side.resize(count, 0.0);
  const double window = model_.tolerances.time * std::max(1.0, std::abs(t));
  const auto sign = [](double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0; };
  for (int pass = 0; pass < count; ++pass) {
    hold(state);
    const std::vector<double> before = state.side;
    const std::vector<FormulaValue> now = values(t, q, v, {});
    for (int i = 0; i < count; ++i) {
      const FormulaValue& f = now[first_switch_ + i];
      const auto guard = std::ranges::find_if(fired, [&](const Guard& g) {
        return g.kind == GuardKind::formula && g.formula == first_switch_ + i;
      });
      const bool is_fired = guard != fired.end();
      // One that has been decided by its rate stays so until its value is more than rounding.
      const bool is_clear =
          state.side[i] == 0.0 || !(std::abs(f.value) <= std::abs(f.rate) * window);
      if (!is_fired && f.value != 0.0)
        state.side[i] = is_clear ? sign(f.value) : state.side[i];
      else if (!std::isnan(f.rate) && (f.rate != 0.0 || !is_fired))
        state.side[i] = sign(f.rate);
      else if (is_fired)
        state.side[i] = -guard->sign;
    }
    if (state.side == before && pass > 0) break;
  }
  hold(state);
}

const ModelEvent* Surroundings::event_of(int formula) const {
  return formula < number_of(model_.events) ? &model_.events[formula] : nullptr;
}

std::vector<FormulaValue> Surroundings::values(double t, const double* q, const double* v,
                                               std::span<const double> forces) const {
  std::vector<FormulaValue> values(count_);
  mechanism_.formula_motion(t, q, v, forces, values.data());
  return values;
}

Indexed<int, SourceIndex> Surroundings::zones_of(const std::vector<FormulaValue>& values,
                                                 const std::vector<int>& fired) const {
  Indexed<int, SourceIndex> zones(model_.contacts.size(), -1);
  for (const SourceIndex source : indices(zones))
    for (int z = 0; z < number_of(model_.contacts[source].zones); ++z)
      if (zones[source] < 0 && is_positive(zone_formula(source, z), values, fired))
        zones[source] = z;
  return zones;
}

SurroundingsState Surroundings::start(double t, const double* q, const double* v) const {
  SurroundingsState state;
  state.switched_on = constraints_at_start();
  for (const Input& input : model_.inputs) state.signals.push_back(input.start);
  choose_sides(state, {}, t, q, v);
  state.zone = zones_of(values(t, q, v, {}), {});
  return state;
}

std::vector<bool> Surroundings::constraints_at_start() const {
  std::vector<bool> on;
  for (const Constraint& c : model_.constraints) on.push_back(c.is_active && c.known_from <= 0.0);
  return on;
}

void Surroundings::carry_out(const ModelEvent& event, SwitchResult& result) const {
  result.events.push_back({EventKind::time, event.name});
  for (const Action& action : event.actions) {
    switch (action.kind) {
      case ActionKind::stop:
        result.is_stop = true;
        break;
      case ActionKind::constraint_on:
        result.state.switched_on[action.constraint] = true;
        break;
      case ActionKind::constraint_off:
        result.state.switched_on[action.constraint] = false;
        break;
    }
  }
}

bool Surroundings::is_active(int constraint, const SurroundingsState& state,
                             const std::vector<FormulaValue>& values, double t) const {
  const auto formula = activity_formula(constraint);
  const bool is_known = t >= model_.constraints[constraint].known_from;
  if (!formula) return is_known && state.switched_on[constraint];
  return is_known && is_positive(*formula, values, state.fired);
}

/// Signals and switches from outside. Model events whose formulas the new signals take over zero happen now; those of forces
/// when the mode that follows has them.
void Surroundings::change_from_outside(const OutsideChange& outside, double t, const double* q,
                                       const double* v, SwitchResult& result) const {
  SurroundingsState& state = result.state;
  for (const std::string& name : outside.arrivals) result.events.push_back({EventKind::time, name});
  for (const OutsideChange::ConstraintSwitch& one : outside.switches)
    state.switched_on[one.constraint] = one.is_on;
  result.is_stop = result.is_stop || outside.is_stop;
  if (outside.signals.empty()) return;
  const std::vector<FormulaValue> before = values(t, q, v, {});
  for (const OutsideChange::NewSignal& change : outside.signals) {
    state.signals[change.input] = change.signal;
    state.signals[change.input].since = t;
    result.events.push_back({EventKind::time, "input " + model_.inputs[change.input].name});
  }
  mechanism_.set_signals(state.signals);
  result.is_signal_changed = true;
  const std::vector<FormulaValue> now = values(t, q, v, {});
  for (int f = 0; f < number_of(model_.events); ++f)
    if (before[f].value * now[f].value < 0.0 && !mechanism_.uses_forces(f) &&
        counts(model_.events[f], now[f].value > 0.0))
      carry_out(model_.events[f], result);
}

SwitchResult Surroundings::switch_at(const SurroundingsState& before, const Mode& mode,
                                     std::span<const Guard> fired, bool is_known_time, double t,
                                     const double* q, const double* v,
                                     std::span<const double> forces,
                                     const OutsideChange* outside) const {
  SwitchResult result{.state = before, .constraints = mode.constraints, .events = {}};
  SurroundingsState& state = result.state;
  state.fired.clear();
  if (outside) change_from_outside(*outside, t, q, v, result);
  for (const Guard& guard : fired) {
    if (guard.kind != GuardKind::formula) continue;
    state.fired.push_back(guard.formula);
    const ModelEvent* event = event_of(guard.formula);
    if (event && counts(*event, guard.sign < 0.0)) carry_out(*event, result);
  }
  std::ranges::sort(state.fired);
  choose_sides(state, fired, t, q, v);
  result.is_formula_switched = state.side != before.side;
  for (int i = 0; i < number_of(state.side); ++i)
    if (state.side[i] != before.side[i])
      result.events.push_back({EventKind::time, "switch " + mechanism_.switching().text(i)});
  const std::vector<FormulaValue> now = values(t, q, v, forces);
  for (int i = 0; i < number_of(model_.constraints); ++i) {
    const Constraint& c = model_.constraints[i];
    if (is_known_time && c.known_from == t) state.switched_on[i] = c.is_active;
    const bool is_on = is_active(i, state, now, t);
    if (is_on == result.constraints[i]) continue;
    result.constraints[i] = is_on;
    result.is_constraint_on = result.is_constraint_on || is_on;
    result.events.push_back({is_on ? EventKind::constraint_on : EventKind::constraint_off, c.name});
  }
  state.zone = zones_of(now, state.fired);
  for (const ClosedContact& c : mode.closed) {
    const SourceIndex source = c.contact.source;
    if (state.zone[source] != before.zone[source])
      result.events.push_back({EventKind::zone, contact_name(model_, c.contact)});
  }
  return result;
}

double Surroundings::next_known_time(double t) const {
  double next = model_.run.until;
  for (const Constraint& c : model_.constraints)
    if (c.known_from > t) next = std::min(next, c.known_from);
  for (const Foot& foot : model_.feet)
    if (const double known = model_.paths[foot.path].known_from; known > t)
      next = std::min(next, known);
  return next;
}

ContactMaterial Surroundings::material(const SurroundingsState& state, ContactKey contact) const {
  const Contact& source = source_of(model_, contact);
  const int held = state.zone[contact.source];  // by its formula
  for (int z = 0; z < number_of(source.zones); ++z) {
    const Zone& zone = source.zones[z];
    const auto names = [&](const NamedFeature& f) { return is_on(model_, contact, f); };
    if (z == held || std::ranges::any_of(zone.features, names))
      return material_of(zone.coefficients);
  }
  return material_of(source.coefficients);
}

std::vector<ContactMaterial> Surroundings::materials(const SurroundingsState& state,
                                                     std::span<const ContactKey> contacts) const {
  std::vector<ContactMaterial> materials;
  for (const ContactKey& c : contacts) materials.push_back(material(state, c));
  return materials;
}

}  // namespace clack
