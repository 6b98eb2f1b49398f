// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <span>

#include "clack/index.hpp"
#include "clack/model/model.hpp"

namespace clack {

/// Coordinates, speeds and time of a model as symbols, and rates along the motion.
///
///   rate(e)              = de/dt   + de/dq v                  (first derivative along dq/dt = v)
///   acceleration_bias(e) = d rate(e)/dt at dv/dt = 0          (what is left of the second one)
class MotionSymbols {
 public:
  /// `held`: further symbols of the model's formulas, constant along the motion.
  explicit MotionSymbols(const Model& model, std::span<const Expression> held = {});
  Expression zero() const { return zero_; }
  Expression time() const { return time_; }
  Expression number(double value) const { return graph_->number(value); }
  Expression rate(Expression e) const;
  Expression coordinate_derivative(Expression e, int coordinate) const;
  Expression speed_derivative(Expression e, int speed) const;
  int speeds() const { return number_of(speeds_); }
  Expression speed(int i) const { return speeds_[i]; }
  /// t, coordinates, speeds, then what is held.
  const std::vector<Expression>& inputs() const { return inputs_; }

 private:
  void add_free_body(const Body& body);  // in space

  symbolic::Graph* graph_ = nullptr;
  Expression zero_, time_;
  std::vector<Expression> coordinates_, speeds_, inputs_, moving_, rates_;
};

using PlanarVector = std::array<Expression, 2>;

PlanarVector operator+(const PlanarVector& a, const PlanarVector& b);
PlanarVector operator-(const PlanarVector& a, const PlanarVector& b);
PlanarVector operator*(Expression s, const PlanarVector& a);
Expression dot(const PlanarVector& a, const PlanarVector& b);

/// A vector given in the body's frame, in the world.
PlanarVector rotate(const Body& body, const Eigen::Vector3d& local);
/// Body point in the world: r + R(angle) local.
PlanarVector world_point(const Body& body, const Eigen::Vector3d& local);
/// Where an attachment is: a named point or the mass centre.
PlanarVector world_point(const Model& model, const Attachment& attachment);
/// Velocity of the material point of `body` that is at `point`:  r' + angle' x (point - r).
PlanarVector material_velocity(const Body& body, const PlanarVector& point,
                               const MotionSymbols& motion);

}  // namespace clack
