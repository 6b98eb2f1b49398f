// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <span>

#include "clack/index.hpp"
#include "clack/model/model.hpp"

namespace clack {

/// Coordinates, speeds and time of a model as symbols, and rates along the motion.
///
///   rate(e)              = de/dt + de/dq (W v + X)            (first derivative along dq/dt = W v + X, Model::rates)
///   partial(e, j)        = d rate(e)/dv_j                     (Kane's partial velocity)
///   drift(e)             = rate(e) at v = 0                   (what moves by itself)
///   acceleration_bias(e) = d rate(e)/dt at dv/dt = 0          (what is left of the second one)
class MotionSymbols {
 public:
  /// `held`: further symbols of the model's formulas, constant along the motion.
  explicit MotionSymbols(const Model& model, std::span<const Expression> held = {});
  Expression zero() const { return zero_; }
  Expression time() const { return time_; }
  Expression number(double value) const { return graph_->number(value); }
  Expression rate(Expression e) const;
  Expression partial(Expression e, int speed) const;
  Expression drift(Expression e) const;
  Expression at_rest(Expression e) const;                      // at v = 0
  bool rates_are_speeds() const { return rates_are_speeds_; }  // dq/dt = v, one by one
  const Expression& coordinate_rate(int coordinate) const { return rates_[1 + coordinate]; }
  Expression speed_derivative(Expression e, int speed) const;
  int coordinates() const { return number_of(coordinates_); }
  int speeds() const { return number_of(speeds_); }
  Expression speed(int i) const { return speeds_[i]; }
  /// t, coordinates, speeds, the numbers of the inputs, then what is held.
  const std::vector<Expression>& inputs() const { return inputs_; }

 private:
  symbolic::Graph* graph_ = nullptr;
  Expression zero_, time_;
  std::vector<Expression> coordinates_, speeds_, inputs_, moving_, rates_;
  bool rates_are_speeds_ = true;
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
