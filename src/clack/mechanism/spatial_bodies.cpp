// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/spatial_bodies.hpp"

#include <Eigen/Geometry>
#include <cmath>

#include "clack/error.hpp"
#include "clack/index.hpp"

namespace clack {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Vector3d world(const BodyKinematics& kinematics, BodyIndex body, const Vector3d& local) {
  const Pose& pose = kinematics.body(body).pose;
  return pose.position + pose.rotation * local;
}

/// Adds a force at a world point; does nothing for bodies without speeds.
void push(const BodyKinematics& kinematics, BodyIndex body, const Vector3d& point,
          const Vector3d& force, double* h) {
  const int at = kinematics.free_speed(body);
  if (at < 0) return;
  const Vector3d torque = (point - kinematics.body(body).pose.position).cross(force);
  for (int k = 0; k < 3; ++k) {
    h[at + k] += force[k];
    h[at + 3 + k] += torque[k];
  }
}

/// All but those of feet, which follow the others.
std::size_t own_coordinates(const Model& model) {
  std::size_t count = model.coordinates.size();
  for (const Foot& foot : model.feet) count -= model.paths[foot.path].parameters;
  return count;
}

Vector3d local_point(const Model& model, const Attachment& end) {
  const auto point = end.point();
  return point ? model.bodies[end.body].points[*point].position : Vector3d(Vector3d::Zero());
}

}  // namespace

SpatialBodies::SpatialBodies(const Model& model, const MotionSymbols& motion) {
  for (const BodyIndex b : indices(model.bodies)) {
    const Body& body = model.bodies[b];
    if (body.kind == BodyKind::placed)
      throw ModelError("body " + body.name + ": a model with free bodies in space has no others",
                       model.where(body.place),
                       "let it be free, fixed or of prescribed motion, or give all by coordinates");
    if (body.kind == BodyKind::free)
      bodies_.push_back({b, body.mass, body.inertia, body.first_coordinate, body.first_speed});
  }
  if (7 * bodies_.size() != own_coordinates(model))
    throw ModelError("free bodies in space do not go with coordinates of the model's own",
                     model.file, "remove the coordinates, or give all bodies by them");
  gather_formulas(model, motion);
}

void SpatialBodies::gather_formulas(const Model& model, const MotionSymbols& motion) {
  std::vector<Expression> outputs(model.gravity.begin(), model.gravity.end());
  const auto add = [&](Expression e) {
    outputs.push_back(e);
    return number_of(outputs) - 1;
  };
  const auto is_constant = [](Expression e) { return symbolic::symbols_of(e).empty(); };
  for (const Expression& g : model.gravity) is_gravity_constant_ &= is_constant(g);
  has_applied_power_ = !is_gravity_constant_;
  for (const clack::Spring& spring : model.springs) {
    const bool is_conservative = is_constant(spring.stiffness) && is_constant(spring.rest);
    springs_.push_back({spring.first, spring.second, local_point(model, spring.first),
                        local_point(model, spring.second), add(spring.stiffness), is_conservative});
    add(spring.damping);
    add(spring.rest);
    has_applied_power_ |= !is_conservative || spring.damping != motion.zero();
    for (const Attachment& end : {spring.first, spring.second})
      has_applied_power_ |= model.bodies[end.body].kind == BodyKind::moving;
  }
  for (const PointForce& force : model.forces) {
    point_forces_.push_back(
        {force.on.body, local_point(model, force.on), add(force.components[0])});
    add(force.components[1]);
    add(force.components[2]);
  }
  for (const GeneralisedForce& force : model.generalised_forces)
    generalised_.emplace_back(force.speed, add(force.value));
  has_applied_power_ |= !point_forces_.empty() || !generalised_.empty();
  applied_ = symbolic::Program(motion.inputs(), outputs);
  values_.resize(outputs.size());
}

Matrix3d SpatialBodies::world_inertia(const FreeBody& body, const BodyMotion& motion) {
  const Matrix3d &R = motion.pose.rotation, &J = body.inertia;
  const bool is_round = J(0, 0) == J(1, 1) && J(1, 1) == J(2, 2) && J.isDiagonal(0.0);
  return is_round ? J : Matrix3d(R * J * R.transpose());
}

void SpatialBodies::write(const BodyKinematics& kinematics, const double* v,
                          Snapshot& snapshot) const {
  const int n = snapshot.speeds();
  double* out = snapshot.data();
  for (const FreeBody& body : bodies_) {
    const Matrix3d J = world_inertia(body, kinematics.body(body.index));
    for (int i = 0; i < 3; ++i) {
      out[(body.v + i) * n + body.v + i] = body.mass;
      for (int j = 0; j < 3; ++j) out[(body.v + 3 + i) * n + body.v + 3 + j] = J(i, j);
    }
  }
  double* h = out + snapshot.at_force();
  std::fill_n(h, n, 0.0);
  double power = add_gravity(kinematics, h);
  double drive = 0.0;
  for (const Spring& spring : springs_) {
    const Powers of_spring = add_spring(spring, kinematics, h);
    power += of_spring.applied;
    drive += of_spring.drive;
  }
  for (const Push& force : point_forces_) {
    const Vector3d value = vector_at(values_.data() + force.value);
    const Vector3d point = world(kinematics, force.body, force.point);
    push(kinematics, force.body, point, value, h);
    if (kinematics.free_speed(force.body) >= 0)
      power += value.dot(kinematics.body(force.body).velocity_at(point));
  }
  for (const auto& [speed, value] : generalised_) {
    h[speed] += values_[value];
    power += values_[value] * v[speed];
  }
  out[snapshot.at_power()] = power;
  out[snapshot.at_power() + 1] = drive;
}

/// Weight and gyroscopic torque; returns the power of a weight that has no potential.
double SpatialBodies::add_gravity(const BodyKinematics& kinematics, double* h) const {
  double power = 0.0;
  const Vector3d gravity = vector_at(values_.data());
  for (const FreeBody& body : bodies_) {
    const BodyMotion& motion = kinematics.body(body.index);
    const Vector3d weight = body.mass * gravity;
    const Vector3d spin = motion.spin, turning = -spin.cross(world_inertia(body, motion) * spin);
    for (int k = 0; k < 3; ++k) {
      h[body.v + k] += weight[k];
      h[body.v + 3 + k] += turning[k];
    }
    if (!is_gravity_constant_) power += weight.dot(motion.velocity);
  }
  return power;
}

/// Returns what the potential does not give back: the damper's power, and that of the bodies of prescribed motion that
/// hold an end.
SpatialBodies::Powers SpatialBodies::add_spring(const Spring& spring,
                                                const BodyKinematics& kinematics, double* h) const {
  const double* value = values_.data() + spring.value;
  const BodyIndex first_body = spring.first.body, second_body = spring.second.body;
  const Vector3d first = world(kinematics, first_body, spring.first_point),
                 second = world(kinematics, second_body, spring.second_point);
  const Vector3d d = first - second;
  const BodyMotion &a = kinematics.body(first_body), &b = kinematics.body(second_body);
  const Vector3d relative = a.velocity_at(first) - b.velocity_at(second);
  const double length = d.norm();
  const Vector3d along = length > 0.0 ? Vector3d(d / length) : Vector3d::Zero();
  const Vector3d elastic = -value[0] * (d - value[2] * along);
  const Vector3d damped = -value[1] * along.dot(relative) * along;
  const Vector3d force = elastic + damped;
  push(kinematics, first_body, first, force, h);
  push(kinematics, second_body, second, -force, h);
  Powers powers;
  powers.applied = (spring.is_conservative ? damped : force).dot(relative);
  if (kinematics.free_speed(first_body) < 0) powers.drive -= force.dot(a.velocity_at(first));
  if (kinematics.free_speed(second_body) < 0) powers.drive += force.dot(b.velocity_at(second));
  return powers;
}

Energies SpatialBodies::energies(const BodyKinematics& kinematics) const {
  Energies e;
  const Vector3d gravity = vector_at(values_.data());
  for (const FreeBody& body : bodies_) {
    const BodyMotion& motion = kinematics.body(body.index);
    e.kinetic += 0.5 * body.mass * motion.velocity.squaredNorm() +
                 0.5 * motion.spin.dot(world_inertia(body, motion) * motion.spin);
    if (is_gravity_constant_) e.potential -= body.mass * gravity.dot(motion.pose.position);
  }
  for (const Spring& spring : springs_) {
    if (!spring.is_conservative) continue;
    const double* value = values_.data() + spring.value;
    const double stretch = (world(kinematics, spring.first.body, spring.first_point) -
                            world(kinematics, spring.second.body, spring.second_point))
                               .norm() -
                           value[2];
    e.potential += 0.5 * value[0] * stretch * stretch;
  }
  return e;
}

void SpatialBodies::coordinate_rates(const double* q, const double* v, double* dqdt) const {
  for (const FreeBody& body : bodies_) {
    for (int k = 0; k < 3; ++k) dqdt[body.q + k] = v[body.v + k];
    const double qw = q[body.q + 3];
    const Vector3d qv = vector_at(q + body.q + 4), w = vector_at(v + body.v + 3);
    const Vector3d rate = 0.5 * (qw * w + w.cross(qv));
    dqdt[body.q + 3] = -0.5 * w.dot(qv);
    for (int k = 0; k < 3; ++k) dqdt[body.q + 4 + k] = rate[k];
  }
}

void SpatialBodies::displace(double* q, const double* move) const {
  for (const FreeBody& body : bodies_) {
    for (int k = 0; k < 3; ++k) q[body.q + k] += move[body.v + k];
    const Vector3d turn = vector_at(move + body.v + 3);
    const double angle = turn.norm();
    const double part = angle > 0.0 ? std::sin(0.5 * angle) / angle : 0.5;
    const Eigen::Quaterniond by(std::cos(0.5 * angle), part * turn[0], part * turn[1],
                                part * turn[2]);
    const Eigen::Quaterniond at(q[body.q + 3], q[body.q + 4], q[body.q + 5], q[body.q + 6]);
    const Eigen::Quaterniond to = (by * at).normalized();
    q[body.q + 3] = to.w();
    q[body.q + 4] = to.x();
    q[body.q + 5] = to.y();
    q[body.q + 6] = to.z();
  }
}

void SpatialBodies::normalise(double* q) const {
  for (const FreeBody& body : bodies_) {
    Eigen::Map<Eigen::Vector4d> quaternion(q + body.q + 3);
    quaternion.normalize();
  }
}

}  // namespace clack
