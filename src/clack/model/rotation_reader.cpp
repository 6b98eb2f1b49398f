// SPDX-License-Identifier: Apache-2.0
#include "clack/error.hpp"
#include "clack/model/section_readers.hpp"

// Turning bodies in space by formulas: a quaternion, or turns about axes one after the other.

namespace clack {
namespace {

using Quaternion = std::array<Expression, 4>;  // scalar first

Quaternion product(const Quaternion& a, const Quaternion& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

/// One turn [axis, angle]: (cos(angle/2), sin(angle/2) axis).
Quaternion read_turn(Reading& reading, const yaml::Node& node, const std::string& what,
                     unsigned allowed) {
  const auto& items = reading.list(node, what, 2);
  constexpr std::string_view axes = "xyz";
  const std::string& axis = items[0].text;
  if (axis.size() != 1 || axes.find(axis) == std::string_view::npos)
    reading.fail(items[0], fmt::format("{}: there is no axis {}", what, axis),
                 "name x, y or z, e.g. rotation: [[z, 2*t]]");
  const Expression half = 0.5 * reading.formulas.formula(items[1], what, allowed);
  Quaternion turn{cos(half), reading.zero(), reading.zero(), reading.zero()};
  turn[1 + axes.find(axis)] = sin(half);
  return turn;
}

}  // namespace

std::optional<std::array<Expression, 4>> read_turning(Reading& reading, const yaml::Node& pose,
                                                      const std::string& thing, unsigned allowed) {
  const yaml::Node *orientation = pose.find("orientation"), *rotation = pose.find("rotation");
  if (orientation && rotation)
    reading.fail(*rotation, thing + ": orientation and rotation say the same", "keep one of them");
  if (orientation) {
    Quaternion quaternion;
    const std::string what = thing + ": orientation";
    const auto& items = reading.list(*orientation, what, 4);
    for (std::size_t k = 0; k < 4; ++k)
      quaternion[k] = reading.formulas.formula(items[k], what, allowed);
    return quaternion;
  }
  if (!rotation) return std::nullopt;
  const std::string what = thing + ": rotation";
  const Expression one = reading.model.graph->number(1.0);
  Quaternion turned{one, reading.zero(), reading.zero(), reading.zero()};
  for (const yaml::Node& turn : reading.list(*rotation, what))
    turned = product(turned, read_turn(reading, turn, what, allowed));
  return turned;
}

}  // namespace clack
