// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "clack/index.hpp"
#include "clack/model/joints_reader.hpp"

// Angles and positions of joints: their names, what couples and drives them, springs and limits.

namespace clack {

using Eigen::Vector3d;

void JointsReader::name_angle_in_space(Joint& joint, const JointBodies& bodies,
                                       const Vector3d& first, const KeptOrientation& start) {
  const Eigen::Quaterniond relative(start.relative);
  double twist = 2.0 * std::atan2(relative.vec().dot(first), relative.w());
  if (twist > std::numbers::pi) twist -= 2.0 * std::numbers::pi;
  if (twist <= -std::numbers::pi) twist += 2.0 * std::numbers::pi;
  const std::string name = joint.name + ".angle";
  refuse_taken(name, joint);
  const Expression symbol = model_.graph->symbol(name);
  const MovingScalar angle = turned_about(bodies, start.relative * first, symbol);
  reading_.coordinates[name] = number_of(model_.coordinates);
  model_.coordinates.push_back({name, symbol, twist});
  model_.rates.push_back(angle.rate);
  name_angle(joint, angle);
}

void JointsReader::refuse_taken(const std::string& name, const Joint& joint) const {
  if (!reading_.formulas.knows(name)) return;
  yaml::Node at;
  at.place = joint.place;
  reading_.fail(at, fmt::format("joint {}: the name {} is taken", joint.name, name),
                "choose another name for the joint");
}

void JointsReader::name(const Joint& joint, const std::string& what, const MovingScalar& motion) {
  const std::string name = joint.name + "." + what;
  refuse_taken(name, joint);
  reading_.formulas.add_symbol(name, motion.value, allow_position);
  reading_.formulas.add_symbol(name + "_dot", motion.rate, allow_state);
}

void JointsReader::name_angle(const Joint& joint, const MovingScalar& motion) {
  motions_[joint.name].angle = motion;
  name(joint, "angle", motion);
}

void JointsReader::name_position(const Joint& joint, const MovingScalar& motion) {
  motions_[joint.name].position = motion;
  name(joint, "position", motion);
}

const MovingScalar& JointsReader::motion_named(const yaml::Node& node, const std::string& what,
                                               bool is_angle) {
  std::unordered_map<std::string, int> known;
  for (int i = 0; i < number_of(model_.joints); ++i) known[model_.joints[i].name] = i;
  const Joint& joint = model_.joints[reading_.index(node, what, "joint", known)];
  const JointMotion& motion = motions_[joint.name];
  const auto& wanted = is_angle ? motion.angle : motion.position;
  if (!wanted)
    reading_.fail(node,
                  fmt::format("{}: the {} {} has no {}", what, to_string(joint.kind), joint.name,
                              is_angle ? "angle" : "position"),
                  is_angle ? "name a pin or a cylinder" : "name a slider or a cylinder");
  return *wanted;
}

JointRows JointsReader::dependent_rows(const yaml::Node& node, Joint& joint) {
  if (joint.kind == JointKind::drive) return drive_rows(node);
  const std::string kind(to_string(joint.kind));
  const auto& names = reading_.list(*node.find(kind), thing_ + ": " + kind, 2);
  const yaml::Node* ratio = node.find("ratio");
  if (!ratio)
    reading_.fail(node, thing_ + " needs ratio",
                  "give ratio: what the second joint moves per unit of the first");
  const double per = reading_.formulas.number(*ratio, thing_ + ": ratio");
  if (per == 0.0) reading_.fail(*ratio, thing_ + ": ratio is 0", "give a number other than 0");
  const MovingScalar first = motion_named(names[0], thing_ + ": " + kind, true),
                     second = motion_named(names[1], thing_ + ": " + kind,
                                           joint.kind == JointKind::gear);
  if (names[0].text == names[1].text)
    reading_.fail(names[1], thing_ + " couples a joint to itself", "name two different joints");
  const MovingScalar row = second - per * first;
  return {{row.value - reading_.at_start(row.value), row.rate, row.bias, {}, {}}};
}

JointRows JointsReader::drive_rows(const yaml::Node& node) {
  const yaml::Node *angle = node.find("angle"), *position = node.find("position"),
                   *speed = node.find("speed");
  if ((angle != nullptr) + (position != nullptr) + (speed != nullptr) != 1)
    reading_.fail(node, thing_ + " needs one of angle, position and speed",
                  "give what it prescribes as a formula of t");
  const yaml::Node& name = *node.find("drive");
  reading_.text(name, thing_ + ": drive");
  const JointMotion& motion = motions_[name.text];
  const bool is_both = motion.angle && motion.position;
  if (speed && is_both)
    reading_.fail(*speed, fmt::format("{}: {} turns and slides", thing_, name.text),
                  "give angle or position");
  const bool is_angle = angle || (speed && !motion.position);
  const MovingScalar moved = motion_named(name, thing_ + ": drive", is_angle);
  const yaml::Node& given = angle ? *angle : position ? *position : *speed;
  const std::string key = angle ? "angle" : position ? "position" : "speed";
  const Expression wanted = reading_.formulas.formula(given, thing_ + ": " + key, allow_time);
  const Expression rate = rate_along_motion(reading_, wanted);
  if (speed) return {{{}, moved.rate - wanted, moved.bias - rate, {}, {}}};
  return {{moved.value - wanted,
           moved.rate - rate,
           moved.bias - rate_along_motion(reading_, rate),
           {},
           {}}};
}

void JointsReader::add_limits(const yaml::Node& node, const yaml::Node& limits, Joint& joint,
                              const MovingScalar& along) {
  const auto& ends = reading_.list(limits, thing_ + ": limits", 2);
  std::array<double, 2> at{};
  for (std::size_t k = 0; k < 2; ++k)
    at[k] = reading_.formulas.number(ends[k], fmt::format("{}: limits[{}]", thing_, k + 1));
  if (!(at[0] < at[1]))
    reading_.fail(limits, fmt::format("{}: limits are {} and {}", thing_, at[0], at[1]),
                  "the first must be less than the second");
  for (const bool is_upper : {false, true}) {
    Contact contact;
    contact.name = joint.name + (is_upper ? ".upper" : ".lower");
    contact.place = joint.place;
    GapFormulas gap;
    gap.gap = is_upper ? at[1] - along.value : along.value - at[0];
    gap.gap_bias = is_upper ? -along.bias : along.bias;
    contact.given = std::move(gap);
    if (const yaml::Node* value = node.find("restitution"))
      contact.coefficients.restitution =
          reading_.formulas.number_in(*value, thing_ + ": restitution", reading_.lowest_restitution,
                                      1, "use 0 for no rebound, 1 for a full one");
    reading_.joint_limits.push_back(std::move(contact));
  }
  joint.is_simple = false;
}

void JointsReader::add_spring(const yaml::Node& node, Joint& joint, const MovingScalar& along) {
  const yaml::Node *given = node.find("spring"), *damping = node.find("damping");
  if (!given && !damping) return;
  Spring spring;
  spring.place = joint.place;
  spring.is_torsion = true;  // nothing to draw between two points
  spring.along = along.value;
  spring.damping = read_stiffness(reading_, damping, thing_ + ": damping");
  const yaml::Node *stiffness = nullptr, *rest = nullptr;
  if (given) {
    reading_.check_keys(*given, thing_ + ": spring", {"stiffness", "rest"});
    stiffness = given->find("stiffness");
    rest = given->find("rest");
    if (!stiffness)
      reading_.fail(*given, thing_ + ": spring needs stiffness", "give stiffness: ...");
  }
  spring.stiffness = read_stiffness(reading_, stiffness, thing_ + ": spring: stiffness");
  spring.rest = rest ? reading_.formulas.formula(*rest, thing_ + ": spring: rest", allow_time)
                     : model_.graph->number(reading_.at_start(along.value));
  model_.springs.push_back(std::move(spring));
  joint.is_simple = false;
}

void JointsReader::add_friction(const yaml::Node& node, Joint& joint, const MovingScalar& along) {
  const yaml::Node* given = node.find("friction");
  if (!given) return;
  const double force = reading_.formulas.not_negative(*given, thing_ + ": friction");
  joint.is_simple = false;
  if (force == 0.0) return;
  Contact contact;
  contact.name = joint.name + ".friction";
  contact.place = joint.place;
  GapFormulas pressed = pressed_contact(reading_, *given, contact.name, force, {along.rate});
  pressed.slip_bias = {along.bias};
  pressed.slip_bias.resize(pressed.slip.size(), reading_.zero());
  contact.given = std::move(pressed);
  contact.coefficients.dynamic_friction = contact.coefficients.static_friction = 1.0;
  reading_.joint_frictions.push_back(std::move(contact));
}

}  // namespace clack
