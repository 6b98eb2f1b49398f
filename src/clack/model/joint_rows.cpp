// SPDX-License-Identifier: Apache-2.0
#include "clack/model/joint_rows.hpp"

#include <Eigen/Geometry>

namespace clack {

using Eigen::Vector3d;
using symbolic::Expression;

namespace {

SpatialVector formulas_of(symbolic::Graph& graph, const Vector3d& v) {
  return {graph.number(v[0]), graph.number(v[1]), graph.number(v[2])};
}

SpatialVector nothing(symbolic::Graph& graph) { return formulas_of(graph, Vector3d::Zero()); }

/// R local, without the products by zero.
SpatialVector turned(const SpatialMatrix& rotation, const Vector3d& local, Expression zero) {
  SpatialVector v{zero, zero, zero};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (local[j] != 0.0) v[i] = v[i] + local[j] * rotation[i][j];
  return v;
}

SpatialVector unit(symbolic::Graph& graph, int axis) {
  return formulas_of(graph, Vector3d::Unit(axis));
}

}  // namespace

SpatialVector JointBodies::numbers(const Vector3d& v) const { return formulas_of(graph, v); }

MovingVector MovingBody::carried(const Vector3d& local) const {
  const Expression zero = 0.0 * rotation[0][0];
  const SpatialVector r = turned(rotation, local, zero), rate = cross(spin.value, r);
  return {r, rate, cross(spin.bias, r) + cross(spin.value, rate)};
}

MovingVector MovingBody::point(const Vector3d& local) const {
  return local.isZero(0.0) ? origin : origin + carried(local);
}

MovingRate MovingBody::velocity_at(const MovingVector& place) const {
  const MovingRate own{origin.rate, origin.bias};
  return own + cross(spin, place - origin);
}

std::vector<Vector3d> across(const Vector3d& axis, int dimension) {
  if (dimension == 2) return {Vector3d(-axis.y(), axis.x(), 0.0)};
  const Vector3d first = axis.unitOrthogonal();
  return {first, axis.cross(first)};
}

void add_points_together(const JointBodies& bodies, JointRows& rows) {
  const MovingVector d = bodies.distance();
  for (int k = 0; k < bodies.dimension; ++k)
    rows.push_back(
        {d.value[k], d.rate[k], d.bias[k], unit(bodies.graph, k), nothing(bodies.graph)});
}

void add_on_line(const JointBodies& bodies, const Vector3d& axis, JointRows& rows) {
  const MovingVector d = bodies.distance();
  for (const Vector3d& local : across(axis, bodies.dimension)) {
    const MovingVector t = bodies.second.carried(local);
    const MovingScalar off = dot(t, d);
    rows.push_back({off.value, off.rate, off.bias, t.value, nothing(bodies.graph)});
  }
}

void add_no_turning(const JointBodies& bodies, const KeptOrientation& kept, JointRows& rows) {
  symbolic::Graph& graph = bodies.graph;
  const MovingRate w = bodies.turning();
  if (bodies.dimension == 2) {
    const Expression turn = bodies.first.angle - bodies.second.angle;
    rows.push_back({turn - kept.angle, w.value[2], w.bias[2], nothing(graph), unit(graph, 2)});
    return;
  }
  SpatialVector error = nothing(graph);
  for (int k = 0; k < 3; ++k) {
    const Vector3d column = kept.relative.col(k);
    error = error + cross(bodies.second.carried(column).value,
                          bodies.first.carried(Vector3d::Unit(k)).value);
  }
  for (int k = 0; k < 3; ++k)
    rows.push_back({0.5 * error[k], w.value[k], w.bias[k], nothing(graph), unit(graph, k)});
}

void add_turning_about(const JointBodies& bodies, const Vector3d& first_axis, const Vector3d& axis,
                       JointRows& rows) {
  const MovingRate w = bodies.turning();
  const SpatialVector a = bodies.first.carried(first_axis).value,
                      n = bodies.second.carried(axis).value;
  for (const Vector3d& local : across(axis, 3)) {
    const MovingVector t = bodies.second.carried(local);
    rows.push_back({dot(t.value, cross(n, a)), dot(t.value, w.value),
                    dot(t.rate, w.value) + dot(t.value, w.bias), nothing(bodies.graph), t.value});
  }
}

void add_right_angle(const JointBodies& bodies, const Vector3d& first_axis, const Vector3d& axis,
                     JointRows& rows) {
  const MovingVector a = bodies.first.carried(first_axis), b = bodies.second.carried(axis);
  const MovingScalar cosine = dot(a, b);
  rows.push_back(
      {cosine.value, cosine.rate, cosine.bias, nothing(bodies.graph), cross(a.value, b.value)});
}

void add_distance(const JointBodies& bodies, double length, JointRows& rows) {
  const MovingVector d = bodies.distance();
  const MovingScalar size = sqrt(dot(d, d));
  rows.push_back({size.value - length, size.rate, size.bias, (1.0 / size.value) * d.value,
                  nothing(bodies.graph)});
}

namespace {

/// Where a round body touches what it rolls on.
struct RollingTouch {
  MovingScalar gap;
  MovingVector normal, place;  // normal out of the second body
};

RollingTouch touch_on_plane(const JointBodies& bodies, double radius, const Vector3d& axis,
                            const RollingGround& ground) {
  const MovingVector n = bodies.second.carried(ground.normal);
  const MovingVector centre = bodies.first.point(bodies.first_point);
  const MovingScalar height = dot(n, bodies.distance());
  if (axis.isZero(0.0)) return {height + -radius, n, centre - radius * n};
  const MovingVector a = bodies.first.carried(axis);
  const MovingVector up = n - dot(n, a) * a;  // in the plane of the disk
  const MovingScalar steepness = sqrt(dot(up, up));
  return {height - radius * steepness, n, centre - radius * (inverse(steepness) * up)};
}

RollingTouch touch_on_round(const JointBodies& bodies, double radius, const RollingGround& ground) {
  const double side = ground.is_inside ? -1.0 : 1.0;
  const MovingVector d = bodies.distance();
  const MovingScalar size = sqrt(dot(d, d));
  const MovingVector n = side * (inverse(size) * d);
  const MovingScalar gap = side * (size + -ground.radius) + -radius;
  return {gap, n, bodies.first.point(bodies.first_point) - radius * n};
}

}  // namespace

void add_rolling(const JointBodies& bodies, double radius, const Vector3d& axis,
                 const RollingGround& ground, JointRows& rows) {
  const RollingTouch touch = ground.is_plane ? touch_on_plane(bodies, radius, axis, ground)
                                             : touch_on_round(bodies, radius, ground);
  const MovingRate slip =
      bodies.first.velocity_at(touch.place) - bodies.second.velocity_at(touch.place);
  for (int k = 0; k < bodies.dimension; ++k)
    rows.push_back({touch.gap.value * touch.normal.value[k], slip.value[k], slip.bias[k],
                    unit(bodies.graph, k), nothing(bodies.graph)});
}

MovingScalar position_along(const JointBodies& bodies, const Vector3d& axis) {
  return dot(bodies.second.carried(axis), bodies.distance());
}

MovingScalar turned_about(const JointBodies& bodies, const Vector3d& axis, Expression angle) {
  const MovingRate w = bodies.turning();
  if (bodies.dimension == 2) return {angle, w.value[2], w.bias[2]};
  const MovingVector n = bodies.second.carried(axis);
  return {angle, dot(n.value, w.value), dot(n.rate, w.value) + dot(n.value, w.bias)};
}

}  // namespace clack
