// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Geometry>

#include "clack/index.hpp"
#include "clack/model/section_readers.hpp"

namespace clack {

Expression rate_along_motion(const Reading& reading, Expression formula) {
  const Model& model = reading.model;
  std::vector<Expression> moving{model.time}, along{model.graph->number(1.0)};
  for (int k = 0; k < number_of(model.coordinates); ++k) {
    moving.push_back(model.coordinates[k].symbol);
    along.push_back(model.rates[k]);
  }
  return symbolic::total_derivative(formula, moving, along);
}

/// In the world, for rows that the readers make.
BodyMotionFormulas motion_of(const Reading& reading, const Body& body) {
  const Model& model = reading.model;
  symbolic::Graph& graph = *model.graph;
  const auto rate = [&](Expression e) { return rate_along_motion(reading, e); };
  BodyMotionFormulas motion;
  for (std::size_t k = 0; k < 3; ++k) motion.velocity[k] = rate(body.position[k]);
  const Expression zero = graph.number(0.0);
  if (model.dimension == 2) {
    const Expression angle = body.angle.is_valid() ? body.angle : zero;
    const std::vector<RotationStep> turn{Turn{2, angle}};
    motion.rotation = rotation_matrix(graph, turn);
    motion.spin = {zero, zero, rate(angle)};
    return motion;
  }
  if (body.kind == BodyKind::free) {
    QuaternionFormulas p;
    for (int k = 0; k < 4; ++k) p[k] = model.coordinates[body.first_coordinate + 3 + k].symbol;
    motion.rotation = rotation_matrix(graph, std::vector<RotationStep>{p});
    for (int k = 0; k < 3; ++k) motion.spin[k] = model.speeds[body.first_speed + 3 + k].symbol;
    return motion;
  }
  if (body.rotation.empty()) {  // it keeps its orientation
    const Eigen::Vector4d& q = body.orientation;
    const Eigen::Matrix3d R = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) motion.rotation[i][j] = graph.number(R(i, j));
    motion.spin = {zero, zero, zero};
    return motion;
  }
  motion.rotation = rotation_matrix(graph, body.rotation);
  motion.spin = motion.rotation * frame_spin(graph, body.rotation, rate);
  return motion;
}

}  // namespace clack
