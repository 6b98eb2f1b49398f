#include "clack/mechanism/planar_kinematics.hpp"

namespace clack {

MotionSymbols::MotionSymbols(const Model& model) : graph_(model.graph.get()), time_(model.time) {
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
  for (std::size_t i = 0; i < coordinates_.size() && i < speeds_.size(); ++i) {
    moving_.push_back(coordinates_[i]);
    rates_.push_back(speeds_[i]);
  }
}

Expression MotionSymbols::rate(Expression e) const { return total_derivative(e, moving_, rates_); }

Expression MotionSymbols::coordinate_derivative(Expression e, int coordinate) const {
  return derivative(e, coordinates_[static_cast<std::size_t>(coordinate)]);
}

Expression MotionSymbols::speed_derivative(Expression e, int speed) const {
  return derivative(e, speeds_[static_cast<std::size_t>(speed)]);
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
  const Body& body = model.bodies[static_cast<std::size_t>(attachment.body)];
  if (attachment.point < 0) return {body.position[0], body.position[1]};
  return world_point(body, body.points[static_cast<std::size_t>(attachment.point)].position);
}

PlanarVector material_velocity(const Body& body, const PlanarVector& point,
                               const MotionSymbols& motion) {
  const Expression spin = motion.rate(body.angle);
  const PlanarVector arm = point - PlanarVector{body.position[0], body.position[1]};
  return {motion.rate(body.position[0]) - spin * arm[1],
          motion.rate(body.position[1]) + spin * arm[0]};
}

}  // namespace clack
