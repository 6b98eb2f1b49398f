// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/touch.hpp"

#include <Eigen/Dense>
#include <cmath>

namespace clack {
namespace {

using Eigen::Vector3d;

/// Rates of the witnesses and of the normal, see the header.
struct WitnessRates {
  Vector3d first, second, normal;
};

WitnessRates witness_rates(const SpatialDistance& d, const Eigen::Matrix<double, 3, 2>& t,
                           const BodyMotion& a, const BodyMotion& b, const Eigen::Vector2d& slip,
                           const Vector3d& first_velocity, const Vector3d& second_velocity) {
  const Eigen::Vector2d o1 = t.transpose() * a.spin.cross(d.normal);
  const Eigen::Vector2d o2 = t.transpose() * b.spin.cross(d.normal);
  const auto on_plane = [&](const Eigen::Matrix3d& m) -> Eigen::Matrix2d {
    return t.transpose() * m * t;
  };
  const Eigen::Matrix2d P1 = on_plane(d.first.surface.slide), Q1 = on_plane(d.first.surface.turn);
  const Eigen::Matrix2d P2 = on_plane(d.second.surface.slide), Q2 = on_plane(d.second.surface.turn);
  Eigen::Matrix4d system;
  system << Q1, Q2, P1 + d.distance * Q1, -P2;
  Eigen::Vector4d right;
  right << o1 - o2, d.distance * o1 - slip;
  const Eigen::Vector4d w = system.partialPivLu().solve(right);
  WitnessRates rates;
  rates.first = first_velocity + t * (P1 * w.head<2>());
  rates.second = second_velocity + t * (P2 * w.tail<2>());
  rates.normal = t * (o1 - Q1 * w.head<2>());
  return rates;
}

/// Acceleration, at dv/dt = 0, of the material point that is at a moving witness.
Vector3d bias_of(const BodyMotion& body, const Vector3d& arm, const Vector3d& witness_rate) {
  return body.drive + body.turn.cross(arm) + body.spin.cross(witness_rate - body.velocity);
}

}  // namespace

ContactFrame::ContactFrame(const Vector3d& normal) : start_normal(normal) {
  Eigen::Index largest = 0;
  normal.cwiseAbs().maxCoeff(&largest);
  const Vector3d axis = Vector3d::Unit((largest + 1) % 3);
  start_tangents.col(0) = (axis - normal.dot(axis) * normal).normalized();
  start_tangents.col(1) = normal.cross(start_tangents.col(0));
}

Eigen::Matrix<double, 3, 2> ContactFrame::tangents(const Vector3d& n) const {
  const double c = 1.0 + start_normal.dot(n);
  if (!(c > 1e-12)) return ContactFrame(n).start_tangents;
  const Eigen::RowVector2d along = n.transpose() * start_tangents / c;
  return start_tangents - (start_normal + n) * along;
}

Eigen::Matrix<double, 3, 2> ContactFrame::tangent_rates(const Vector3d& n,
                                                        const Vector3d& rate) const {
  const double c = 1.0 + start_normal.dot(n);
  if (!(c > 1e-12)) return Eigen::Matrix<double, 3, 2>::Zero();
  const Eigen::RowVector2d along = n.transpose() * start_tangents / c;
  const Eigen::RowVector2d change =
      (rate.transpose() * start_tangents - start_normal.dot(rate) * along) / c;
  return -(start_normal + n) * change - rate * along;
}

TouchMotion spatial_touch(const ContactSides& sides, const ContactFrame& frame, const BodyMotion& a,
                          const BodyMotion& b, Reach reach) {
  SpatialDistance d = signed_distance(*sides.first, a.pose, *sides.second, b.pose);
  if (reach == Reach::held && sides.has_border)
    d = touching_distance(*sides.first, a.pose, *sides.second, b.pose, d,
                          a.velocity_at(d.border) - b.velocity_at(d.border));
  TouchMotion touch;
  touch.gap = d.distance;
  touch.normal = d.normal;
  touch.tangents = frame.tangents(d.normal);
  touch.first_arm = d.first.point - a.pose.position;
  touch.second_arm = d.second.point - b.pose.position;
  const Vector3d v1 = a.velocity + a.spin.cross(touch.first_arm);
  const Vector3d v2 = b.velocity + b.spin.cross(touch.second_arm);
  const Vector3d relative = v1 - v2;
  touch.gap_rate = d.leaving_rate > 0.0 ? d.leaving_rate : d.normal.dot(relative);
  touch.slip = touch.tangents.transpose() * relative;
  if (!d.is_candidate) return touch;
  const WitnessRates rates = witness_rates(d, touch.tangents, a, b, touch.slip, v1, v2);
  const Vector3d turning =
      bias_of(a, touch.first_arm, rates.first) - bias_of(b, touch.second_arm, rates.second);
  touch.gap_bias = rates.normal.dot(relative) + d.normal.dot(turning);
  touch.slip_bias = frame.tangent_rates(d.normal, rates.normal).transpose() * relative +
                    touch.tangents.transpose() * turning;
  return touch;
}

TouchMotion planar_touch(const ContactSides& sides, const BodyMotion& a, const BodyMotion& b) {
  const SpatialDistance d = signed_distance(*sides.first, a.pose, *sides.second, b.pose);
  TouchMotion touch;
  touch.gap = d.distance;
  touch.normal = d.normal;
  const Vector3d n = d.normal, t(n.y(), -n.x(), 0.0);
  touch.tangents.col(0) = t;
  touch.first_arm = d.first.point - a.pose.position;
  touch.second_arm = d.second.point - b.pose.position;
  const double spin1 = a.spin.z(), spin2 = b.spin.z();
  const auto across = [](double spin, const Vector3d& x) {
    return Vector3d(-spin * x.y(), spin * x.x(), 0.0);
  };
  const Vector3d v1 = a.velocity + across(spin1, touch.first_arm);
  const Vector3d v2 = b.velocity + across(spin2, touch.second_arm);
  const Vector3d relative = v1 - v2;
  touch.gap_rate = n.dot(relative);
  touch.slip[0] = t.dot(relative);
  // spin x n = -spin t, so o = -spin.
  const auto along = [&](const Eigen::Matrix3d& m) { return t.dot(m * t); };
  const double P1 = along(d.first.surface.slide), Q1 = along(d.first.surface.turn);
  const double P2 = along(d.second.surface.slide), Q2 = along(d.second.surface.turn);
  const double o1 = -spin1, r1 = spin2 - spin1, r2 = d.distance * o1 - touch.slip[0];
  const double lever = P1 + d.distance * Q1, determinant = -Q1 * P2 - Q2 * lever;
  const double w1 = (-P2 * r1 - Q2 * r2) / determinant, w2 = (Q1 * r2 - lever * r1) / determinant;
  const double turning_rate = o1 - Q1 * w1;  // n' = turning_rate t,  t' = -turning_rate n
  const Vector3d p1 = v1 + (P1 * w1) * t, p2 = v2 + (P2 * w2) * t;
  const auto bias = [&](const BodyMotion& body, double spin, const Vector3d& arm,
                        const Vector3d& rate) -> Vector3d {
    return body.drive + across(body.turn.z(), arm) + across(spin, rate - body.velocity);
  };
  const Vector3d turning =
      bias(a, spin1, touch.first_arm, p1) - bias(b, spin2, touch.second_arm, p2);
  touch.gap_bias = turning_rate * touch.slip[0] + n.dot(turning);
  touch.slip_bias[0] = -turning_rate * touch.gap_rate + t.dot(turning);
  return touch;
}

BorderMotion border_motion(const ContactSides& sides, const BodyMotion& a, const BodyMotion& b) {
  if (!sides.has_border) return {};
  SpatialDistance d = signed_distance(*sides.first, a.pose, *sides.second, b.pose);
  d = touching_distance(*sides.first, a.pose, *sides.second, b.pose, d, Vector3d::Zero());
  if (!d.is_candidate) return {};
  return {d.margin, d.inward.dot(a.velocity_at(d.border) - b.velocity_at(d.border))};
}

}  // namespace clack
