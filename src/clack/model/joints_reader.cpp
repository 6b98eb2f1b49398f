// SPDX-License-Identifier: Apache-2.0
#include "clack/model/joints_reader.hpp"

#include <fmt/format.h>

#include <utility>

#include "clack/index.hpp"
#include "clack/input_file.hpp"

namespace clack {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

const std::vector<std::string> joint_kinds = {"pin",       "slider",   "weld",     "ball",
                                              "universal", "cylinder", "distance", "rolling",
                                              "gear",      "rack",     "drive"};

/// Keys beside KIND, `active` and `known_from`.
std::vector<std::string> own_keys(JointKind kind, int dimension) {
  switch (kind) {
    case JointKind::pin:
      if (dimension == 2) return {"limits", "restitution", "spring", "damping", "friction"};
      [[fallthrough]];
    case JointKind::slider:
      return {"axis", "limits", "restitution", "spring", "damping", "friction"};
    case JointKind::cylinder:
      return {"axis"};
    case JointKind::universal:
      return {"axes"};
    case JointKind::distance:
      return {"length"};
    case JointKind::rolling:
      if (dimension == 2) return {"radius", "inside"};
      return {"radius", "axis", "inside"};
    case JointKind::gear:
    case JointKind::rack:
      return {"ratio"};
    case JointKind::drive:
      return {"angle", "position", "speed"};
    case JointKind::weld:
    case JointKind::ball:
      return {};
  }
  return {};
}

}  // namespace

void JointsReader::read(const yaml::Node& joints) {
  for (const yaml::Entry& entry : joints.entries) declare(entry);
  // Gears, racks and drives speak of other joints: these come first.
  std::vector<Constraint> constraints(joints.entries.size());
  for (const bool depends : {false, true})
    for (std::size_t i = 0; i < joints.entries.size(); ++i) {
      if (is_dependent(model_.joints[i].kind) != depends) continue;
      make(joints.entries[i], model_.joints[i], constraints[i]);
    }
  reading_.joint_constraints = std::move(constraints);
}

bool JointsReader::is_dependent(JointKind kind) {
  return kind == JointKind::gear || kind == JointKind::rack || kind == JointKind::drive;
}

void JointsReader::declare(const yaml::Entry& entry) {
  yaml::Node at = entry.value;
  at.place = entry.place;
  reading_.formulas.check_word(entry.key, "joint", at);
  if (entry.value.kind != yaml::Kind::map)
    reading_.fail(at, "joint " + entry.key + ": a map is expected here",
                  "write {pin: [a.point, b.point]}");
  Joint joint;
  joint.name = entry.key;
  joint.place = entry.place;
  int found = 0;
  for (std::size_t k = 0; k < joint_kinds.size(); ++k)
    if (entry.value.find(joint_kinds[k])) {
      joint.kind = static_cast<JointKind>(k);
      ++found;
    }
  if (found != 1)
    reading_.fail(
        at, fmt::format("joint {} needs one kind of joint, has {}", entry.key, found),
        "give one of pin, slider, weld, ball, universal, cylinder, distance, rolling, gear, "
        "rack, drive");
  std::vector<std::string> keys = own_keys(joint.kind, model_.dimension);
  keys.insert(keys.end(), {std::string(to_string(joint.kind)), "active", "known_from"});
  reading_.check_keys(entry.value, "joint " + entry.key, keys);
  model_.joints.push_back(std::move(joint));
}

void JointsReader::make(const yaml::Entry& entry, Joint& joint, Constraint& constraint) {
  const yaml::Node& node = entry.value;
  thing_ = "joint " + joint.name;
  constraint.name = joint.name;
  constraint.place = joint.place;
  if (const yaml::Node* known = node.find("known_from"))
    constraint.known_from = reading_.formulas.not_negative(*known, thing_ + ": known_from");
  const JointRows rows =
      is_dependent(joint.kind) ? dependent_rows(node, joint) : own_rows(node, joint);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const bool is_configuration = rows[r].value.is_valid();
    constraint.rows.push_back(is_configuration ? rows[r].value : rows[r].rate);
    constraint.row_kinds.push_back(is_configuration ? ConstraintKind::configuration
                                                    : ConstraintKind::motion);
    constraint.rates.push_back(rows[r].rate);
    constraint.biases.push_back(rows[r].bias);
    joint.row_forces.push_back(model_.graph->symbol(fmt::format("{} row {}", joint.name, r + 1)));
  }
  add_columns(joint, rows);
  if (const yaml::Node* at = node.find("restitution"); at && !node.find("limits"))
    reading_.fail(*at, thing_ + ": restitution belongs to limits", "give limits: [low, high]");
  if (joint.kind != JointKind::pin && joint.kind != JointKind::slider) return;
  const JointMotion& motion = motions_[joint.name];
  const MovingScalar& along = motion.angle ? *motion.angle : *motion.position;
  if (const yaml::Node* limits = node.find("limits")) add_limits(node, *limits, joint, along);
  add_spring(node, joint, along);
  add_friction(node, joint, along);
}

void JointsReader::add_columns(Joint& joint, const JointRows& rows) {
  if (joint.kind == JointKind::drive) {
    joint.columns.push_back({joint.name + ".drive", joint.row_forces[0]});
    return;
  }
  if (is_dependent(joint.kind)) return;
  const auto sum = [&](const auto& of, int axis) {
    Expression total = reading_.zero();
    for (std::size_t r = 0; r < rows.size(); ++r)
      total = total + joint.row_forces[r] * of(rows[r])[axis];
    return total;
  };
  const auto force = [](const JointRow& row) { return row.force; };
  const auto moment = [](const JointRow& row) { return row.moment; };
  const int dimension = model_.dimension;
  for (int k = 0; k < dimension; ++k)
    joint.columns.push_back({joint.name + ".f" + "xyz"[k], sum(force, k)});
  const bool has_moment = joint.kind == JointKind::weld || joint.kind == JointKind::slider;
  for (int k = dimension == 2 ? 2 : 0; k < 3 && (dimension == 3 || has_moment); ++k)
    joint.columns.push_back({joint.name + ".m" + "xyz"[k], sum(moment, k)});
}

JointRows JointsReader::own_rows(const yaml::Node& node, Joint& joint) {
  const std::string kind(to_string(joint.kind));
  refuse_dimension(node, joint.kind);
  const JointBodies bodies = joint_bodies(reading_, *node.find(kind), thing_ + ": " + kind, joint);
  const KeptOrientation start = orientation_at_start(bodies);
  JointRows rows;
  switch (joint.kind) {
    case JointKind::pin:
      add_points_together(bodies, rows);
      add_pin_axis(node, joint, bodies, start, rows);
      break;
    case JointKind::slider: {
      const Vector3d axis = start.relative * read_axis(node);
      add_on_line(bodies, axis, rows);
      add_no_turning(bodies, start, rows);
      name_position(joint, position_along(bodies, axis));
      break;
    }
    case JointKind::weld:
      add_points_together(bodies, rows);
      add_no_turning(bodies, start, rows);
      break;
    case JointKind::ball:
      add_points_together(bodies, rows);
      break;
    case JointKind::universal:
      add_points_together(bodies, rows);
      add_axes(node, bodies, rows);
      break;
    case JointKind::cylinder: {
      const Vector3d first = read_axis(node), axis = start.relative * first;
      add_on_line(bodies, axis, rows);
      add_turning_about(bodies, first, axis, rows);
      name_position(joint, position_along(bodies, axis));
      name_angle_in_space(joint, bodies, first, start);
      break;
    }
    case JointKind::distance:
      add_length(node, bodies, rows);
      break;
    case JointKind::rolling:
      add_rolling_rows(node, joint, bodies, rows);
      break;
    case JointKind::gear:
    case JointKind::rack:
    case JointKind::drive:
      break;
  }
  return rows;
}

void JointsReader::refuse_dimension(const yaml::Node& node, JointKind kind) const {
  const bool is_spatial =
      kind == JointKind::ball || kind == JointKind::universal || kind == JointKind::cylinder;
  if (model_.dimension == 2 && is_spatial)
    reading_.fail(*node.find(std::string(to_string(kind))),
                  fmt::format("{}: a {} joint is for models in space", thing_, to_string(kind)),
                  "in the plane use pin or slider");
}

Vector3d JointsReader::read_direction(const yaml::Node& node, const std::string& what) {
  const Vector3d axis = reading_.vector(node, what);
  if (!(axis.norm() > 0.0)) reading_.fail(node, what + " is zero", "give a direction");
  return axis.normalized();
}

Vector3d JointsReader::read_axis(const yaml::Node& node) {
  const yaml::Node* axis = node.find("axis");
  if (!axis)
    reading_.fail(node, thing_ + " needs axis",
                  model_.dimension == 2 ? "give axis: [x, y] in the frame of the first body"
                                        : "give axis: [x, y, z] in the frame of the first body");
  return read_direction(*axis, thing_ + ": axis");
}

Matrix3d JointsReader::at_start(const SpatialMatrix& rotation) const {
  Matrix3d R;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) R(i, j) = reading_.at_start(rotation[i][j]);
  return R;
}

KeptOrientation JointsReader::orientation_at_start(const JointBodies& bodies) const {
  KeptOrientation kept;
  kept.relative = at_start(bodies.second.rotation).transpose() * at_start(bodies.first.rotation);
  if (model_.dimension == 2)
    kept.angle = reading_.at_start(bodies.first.angle - bodies.second.angle);
  return kept;
}

void JointsReader::add_pin_axis(const yaml::Node& node, Joint& joint, const JointBodies& bodies,
                                const KeptOrientation& start, JointRows& rows) {
  if (model_.dimension == 2) {
    name_angle(joint, turned_about(bodies, {}, bodies.first.angle - bodies.second.angle));
    return;
  }
  const Vector3d first = read_axis(node);
  add_turning_about(bodies, first, start.relative * first, rows);
  name_angle_in_space(joint, bodies, first, start);
}

void JointsReader::add_axes(const yaml::Node& node, const JointBodies& bodies, JointRows& rows) {
  const yaml::Node* axes = node.find("axes");
  if (!axes)
    reading_.fail(node, thing_ + " needs axes",
                  "give axes: [[x, y, z], [x, y, z]], the first in the first body's frame, the "
                  "second in the second's");
  const auto& both = reading_.list(*axes, thing_ + ": axes", 2);
  add_right_angle(bodies, read_direction(both[0], thing_ + ": axes[1]"),
                  read_direction(both[1], thing_ + ": axes[2]"), rows);
}

void JointsReader::add_length(const yaml::Node& node, const JointBodies& bodies, JointRows& rows) {
  const MovingVector d = bodies.distance();
  Vector3d start;
  for (int k = 0; k < 3; ++k) start[k] = reading_.at_start(d.value[k]);
  double length = start.norm();
  if (const yaml::Node* given = node.find("length"))
    length = reading_.formulas.positive(*given, thing_ + ": length");
  if (!(start.norm() > 0.0))
    reading_.fail(node, thing_ + ": its two points are at the same place",
                  model_.dimension == 2 ? "use a pin" : "use a ball joint");
  add_distance(bodies, length, rows);
}

void JointsReader::add_rolling_rows(const yaml::Node& node, Joint& joint, JointBodies bodies,
                                    JointRows& rows) {
  const auto& ends = node.find("rolling")->items;
  for (std::size_t k = 0; k < 2; ++k)
    if (!joint.ends[k].body.is_valid())
      reading_.fail(ends[k], thing_ + ": rolling: a place on the ground has no surface",
                    "name a body with a shape");
  const Body &wheel = model_.bodies[joint.ends[0].body], &under = model_.bodies[joint.ends[1].body];
  double radius = 0.0;
  if (const yaml::Node* given = node.find("radius"))
    radius = reading_.formulas.positive(*given, thing_ + ": radius");
  else if (const auto* ball = wheel.shape ? std::get_if<Ball>(&*wheel.shape) : nullptr)
    radius = ball->radius;
  else
    reading_.fail(ends[0], fmt::format("{}: body {} has no radius", thing_, wheel.name),
                  "give radius: ..., or a disk or sphere as its shape");
  Vector3d axis = Vector3d::Zero();
  if (const yaml::Node* given = node.find("axis")) axis = read_direction(*given, thing_ + ": axis");
  add_rolling(bodies, radius, axis, rolling_ground(node, under, bodies, radius, !axis.isZero(0.0)),
              rows);
}

RollingGround JointsReader::rolling_ground(const yaml::Node& node, const Body& under,
                                           JointBodies& bodies, double radius, bool is_thin) {
  RollingGround ground;
  const yaml::Node& at = node.find("rolling")->items[1];
  const yaml::Node* inside = node.find("inside");
  if (const auto* plane = under.shape ? std::get_if<HalfSpace>(&*under.shape) : nullptr) {
    if (inside)
      reading_.fail(*inside, thing_ + ": inside belongs to disks and spheres", "remove it");
    ground.normal = plane->normal;
    bodies.second_point = plane->offset * plane->normal;
    return ground;
  }
  const auto* ball = under.shape ? std::get_if<Ball>(&*under.shape) : nullptr;
  if (!ball)
    reading_.fail(at, fmt::format("{}: nothing rolls on the shape of {}", thing_, under.name),
                  "roll on a half-plane or half-space, a disk or a sphere");
  if (is_thin)
    reading_.fail(*node.find("axis"), thing_ + ": a thin disk rolls on planes only",
                  "remove axis for a sphere");
  ground.is_plane = false;
  ground.radius = ball->radius;
  ground.is_inside = inside && reading_.boolean(*inside, thing_ + ": inside");
  if (ground.is_inside && !(radius < ball->radius))
    reading_.fail(*inside,
                  fmt::format("{}: radius {} does not fit inside {}", thing_, radius, ball->radius),
                  "the outer radius must be the larger one");
  return ground;
}

std::string_view to_string(JointKind kind) { return joint_kinds[static_cast<std::size_t>(kind)]; }

void read_joints(Reading& reading, const yaml::Node& joints) {
  if (joints.kind != yaml::Kind::map)
    reading.fail(joints, "joints: a map of names and joints is expected here",
                 "write joints: {elbow: {pin: [upper.end, lower.start]}}");
  JointsReader(reading).read(joints);
}

}  // namespace clack
