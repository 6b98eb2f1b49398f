// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/equations.hpp"

#include <utility>

#include "clack/error.hpp"
#include "clack/mechanism/spatial_kinematics.hpp"
#include "clack/symbolic/expansion.hpp"
#include "clack/symbolic/term_sum.hpp"

namespace clack {
namespace {

bool is_constant(Expression e) { return symbolic::symbols_of(e).empty(); }

/// Adds to the generalised force the power conjugate of `force` along the displacement `position`.
void add_generalised(std::vector<Expression>& h, const MotionSymbols& motion, Expression position,
                     Expression force) {
  for (std::size_t j = 0; j < h.size(); ++j) {
    const Expression along = motion.partial(position, j);
    if (along != motion.zero()) h[j] = h[j] + force * along;
  }
}

/// The mass matrix while bodies add to it: what several of them give to one entry is collected. Lower triangle.
using MassSums = std::vector<std::vector<symbolic::TermSum>>;

/// Sums longer than this are not multiplied out.
constexpr std::size_t longest_product = 16;

/// inertia * a * b
void add_product(symbolic::TermSum& sum, double inertia, Expression a, Expression b) {
  const std::vector<symbolic::Term> left = symbolic::terms_of(a), right = symbolic::terms_of(b);
  if (left.size() * right.size() <= longest_product) return sum.add_product(inertia, left, right);
  sum.add(inertia, a * b);
}

/// A force along a displacement; where that moves by itself (with t) a drive works against the force.
void add_force(Equations& e, const MotionSymbols& motion, Expression position, Expression force) {
  add_generalised(e.force, motion, position, force);
  e.drive_power = e.drive_power - force * motion.drift(position);
}

/// The same for a force that has no potential.
void add_applied_force(Equations& e, const MotionSymbols& motion, Expression position,
                       Expression force) {
  add_force(e, motion, position, force);
  e.applied_power = e.applied_power + force * motion.rate(position);
}

/// What a drive does against inertia along a place that moves by itself, with A = sum v_j p_j the part of its rate that
/// the speeds make:   inertia A (A' - p'')   at constant speeds; zero when the place moves with the coordinates alone.
Expression inertial_drive(const MotionSymbols& motion, Expression place, double inertia) {
  if (motion.drift(place) == motion.zero()) return motion.zero();
  Expression moved = motion.zero();
  for (int j = 0; j < motion.speeds(); ++j)
    moved = moved + motion.speed(j) * motion.partial(place, j);
  return inertia * moved * (motion.rate(moved) - motion.rate(motion.rate(place)));
}

SpatialVector times(const Eigen::Matrix3d& inertia, const SpatialVector& a, Expression zero) {
  SpatialVector product{zero, zero, zero};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (inertia(i, j) != 0.0) product[i] = product[i] + inertia(i, j) * a[j];
  return product;
}

/// Turning in space, in the components of the body.
void add_turning(const Model& model, const MotionSymbols& motion, const Body& body, MassSums& mass,
                 Equations& e) {
  if (model.dimension == 2 || body.inertia.isZero(0.0)) return;
  const Expression zero = motion.zero();
  const SpatialVector w = turning_of(model, body, motion).spin;
  const SpatialVector bias{motion.rate(w[0]), motion.rate(w[1]), motion.rate(w[2])};
  const SpatialVector gyroscopic = cross(w, times(body.inertia, w, zero));
  const SpatialVector torque = times(body.inertia, bias, zero) + gyroscopic;
  SpatialVector moved{zero, zero, zero};  // the part of w that the speeds make
  std::vector<std::pair<int, SpatialVector>> moves;
  for (int j = 0; j < motion.speeds(); ++j) {
    SpatialVector wj;
    for (std::size_t a = 0; a < 3; ++a) wj[a] = motion.speed_derivative(w[a], j);
    if (wj[0] == zero && wj[1] == zero && wj[2] == zero) continue;
    e.force[j] = e.force[j] - dot(wj, torque);
    moved = moved + motion.speed(j) * wj;
    moves.emplace_back(j, wj);
    for (const auto& [k, wk] : moves)
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
          if (body.inertia(a, b) != 0.0) add_product(mass[j][k], body.inertia(a, b), wj[a], wk[b]);
  }
  const bool is_driven =
      motion.at_rest(w[0]) != zero || motion.at_rest(w[1]) != zero || motion.at_rest(w[2]) != zero;
  if (!is_driven) return;
  const SpatialVector change{motion.rate(moved[0]) - bias[0], motion.rate(moved[1]) - bias[1],
                             motion.rate(moved[2]) - bias[2]};
  e.drive_power = e.drive_power + dot(moved, times(body.inertia, change, zero) - gyroscopic);
}

/// A torque in space, in the world.
void add_torque(const Model& model, const MotionSymbols& motion, const Body& body,
                const SpatialVector& torque, Equations& e) {
  const BodyTurning turning = turning_of(model, body, motion);
  const SpatialVector w = turning.rotation * turning.spin;
  for (std::size_t a = 0; a < 3; ++a) {
    for (int j = 0; j < motion.speeds(); ++j)
      e.force[j] = e.force[j] + torque[a] * motion.speed_derivative(w[a], j);
    e.applied_power = e.applied_power + torque[a] * w[a];
    e.drive_power = e.drive_power - torque[a] * motion.at_rest(w[a]);
  }
}

void add_body(const Model& model, const MotionSymbols& motion, const Body& body, MassSums& mass,
              Equations& e) {
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
    add_generalised(e.force, motion, place, inertia * pull);
    e.drive_power = e.drive_power + inertial_drive(motion, place, inertia);
    if (has_weight) {
      const Expression weight = inertia * model.gravity[p];
      e.drive_power = e.drive_power - weight * motion.drift(place);
      if (is_constant(weight))
        e.potential = e.potential - weight * place;
      else
        e.applied_power = e.applied_power + weight * motion.rate(place);
    }
    std::vector<std::pair<std::size_t, Expression>> moves;  // speeds that move this place, and how
    for (std::size_t j = 0; j < e.force.size(); ++j) {
      const Expression dj = motion.partial(place, j);
      if (dj == motion.zero()) continue;
      moves.emplace_back(j, dj);
      for (const auto& [k, dk] : moves) add_product(mass[j][k], inertia, dj, dk);
    }
  }
}

void add_spring(const Model& model, const MotionSymbols& motion, const Spring& spring,
                Equations& e) {
  Expression length, squared;
  if (spring.along.is_valid()) {
    length = spring.along;
  } else if (model.dimension == 3) {
    const SpatialVector d =
        spatial_point(model, spring.first, motion) - spatial_point(model, spring.second, motion);
    squared = dot(d, d);
    length = sqrt(squared);
  } else if (spring.is_torsion) {
    length = model.bodies[spring.first.body].angle - model.bodies[spring.second.body].angle;
  } else {
    const PlanarVector d = world_point(model, spring.first) - world_point(model, spring.second);
    squared = dot(d, d);
    length = sqrt(squared);
  }
  const bool is_conservative = is_constant(spring.stiffness) && is_constant(spring.rest);
  if (is_conservative)
    e.potential = e.potential + 0.5 * spring.stiffness * pow(length - spring.rest, 2.0);
  if (squared.is_valid() && spring.rest == motion.zero() && spring.damping == motion.zero()) {
    const Expression force = -0.5 * spring.stiffness;  // regular also at zero length
    add_force(e, motion, squared, force);
    if (!is_conservative) e.applied_power = e.applied_power + force * motion.rate(squared);
    return;
  }
  const Expression elastic = -(spring.stiffness * (length - spring.rest));
  const Expression damping = spring.damping * motion.rate(length);
  add_force(e, motion, length, elastic - damping);
  if (!is_conservative) e.applied_power = e.applied_power + elastic * motion.rate(length);
  e.applied_power = e.applied_power - damping * motion.rate(length);
}

void add_applied(const Model& model, const MotionSymbols& motion, Equations& e) {
  for (const Spring& spring : model.springs) add_spring(model, motion, spring, e);
  for (const PointForce& f : model.forces) {
    if (model.dimension == 2) {
      const PlanarVector point = world_point(model, f.on);
      for (std::size_t axis = 0; axis < 2; ++axis)
        add_applied_force(e, motion, point[axis], f.components[axis]);
    } else {
      const SpatialVector point = spatial_point(model, f.on, motion);
      for (std::size_t axis = 0; axis < 3; ++axis)
        add_applied_force(e, motion, point[axis], f.components[axis]);
    }
  }
  for (const Torque& torque : model.torques) {
    if (model.dimension == 3) {
      const SpatialVector opposite = motion.number(-1.0) * torque.components;
      add_torque(model, motion, model.bodies[torque.body], torque.components, e);
      if (torque.reaction.is_valid())
        add_torque(model, motion, model.bodies[torque.reaction], opposite, e);
      continue;
    }
    add_applied_force(e, motion, model.bodies[torque.body].angle, torque.value);
    if (torque.reaction.is_valid())
      add_applied_force(e, motion, model.bodies[torque.reaction].angle, -torque.value);
  }
  for (const GeneralisedForce& f : model.generalised_forces) {
    if (f.speed < 0) {
      add_applied_force(e, motion, model.coordinates[f.coordinate].symbol, f.value);
      continue;
    }
    auto& h = e.force[f.speed];
    h = h + f.value;
    e.applied_power = e.applied_power + motion.speed(f.speed) * f.value;
  }
}

/// v.h + v^T M' v / 2 of a given mass matrix and force.
Expression power_of_given(const Model& model, const MotionSymbols& motion) {
  const std::size_t n = model.force.size();
  Expression power = motion.zero();
  for (std::size_t j = 0; j < n; ++j) {
    const Expression vj = motion.speed(j);
    power = power + vj * model.force[j];
    for (std::size_t k = 0; k < n; ++k)
      power = power + 0.5 * vj * motion.speed(k) * motion.rate(model.mass_matrix[j][k]);
  }
  return power;
}

/// Inertia and force of the pads of pressed contacts. Any inertia would do, since they stand still: with that of the force
/// a pad would fall by 1 per s2.
void add_pads(const Model& model, const MotionSymbols& motion, Equations& e) {
  for (const Contact& contact : model.contacts) {
    if (!contact.is_pressed()) continue;
    const Pad& pad = *contact.formulas()->pad;
    for (const int speed : pad.speeds)
      if (speed >= 0) e.mass_matrix[speed][speed] = motion.number(pad.force);
    e.force[pad.speeds[0]] = e.force[pad.speeds[0]] - pad.force;
    e.potential = e.potential + pad.force * model.coordinates[pad.coordinates[0]].symbol;
  }
}

}  // namespace

Equations derive_equations(const Model& model, const MotionSymbols& motion) {
  const std::size_t n = model.speeds.size();
  Equations e;
  e.potential = model.potential.is_valid() ? model.potential : motion.zero();
  e.applied_power = motion.rate(e.potential);  // against the forces it stands for
  e.drive_power = motion.zero();
  if (!model.mass_matrix.empty()) {
    e.mass_matrix = model.mass_matrix;
    e.force = model.force;
    for (auto& row : e.mass_matrix) row.resize(n, motion.zero());
    e.mass_matrix.resize(n, std::vector<Expression>(n, motion.zero()));
    e.force.resize(n, motion.zero());
    e.applied_power = e.applied_power + power_of_given(model, motion);
  } else {
    e.mass_matrix.assign(n, std::vector<Expression>(n, motion.zero()));
    e.force.assign(n, motion.zero());
  }
  MassSums mass;
  for (std::size_t j = 0; j < n; ++j) mass.emplace_back(j + 1);
  for (const Body& body : model.bodies)
    if (body.kind == BodyKind::free || body.kind == BodyKind::placed) {
      add_body(model, motion, body, mass, e);
      add_turning(model, motion, body, mass, e);
    }
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k <= j && model.mass_matrix.empty(); ++k) {
      e.mass_matrix[j][k] = mass[j][k].formula(motion.zero());
      e.mass_matrix[k][j] = e.mass_matrix[j][k];
    }
  add_applied(model, motion, e);
  add_pads(model, motion, e);

  e.kinetic = motion.zero();
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < n; ++k)
      if (e.mass_matrix[j][k] != motion.zero())
        e.kinetic = e.kinetic + 0.5 * motion.speed(j) * motion.speed(k) * e.mass_matrix[j][k];
  for (Expression* power : {&e.applied_power, &e.drive_power})
    if (symbolic::is_identically_zero(*power)) *power = motion.zero();
  return e;
}

}  // namespace clack
