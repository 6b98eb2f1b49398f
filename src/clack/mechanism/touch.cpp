// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/touch.hpp"

#include <Eigen/Dense>
#include <array>
#include <cmath>

#include "clack/mechanism/tolerances.hpp"

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

/// How a planar surface bends at a witness: P = slide, Q = turn, see LocalSurface.
struct PlanarSurface {
  double slide = 0.0, turn = 1.0;
};

/// Signed distance in the plane: the same as signed_distance, in two dimensions.
struct PlanarDistance {
  double gap = 0.0;
  Eigen::Vector2d normal, first, second;
  PlanarSurface first_surface, second_surface;
};

Eigen::Vector2d turned(const Pose& pose, const Vector3d& local) {
  const Eigen::Matrix3d& R = pose.rotation;
  return {R(0, 0) * local.x() + R(0, 1) * local.y(), R(1, 0) * local.x() + R(1, 1) * local.y()};
}

PlanarDistance round_on_plane(const RoundSide& round, const Pose& round_pose,
                              const HalfSpace& plane, const Pose& plane_pose) {
  PlanarDistance d;
  d.normal = turned(plane_pose, plane.normal);
  const Eigen::Vector2d centre = round_pose.position.head<2>() + turned(round_pose, round.centre);
  const Eigen::Vector2d origin =
      plane_pose.position.head<2>() + turned(plane_pose, plane.offset * plane.normal);
  d.gap = d.normal.dot(centre - origin) - round.radius;
  d.first = centre - round.radius * d.normal;
  d.second = d.first - d.gap * d.normal;
  d.first_surface = {round.radius, 1.0};
  d.second_surface = {1.0, 0.0};
  return d;
}

PlanarDistance round_on_round(const RoundSide& a, const Pose& pa, const RoundSide& b,
                              const Pose& pb) {
  PlanarDistance d;
  const Eigen::Vector2d first = pa.position.head<2>() + turned(pa, a.centre),
                        second = pb.position.head<2>() + turned(pb, b.centre);
  const double length = (first - second).norm();
  d.normal = length > 0.0 ? Eigen::Vector2d((first - second) / length) : Eigen::Vector2d::UnitY();
  d.gap = length - (a.radius + b.radius);
  d.first = first - a.radius * d.normal;
  d.second = second + b.radius * d.normal;
  d.first_surface = {a.radius, 1.0};
  d.second_surface = {b.radius, 1.0};
  return d;
}

/// In the hollow of an arc: seen from the centre the witness of the arc moves against its normal, P = -R.
PlanarDistance round_in_hollow(const RoundSide& round, const Pose& round_pose,
                               const HollowSide& hollow, const Pose& hollow_pose) {
  PlanarDistance d;
  const Eigen::Vector2d first = round_pose.position.head<2>() + turned(round_pose, round.centre),
                        second =
                            hollow_pose.position.head<2>() + turned(hollow_pose, hollow.centre);
  const double length = (second - first).norm();
  d.normal = length > 0.0 ? Eigen::Vector2d((second - first) / length) : Eigen::Vector2d::UnitY();
  d.gap = (hollow.radius - round.radius) - length;
  d.first = first - round.radius * d.normal;
  d.second = second - hollow.radius * d.normal;
  d.first_surface = {round.radius, 1.0};
  d.second_surface = {-hollow.radius, 1.0};
  return d;
}

PlanarDistance round_on_any(const RoundSide& round, const Pose& pose, const Side& other,
                            const Pose& other_pose) {
  if (const auto* hollow = std::get_if<HollowSide>(&other))
    return round_in_hollow(round, pose, *hollow, other_pose);
  return round_on_plane(round, pose, std::get<HalfSpace>(other), other_pose);
}

/// One side is round (SidesTable sees to that).
PlanarDistance planar_distance(const ContactSides& sides, const Pose& a, const Pose& b) {
  const auto *first = std::get_if<RoundSide>(sides.first),
             *second = std::get_if<RoundSide>(sides.second);
  if (first && second) return round_on_round(*first, a, *second, b);
  if (first) return round_on_any(*first, a, *sides.second, b);
  PlanarDistance d = round_on_any(*second, b, *sides.first, a);
  d.normal = -d.normal;
  std::swap(d.first, d.second);
  std::swap(d.first_surface, d.second_surface);
  return d;
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
  if (!(c > mechanism_tolerances.opposite_normals)) return ContactFrame(n).start_tangents;
  const Eigen::RowVector2d along = n.transpose() * start_tangents / c;
  return start_tangents - (start_normal + n) * along;
}

Eigen::Matrix<double, 3, 2> ContactFrame::tangent_rates(const Vector3d& n,
                                                        const Vector3d& rate) const {
  const double c = 1.0 + start_normal.dot(n);
  if (!(c > mechanism_tolerances.opposite_normals)) return Eigen::Matrix<double, 3, 2>::Zero();
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
  const PlanarDistance d = planar_distance(sides, a.pose, b.pose);
  const double nx = d.normal.x(), ny = d.normal.y(), tx = ny, ty = -nx;
  const double g = d.gap, spin1 = a.spin.z(), spin2 = b.spin.z();
  const double x1 = d.first.x() - a.pose.position.x(), y1 = d.first.y() - a.pose.position.y();
  const double x2 = d.second.x() - b.pose.position.x(), y2 = d.second.y() - b.pose.position.y();
  const double turn1x = -spin1 * y1, turn1y = spin1 * x1, turn2x = -spin2 * y2, turn2y = spin2 * x2;
  const double vx = (a.velocity.x() + turn1x) - (b.velocity.x() + turn2x);
  const double vy = (a.velocity.y() + turn1y) - (b.velocity.y() + turn2y);
  TouchMotion touch;
  touch.gap = g;
  touch.normal = {nx, ny, 0.0};
  touch.tangents.col(0) = Vector3d(tx, ty, 0.0);
  touch.first_arm = {x1, y1, 0.0};
  touch.second_arm = {x2, y2, 0.0};
  touch.gap_rate = nx * vx + ny * vy;
  touch.slip[0] = tx * vx + ty * vy;
  // spin x n = -spin t, so o = -spin.
  const auto [P1, Q1] = d.first_surface;
  const auto [P2, Q2] = d.second_surface;
  const double o1 = -spin1, r1 = spin2 - spin1, r2 = g * o1 - touch.slip[0];
  const double lever = P1 + g * Q1, determinant = -Q1 * P2 - Q2 * lever;
  const double w1 = (-P2 * r1 - Q2 * r2) / determinant, w2 = (Q1 * r2 - lever * r1) / determinant;
  const double turning_rate = o1 - Q1 * w1;  // n' = turning_rate t,  t' = -turning_rate n
  // Acceleration at dv/dt = 0 of the material point at a witness that moves by P w along the surface.
  const auto bias = [&](const BodyMotion& body, double spin, double x, double y, double turn_x,
                        double turn_y, double slide) {
    const double rate_x = turn_x + slide * tx, rate_y = turn_y + slide * ty, alpha = body.turn.z();
    return std::array{body.drive.x() - alpha * y - spin * rate_y,
                      body.drive.y() + alpha * x + spin * rate_x};
  };
  const auto [ax, ay] = bias(a, spin1, x1, y1, turn1x, turn1y, P1 * w1);
  const auto [bx, by] = bias(b, spin2, x2, y2, turn2x, turn2y, P2 * w2);
  touch.gap_bias = turning_rate * touch.slip[0] + (nx * (ax - bx) + ny * (ay - by));
  touch.slip_bias[0] = -turning_rate * touch.gap_rate + (tx * (ax - bx) + ty * (ay - by));
  return touch;
}

BorderMotion border_motion(const ContactSides& sides, const BodyMotion& a, const BodyMotion& b) {
  if (!sides.has_border) return {};
  SpatialDistance d = signed_distance(*sides.first, a.pose, *sides.second, b.pose);
  d = touching_distance(*sides.first, a.pose, *sides.second, b.pose, d, Vector3d::Zero());
  if (!d.is_candidate) return {};
  return {.margin = d.margin,
          .rate = d.inward.dot(a.velocity_at(d.border) - b.velocity_at(d.border)),
          .band = d.band,
          .ends_at_border = d.ends_at_border};
}

}  // namespace clack
