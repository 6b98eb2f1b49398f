// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "clack/index.hpp"
#include "clack/input_file.hpp"
#include "clack/model/joint_of.hpp"
#include "clack/model/section_readers.hpp"

namespace clack {
namespace {

void read_rows(Reading& reading, Constraint& constraint, const yaml::Node& rows,
               const std::string& what) {
  const bool is_motion = constraint.kind == ConstraintKind::motion;
  const unsigned allowed = is_motion ? allow_state : allow_position;
  const auto read_row = [&](const yaml::Node& node) {
    const Expression row = reading.formulas.formula(node, what, allowed);
    if (symbolic::is_number(row))
      reading.fail(node, what + " is a constant",
                   "write a formula that vanishes on the constraint");
    if (is_motion) reading.check_linear(row, node, what);
    constraint.rows.push_back(row);
  };
  if (rows.kind == yaml::Kind::text) {
    read_row(rows);
    return;
  }
  for (const yaml::Node& row : reading.list(rows, what)) read_row(row);
  if (constraint.rows.empty()) reading.fail(rows, what + " is empty", "give at least one formula");
}

}  // namespace

std::string force_name(const Constraint& constraint, int row) {
  const std::string name = "force_" + constraint.name;
  return constraint.rows.size() == 1 ? name : fmt::format("{}_{}", name, row + 1);
}

void read_constraints(Reading& reading, const yaml::Node& constraints, EntryOrigin origin) {
  if (constraints.kind != yaml::Kind::map)
    reading.fail(constraints, "constraints: a map of names and constraints is expected here",
                 "write constraints: {loop: {configuration: x - r*cos(q)}}");
  for (const yaml::Entry& entry : constraints.entries) {
    const yaml::Node& node = entry.value;
    if (origin_of(node) != origin) continue;
    const std::string thing = "constraint " + printable(entry.key, 60);
    check_label(reading, entry.key, "constraint", node);
    reading.check_keys(
        node, thing,
        {"configuration", "motion", "rolling", "radius", "axis", "active", "known_from"});
    const yaml::Node* configuration = node.find("configuration");
    const yaml::Node* motion = node.find("motion");
    const yaml::Node* rolling = node.find("rolling");
    if ((configuration != nullptr) + (motion != nullptr) + (rolling != nullptr) != 1)
      reading.fail(node, thing + " needs one of configuration, motion and rolling",
                   "give configuration: a formula of coordinates, motion: a formula of speeds, or "
                   "rolling: [BODY, PLANE]");
    for (const char* key : {"radius", "axis"})
      if (const yaml::Node* value = node.find(key); value && !rolling)
        reading.fail(*value, thing + ": " + key + " belongs to rolling", "remove it");
    Constraint constraint;
    constraint.name = entry.key;
    constraint.place = entry.place;
    constraint.kind = motion ? ConstraintKind::motion : ConstraintKind::configuration;
    if (rolling)
      read_rolling(reading, constraint, node, thing);
    else
      read_rows(reading, constraint, motion ? *motion : *configuration,
                thing + (motion ? ": motion" : ": configuration"));
    if (const yaml::Node* known = node.find("known_from"))
      constraint.known_from = reading.formulas.not_negative(*known, thing + ": known_from");
    if (reading.constraints.contains(constraint.name))
      reading.fail(node, thing + ": a joint has this name", "choose another name");
    reading.constraints[constraint.name] = number_of(reading.model.constraints);
    reading.model.constraints.push_back(std::move(constraint));
  }
}

void name_forces(Reading& reading) {
  Model& model = reading.model;
  const auto add = [&](const std::string& name, WatchedForceKind kind, int index, int row) {
    if (reading.formulas.knows(name)) return;
    const Expression symbol = model.graph->symbol(name);
    reading.formulas.add_symbol(name, symbol, allow_forces);
    model.watched_forces.push_back({symbol, kind, index, row});
  };
  for (int i = 0; i < number_of(model.constraints); ++i) {
    const Constraint& constraint = model.constraints[i];
    const int joint = joint_of(model, i);
    if (joint >= 0 && !model.joints[joint].columns.empty()) continue;  // name_joint_forces
    const int rows = number_of(constraint.rows);
    for (int row = 0; row < rows; ++row)
      add(force_name(constraint, row), WatchedForceKind::constraint, i, row);
  }
  for (int i = 0; i < number_of(model.contacts); ++i) {
    const std::string& name = model.contacts[SourceIndex(i)].name;
    add("normal_" + name, WatchedForceKind::normal, i, 0);
    for (int a = 0; a < model.dimension - 1; ++a)
      add((model.dimension == 2 ? "tangent" : fmt::format("tangent{}", a + 1)) + "_" + name,
          WatchedForceKind::tangent, i, a);
  }
}

void read_activities(Reading& reading, const yaml::Node& constraints) {
  for (const yaml::Entry& entry : constraints.entries) {
    const yaml::Node* active = entry.value.find("active");
    if (!active) continue;
    Constraint& constraint = reading.model.constraints[reading.constraints.at(entry.key)];
    if (active->text == "true" || active->text == "false")
      constraint.is_active = active->text == "true";
    else
      constraint.active = reading.formulas.formula(
          *active, "constraint " + printable(constraint.name, 60) + ": active", allow_switch);
  }
}

void keep_watched_forces(Reading& reading) {
  Model& model = reading.model;
  std::erase_if(model.watched_forces, [&](const WatchedForce& force) {
    const auto names = [&](const Expression& formula) {
      return formula.is_valid() && depends_on(formula, force.symbol);
    };
    return std::ranges::none_of(model.events, names, &ModelEvent::when) &&
           std::ranges::none_of(model.constraints, names, &Constraint::active);
  });
}

namespace {

Action read_action(Reading& reading, const yaml::Node& node, const std::string& thing) {
  if (node.kind == yaml::Kind::text && node.text == "stop") return {ActionKind::stop, -1};
  if (node.kind != yaml::Kind::map)
    reading.fail(node, thing + ": do: unknown action",
                 "write record, stop, {constraint_on: NAME} or {constraint_off: NAME}");
  reading.check_keys(node, thing + ": do", {"constraint_on", "constraint_off"});
  if (node.entries.size() != 1)
    reading.fail(node, thing + ": do: one action per entry is expected",
                 "write [{constraint_on: a}, {constraint_off: b}]");
  const yaml::Entry& entry = node.entries[0];
  return {entry.key == "constraint_on" ? ActionKind::constraint_on : ActionKind::constraint_off,
          reading.index(entry.value, thing + ": " + entry.key, "constraint", reading.constraints)};
}

}  // namespace

void read_events(Reading& reading, const yaml::Node& events) {
  for (const yaml::Node& node : reading.list(events, "events")) {
    ModelEvent event;
    event.name = fmt::format("event{}", reading.model.events.size() + 1);
    if (const yaml::Node* name = node.find("name")) event.name = reading.text(*name, "event: name");
    const std::string thing = "event " + printable(event.name, 60);
    reading.check_keys(node, thing, {"name", "when", "direction", "do"});
    check_label(reading, event.name, "event", node);
    for (const ModelEvent& other : reading.model.events)
      if (other.name == event.name)
        reading.fail(node, thing + ": this name is taken", "choose another name");
    const yaml::Node* when = node.find("when");
    const yaml::Node* actions = node.find("do");
    if (!when || !actions)
      reading.fail(node, thing + " needs when and do", "write {when: t - 2, do: stop}");
    event.place = node.place;
    event.when = reading.formulas.formula(*when, thing + ": when", allow_switch);
    if (symbolic::is_number(event.when))
      reading.fail(*when, thing + ": when is a constant and never crosses zero",
                   "use t, coordinates or speeds");
    if (const yaml::Node* direction = node.find("direction")) {
      const std::string& value =
          reading.choice(*direction, thing + ": direction", {"rising", "falling", "both"});
      event.direction = value == "rising"    ? CrossingDirection::rising
                        : value == "falling" ? CrossingDirection::falling
                                             : CrossingDirection::both;
    }
    if (actions->kind == yaml::Kind::text && actions->text == "record") {
      reading.model.events.push_back(std::move(event));  // an event and its rows, nothing else
      continue;
    }
    if (actions->kind == yaml::Kind::list)
      for (const yaml::Node& action : actions->items)
        event.actions.push_back(read_action(reading, action, thing));
    else
      event.actions.push_back(read_action(reading, *actions, thing));
    if (event.actions.empty())
      reading.fail(*actions, thing + ": do is empty", "name at least one action");
    reading.model.events.push_back(std::move(event));
  }
}

}  // namespace clack
