// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/body_kinematics.hpp"

#include <Eigen/Geometry>
#include <cmath>

#include "clack/index.hpp"

namespace clack {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d turned(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Matrix3d rotation;
  rotation << c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0;
  return rotation;
}

Matrix3d rotation_at(const double* q) {
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}

/// A quaternion p of any length r with its two derivatives:
///   spin = 2 Im(p' p*)/r^2,   its derivative = 2 Im(p'' p*)/r^2 - spin (r^2)'/r^2.
void turn_prescribed(const double* p, const double* rate, const double* second,
                     BodyMotion& motion) {
  const Eigen::Quaterniond q(p[0], p[1], p[2], p[3]), dq(rate[0], rate[1], rate[2], rate[3]),
      ddq(second[0], second[1], second[2], second[3]);
  const double squared = q.squaredNorm();
  motion.pose.rotation = rotation_at(p);
  motion.spin = 2.0 / squared * (dq * q.conjugate()).vec();
  motion.turn = 2.0 / squared * (ddq * q.conjugate()).vec() -
                2.0 * q.coeffs().dot(dq.coeffs()) / squared * motion.spin;
}

/// Bodies that a contact between bodies needs.
Indexed<bool, BodyIndex> bodies_in_contacts(const Model& model) {
  Indexed<bool, BodyIndex> is_needed(model.bodies.size(), false);
  for (const Contact& contact : model.contacts)
    if (const Between* between = contact.between())
      is_needed[between->first.body] = is_needed[between->second.body] = true;
  return is_needed;
}

}  // namespace

BodyKinematics::BodyKinematics(const Model& model, const MotionSymbols& motion)
    : dimension_(model.dimension), coordinates_(number_of(model.coordinates)) {
  const Indexed<bool, BodyIndex> is_in_contact = bodies_in_contacts(model);
  std::vector<Expression> outputs;
  for (const BodyIndex b : indices(model.bodies)) {
    const Body& body = model.bodies[b];
    motions_.emplace_back();
    effects_.emplace_back();
    coordinate_.push_back(-1);
    speed_.push_back(-1);
    if (dimension_ == 3) motions_.back().pose.rotation = rotation_at(body.orientation.data());
    if (body.kind == BodyKind::free && (dimension_ == 3 || is_in_contact[b])) {
      coordinate_.back() = body.first_coordinate;
      speed_.back() = body.first_speed;
      free_.push_back(b);
    } else if (body.kind == BodyKind::fixed) {
      place_fixed(body, motions_.back());
    } else if (is_in_contact[b] || (dimension_ == 3 && body.kind == BodyKind::moving)) {
      add_formulas(model, motion, b, outputs);
    }
  }
  program_ = symbolic::Program(motion.inputs(), outputs);
  values_.resize(outputs.size());
}

void BodyKinematics::place_fixed(const Body& body, BodyMotion& motion) const {
  std::vector<Expression> place(body.position.begin(), body.position.begin() + dimension_);
  const bool is_turned = dimension_ == 2 && body.angle.is_valid();
  if (is_turned) place.push_back(body.angle);
  const symbolic::Program program({}, place, symbolic::Backend::tape);
  std::array<double, 3> value{};
  program(nullptr, value.data());
  for (int axis = 0; axis < dimension_; ++axis) motion.pose.position[axis] = value[axis];
  if (is_turned) motion.pose.rotation = turned(value[2]);
}

/// Position, velocity and acceleration at dv/dt = 0 (three numbers each), the same of the angle in
/// the plane (one each) or of the quaternion of a body that turns in space (four each), then per speed that moves the body the column of its Jacobian.
void BodyKinematics::add_formulas(const Model& model, const MotionSymbols& motion, BodyIndex index,
                                  std::vector<Expression>& outputs) {
  const Body& body = model.bodies[index];
  std::vector<Expression> place(3, motion.zero());
  for (int axis = 0; axis < dimension_; ++axis) place[axis] = body.position[axis];
  if (dimension_ == 2) place.push_back(body.angle.is_valid() ? body.angle : motion.zero());
  if (body.turning) place.insert(place.end(), body.turning->begin(), body.turning->end());
  Prescribed prescribed{
      index, number_of(outputs), number_of(place), {}};
  std::vector<Expression> rates;
  for (const Expression& e : place) rates.push_back(motion.rate(e));
  outputs.insert(outputs.end(), place.begin(), place.end());
  outputs.insert(outputs.end(), rates.begin(), rates.end());
  for (const Expression& e : rates) outputs.push_back(motion.rate(e));
  for (int j = 0; j < motion.speeds(); ++j) {
    std::vector<Expression> column;
    bool moves = false;
    for (const Expression& e : rates) {
      column.push_back(motion.speed_derivative(e, j));
      moves = moves || column.back() != motion.zero();
    }
    if (!moves) continue;
    prescribed.speeds.push_back(j);
    effects_[index].push_back({.speed = j});
    outputs.insert(outputs.end(), column.begin(), column.end());
  }
  prescribed_.push_back(std::move(prescribed));
}

void BodyKinematics::place(const double* inputs) {
  const double *q = inputs + 1, *v = inputs + 1 + coordinates_;
  for (const BodyIndex body : free_) place_free(q + coordinate_[body], v + speed_[body], body);
  if (prescribed_.empty()) return;
  program_(inputs, values_.data());
  for (const Prescribed& prescribed : prescribed_) place_prescribed(prescribed);
}

void BodyKinematics::place_free(const double* q, const double* v, BodyIndex body) {
  BodyMotion& motion = motions_[body];
  if (dimension_ == 2) {
    motion.pose.position = {q[0], q[1], 0.0};
    motion.pose.rotation = turned(q[2]);
    motion.velocity = {v[0], v[1], 0.0};
    motion.spin = {0.0, 0.0, v[2]};
    return;
  }
  motion.pose.position = vector_at(q);
  motion.pose.rotation = rotation_at(q + 3);
  motion.velocity = vector_at(v);
  motion.spin = vector_at(v + 3);
}

void BodyKinematics::place_prescribed(const Prescribed& prescribed) {
  BodyMotion& motion = motions_[prescribed.body];
  const double* value = values_.data() + prescribed.value;
  const int size = prescribed.size;
  motion.pose.position = vector_at(value);
  motion.velocity = vector_at(value + size);
  motion.drive = vector_at(value + 2 * size);
  if (dimension_ == 2) {
    motion.pose.rotation = turned(value[3]);
    motion.spin = {0.0, 0.0, value[size + 3]};
    motion.turn = {0.0, 0.0, value[2 * size + 3]};
  }
  if (dimension_ == 3 && size == 7)
    turn_prescribed(value + 3, value + size + 3, value + 2 * size + 3, motion);
  const double* column = value + 3 * size;
  for (SpeedEffect& effect : effects_[prescribed.body]) {
    effect.velocity = vector_at(column);
    if (dimension_ == 2) effect.spin = {0.0, 0.0, column[3]};
    column += size;
  }
}

}  // namespace clack
