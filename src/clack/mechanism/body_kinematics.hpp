// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "clack/geometry/spatial_distance.hpp"
#include "clack/mechanism/planar_kinematics.hpp"
#include "clack/symbolic/program.hpp"

namespace clack {

inline Eigen::Vector3d vector_at(const double* values) { return {values[0], values[1], values[2]}; }

/// A rigid body in motion; in the plane the third components of positions and velocities and the
/// first two of spins are zero. `drive` and `turn` are the accelerations of `pose.position` and of
/// the spin that remain at dv/dt = 0 (prescribed motion, curved coordinates; 0 for free bodies).
struct BodyMotion {
  Pose pose;
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero(), spin = Eigen::Vector3d::Zero();
  Eigen::Vector3d drive = Eigen::Vector3d::Zero(), turn = Eigen::Vector3d::Zero();

  /// Velocity of the material point that is at `point`.
  Eigen::Vector3d velocity_at(const Eigen::Vector3d& point) const {
    return velocity + spin.cross(point - pose.position);
  }
};

using BodyMotions = Indexed<BodyMotion, BodyIndex>;

/// The Jacobian of a body, column by column: what a unit of one speed adds to its velocity and spin.
struct SpeedEffect {
  int speed = -1;
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero(), spin = Eigen::Vector3d::Zero();
};

/// Poses, velocities, accelerations at dv/dt = 0 and Jacobians of all bodies that take part in
/// contacts between bodies or move freely in space. Free bodies in numbers, placed and prescribed
/// ones by one program that is compiled once per model, fixed ones once and for all.
///
///   velocity = sum_j effect_j.velocity v_j + (prescribed part),    acceleration = ... dv_j/dt + drive
class BodyKinematics {
 public:
  BodyKinematics(const Model& model, const MotionSymbols& motion);

  /// `inputs`: t, coordinates, speeds (MotionSymbols::inputs).
  void place(const double* inputs);
  /// One of them alone, the others stay where they are; false when it is not a free body and the inputs say where it is.
  bool place_alone(const double* inputs, BodyIndex body);
  int free_bodies() const { return number_of(free_); }
  const BodyMotions& bodies() const { return motions_; }
  const BodyMotion& body(BodyIndex index) const { return motions_[index]; }

  /// Free bodies: index of the first of their consecutive speeds; else -1.
  int free_speed(BodyIndex body) const { return speed_[body]; }
  /// The columns of any other body (free bodies: empty).
  std::span<const SpeedEffect> effects(BodyIndex body) const { return effects_[body]; }

 private:
  struct Prescribed {  // a placed or prescribed body: where its outputs begin
    BodyIndex body;
    int value = -1;
    int size = 0;             // plane: numbers of its place; space: all before its columns
    std::vector<int> speeds;  // that move it
  };
  void place_fixed(const Body& body, BodyMotion& motion) const;
  void add_formulas(const Model& model, const MotionSymbols& motion, BodyIndex body,
                    std::vector<Expression>& outputs);
  static constexpr int spatial_size = 24;  // numbers of a body in space before its columns
  void add_spatial_formulas(const Model& model, const MotionSymbols& motion, BodyIndex body,
                            std::vector<Expression>& outputs);
  void add_columns(const MotionSymbols& motion, BodyIndex body,
                   const std::vector<Expression>& rates, Prescribed prescribed,
                   std::vector<Expression>& outputs);
  void place_spatial(const Prescribed& prescribed);
  void place_free(const double* q, const double* v, BodyIndex body);
  void place_prescribed(const Prescribed& prescribed);

  int dimension_ = 2, coordinates_ = 0;
  BodyMotions motions_;
  Indexed<int, BodyIndex> coordinate_, speed_;  // first of a free body, or -1
  Indexed<BodyKind, BodyIndex> kind_;
  Indexed<std::vector<SpeedEffect>, BodyIndex> effects_;
  std::vector<BodyIndex> free_;
  std::vector<Prescribed> prescribed_;
  symbolic::Program program_;
  std::vector<double> values_;
};

}  // namespace clack
