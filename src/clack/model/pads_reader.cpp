// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "clack/index.hpp"
#include "clack/model/section_readers.hpp"

// Contacts without a gap, pressed by a constant force: dry friction of joints, brakes. See Pad in model.hpp.

namespace clack {
namespace {

/// A coordinate that starts and stays at 0, with its speed; returns the symbol.
Expression add_still_coordinate(Reading& reading, const std::string& name, const yaml::Node& node,
                                int& coordinate, int& speed) {
  Model& model = reading.model;
  const std::string rate = name + "_dot";
  for (const std::string& taken : {name, rate})
    if (reading.formulas.knows(taken) || reading.coordinates.contains(taken) ||
        reading.speeds.contains(taken))
      reading.fail(node, fmt::format("coordinate {}: this name is taken", taken),
                   "choose another name");
  const Expression symbol = model.graph->symbol(name), symbol_dot = model.graph->symbol(rate);
  reading.coordinates[name] = coordinate = number_of(model.coordinates);
  reading.speeds[rate] = speed = number_of(model.speeds);
  model.coordinates.push_back({name, symbol, 0.0});
  model.speeds.push_back({rate, symbol_dot, 0.0});
  model.rates.push_back(symbol_dot);
  return symbol;
}

}  // namespace

GapFormulas pressed_contact(Reading& reading, const yaml::Node& node, const std::string& name,
                            double force, std::vector<Expression> slip) {
  Model& model = reading.model;
  Pad pad{.force = force};
  GapFormulas contact;
  contact.gap =
      add_still_coordinate(reading, name + ".pad", node, pad.coordinates[0], pad.speeds[0]);
  if (model.dimension == 3 && slip.size() == 1) {
    add_still_coordinate(reading, name + ".across", node, pad.coordinates[1], pad.speeds[1]);
    slip.push_back(model.speeds.back().symbol);
  }
  contact.slip = std::move(slip);
  contact.pad = pad;
  return contact;
}

GapFormulas read_pressed_contact(Reading& reading, const yaml::Node& node, const std::string& name,
                                 const std::string& thing) {
  if (origin_of(node) == EntryOrigin::outside)
    reading.fail(node, thing + " is pressed and would be new while the run goes on",
                 "let it be there from the start");
  const yaml::Node& pressed = *node.find("pressed");
  const double force = reading.formulas.positive(pressed, thing + ": pressed");
  const yaml::Node* slip = node.find("slip");
  if (!slip)
    reading.fail(node, thing + " is pressed but has no slip",
                 "give slip: the velocity that friction acts against, linear in the speeds");
  const bool is_list = slip->kind == yaml::Kind::list;
  std::vector<Expression> formulas;
  const std::vector<yaml::Node> one{*slip};
  for (const yaml::Node& item :
       is_list ? reading.list(*slip, thing + ": slip", reading.model.dimension - 1) : one) {
    formulas.push_back(reading.formulas.formula(item, thing + ": slip", allow_state));
    reading.check_linear(formulas.back(), item, thing + ": slip");
  }
  return pressed_contact(reading, node, name, force, std::move(formulas));
}

void add_joint_frictions(Reading& reading) {
  add_contacts_of_joints(reading, "friction", reading.joint_frictions);
}

}  // namespace clack
