// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/spatial_distance.hpp"

#include "clack/geometry/box_distance.hpp"
#include "clack/geometry/solid_distance.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include "clack/geometry/tolerances.hpp"

namespace clack {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

SpatialDistance swapped(SpatialDistance d) {
  std::swap(d.first, d.second);
  d.normal = -d.normal;
  d.inward = -d.inward;
  return d;
}

/// A round or smooth body in the world.
struct Smooth {
  Vector3d centre = Vector3d::Zero();
  Matrix3d rotation = Matrix3d::Identity();
  const SmoothBody* body = nullptr;  // nullptr: round
  double radius = 0.0;

  bool is_round() const { return body == nullptr; }
  /// Point of the surface with the outward normal n.
  Vector3d point(const Vector3d& n) const {
    if (is_round()) return centre + radius * n;
    return centre + rotation * body->point(rotation.transpose() * n);
  }
  /// Second derivative of the support: radii of curvature on the tangent plane.
  Matrix3d bend(const Vector3d& n) const {
    if (is_round()) return radius * Matrix3d::Identity();
    return rotation * body->bend(rotation.transpose() * n) * rotation.transpose();
  }
  Witness witness(const Vector3d& n) const {
    if (is_round()) return round_witness(point(n), radius);
    return {point(n), {bend(n), Matrix3d::Identity()}, Feature::smooth};
  }
};

Smooth smooth(const RoundSide& side, const Pose& pose) {
  return {to_world(pose, side.centre), pose.rotation, nullptr, side.radius};
}

Smooth smooth(const SmoothShape& side, const Pose& pose) {
  return {pose.position, pose.rotation, side.body.get(), 0.0};
}

Eigen::Matrix<double, 3, 2> tangents(const Vector3d& n) {
  Eigen::Matrix<double, 3, 2> t;
  t.col(0) = n.unitOrthogonal();
  t.col(1) = n.cross(t.col(0));
  return t;
}

/// The unit normal that maximises f, see the header.
Vector3d best_normal(const Smooth& a, const Smooth& b) {
  const Vector3d d = a.centre - b.centre;
  Vector3d n = d.norm() > 0.0 ? Vector3d(d.normalized()) : Vector3d::UnitZ();
  const auto apart = [&](const Vector3d& u) -> Vector3d { return a.point(-u) - b.point(u); };
  Vector3d gap = apart(n);
  double f = n.dot(gap);
  const double size = d.norm() + gap.norm();
  const GeometryTolerances& tol = geometry_tolerances;
  int refinements = 0;  // steps taken when f can no longer tell better from worse
  for (int iteration = 0; iteration < tol.iterations && refinements < tol.refinements;
       ++iteration) {
    const auto t = tangents(n);
    const Eigen::Vector2d slope = t.transpose() * gap;
    if (slope.norm() <= std::numeric_limits<double>::epsilon() * size) break;
    const Eigen::Matrix2d bend = t.transpose() * (a.bend(-n) + b.bend(n)) * t;
    const double radius = 0.5 * bend.trace();
    // Newton's step; where f is not concave (deep overlap) curvatures count by their size.
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> curvature(bend +
                                                                   f * Eigen::Matrix2d::Identity());
    const Eigen::Vector2d size_of =
        curvature.eigenvalues().cwiseAbs().cwiseMax(tol.flat * (radius + std::abs(f)));
    Eigen::Vector2d step = curvature.eigenvectors() *
                           (curvature.eigenvectors().transpose() * slope).cwiseQuotient(size_of);
    if (step.norm() > tol.longest_turn) step *= tol.longest_turn / step.norm();
    const bool is_tiny = slope.norm() <= tol.tiny_slope * size;
    if (is_tiny) ++refinements;
    for (int halving = 0; halving < tol.halvings; ++halving, step *= 0.5) {
      const Vector3d tried = (n + t * step).normalized();
      const Vector3d tried_gap = apart(tried);
      const double tried_f = tried.dot(tried_gap);
      if (!is_tiny && tried_f < f + tol.armijo * slope.dot(step)) continue;
      n = tried;
      gap = tried_gap;
      f = tried_f;
      break;
    }
  }
  return n;
}

SpatialDistance smooth_smooth(const Smooth& a, const Smooth& b) {
  SpatialDistance result;
  if (a.is_round() && b.is_round()) {
    const Vector3d d = a.centre - b.centre;
    const double length = d.norm();
    result.normal = length > 0.0 ? Vector3d(d / length) : Vector3d::UnitZ();
    result.distance = length - (a.radius + b.radius);
  } else {
    result.normal = best_normal(a, b);
    result.distance = result.normal.dot(a.point(-result.normal) - b.point(result.normal));
  }
  result.first = a.witness(-result.normal);
  result.second = b.witness(result.normal);
  return result;
}

SpatialDistance smooth_plane(const Smooth& body, const HalfSpace& plane, const Pose& pose) {
  SpatialDistance result;
  result.normal = pose.rotation * plane.normal;
  result.first = body.witness(-result.normal);
  const Vector3d origin = to_world(pose, plane.offset * plane.normal);
  if (body.is_round())  // without the detour over the witness, which would cost digits
    result.distance = result.normal.dot(body.centre - origin) - body.radius;
  else
    result.distance = result.normal.dot(result.first.point - origin);
  result.second = {result.first.point - result.distance * result.normal, face_surface(),
                   Feature::face};
  return result;
}

bool is_smooth(const Side& side) {
  return std::holds_alternative<RoundSide>(side) || std::holds_alternative<SmoothShape>(side);
}

Smooth smooth(const Side& side, const Pose& pose) {
  if (const auto* ball = std::get_if<RoundSide>(&side)) return smooth(*ball, pose);
  return smooth(std::get<SmoothShape>(side), pose);
}

bool is_point(const Side& side) {
  const auto* ball = std::get_if<RoundSide>(&side);
  return ball != nullptr && ball->radius <= 0.0;
}

}  // namespace

bool has_distance(const Side& first, const Side& second) {
  const bool is_first = is_smooth(first), is_second = is_smooth(second);
  if (is_first && is_second) return !(is_point(first) && is_point(second));
  const auto is_edge = [](const Side& s) { return std::holds_alternative<EdgeSide>(s); };
  const auto is_corner = [](const Side& s) { return std::holds_alternative<CornerSide>(s); };
  const auto is_box = [](const Side& s) {
    return std::holds_alternative<Box>(s) || std::holds_alternative<Solid>(s);
  };
  if (is_edge(first) || is_edge(second)) return is_edge(first) && is_edge(second);
  if (is_corner(first)) return is_box(second);
  if (is_corner(second)) return is_box(first);
  if (!is_first && !is_second) return false;
  const Side &round = is_first ? first : second, &other = is_first ? second : first;
  return std::holds_alternative<HalfSpace>(other) || std::holds_alternative<RoundSide>(round);
}

SpatialDistance signed_distance(const Side& first, const Pose& pa, const Side& second,
                                const Pose& pb) {
  assert(has_distance(first, second));
  if (const auto* edge = std::get_if<EdgeSide>(&first))
    return edge_edge(*edge, pa, std::get<EdgeSide>(second), pb);
  if (const auto* corner = std::get_if<CornerSide>(&first))
    return std::holds_alternative<Solid>(second)
               ? corner_solid(*corner, pa, *std::get<Solid>(second).body, pb)
               : corner_box(*corner, pa, std::get<Box>(second), pb);
  if (!is_smooth(first)) return swapped(signed_distance(second, pb, first, pa));
  const Smooth body = smooth(first, pa);
  if (is_smooth(second)) return smooth_smooth(body, smooth(second, pb));
  if (const auto* plane = std::get_if<HalfSpace>(&second)) return smooth_plane(body, *plane, pb);
  if (const auto* solid = std::get_if<Solid>(&second))
    return round_solid(body.centre, body.radius, *solid->body, pb);
  return round_box(body.centre, body.radius, std::get<Box>(second), pb);
}

SpatialDistance touching_distance(const Side& first, const Pose& pa, const Side& second,
                                  const Pose& pb, const SpatialDistance& distance,
                                  const Vector3d& slip) {
  if (const auto* edge = std::get_if<EdgeSide>(&first))
    return held_edges(*edge, pa, std::get<EdgeSide>(second), pb, distance, slip);
  if (const auto* corner = std::get_if<CornerSide>(&first))
    return std::holds_alternative<Solid>(second)
               ? held_corner(*corner, pa, *std::get<Solid>(second).body, pb, distance, slip)
               : held_corner(*corner, pa, std::get<Box>(second), pb, distance, slip);
  if (std::holds_alternative<CornerSide>(second))
    return swapped(touching_distance(second, pb, first, pa, swapped(distance), -slip));
  return distance;
}

}  // namespace clack
