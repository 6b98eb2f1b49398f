// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Eigen/Geometry>

#include "clack/model/section_readers.hpp"

// `constraints: {NAME: {rolling: [BODY, GROUND], radius, axis}}`: a wheel or a ball that rolls on a fixed plane.
//
//   the point that touches is r w below the centre, w = n for a ball (and in the plane), else the steepest direction in
//   the plane of the disk, (n - (n.a) a)/|n - (n.a) a| with the axis a; rows: its velocity along t1, t2 and its height:
//
//   t . (v + omega x (-r w)) = 0,      n . (p - p0) - r |n - (n.a) a| = 0   (ball: - r)

namespace clack {
namespace {

SpatialVector numbers(symbolic::Graph& graph, const Eigen::Vector3d& a) {
  return {graph.number(a[0]), graph.number(a[1]), graph.number(a[2])};
}

/// The plane on which it rolls.
struct Ground {
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ(), point = Eigen::Vector3d::Zero();
};

Ground ground_of(Reading& reading, const yaml::Node& node, const std::string& what) {
  const Body& body = reading.model.bodies[reading.body(node, what)];
  const auto* plane = body.shape ? std::get_if<HalfSpace>(&*body.shape) : nullptr;
  if (body.kind != BodyKind::fixed || !plane)
    reading.fail(node, what + ": " + body.name + " is no fixed plane",
                 "roll on a fixed body whose shape is a half-space (in the plane: half-plane)");
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  if (reading.model.dimension == 2)
    R = Eigen::AngleAxisd(reading.at_start(body.angle), Eigen::Vector3d::UnitZ())
            .toRotationMatrix();
  else
    R = Eigen::Quaterniond(body.orientation[0], body.orientation[1], body.orientation[2],
                           body.orientation[3])
            .toRotationMatrix();
  Ground ground;
  ground.normal = R * plane->normal;
  ground.point = plane->offset * ground.normal;
  for (std::size_t k = 0; k < 3; ++k) ground.point[k] += reading.at_start(body.position[k]);
  return ground;
}

double radius_of(Reading& reading, const Body& body, const yaml::Node& node,
                 const std::string& thing) {
  if (const yaml::Node* radius = node.find("radius"))
    return reading.formulas.positive(*radius, thing + ": radius");
  const auto* ball = body.shape ? std::get_if<Ball>(&*body.shape) : nullptr;
  if (!ball)
    reading.fail(node, fmt::format("{}: body {} has no radius", thing, body.name),
                 "give radius: ..., or a disk or sphere as its shape");
  return ball->radius;
}

}  // namespace

void read_rolling(Reading& reading, Constraint& constraint, const yaml::Node& node,
                  const std::string& thing) {
  Model& model = reading.model;
  symbolic::Graph& graph = *model.graph;
  const auto& ends = reading.list(*node.find("rolling"), thing + ": rolling", 2);
  const Body& body = model.bodies[reading.body(ends[0], thing + ": rolling")];
  if (body.kind != BodyKind::free && body.kind != BodyKind::placed)
    reading.fail(ends[0], thing + ": rolling: " + body.name + " does not move by forces",
                 "name the body that rolls first, the plane second");
  const Ground ground = ground_of(reading, ends[1], thing + ": rolling");
  const double radius = radius_of(reading, body, node, thing);
  const yaml::Node* axis = node.find("axis");
  const bool is_planar = model.dimension == 2;
  if (axis && is_planar)
    reading.fail(*axis, thing + ": axis has no meaning in the plane", "remove it");
  const BodyMotionFormulas motion = motion_of(reading, body);
  const SpatialVector n = numbers(graph, ground.normal);
  Expression reach = graph.number(radius);  // of the centre above the plane
  SpatialVector down = graph.number(-radius) * n;
  if (axis) {
    const Eigen::Vector3d local = reading.vector(*axis, thing + ": axis");
    if (!(local.norm() > 0.0)) reading.fail(*axis, thing + ": axis is zero", "give a direction");
    const SpatialVector a = motion.rotation * numbers(graph, local.normalized());
    const Expression along = dot(n, a), steepness = sqrt(1.0 - along * along);
    reach = radius * steepness;
    down = (-radius / steepness) * (n - along * a);
  }
  const SpatialVector velocity = motion.velocity + cross(motion.spin, down);
  const Eigen::Vector3d x = Eigen::Vector3d::UnitX(), y = Eigen::Vector3d::UnitY();
  const Eigen::Vector3d& normal = ground.normal;
  Eigen::Vector3d first = is_planar ? Eigen::Vector3d(normal.y(), -normal.x(), 0.0)
                                    : Eigen::Vector3d(x - x.dot(normal) * normal);
  if (first.norm() < 0.5) first = y - y.dot(normal) * normal;
  first.normalize();
  std::vector<Eigen::Vector3d> tangents{first};
  if (!is_planar) tangents.push_back(normal.cross(first));
  for (const Eigen::Vector3d& t : tangents) {
    constraint.rows.push_back(dot(numbers(graph, t), velocity));
    constraint.row_kinds.push_back(ConstraintKind::motion);
  }
  constraint.rows.push_back(dot(n, body.position - numbers(graph, ground.point)) - reach);
  constraint.row_kinds.push_back(ConstraintKind::configuration);
}

}  // namespace clack
