// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/planar_kinematics.hpp"

namespace clack {

MotionSymbols::MotionSymbols(const Model& model, std::span<const Expression> held)
    : graph_(model.graph.get()), time_(model.time) {
  zero_ = graph_->number(0.0);
  inputs_.push_back(time_);
  moving_.push_back(time_);
  rates_.push_back(graph_->number(1.0));
  for (const Coordinate& c : model.coordinates) {
    coordinates_.push_back(c.symbol);
    inputs_.push_back(c.symbol);
  }
  for (const Speed& s : model.speeds) {
    speeds_.push_back(s.symbol);
    inputs_.push_back(s.symbol);
  }
  inputs_.insert(inputs_.end(), held.begin(), held.end());
  for (const Body& body : model.bodies)
    if (model.dimension == 3 && body.kind == BodyKind::free) add_free_body(body);
  if (moving_.size() > 1) return;
  for (std::size_t i = 0; i < coordinates_.size() && i < speeds_.size(); ++i) {
    moving_.push_back(coordinates_[i]);
    rates_.push_back(speeds_[i]);
  }
}

/// Centre: dx/dt = v. Unit quaternion: (qw, qv)' = (-w . qv, qw w + w x qv)/2, w in the world frame.
void MotionSymbols::add_free_body(const Body& body) {
  const std::size_t c = body.first_coordinate;
  const std::size_t s = body.first_speed;
  const auto q = [&](std::size_t k) { return coordinates_[c + 3 + k]; };
  const auto w = [&](std::size_t k) { return speeds_[s + 2 + k]; };  // w(1), w(2), w(3)
  for (std::size_t k = 0; k < 3; ++k) {
    moving_.push_back(coordinates_[c + k]);
    rates_.push_back(speeds_[s + k]);
  }
  for (std::size_t k = 0; k < 4; ++k) moving_.push_back(q(k));
  rates_.push_back(-0.5 * (w(1) * q(1) + w(2) * q(2) + w(3) * q(3)));
  rates_.push_back(0.5 * (w(1) * q(0) + w(2) * q(3) - w(3) * q(2)));
  rates_.push_back(0.5 * (w(2) * q(0) + w(3) * q(1) - w(1) * q(3)));
  rates_.push_back(0.5 * (w(3) * q(0) + w(1) * q(2) - w(2) * q(1)));
}

Expression MotionSymbols::rate(Expression e) const { return total_derivative(e, moving_, rates_); }

Expression MotionSymbols::coordinate_derivative(Expression e, int coordinate) const {
  return derivative(e, coordinates_[coordinate]);
}

Expression MotionSymbols::speed_derivative(Expression e, int speed) const {
  return derivative(e, speeds_[speed]);
}

PlanarVector operator+(const PlanarVector& a, const PlanarVector& b) {
  return {a[0] + b[0], a[1] + b[1]};
}
PlanarVector operator-(const PlanarVector& a, const PlanarVector& b) {
  return {a[0] - b[0], a[1] - b[1]};
}
PlanarVector operator*(Expression s, const PlanarVector& a) { return {s * a[0], s * a[1]}; }
Expression dot(const PlanarVector& a, const PlanarVector& b) { return a[0] * b[0] + a[1] * b[1]; }

PlanarVector rotate(const Body& body, const Eigen::Vector3d& local) {
  const Expression c = cos(body.angle), s = sin(body.angle);
  return {c * local.x() - s * local.y(), s * local.x() + c * local.y()};
}

PlanarVector world_point(const Body& body, const Eigen::Vector3d& local) {
  return PlanarVector{body.position[0], body.position[1]} + rotate(body, local);
}

PlanarVector world_point(const Model& model, const Attachment& attachment) {
  const Body& body = model.bodies[attachment.body];
  if (!attachment.point()) return {body.position[0], body.position[1]};
  return world_point(body, body.points[*attachment.point()].position);
}

PlanarVector material_velocity(const Body& body, const PlanarVector& point,
                               const MotionSymbols& motion) {
  const Expression spin = motion.rate(body.angle);
  const PlanarVector arm = point - PlanarVector{body.position[0], body.position[1]};
  return {motion.rate(body.position[0]) - spin * arm[1],
          motion.rate(body.position[1]) + spin * arm[0]};
}

}  // namespace clack
