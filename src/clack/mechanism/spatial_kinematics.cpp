// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/spatial_kinematics.hpp"

namespace clack {

std::vector<RotationStep> steps_to(const Model& model, const Body& body) {
  if (!body.rotation.empty()) return body.rotation;
  QuaternionFormulas p;
  for (int k = 0; k < 4; ++k)
    p[k] = body.kind == BodyKind::free ? model.coordinates[body.first_coordinate + 3 + k].symbol
                                       : model.graph->number(body.orientation[k]);
  return {p};
}

BodyTurning turning_of(const Model& model, const Body& body, const MotionSymbols& motion) {
  const std::vector<RotationStep> steps = steps_to(model, body);
  BodyTurning turning{rotation_matrix(*model.graph, steps), {}};
  if (body.kind == BodyKind::free) {
    const int w = body.first_speed + 3;
    turning.spin = transposed(turning.rotation) *
                   SpatialVector{motion.speed(w), motion.speed(w + 1), motion.speed(w + 2)};
  } else {
    turning.spin = frame_spin(*model.graph, steps, [&](Expression e) { return motion.rate(e); });
  }
  return turning;
}

SpatialVector spatial_point(const Model& model, const Attachment& attachment,
                            const MotionSymbols& motion) {
  const Body& body = model.bodies[attachment.body];
  if (!attachment.point()) return body.position;
  const Eigen::Vector3d& local = body.points[*attachment.point()].position;
  const SpatialVector arm{motion.number(local[0]), motion.number(local[1]),
                          motion.number(local[2])};
  return body.position + turning_of(model, body, motion).rotation * arm;
}

}  // namespace clack
