// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>

#include "clack/index.hpp"
#include "clack/model/section_readers.hpp"

namespace clack {
namespace {

const Body& body_of(const Reading& reading, Attachment end) {
  return reading.model.bodies[end.body];
}

double start_angle(const Reading& reading, Attachment end) {
  return reading.at_start(body_of(reading, end).angle);
}

/// World position of an attachment at t = 0.
Eigen::Vector3d start_position(const Reading& reading, Attachment end) {
  const Body& body = body_of(reading, end);
  Eigen::Vector3d position;
  for (std::size_t k = 0; k < 3; ++k) position(k) = reading.at_start(body.position[k]);
  if (!end.point()) return position;
  const Eigen::Vector3d& local = body.points[*end.point()].position;
  if (reading.model.dimension == 2)
    return position +
           Eigen::AngleAxisd(reading.at_start(body.angle), Eigen::Vector3d::UnitZ()) * local;
  const Eigen::Vector4d& q = body.orientation;
  if (body.rotation.empty()) return position + Eigen::Quaterniond(q(0), q(1), q(2), q(3)) * local;
  const SpatialMatrix R = rotation_matrix(*reading.model.graph, body.rotation);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) position(i) += reading.at_start(R[i][j]) * local(j);
  return position;
}

void read_ends(Reading& reading, Spring& spring, const yaml::Node& node, const std::string& thing) {
  const yaml::Node* between = node.find("between");
  const yaml::Node* torsion = node.find("torsion");
  if ((between != nullptr) == (torsion != nullptr))
    reading.fail(node, thing + " needs either between or torsion",
                 "give between: [a.point, b.point], or torsion: [a, b]");
  const yaml::Node& ends = between ? *between : *torsion;
  const auto& items = reading.list(ends, thing, 2);
  spring.is_torsion = torsion != nullptr;
  if (spring.is_torsion && reading.model.dimension == 3)
    reading.fail(ends, thing + ": torsion is for planar models", "use springs between points");
  for (std::size_t k = 0; k < 2; ++k) {
    Attachment& end = k == 0 ? spring.first : spring.second;
    end = reading.attachment(items[k], thing);
    if (spring.is_torsion && end.point())
      reading.fail(items[k], thing + ": torsion acts between bodies, not points",
                   "name the body alone");
  }
  if (spring.first.body == spring.second.body)
    reading.fail(ends, thing + " joins a body to itself", "name two different bodies");
}

}  // namespace

Expression read_stiffness(Reading& reading, const yaml::Node* node, const std::string& what) {
  if (!node) return reading.zero();
  const Expression result = reading.formulas.formula(*node, what, allow_state);
  if (const auto constant = symbolic::number_value(result); constant && *constant < 0.0)
    reading.fail(*node, fmt::format("{} is {}, must not be negative", what, *constant),
                 "give 0 or a positive number");
  return result;
}

void read_springs(Reading& reading, const yaml::Node& springs, bool is_damper) {
  const std::string kind = is_damper ? "damper" : "spring";
  int number = 0;
  for (const yaml::Node& node : reading.list(springs, kind + "s")) {
    const std::string thing = fmt::format("{} {}", kind, ++number);
    reading.check_keys(node, thing, {"between", "torsion", "stiffness", "damping", "rest"});
    Spring spring;
    spring.place = node.place;
    read_ends(reading, spring, node, thing);
    const char* needed = is_damper ? "damping" : "stiffness";
    if (!node.find(needed))
      reading.fail(node, fmt::format("{} needs {}", thing, needed),
                   fmt::format("give {}: ...", needed));
    spring.stiffness = read_stiffness(reading, node.find("stiffness"), thing + ": stiffness");
    spring.damping = read_stiffness(reading, node.find("damping"), thing + ": damping");
    if (const yaml::Node* rest = node.find("rest"))
      spring.rest = reading.formulas.formula(*rest, thing + ": rest", allow_time);
    else
      spring.rest = reading.model.graph->number(
          spring.is_torsion
              ? start_angle(reading, spring.first) - start_angle(reading, spring.second)
              : (start_position(reading, spring.first) - start_position(reading, spring.second))
                    .norm());
    reading.model.springs.push_back(std::move(spring));
  }
}

void read_forces(Reading& reading, const yaml::Node& forces) {
  Model& model = reading.model;
  int number = 0;
  for (const yaml::Node& node : reading.list(forces, "forces")) {
    const std::string thing = fmt::format("force {}", ++number);
    reading.check_keys(node, thing, {"on", "coordinate", "force"});
    const yaml::Node* on = node.find("on");
    const yaml::Node* coordinate = node.find("coordinate");
    const yaml::Node* force = node.find("force");
    if ((on != nullptr) == (coordinate != nullptr) || !force)
      reading.fail(node, thing + " needs force and either on or coordinate",
                   "write {on: rod.tip, force: [0, -1]} or {coordinate: q1, force: 2*sin(t)}");
    if (on) {
      PointForce result;
      result.place = node.place;
      result.on = reading.attachment(*on, thing + ": on");
      result.components = reading.vector_formula(*force, thing + ": force", allow_state);
      model.forces.push_back(std::move(result));
      continue;
    }
    GeneralisedForce result;
    result.place = node.place;
    const auto found = reading.coordinates.find(coordinate->text);
    const bool is_coordinate = found != reading.coordinates.end();
    if (is_coordinate && symbolic::is_symbol(model.rates[found->second]))
      result.speed = reading.speeds.at(symbolic::symbol_name(model.rates[found->second]));
    else if (is_coordinate && found->second < number_of(reading.rate_names))
      result.coordinate = found->second;
    else
      result.speed = reading.index(*coordinate, thing + ": coordinate", "speed", reading.speeds);
    result.value = reading.formulas.formula(*force, thing + ": force", allow_state);
    model.generalised_forces.push_back(std::move(result));
  }
}

void read_torques(Reading& reading, const yaml::Node& torques) {
  int number = 0;
  for (const yaml::Node& node : reading.list(torques, "torques")) {
    const std::string thing = fmt::format("torque {}", ++number);
    reading.check_keys(node, thing, {"on", "torque", "reaction"});
    const yaml::Node* on = node.find("on");
    const yaml::Node* value = node.find("torque");
    if (!on || !value)
      reading.fail(node, thing + " needs on and torque", "write {on: crank, torque: 0.5}");
    Torque torque;
    torque.place = node.place;
    torque.body = reading.body(*on, thing + ": on");
    if (const yaml::Node* reaction = node.find("reaction")) {
      torque.reaction = reading.body(*reaction, thing + ": reaction");
      if (torque.reaction == torque.body)
        reading.fail(*reaction, thing + ": the reaction acts on the same body",
                     "name another body");
    }
    if (reading.model.dimension == 2)
      torque.value = reading.formulas.formula(*value, thing + ": torque", allow_state);
    else
      torque.components = reading.vector_formula(*value, thing + ": torque", allow_state);
    reading.model.torques.push_back(std::move(torque));
  }
}

}  // namespace clack
