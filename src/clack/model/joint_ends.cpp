// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "clack/model/joint_rows.hpp"
#include "clack/model/section_readers.hpp"

// The two ends of a joint: `BODY.POINT`, `BODY` (its mass centre), or a place `[x, y(, z)]` on the ground.

namespace clack {
namespace {

JointEnd read_end(Reading& reading, const yaml::Node& node, const std::string& thing) {
  if (node.kind == yaml::Kind::list) return {BodyIndex(), reading.vector(node, thing)};
  const Attachment at = reading.attachment(node, thing);
  JointEnd end{at.body, Eigen::Vector3d::Zero()};
  if (at.point()) end.point = reading.model.bodies[at.body].points[*at.point()].position;
  return end;
}

bool moves_freely(const Reading& reading, const JointEnd& end) {
  if (!end.body.is_valid()) return false;
  const BodyKind kind = reading.model.bodies[end.body].kind;
  return kind == BodyKind::free || kind == BodyKind::placed;
}

MovingBody resting(const Reading& reading) {
  symbolic::Graph& graph = *reading.model.graph;
  const Expression zero = graph.number(0.0);
  const SpatialVector none{zero, zero, zero};
  return {{none, none, none}, {none, none}, rotation_matrix(graph, {}), zero};
}

MovingBody body_in_motion(const Reading& reading, const JointEnd& end) {
  if (!end.body.is_valid()) return resting(reading);
  const Body& body = reading.model.bodies[end.body];
  const BodyMotionFormulas motion = motion_of(reading, body);
  const auto rate = [&](const SpatialVector& v) {
    return SpatialVector{rate_along_motion(reading, v[0]), rate_along_motion(reading, v[1]),
                         rate_along_motion(reading, v[2])};
  };
  MovingBody moving;
  moving.origin = {body.position, motion.velocity, rate(motion.velocity)};
  moving.spin = {motion.spin, rate(motion.spin)};
  moving.rotation = motion.rotation;
  moving.angle = body.angle.is_valid() ? body.angle : reading.zero();
  return moving;
}

}  // namespace

JointBodies joint_bodies(Reading& reading, const yaml::Node& ends, const std::string& thing,
                         Joint& joint) {
  const auto& items = reading.list(ends, thing, 2);
  for (const yaml::Node& item : items) joint.ends.push_back(read_end(reading, item, thing));
  const JointEnd &first = joint.ends[0], &second = joint.ends[1];
  if (first.body.is_valid() && first.body == second.body)
    reading.fail(ends, thing + " joins a body to itself", "name two different bodies");
  if (!moves_freely(reading, first) && !moves_freely(reading, second))
    reading.fail(ends, thing + ": neither end moves by forces",
                 "one of them must be a body that is not fixed or prescribed");
  return {*reading.model.graph,
          reading.model.dimension,
          body_in_motion(reading, first),
          body_in_motion(reading, second),
          first.point,
          second.point};
}

}  // namespace clack
