// SPDX-License-Identifier: Apache-2.0
#include "clack/index.hpp"
#include "clack/model/section_readers.hpp"

namespace clack {

/// In the world, for rows that the readers make.
BodyMotionFormulas motion_of(const Reading& reading, const Body& body) {
  const Model& model = reading.model;
  symbolic::Graph& graph = *model.graph;
  std::vector<Expression> moving{model.time}, along{graph.number(1.0)};
  for (int k = 0; k < number_of(model.coordinates); ++k) {
    moving.push_back(model.coordinates[k].symbol);
    along.push_back(model.rates[k]);
  }
  const auto rate = [&](Expression e) { return symbolic::total_derivative(e, moving, along); };
  BodyMotionFormulas motion;
  for (std::size_t k = 0; k < 3; ++k) motion.velocity[k] = rate(body.position[k]);
  const Expression zero = graph.number(0.0);
  if (model.dimension == 2) {
    const std::vector<RotationStep> turn{Turn{2, body.angle}};
    motion.rotation = rotation_matrix(graph, turn);
    motion.spin = {zero, zero, rate(body.angle)};
    return motion;
  }
  if (body.kind == BodyKind::free) {
    QuaternionFormulas p;
    for (int k = 0; k < 4; ++k) p[k] = model.coordinates[body.first_coordinate + 3 + k].symbol;
    motion.rotation = rotation_matrix(graph, std::vector<RotationStep>{p});
    for (int k = 0; k < 3; ++k) motion.spin[k] = model.speeds[body.first_speed + 3 + k].symbol;
    return motion;
  }
  motion.rotation = rotation_matrix(graph, body.rotation);
  motion.spin = motion.rotation * frame_spin(graph, body.rotation, rate);
  return motion;
}

}  // namespace clack
