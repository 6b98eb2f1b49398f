// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/equations.hpp"

#include <utility>

#include "clack/error.hpp"

namespace clack {
namespace {

bool is_constant(Expression e) { return symbolic::symbols_of(e).empty(); }

/// Adds to the generalised force the power conjugate of `force` along the displacement `position`.
void add_force(std::vector<Expression>& h, const MotionSymbols& motion, Expression position,
               Expression force) {
  for (std::size_t j = 0; j < h.size(); ++j)
    h[j] = h[j] + force * motion.coordinate_derivative(position, j);
}

void add_body(const Model& model, const MotionSymbols& motion, const Body& body, Equations& e) {
  std::vector<std::pair<Expression, double>> places;  // displacement with its inertia
  for (int axis = 0; axis < model.dimension; ++axis)
    places.emplace_back(body.position[axis], body.mass);
  if (model.dimension == 2) places.emplace_back(body.angle, body.inertia(2, 2));
  for (std::size_t p = 0; p < places.size(); ++p) {
    const auto& [place, inertia] = places[p];
    if (inertia == 0.0) continue;
    const Expression bias = motion.rate(motion.rate(place));
    const bool has_weight = std::cmp_less(p, model.dimension);
    const Expression pull = has_weight ? model.gravity[p] - bias : -bias;
    add_force(e.force, motion, place, inertia * pull);
    if (has_weight && is_constant(model.gravity[p]))
      e.potential = e.potential - inertia * model.gravity[p] * place;
    std::vector<std::pair<std::size_t, Expression>> moves;  // speeds that move this place, and how
    for (std::size_t j = 0; j < e.force.size(); ++j) {
      const Expression dj = motion.coordinate_derivative(place, j);
      if (dj == motion.zero()) continue;
      moves.emplace_back(j, dj);
      for (const auto& [k, dk] : moves) {
        e.mass_matrix[j][k] = e.mass_matrix[j][k] + inertia * dj * dk;
        e.mass_matrix[k][j] = e.mass_matrix[j][k];
      }
    }
  }
}

void add_spring(const Model& model, const MotionSymbols& motion, const Spring& spring,
                Equations& e) {
  Expression length, squared;
  if (spring.is_torsion) {
    length = model.bodies[spring.first.body].angle - model.bodies[spring.second.body].angle;
  } else {
    const PlanarVector d = world_point(model, spring.first) - world_point(model, spring.second);
    squared = dot(d, d);
    length = sqrt(squared);
  }
  const bool is_conservative = is_constant(spring.stiffness) && is_constant(spring.rest);
  if (is_conservative)
    e.potential = e.potential + 0.5 * spring.stiffness * pow(length - spring.rest, 2.0);
  if (!spring.is_torsion && spring.rest == motion.zero() && spring.damping == motion.zero()) {
    add_force(e.force, motion, squared, -0.5 * spring.stiffness);  // regular also at zero length
    return;
  }
  const Expression force =
      -(spring.stiffness * (length - spring.rest)) - spring.damping * motion.rate(length);
  add_force(e.force, motion, length, force);
}

void add_applied(const Model& model, const MotionSymbols& motion, Equations& e) {
  for (const Spring& spring : model.springs) add_spring(model, motion, spring, e);
  for (const PointForce& f : model.forces) {
    const Body& body = model.bodies[f.on.body];
    if (model.dimension == 2) {
      const PlanarVector point = world_point(model, f.on);
      for (std::size_t axis = 0; axis < 2; ++axis)
        add_force(e.force, motion, point[axis], f.components[axis]);
    } else {
      for (std::size_t axis = 0; axis < 3; ++axis)
        add_force(e.force, motion, body.position[axis], f.components[axis]);
    }
  }
  for (const Torque& torque : model.torques) {
    add_force(e.force, motion, model.bodies[torque.body].angle, torque.value);
    if (torque.reaction.is_valid())
      add_force(e.force, motion, model.bodies[torque.reaction].angle, -torque.value);
  }
  for (const GeneralisedForce& f : model.generalised_forces) {
    auto& h = e.force[f.speed];
    h = h + f.value;
  }
}

}  // namespace

Equations derive_equations(const Model& model, const MotionSymbols& motion) {
  const std::size_t n = model.speeds.size();
  Equations e;
  e.potential = model.potential.is_valid() ? model.potential : motion.zero();
  if (!model.mass_matrix.empty()) {
    e.mass_matrix = model.mass_matrix;
    e.force = model.force;
  } else {
    e.mass_matrix.assign(n, std::vector<Expression>(n, motion.zero()));
    e.force.assign(n, motion.zero());
  }
  for (const Body& body : model.bodies)
    if (body.kind == BodyKind::free || body.kind == BodyKind::placed)
      add_body(model, motion, body, e);
  add_applied(model, motion, e);

  e.kinetic = motion.zero();
  Expression inertia_power = motion.zero();
  e.applied_power = motion.rate(e.potential);
  for (std::size_t j = 0; j < n; ++j) {
    const Expression vj = motion.speed(j);
    e.applied_power = e.applied_power + vj * e.force[j];
    for (std::size_t k = 0; k < n; ++k) {
      if (e.mass_matrix[j][k] == motion.zero()) continue;
      const Expression pair = 0.5 * vj * motion.speed(k);
      e.kinetic = e.kinetic + pair * e.mass_matrix[j][k];
      inertia_power = inertia_power + pair * motion.rate(e.mass_matrix[j][k]);
    }
  }
  e.applied_power = e.applied_power + inertia_power;
  return e;
}

}  // namespace clack
