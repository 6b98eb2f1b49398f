// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/surroundings.hpp"

#include <algorithm>
#include <cassert>

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
  return std::ranges::binary_search(fired, formula) ? f.rate > 0.0 : f.value > 0.0;
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
  count_ = static_cast<int>(model.events.size());
  for (const Contact& contact : model.contacts) {
    zone_formula_.push_back(count_);
    count_ += static_cast<int>(contact.zones.size());
  }
  for (const Constraint& constraint : model.constraints)
    activity_formula_.push_back(constraint.active.is_valid() ? std::optional(count_++)
                                                             : std::nullopt);
  assert(count_ == mechanism.formulas());
}

const ModelEvent* Surroundings::event_of(int formula) const {
  return formula < static_cast<int>(model_.events.size()) ? &model_.events[formula] : nullptr;
}

std::vector<FormulaValue> Surroundings::values(double t, const double* q, const double* v) const {
  std::vector<FormulaValue> values(count_);
  mechanism_.formula_motion(t, q, v, values.data());
  return values;
}

std::vector<int> Surroundings::zones_of(const std::vector<FormulaValue>& values,
                                        const std::vector<int>& fired) const {
  std::vector<int> zones(model_.contacts.size(), -1);
  for (int source = 0; source < static_cast<int>(zones.size()); ++source)
    for (int z = 0; z < static_cast<int>(model_.contacts[source].zones.size()); ++z)
      if (zones[source] < 0 && is_positive(zone_formula(source, z), values, fired))
        zones[source] = z;
  return zones;
}

SurroundingsState Surroundings::start(double t, const double* q, const double* v) const {
  return {{}, constraints_at_start(), zones_of(values(t, q, v), {})};
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
  if (!formula) return state.switched_on[constraint];
  return is_positive(*formula, values, state.fired) &&
         t >= model_.constraints[constraint].known_from;
}

SwitchResult Surroundings::switch_at(const SurroundingsState& before, const Mode& mode,
                                     std::span<const Guard> fired, bool is_known_time, double t,
                                     const double* q, const double* v) const {
  SwitchResult result{.state = before, .constraints = mode.constraints, .events = {}};
  SurroundingsState& state = result.state;
  state.fired.clear();
  for (const Guard& guard : fired) {
    if (guard.kind != GuardKind::formula) continue;
    state.fired.push_back(guard.formula);
    const ModelEvent* event = event_of(guard.formula);
    if (event && counts(*event, guard.sign < 0.0)) carry_out(*event, result);
  }
  std::ranges::sort(state.fired);
  const std::vector<FormulaValue> now = values(t, q, v);
  for (int i = 0; i < static_cast<int>(model_.constraints.size()); ++i) {
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
    const int source = c.contact.source;
    if (state.zone[source] != before.zone[source])
      result.events.push_back({EventKind::zone, contact_name(model_, c.contact)});
  }
  return result;
}

double Surroundings::next_known_time(double t) const {
  double next = model_.run.until;
  for (const Constraint& c : model_.constraints)
    if (c.known_from > t) next = std::min(next, c.known_from);
  return next;
}

ContactMaterial Surroundings::material(const SurroundingsState& state, ContactKey contact) const {
  const Contact& source = source_of(model_, contact);
  const int zone = state.zone[contact.source];
  return material_of(zone < 0 ? source.coefficients : source.zones[zone].coefficients);
}

std::vector<ContactMaterial> Surroundings::materials(const SurroundingsState& state,
                                                     std::span<const ContactKey> contacts) const {
  std::vector<ContactMaterial> materials;
  for (const ContactKey& c : contacts) materials.push_back(material(state, c));
  return materials;
}

}  // namespace clack
