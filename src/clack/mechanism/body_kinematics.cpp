// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/body_kinematics.hpp"

#include <Eigen/Geometry>
#include <cmath>

#include "clack/index.hpp"
#include "clack/mechanism/spatial_kinematics.hpp"

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
    kind_.push_back(body.kind);
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

/// In space: position (3), rotation (9, by rows), velocity, spin and their accelerations at dv/dt = 0 (3 each), then per
/// speed that moves the body velocity and spin that a unit of it adds.
void BodyKinematics::add_spatial_formulas(const Model& model, const MotionSymbols& motion,
                                          BodyIndex index, std::vector<Expression>& outputs) {
  const Body& body = model.bodies[index];
  const BodyTurning turning = turning_of(model, body, motion);
  const SpatialVector spin = turning.rotation * turning.spin;
  Prescribed prescribed{index, number_of(outputs), spatial_size, {}};
  outputs.insert(outputs.end(), body.position.begin(), body.position.end());
  for (const SpatialVector& row : turning.rotation)
    outputs.insert(outputs.end(), row.begin(), row.end());
  std::vector<Expression> rates;
  for (const Expression& e : body.position) rates.push_back(motion.rate(e));
  rates.insert(rates.end(), spin.begin(), spin.end());
  outputs.insert(outputs.end(), rates.begin(), rates.end());
  for (const Expression& e : rates) outputs.push_back(motion.rate(e));
  add_columns(motion, index, rates, prescribed, outputs);
}

/// Per speed that moves the body the derivatives of its rates by it.
void BodyKinematics::add_columns(const MotionSymbols& motion, BodyIndex index,
                                 const std::vector<Expression>& rates, Prescribed prescribed,
                                 std::vector<Expression>& outputs) {
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

/// In the plane: position (third component zero) and angle, their rates, their accelerations at dv/dt = 0, then per speed
/// that moves the body the column of its Jacobian.
void BodyKinematics::add_formulas(const Model& model, const MotionSymbols& motion, BodyIndex index,
                                  std::vector<Expression>& outputs) {
  if (dimension_ == 3) return add_spatial_formulas(model, motion, index, outputs);
  const Body& body = model.bodies[index];
  std::vector<Expression> place{body.position[0], body.position[1], motion.zero(),
                                body.angle.is_valid() ? body.angle : motion.zero()};
  Prescribed prescribed{index, number_of(outputs), number_of(place), {}};
  std::vector<Expression> rates;
  for (const Expression& e : place) rates.push_back(motion.rate(e));
  outputs.insert(outputs.end(), place.begin(), place.end());
  outputs.insert(outputs.end(), rates.begin(), rates.end());
  for (const Expression& e : rates) outputs.push_back(motion.rate(e));
  add_columns(motion, index, rates, std::move(prescribed), outputs);
}

void BodyKinematics::place(const double* inputs) {
  const double *q = inputs + 1, *v = inputs + 1 + coordinates_;
  for (const BodyIndex body : free_) place_free(q + coordinate_[body], v + speed_[body], body);
  if (prescribed_.empty()) return;
  program_(inputs, values_.data());
  for (const Prescribed& prescribed : prescribed_) place_prescribed(prescribed);
}

bool BodyKinematics::place_alone(const double* inputs, BodyIndex body) {
  if (coordinate_[body] >= 0)
    place_free(inputs + 1 + coordinate_[body], inputs + 1 + coordinates_ + speed_[body], body);
  return coordinate_[body] >= 0 || kind_[body] == BodyKind::fixed;
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

void BodyKinematics::place_spatial(const Prescribed& prescribed) {
  BodyMotion& motion = motions_[prescribed.body];
  const double* value = values_.data() + prescribed.value;
  motion.pose.position = vector_at(value);
  for (int i = 0; i < 3; ++i) motion.pose.rotation.row(i) = vector_at(value + 3 + 3 * i);
  motion.velocity = vector_at(value + 12);
  motion.spin = vector_at(value + 15);
  motion.drive = vector_at(value + 18);
  motion.turn = vector_at(value + 21);
  const double* column = value + prescribed.size;
  for (SpeedEffect& effect : effects_[prescribed.body]) {
    effect.velocity = vector_at(column);
    effect.spin = vector_at(column + 3);
    column += 6;
  }
}

void BodyKinematics::place_prescribed(const Prescribed& prescribed) {
  if (dimension_ == 3) return place_spatial(prescribed);
  BodyMotion& motion = motions_[prescribed.body];
  const double* value = values_.data() + prescribed.value;
  const int size = prescribed.size;
  motion.pose.position = vector_at(value);
  motion.velocity = vector_at(value + size);
  motion.drive = vector_at(value + 2 * size);
  motion.pose.rotation = turned(value[3]);
  motion.spin = {0.0, 0.0, value[size + 3]};
  motion.turn = {0.0, 0.0, value[2 * size + 3]};
  const double* column = value + 3 * size;
  for (SpeedEffect& effect : effects_[prescribed.body]) {
    effect.velocity = vector_at(column);
    effect.spin = {0.0, 0.0, column[3]};
    column += size;
  }
}

}  // namespace clack
