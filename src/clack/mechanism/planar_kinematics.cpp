// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/planar_kinematics.hpp"

#include <algorithm>

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
  for (const Input& input : model.inputs)
    inputs_.insert(inputs_.end(), input.symbols.begin(), input.symbols.end());
  inputs_.insert(inputs_.end(), held.begin(), held.end());
  for (std::size_t i = 0; i < coordinates_.size(); ++i) {
    moving_.push_back(coordinates_[i]);
    rates_.push_back(model.rates[i]);
    rates_are_speeds_ = rates_are_speeds_ && i < speeds_.size() && model.rates[i] == speeds_[i];
  }
  rates_are_speeds_ = rates_are_speeds_ && coordinates_.size() == speeds_.size();
}

/// Places of free bodies are coordinates themselves: of many bodies nobody is asked for each of the others.
Expression MotionSymbols::rate(Expression e) const {
  if (!is_symbol(e)) return total_derivative(e, moving_, rates_);
  const auto found = std::ranges::find(moving_, e);
  return found == moving_.end() ? zero_ : rates_[found - moving_.begin()];
}

Expression MotionSymbols::partial(Expression e, int speed) const {
  if (!rates_are_speeds_) return derivative(rate(e), speeds_[speed]);
  if (is_symbol(e)) return e == coordinates_[speed] ? graph_->number(1.0) : zero_;
  return derivative(e, coordinates_[speed]);
}

Expression MotionSymbols::drift(Expression e) const {
  return rates_are_speeds_ ? derivative(e, time_) : at_rest(rate(e));
}

Expression MotionSymbols::at_rest(Expression e) const {
  const std::vector<Expression> none(speeds_.size(), zero_);
  return substitute(e, speeds_, none);
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
