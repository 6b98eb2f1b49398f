// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>

#include "clack/error.hpp"
#include "clack/index.hpp"
#include "clack/model/section_readers.hpp"
#include "clack/model/tolerances.hpp"

namespace clack {
namespace {

const std::vector<std::string> body_keys = {
    "mass",   "inertia", "position", "angle", "orientation", "velocity", "spin", "points", "shape",
    "shapes", "fixed",   "motion",   "free",  "coordinates", "rotation", "in",   "density"};

BodyKind kind_of(Reading& reading, const yaml::Node& node, const std::string& thing,
                 bool has_coordinates) {
  const auto flag = [&](const char* key) {
    const yaml::Node* value = node.find(key);
    return value && reading.boolean(*value, thing + ": " + key);
  };
  const bool is_fixed = flag("fixed"), is_free = flag("free"), is_moving = node.find("motion");
  if (is_fixed + is_free + is_moving > 1)
    reading.fail(node, thing + ": fixed, free and motion exclude each other", "keep one of them");
  if (is_fixed) return BodyKind::fixed;
  if (is_moving) return BodyKind::moving;
  return has_coordinates && !is_free ? BodyKind::placed : BodyKind::free;
}

/// Keys that would be ignored are mistakes.
void refuse_meaningless_keys(Reading& reading, const Body& body, const yaml::Node& node,
                             const std::string& thing) {
  std::vector<std::string> meaningless;
  std::string reason;
  const bool is_planar = reading.model.dimension == 2;
  switch (body.kind) {
    case BodyKind::free:
      break;
    case BodyKind::placed:
      meaningless = {"velocity", "spin", "coordinates"};
      reason = "the model's coordinates move it";
      break;
    case BodyKind::fixed:
      meaningless = {"mass", "density", "inertia", "velocity", "spin", "coordinates"};
      reason = "it is fixed";
      break;
    case BodyKind::moving:
      meaningless = {"mass",        "density",  "inertia", "velocity", "spin",
                     "coordinates", "position", "angle",   "rotation"};
      reason = "its motion is prescribed";
      break;
  }
  for (const std::string& key : meaningless)
    if (const yaml::Node* value = node.find(key))
      reading.fail(*value, fmt::format("{}: {} has no meaning because {}", thing, key, reason),
                   "remove it");
  if (const yaml::Node* value = node.find("in"); value && body.kind == BodyKind::free)
    reading.fail(*value, thing + ": a free body moves in the world", "remove in");
  if (const yaml::Node* value = node.find("rotation"); value && is_planar)
    reading.fail(*value, thing + ": rotation has no meaning in dimension 2",
                 "give angle: one number");
  const char* other = is_planar ? "orientation" : "angle";
  if (const yaml::Node* value = node.find(other))
    reading.fail(
        *value,
        fmt::format("{}: {} has no meaning in dimension {}", thing, other, reading.model.dimension),
        is_planar ? "give angle: one number" : "give orientation: [qw, qx, qy, qz]");
  if (const yaml::Node* value = node.find("coordinates"); value && !is_planar)
    reading.fail(*value, thing + ": only planar bodies rename their coordinates", "remove it");
}

void read_inertia(Reading& reading, Body& body, const yaml::Node& node, const std::string& what) {
  auto& formulas = reading.formulas;
  if (reading.model.dimension == 2) {
    body.inertia(2, 2) = formulas.not_negative(node, what);
    return;
  }
  if (node.kind == yaml::Kind::text) {
    body.inertia = formulas.not_negative(node, what) * Eigen::Matrix3d::Identity();
    return;
  }
  const auto& items = reading.list(node, what);
  if (items.size() != 3 && items.size() != 6)
    reading.fail(node, fmt::format("{} has {} entries, must have 1, 3 or 6", what, items.size()),
                 "give one number, [xx, yy, zz] or [xx, yy, zz, xy, xz, yz]");
  std::array<double, 6> values{};
  for (std::size_t k = 0; k < items.size(); ++k)
    values[k] = formulas.number(items[k], fmt::format("{}[{}]", what, k + 1));
  const auto [xx, yy, zz, xy, xz, yz] = values;
  body.inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  const Eigen::Vector3d principal =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(body.inertia).eigenvalues();
  const double largest = principal(2), rounding = reader_tolerances.inertia * std::abs(largest);
  if (principal(0) < 0.0 || principal(0) + principal(1) < largest - rounding)
    reading.fail(node,
                 fmt::format("{} has principal values {}, {}, {}: no mass distribution has these",
                             what, principal(0), principal(1), principal(2)),
                 "none may be negative, none greater than the sum of the other two");
}

void read_mass(Reading& reading, Body& body, const yaml::Node& node, const std::string& thing) {
  if (takes_mass_from_shape(node)) return read_mass_from_shape(reading, body, node, thing);
  const yaml::Node* mass = node.find("mass");
  const yaml::Node* inertia = node.find("inertia");
  const bool is_free = body.kind == BodyKind::free;
  if (is_free && !mass)
    reading.fail(node, thing + ": a free body needs a mass", "give mass: ... or write fixed: true");
  if (is_free && !inertia)
    reading.fail(node, thing + ": a free body needs an inertia",
                 "give inertia: ... in kg m2 about the mass centre");
  if (inertia && !mass) reading.fail(*inertia, thing + ": inertia without mass", "give mass: ...");
  if (mass && is_free && reading.has_rows)  // joints may carry a body without mass
    body.mass = reading.formulas.not_negative(*mass, thing + ": mass");
  else if (mass)
    body.mass = reading.formulas.positive(*mass, thing + ": mass");
  if (inertia) read_inertia(reading, body, *inertia, thing + ": inertia");
  const double smallest =
      reading.model.dimension == 2
          ? body.inertia(2, 2)
          : Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(body.inertia).eigenvalues()(0);
  if (is_free && body.mass == 0.0 && !body.inertia.isZero(0.0))
    reading.fail(*inertia, thing + " has inertia and no mass", "give mass: ..., or inertia: 0");
  if (is_free && body.mass > 0.0 && !(smallest > 0.0))
    reading.fail(*inertia, fmt::format("{}: inertia is {}, must be positive", thing, smallest),
                 "a free body turns: give its inertia about the mass centre in kg m2");
}

void add_coordinate(Reading& reading, const std::string& name, const yaml::Node& at, double start) {
  Model& model = reading.model;
  reading.formulas.check_name(name, "coordinate", at, true);
  const Expression symbol = model.graph->symbol(name);
  reading.coordinates[name] = number_of(model.coordinates);
  model.coordinates.push_back({name, symbol, start});
  reading.formulas.add_symbol(name, symbol, allow_coordinates);
}

void add_speed(Reading& reading, const std::string& name, const yaml::Node& at, double start) {
  Model& model = reading.model;
  reading.formulas.check_name(name, "speed", at, true);
  const Expression symbol = model.graph->symbol(name);
  reading.speeds[name] = number_of(model.speeds);
  model.speeds.push_back({name, symbol, start});
  reading.formulas.add_symbol(name, symbol, allow_speeds);
}

void read_free_planar(Reading& reading, Body& body, const yaml::Node& node,
                      const std::string& thing) {
  Model& model = reading.model;
  std::vector<std::string> names = {body.name + ".x", body.name + ".y", body.name + ".angle"};
  if (const yaml::Node* renamed = node.find("coordinates")) {
    const auto& items = reading.list(*renamed, thing + ": coordinates", 3);
    for (std::size_t k = 0; k < 3; ++k) names[k] = reading.text(items[k], thing + ": coordinates");
  }
  const auto vector_or_zero = [&](const char* key) -> Eigen::Vector3d {
    const yaml::Node* value = node.find(key);
    return value ? reading.vector(*value, thing + ": " + key) : Eigen::Vector3d::Zero();
  };
  const auto number_or_zero = [&](const char* key) {
    const yaml::Node* value = node.find(key);
    return value ? reading.formulas.number(*value, thing + ": " + key) : 0.0;
  };
  const Eigen::Vector3d position = vector_or_zero("position"),
                        velocity = vector_or_zero("velocity");
  const std::array<double, 3> start{position(0), position(1), number_or_zero("angle")};
  const std::array<double, 3> rate{velocity(0), velocity(1), number_or_zero("spin")};
  for (std::size_t k = 0; k < 3; ++k) {
    add_coordinate(reading, names[k], node, start[k]);
    add_speed(reading, names[k] + "_dot", node, rate[k]);
  }
  const std::size_t first = body.first_coordinate;
  body.position = {model.coordinates[first].symbol, model.coordinates[first + 1].symbol,
                   reading.zero()};
  body.angle = model.coordinates[first + 2].symbol;
}

Eigen::Vector4d read_orientation(Reading& reading, const yaml::Node& node,
                                 const std::string& what) {
  Eigen::Vector4d quaternion;
  const auto& items = reading.list(node, what);
  if (items.size() != 4)
    reading.fail(node, fmt::format("{} has {} entries, must have 4", what, items.size()),
                 "give a quaternion [qw, qx, qy, qz], scalar first");
  for (Eigen::Index k = 0; k < 4; ++k) quaternion(k) = reading.formulas.number(items[k], what);
  if (!(quaternion.norm() > 0.0))
    reading.fail(node, what + " is zero", "give a quaternion [qw, qx, qy, qz], e.g. [1, 0, 0, 0]");
  return quaternion.normalized();
}

void read_free_spatial(Reading& reading, Body& body, const yaml::Node& node,
                       const std::string& thing) {
  Model& model = reading.model;
  const auto vector_or_zero = [&](const char* key) -> Eigen::Vector3d {
    const yaml::Node* value = node.find(key);
    return value ? reading.vector(*value, thing + ": " + key) : Eigen::Vector3d::Zero();
  };
  const Eigen::Vector3d position = vector_or_zero("position"),
                        velocity = vector_or_zero("velocity"), spin = vector_or_zero("spin");
  const std::array<double, 7> start{position(0),         position(1),         position(2),
                                    body.orientation(0), body.orientation(1), body.orientation(2),
                                    body.orientation(3)};
  const std::array<double, 6> rate{velocity(0), velocity(1), velocity(2),
                                   spin(0),     spin(1),     spin(2)};
  const std::array<const char*, 7> names{".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"};
  const std::array<const char*, 6> speeds{".vx", ".vy", ".vz", ".wx", ".wy", ".wz"};
  for (std::size_t k = 0; k < 7; ++k) add_coordinate(reading, body.name + names[k], node, start[k]);
  for (std::size_t k = 0; k < 6; ++k) add_speed(reading, body.name + speeds[k], node, rate[k]);
  const std::size_t first = body.first_coordinate;
  for (std::size_t k = 0; k < 3; ++k) body.position[k] = model.coordinates[first + k].symbol;
}

/// Poses of bodies without coordinates of their own.
void read_pose(Reading& reading, Body& body, const yaml::Node& pose, const std::string& thing,
               unsigned allowed) {
  if (const yaml::Node* position = pose.find("position"))
    body.position = reading.vector_formula(*position, thing + ": position", allowed);
  if (const yaml::Node* angle = pose.find("angle"))
    body.angle = reading.formulas.formula(*angle, thing + ": angle", allowed);
  const bool is_by_numbers = body.kind == BodyKind::fixed && !pose.find("in");
  if (reading.model.dimension == 3 && !is_by_numbers)
    body.rotation = read_rotation(reading, pose, thing, allowed);
}

/// The orientation at the start, by numbers.
void read_resting_orientation(Reading& reading, Body& body, const yaml::Node& node,
                              const std::string& thing) {
  if (const yaml::Node* orientation = node.find("orientation"))
    body.orientation = read_orientation(reading, *orientation, thing + ": orientation");
  if (!node.find("rotation")) return;
  const std::vector<RotationStep> steps = read_rotation(reading, node, thing, allow_constants);
  const SpatialMatrix formulas = rotation_matrix(*reading.model.graph, steps);
  Eigen::Matrix3d R;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) R(i, j) = reading.at_start(formulas[i][j]);
  const Eigen::Quaterniond q(R);
  body.orientation = {q.w(), q.x(), q.y(), q.z()};
}

/// `in: FRAME`: what is fixed or moves in a frame moves as that does.
void stand_in_frame(Reading& reading, Body& body, const yaml::Node& node,
                    const std::string& thing) {
  note_quaternions(reading, body.rotation);
  const yaml::Node* in = node.find("in");
  if (!in) return;
  const FramePose pose = in_frame(reading, frame_named(reading, *in, thing + ": in"),
                                  {body.position, body.angle, body.rotation});
  body.position = pose.position;
  body.angle = pose.angle;
  body.rotation = pose.rotation;
  note_quaternions(reading, body.rotation);
  if (body.kind != BodyKind::placed) body.kind = BodyKind::placed;
}

void read_points(Reading& reading, Body& body, const yaml::Node& points, const std::string& thing) {
  if (points.kind != yaml::Kind::map)
    reading.fail(points, thing + ": points is a map of names and positions",
                 "write points: {tip: [1, 0]}");
  for (const yaml::Entry& entry : points.entries) {
    check_label(reading, entry.key, thing + ": point", entry.value);
    for (const BodyPoint& other : body.points)
      if (other.name == entry.key)
        reading.fail(entry.value,
                     fmt::format("{}: the box has a point {} already", thing, entry.key),
                     "choose another name");
    body.points.push_back({entry.key, reading.vector(entry.value, thing + ": point " + entry.key)});
  }
}

/// `motion`: a pose as formulas of t.
void read_motion(Reading& reading, Body& body, const yaml::Node& node, const std::string& thing) {
  const int dimension = reading.model.dimension;
  const yaml::Node& motion = *node.find("motion");
  reading.check_keys(motion, thing + ": motion",
                     dimension == 2
                         ? std::vector<std::string>{"position", "angle"}
                         : std::vector<std::string>{"position", "orientation", "rotation"});
  read_pose(reading, body, motion, thing + ": motion", allow_time);
  if (const yaml::Node* value = node.find("orientation"); value && !body.rotation.empty())
    reading.fail(*value, thing + ": orientation has no meaning because its motion turns it",
                 "remove it");
  if (body.rotation.empty() && dimension == 3)
    body.rotation = read_rotation(reading, node, thing, allow_constants);
}

void read_body(Reading& reading, const std::string& name, const yaml::Node& node,
               bool has_coordinates) {
  Model& model = reading.model;
  const std::string thing = "body " + name;
  reading.check_keys(node, thing, body_keys);
  Body body;
  body.name = name;
  body.place = node.place;
  body.kind = kind_of(reading, node, thing, has_coordinates);
  body.position = {reading.zero(), reading.zero(), reading.zero()};
  body.angle = reading.zero();
  refuse_meaningless_keys(reading, body, node, thing);
  const bool is_turned_by_number =
      body.kind == BodyKind::free || (body.kind == BodyKind::fixed && !node.find("in"));
  if (model.dimension == 3 && is_turned_by_number)
    read_resting_orientation(reading, body, node, thing);
  const yaml::Node *shape = node.find("shape"), *shapes = node.find("shapes");
  if (shape && shapes) reading.fail(*shapes, thing + ": shape and shapes", "keep one of them");
  if (shape) read_shape(reading, body, *shape);
  if (shapes) read_shapes(reading, body, *shapes);
  read_mass(reading, body, node, thing);
  if (const yaml::Node* points = node.find("points")) read_points(reading, body, *points, thing);
  if (takes_mass_from_shape(node)) move_to_mass_centre(body);
  switch (body.kind) {
    case BodyKind::free:
      body.first_coordinate = number_of(model.coordinates);
      body.first_speed = number_of(model.speeds);
      if (model.dimension == 2)
        read_free_planar(reading, body, node, thing);
      else
        read_free_spatial(reading, body, node, thing);
      break;
    case BodyKind::placed:
      read_pose(reading, body, node, thing, allow_position);
      stand_in_frame(reading, body, node, thing);
      break;
    case BodyKind::fixed:
      read_pose(reading, body, node, thing, allow_constants);
      stand_in_frame(reading, body, node, thing);
      break;
    case BodyKind::moving:
      read_motion(reading, body, node, thing);
      stand_in_frame(reading, body, node, thing);
      break;
  }
  reading.bodies[name] = number_of(model.bodies);
  model.bodies.push_back(std::move(body));
}

}  // namespace

void read_bodies(Reading& reading, const yaml::Node& bodies, bool has_coordinates) {
  if (bodies.kind != yaml::Kind::map)
    reading.fail(bodies, "bodies: a map of names and bodies is expected here",
                 "write bodies: {rod: {mass: 1, inertia: 0.1}}");
  for (const yaml::Entry& entry : bodies.entries) {
    yaml::Node at = entry.value;
    at.place = entry.place;
    reading.formulas.check_word(entry.key, "body", at);
    read_body(reading, entry.key, entry.value, has_coordinates);
  }
}

void finish_orientations(Reading& reading) {
  Model& model = reading.model;
  if (model.dimension == 2) return;
  for (const std::array<int, 4>& group : model.quaternions) {
    Eigen::Vector4d quaternion;
    for (std::size_t k = 0; k < 4; ++k) quaternion(k) = model.coordinates[group[k]].start;
    if (!(quaternion.norm() > 0.0))
      throw ModelError("coordinate " + model.coordinates[group[0]].name +
                           " and the next three: a quaternion that is zero at the start",
                       model.file, "start it for example at 1, 0, 0, 0");
    if (std::abs(quaternion.norm() - 1.0) > reader_tolerances.quaternion) quaternion.normalize();
    for (std::size_t k = 0; k < 4; ++k) model.coordinates[group[k]].start = quaternion(k);
  }
  for (Body& body : model.bodies) {
    if (body.kind != BodyKind::free) continue;
    Eigen::Vector4d quaternion;
    const std::size_t first = body.first_coordinate + 3;
    for (std::size_t k = 0; k < 4; ++k) quaternion(k) = model.coordinates[first + k].start;
    const double norm = quaternion.norm();
    if (!(norm > 0.0))
      throw ModelError("body " + body.name + ": orientation is zero", model.where(body.place),
                       "give a quaternion [qw, qx, qy, qz], e.g. [1, 0, 0, 0]");
    if (std::abs(norm - 1.0) > reader_tolerances.quaternion) quaternion /= norm;
    body.orientation = quaternion;
    for (std::size_t k = 0; k < 4; ++k) model.coordinates[first + k].start = quaternion(k);
    const int at = body.first_coordinate + 3;
    model.quaternions.push_back({at, at + 1, at + 2, at + 3});
  }
}

}  // namespace clack
