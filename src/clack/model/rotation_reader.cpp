// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "clack/error.hpp"
#include "clack/model/section_readers.hpp"

// Turning bodies and frames in space by formulas: a quaternion, or turns about axes one after the other.

namespace clack {
namespace {

/// One turn [axis, angle].
Turn read_turn(Reading& reading, const yaml::Node& node, const std::string& what,
               unsigned allowed) {
  const auto& items = reading.list(node, what, 2);
  constexpr std::string_view axes = "xyz";
  const std::string& axis = items[0].text;
  if (axis.size() != 1 || axes.find(axis) == std::string_view::npos)
    reading.fail(items[0], fmt::format("{}: there is no axis {}", what, axis),
                 "name x, y or z, e.g. rotation: [[z, 2*t]]");
  return {static_cast<int>(axes.find(axis)), reading.formulas.formula(items[1], what, allowed)};
}

}  // namespace

std::vector<RotationStep> read_rotation(Reading& reading, const yaml::Node& pose,
                                        const std::string& thing, unsigned allowed) {
  const yaml::Node *orientation = pose.find("orientation"), *rotation = pose.find("rotation");
  if (orientation && rotation)
    reading.fail(*rotation, thing + ": orientation and rotation say the same", "keep one of them");
  std::vector<RotationStep> steps;
  if (orientation) {
    QuaternionFormulas quaternion;
    const std::string what = thing + ": orientation";
    const auto& items = reading.list(*orientation, what, 4);
    for (std::size_t k = 0; k < 4; ++k)
      quaternion[k] = reading.formulas.formula(items[k], what, allowed);
    steps.emplace_back(quaternion);
  }
  const std::string what = thing + ": rotation";
  if (rotation)
    for (const yaml::Node& turn : reading.list(*rotation, what))
      steps.emplace_back(read_turn(reading, turn, what, allowed));
  return steps;
}

void note_quaternions(Reading& reading, const std::vector<RotationStep>& steps) {
  Model& model = reading.model;
  for (const RotationStep& step : steps) {
    const auto* quaternion = std::get_if<QuaternionFormulas>(&step);
    if (!quaternion) continue;
    std::array<int, 4> group{};
    bool are_coordinates = true;
    for (std::size_t k = 0; k < 4; ++k) {
      const Expression e = (*quaternion)[k];
      const auto found = symbolic::is_symbol(e) ? reading.coordinates.find(symbolic::symbol_name(e))
                                                : reading.coordinates.end();
      are_coordinates = are_coordinates && found != reading.coordinates.end();
      if (are_coordinates) group[k] = found->second;
    }
    const bool is_new = std::ranges::find(model.quaternions, group) == model.quaternions.end();
    if (are_coordinates && is_new) model.quaternions.push_back(group);
  }
}

}  // namespace clack
