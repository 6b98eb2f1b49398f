// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "clack/index.hpp"
#include "clack/input_file.hpp"
#include "clack/model/section_readers.hpp"

namespace clack {

void add_joint_constraints(Reading& reading) {
  Model& model = reading.model;
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    Joint& joint = model.joints[i];
    yaml::Node at;
    at.place = joint.place;
    if (reading.constraints.contains(joint.name))
      reading.fail(at, fmt::format("joint {}: a constraint has this name", joint.name),
                   "choose another name");
    joint.constraint = number_of(model.constraints);
    reading.constraints[joint.name] = joint.constraint;
    model.constraints.push_back(std::move(reading.joint_constraints[i]));
  }
}

void add_contacts_of_joints(Reading& reading, std::string_view what,
                            std::vector<Contact>& contacts) {
  for (Contact& contact : contacts) {
    yaml::Node at;
    at.place = contact.place;
    if (reading.contacts.contains(contact.name))
      reading.fail(at, fmt::format("joint {} {}: a contact has this name", what, contact.name),
                   "choose another name");
    reading.contacts[contact.name] = number_of(reading.model.contacts);
    reading.model.contacts.push_back(std::move(contact));
  }
}

void add_joint_limits(Reading& reading) {
  Model& model = reading.model;
  add_contacts_of_joints(reading, "limit", reading.joint_limits);
  for (int i = number_of(model.contacts) - number_of(reading.joint_limits);
       i < number_of(model.contacts); i += 2)  // the two ends are apart
    model.exclusive.push_back({{.source = SourceIndex(i)}, {.source = SourceIndex(i + 1)}});
}

void name_joint_forces(Reading& reading) {
  Model& model = reading.model;
  for (const Joint& joint : model.joints) {
    if (joint.columns.empty()) continue;
    for (int row = 0; row < number_of(joint.row_forces); ++row)
      model.watched_forces.push_back(
          {joint.row_forces[row], WatchedForceKind::constraint, joint.constraint, row});
    for (const JointColumn& column : joint.columns) {
      if (reading.formulas.knows(column.name)) {
        yaml::Node at;
        at.place = joint.place;
        reading.fail(at, fmt::format("joint {}: the name {} is taken", joint.name, column.name),
                     "choose another name for the joint");
      }
      reading.formulas.add_symbol(column.name, column.value, allow_switch);
    }
  }
}

void read_joint_activities(Reading& reading, const yaml::Node& joints) {
  for (std::size_t i = 0; i < joints.entries.size(); ++i) {
    const yaml::Node* active = joints.entries[i].value.find("active");
    if (!active) continue;
    const Joint& joint = reading.model.joints[i];
    Constraint& constraint = reading.model.constraints[joint.constraint];
    if (active->text == "true" || active->text == "false")
      constraint.is_active = active->text == "true";
    else
      constraint.active = reading.formulas.formula(
          *active, "joint " + printable(joint.name, 60) + ": active", allow_switch);
  }
}

void check_joint_switches(Reading& reading, const yaml::Node& joints) {
  const Model& model = reading.model;
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    const Joint& joint = model.joints[i];
    if (joint.is_simple) continue;
    const Constraint& constraint = model.constraints[joint.constraint];
    bool is_switched =
        constraint.active.is_valid() || !constraint.is_active || constraint.known_from > 0.0;
    for (const ModelEvent& event : model.events)
      for (const Action& action : event.actions)
        is_switched = is_switched || action.constraint == joint.constraint;
    if (!is_switched) continue;
    yaml::Node at = joints.entries[i].value;
    at.place = joint.place;
    reading.fail(
        at,
        fmt::format("joint {} is switched while its limits, spring, damping or friction would stay",
                    joint.name),
        "give it none of these, or write them as springs, dampers and contacts");
  }
}

}  // namespace clack
