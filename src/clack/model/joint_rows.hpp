// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <vector>

#include "clack/model/moving.hpp"

// Rows of joints as formulas. With points P_a, P_b and d = P_a - P_b, velocities v, angular velocities w, and vectors
// carried by a body (R local), a row has a value that vanishes, a rate that is linear in the speeds, and a bias:
//
//   points together      d_k                                  (v_a - v_b) at the points, k = x, y(, z)
//   on a line            t.d, t across the axis, carried by b  its derivative
//   no relative turning  sum_k (R_b C e_k) x (R_a e_k)/2       w_a - w_b,  C: relative orientation at the start
//   turning about n      t.(n x a), a carried by a             t.(w_a - w_b)
//   axes at right angles a.b                                   (w_a - w_b).(a x b)
//   distance             |d| - length                          d.(v_a - v_b)/|d|
//   rolling              gap n_k                               velocities of the two bodies where they touch
//
// A rate need not be the derivative of its value away from where all rows of the joint vanish; there it is. The force of
// a row acts on the first body along `force`, at its point, and turns it by `moment`.
namespace clack {

/// A rigid body as formulas, in the world; in the plane third components and the first two of `spin` are zero.
struct MovingBody {
  MovingVector origin;  // mass centre
  MovingRate spin;
  SpatialMatrix rotation;      // world = rotation * body
  symbolic::Expression angle;  // plane

  /// A vector fixed in the body:  r' = w x r,  r'' = w' x r + w x (w x r).
  MovingVector carried(const Eigen::Vector3d& local) const;
  MovingVector point(const Eigen::Vector3d& local) const;
  /// Velocity of the material of the body at a place that moves on its own.
  MovingRate velocity_at(const MovingVector& place) const;
};

struct JointRow {
  symbolic::Expression value;  // not valid: a row of speeds only
  symbolic::Expression rate, bias;
  SpatialVector force, moment;
};
using JointRows = std::vector<JointRow>;

/// The two bodies of a joint at their points; axes are in the frame of the second body.
struct JointBodies {
  symbolic::Graph& graph;
  int dimension = 2;
  MovingBody first, second;
  Eigen::Vector3d first_point = Eigen::Vector3d::Zero(), second_point = Eigen::Vector3d::Zero();

  MovingVector distance() const { return first.point(first_point) - second.point(second_point); }
  MovingRate turning() const { return first.spin - second.spin; }
  SpatialVector numbers(const Eigen::Vector3d& v) const;
};

/// Directions across an axis: one in the plane (the axis turned by 90 degrees), two in space.
std::vector<Eigen::Vector3d> across(const Eigen::Vector3d& axis, int dimension);

void add_points_together(const JointBodies& bodies, JointRows& rows);
void add_on_line(const JointBodies& bodies, const Eigen::Vector3d& axis, JointRows& rows);
/// Orientation of the first body against the second that is kept: an angle in the plane, a rotation in space.
struct KeptOrientation {
  double angle = 0.0;
  Eigen::Matrix3d relative = Eigen::Matrix3d::Identity();
};
void add_no_turning(const JointBodies& bodies, const KeptOrientation& kept, JointRows& rows);
/// Space. `first_axis` in the first body's frame, `axis` in the second's.
void add_turning_about(const JointBodies& bodies, const Eigen::Vector3d& first_axis,
                       const Eigen::Vector3d& axis, JointRows& rows);
void add_right_angle(const JointBodies& bodies, const Eigen::Vector3d& first_axis,
                     const Eigen::Vector3d& axis, JointRows& rows);
void add_distance(const JointBodies& bodies, double length, JointRows& rows);

/// What a round body rolls on, carried by the second body.
struct RollingGround {
  bool is_plane = true;
  Eigen::Vector3d normal = Eigen::Vector3d::UnitY();  // plane: out of the second body
  double radius = 0.0;     // round: of the second body; its centre is its point of the joint
  bool is_inside = false;  // round: the first rolls inside of it
};
/// `axis`: of a thin disk in space, in its own frame; zero: a ball (in the plane: a disk).
void add_rolling(const JointBodies& bodies, double radius, const Eigen::Vector3d& axis,
                 const RollingGround& ground, JointRows& rows);

/// How far the first body has moved against the second along the axis.
MovingScalar position_along(const JointBodies& bodies, const Eigen::Vector3d& axis);
/// How far it has turned; `angle` is the formula of that (plane: the difference of the angles).
MovingScalar turned_about(const JointBodies& bodies, const Eigen::Vector3d& axis,
                          symbolic::Expression angle);

}  // namespace clack
