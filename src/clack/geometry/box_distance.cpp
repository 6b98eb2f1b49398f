// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/box_distance.hpp"

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

constexpr const GeometryTolerances& tol = geometry_tolerances;

/// Where a point lies over the faces of a box, and which of them it is beyond.
struct BoxRegion {
  Vector3d local, over;  // box frame; distances from the faces on the point's side
  double band = 0.0;     // of its borders, m
  int count = 0;         // faces it is beyond
  std::array<bool, 3> is_beyond{};

  BoxRegion(const Vector3d& point, const Box& box, const Pose& pose, double tolerance)
      : local(pose.rotation.transpose() * (point - pose.position)),
        over(local.cwiseAbs() - box.half_extents),
        band(tol.border_band * box.half_extents.maxCoeff()) {
    for (int k = 0; k < 3; ++k) {
      is_beyond[k] = over[k] > tolerance * box.half_extents.maxCoeff();
      count += is_beyond[k] ? 1 : 0;
    }
  }
  double side(int k) const { return local[k] < 0.0 ? -1.0 : 1.0; }
  Vector3d face(int k) const { return side(k) * Vector3d::Unit(k); }
};

/// The nearest border of the region in which a ball's centre lies; `face`: the axis of the normal.
void set_ball_border(const BoxRegion& region, int face, const Pose& pose, const Vector3d& centre,
                     SpatialDistance& result) {
  int nearest = -1;
  for (int k = 0; k < 3; ++k)
    if ((region.count > 1 || k != face) &&
        (nearest < 0 || std::abs(region.over[k]) < std::abs(region.over[nearest])))
      nearest = k;
  const double sign = region.count == 2 ? -1.0 : 1.0;
  const bool is_beyond = region.is_beyond[nearest];
  result.margin = sign * std::abs(region.over[nearest]);
  result.band = region.band;
  result.inward = (is_beyond ? sign : -sign) * (pose.rotation * region.face(nearest));
  result.border = centre;
}

/// A point on a face of a box; the margin is what is left to the edges of the face.
SpatialDistance point_on_face(const BoxRegion& region, int face, const Pose& pose,
                              const Vector3d& point) {
  SpatialDistance result;
  result.normal = pose.rotation * region.face(face);
  result.distance = region.over[face];
  result.first = round_witness(point, 0.0);
  result.second = {point - result.distance * result.normal, face_surface(), Feature::face};
  const int u = (face + 1) % 3, v = (face + 2) % 3,
            nearest = region.over[u] > region.over[v] ? u : v;
  result.margin = -region.over[nearest];
  result.band = region.band;
  result.ends_at_border = true;
  result.inward = -(pose.rotation * region.face(nearest));
  result.border = point;
  return result;
}

/// Two edges as lines in space.
struct EdgeLines {
  Vector3d e1, e2, c1, c2, normal = Vector3d::UnitZ();
  double cosine = 1.0, sine = 0.0, s = 0.0, t = 0.0;  // places of the common perpendicular

  EdgeLines(const EdgeSide& a, const Pose& pa, const EdgeSide& b, const Pose& pb)
      : e1(pa.rotation * a.direction),
        e2(pb.rotation * b.direction),
        c1(to_world(pa, a.centre)),
        c2(to_world(pb, b.centre)) {
    const Vector3d cross = e1.cross(e2), w = c1 - c2;
    cosine = e1.dot(e2);
    sine = cross.norm();
    if (!(sine > tol.parallel)) return;
    s = (cosine * e2.dot(w) - e1.dot(w)) / (sine * sine);
    t = (e2.dot(w) - cosine * e1.dot(w)) / (sine * sine);
    normal = cross / sine;
    if (normal.dot(pb.rotation * (b.first_face + b.second_face)) < 0.0) normal = -normal;
  }

  /// Sliding along each other with `slip`: t' e2 - s' e1 is its tangential part.
  SpatialDistance crossing(double h1, double h2) const {
    SpatialDistance result;
    result.normal = normal;
    result.first = {c1 + s * e1, edge_surface(e1), Feature::edge};
    result.second = {c2 + t * e2, edge_surface(e2), Feature::edge};
    result.distance = normal.dot(c1 - c2);
    const bool is_first = h1 - std::abs(s) < h2 - std::abs(t);
    result.margin = is_first ? h1 - std::abs(s) : h2 - std::abs(t);
    result.band = tol.border_band * std::max(h1, h2);
    result.ends_at_border = true;
    const Vector3d rate = is_first ? Vector3d(cosine * e2 - e1) : Vector3d(e2 - cosine * e1);
    result.inward = -std::copysign(1.0, is_first ? s : t) * rate / (sine * sine);
    result.border = result.second.point;
    return result;
  }
};

}  // namespace

LocalSurface edge_surface(const Vector3d& along) {
  const Matrix3d e = along * along.transpose();
  return {e, Matrix3d::Identity() - e};
}
LocalSurface corner_surface() { return {Matrix3d::Zero(), Matrix3d::Identity()}; }

LocalSurface face_surface() { return {Matrix3d::Identity(), Matrix3d::Zero()}; }

Witness round_witness(const Vector3d& point, double radius) {
  return {point,
          {radius * Matrix3d::Identity(), Matrix3d::Identity()},
          radius > 0.0 ? Feature::smooth : Feature::corner};
}

bool can_rest(const CornerSide& corner, const Vector3d& normal) {
  for (const Vector3d& edge : corner.edges)
    if (!(edge.dot(normal) >= -tol.may_touch)) return false;
  return true;
}

std::array<double, 2> closest_places(const Vector3d& w, const Vector3d& e1, double h1,
                                     const Vector3d& e2, double h2) {
  const double b = e1.dot(e2), d = e1.dot(w), e = e2.dot(w), denominator = 1.0 - b * b;
  const auto clamp = [](double value, double bound) { return std::clamp(value, -bound, bound); };
  double s =
      denominator > tol.parallel_squared ? clamp((b * e - d) / denominator, h1) : clamp(-d, h1);
  const double t = clamp(e + b * s, h2);
  s = clamp(b * t - d, h1);
  return {s, t};
}

EdgeSide edge_of(const Box& box, int edge) {
  assert(edge >= 0 && edge < 12);
  const int axis = edge / 4, corner = edge % 4, u = (axis + 1) % 3, v = (axis + 2) % 3;
  constexpr std::array<std::array<double, 2>, 4> around{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};
  const auto [su, sv] = around[corner];
  EdgeSide side;
  side.direction = Vector3d::Unit(axis);
  side.half_length = box.half_extents[axis];
  side.depth = box.half_extents.minCoeff();
  side.first_face = su * Vector3d::Unit(u);
  side.second_face = sv * Vector3d::Unit(v);
  side.centre = box.half_extents[u] * side.first_face + box.half_extents[v] * side.second_face;
  return side;
}

CornerSide corner_of(const Vector3d& point) {
  CornerSide side{point, {}};
  for (int k = 0; k < 3; ++k)
    side.edges.push_back(-std::copysign(1.0, point[k]) * Vector3d::Unit(k));
  return side;
}

SpatialDistance round_box(const Vector3d& centre, double radius, const Box& box, const Pose& pose) {
  const BoxRegion region(centre, box, pose, radius > 0.0 ? tol.on_face_of_ball : tol.on_face);
  SpatialDistance result;
  Vector3d normal = Vector3d::Zero();
  double height = 0.0;  // of the ball's centre above the box
  int face = 0, free_axis = 0;
  region.over.maxCoeff(&face);
  if (region.count == 0) {
    normal = region.face(face);
    height = region.over[face];
  } else {
    for (int k = 0; k < 3; ++k)
      if (region.is_beyond[k])
        normal[k] = region.side(k) * region.over[k];
      else
        free_axis = k;
    height = normal.norm();
    normal /= height;
  }
  result.distance = height - radius;
  result.normal = pose.rotation * normal;
  result.first = round_witness(centre - radius * result.normal, radius);
  result.second.point = centre - height * result.normal;
  if (region.count <= 1) {
    result.second.surface = face_surface();
    result.second.feature = Feature::face;
  } else if (region.count == 2) {
    result.second.surface = edge_surface(pose.rotation.col(free_axis));
    result.second.feature = Feature::edge;
  } else {
    result.second.surface = corner_surface();
    result.second.feature = Feature::corner;
  }
  set_ball_border(region, face, pose, centre, result);
  return result;
}

double shadow_gap(const Box& a, const Pose& pa, const Box& b, const Pose& pb) {
  const Vector3d apart = pa.position - pb.position;
  const auto half_shadow = [](const Box& box, const Pose& pose, const Vector3d& n) {
    return (pose.rotation.transpose() * n).cwiseAbs().dot(box.half_extents);
  };
  double widest = -std::numeric_limits<double>::infinity();
  const auto look = [&](const Vector3d& along) {
    const double length = along.norm();
    if (length <= tol.parallel) return;
    const Vector3d n = along / length;
    widest =
        std::max(widest, std::abs(n.dot(apart)) - half_shadow(a, pa, n) - half_shadow(b, pb, n));
  };
  for (int i = 0; i < 3; ++i) {
    look(pa.rotation.col(i));
    look(pb.rotation.col(i));
    for (int j = 0; j < 3; ++j) look(pa.rotation.col(i).cross(pb.rotation.col(j)));
  }
  return widest;
}

SpatialDistance corner_box(const CornerSide& corner, const Pose& pa, const Box& box,
                           const Pose& pb) {
  const Vector3d point = to_world(pa, corner.point);
  const BoxRegion region(point, box, pb, tol.on_face);
  if (region.count > 0) return round_box(point, 0.0, box, pb);
  const Matrix3d seen = pa.rotation.transpose() * pb.rotation;  // from the corner's body
  int face = -1;
  for (int k = 0; k < 3; ++k)
    if (can_rest(corner, seen * region.face(k)) && (face < 0 || region.over[k] > region.over[face]))
      face = k;
  if (face >= 0) return point_on_face(region, face, pb, point);
  SpatialDistance none = round_box(point, 0.0, box, pb);
  if (none.distance < -tol.may_touch * box.half_extents.maxCoeff())
    return none;  // deep all the same
  none.is_candidate = false;
  none.distance = box.half_extents.norm();
  return none;
}

SpatialDistance held_corner(const CornerSide& corner, const Pose& pa, const Box& box,
                            const Pose& pb, const SpatialDistance& distance, const Vector3d& slip) {
  const Vector3d point = to_world(pa, corner.point);
  const BoxRegion region(point, box, pb, tol.on_face);
  const Matrix3d seen = pa.rotation.transpose() * pb.rotation;  // from the corner's body
  const Vector3d motion = pb.rotation.transpose() * slip;
  const double size = box.half_extents.maxCoeff();
  int face = -1;
  for (int k = 0; k < 3; ++k)
    if (can_rest(corner, seen * region.face(k)) &&
        std::abs(region.over[k]) < tol.may_touch * size &&
        (face < 0 || std::abs(region.over[k]) < std::abs(region.over[face])))
      face = k;
  if (face < 0) return distance;
  const double noise = tol.creeping * size + tol.parallel * motion.norm();
  int fastest = face;  // of the faces that meet here the one it leaves fastest
  for (int k = 0; k < 3; ++k)
    if (region.over[k] >= -tol.at_border * size && region.over[k] <= region.band &&
        region.side(k) * motion[k] > region.side(fastest) * motion[fastest] + noise)
      fastest = k;
  SpatialDistance result = point_on_face(region, face, pb, point);
  if (fastest != face) result.leaving_rate = region.side(fastest) * motion[fastest];
  return result;
}

SpatialDistance edge_edge(const EdgeSide& a, const Pose& pa, const EdgeSide& b, const Pose& pb) {
  const EdgeLines lines(a, pa, b, pb);
  SpatialDistance result;
  if (lines.sine > tol.parallel) {
    result = lines.crossing(a.half_length, b.half_length);
    const Vector3d &n = lines.normal, in_a = pa.rotation.transpose() * n,
                   in_b = pb.rotation.transpose() * n;
    // How far inside of both normal cones the normal lies.
    const double inside = std::min({in_b.dot(b.first_face), in_b.dot(b.second_face),
                                    -in_a.dot(a.first_face), -in_a.dot(a.second_face)});
    // Deeper than the box, or on the border of a cone deeper than the margin: other features part
    // the bodies with less.
    const double near = tol.at_border * std::max(a.half_length, b.half_length);
    const double margin = result.margin + near;
    const double deepest = std::min({a.depth, b.depth, inside > tol.parallel ? a.depth : margin});
    // Where both edges end corners meet, and they are looked at as such.
    const bool is_at_corners =
        a.half_length - std::abs(lines.s) <= near && b.half_length - std::abs(lines.t) <= near;
    if (inside > -tol.parallel && margin >= 0.0 && !is_at_corners && result.distance >= -deepest)
      return result;
  }
  const auto [s, t] =
      closest_places(lines.c1 - lines.c2, lines.e1, a.half_length, lines.e2, b.half_length);
  result = {};
  result.is_candidate = false;
  result.first = {lines.c1 + s * lines.e1, corner_surface(), Feature::edge};
  result.second = {lines.c2 + t * lines.e2, corner_surface(), Feature::edge};
  const Vector3d d = result.first.point - result.second.point;
  const double length = d.norm();
  result.normal = length > 0.0 ? Vector3d(d / length) : Vector3d(pb.rotation * b.first_face);
  result.distance = length + a.half_length + b.half_length;
  result.border = result.second.point;
  return result;
}

SpatialDistance held_edges(const EdgeSide& a, const Pose& pa, const EdgeSide& b, const Pose& pb,
                           const SpatialDistance& distance, const Vector3d& slip) {
  const EdgeLines lines(a, pa, b, pb);
  const double size = std::max(a.half_length, b.half_length);
  if (!(lines.sine > tol.parallel)) return distance;
  SpatialDistance result = lines.crossing(a.half_length, b.half_length);
  if (!(std::abs(result.distance) < tol.may_touch * size) || result.margin < -size) return distance;
  const double noise = tol.creeping * size + tol.parallel * slip.norm();
  if (result.margin > tol.at_border * size || result.margin < -result.band ||
      result.inward.dot(slip) >= -noise)
    return result;
  result.leaving_rate = -result.inward.normalized().dot(slip);  // an edge ends here and moves on
  return result;
}

}  // namespace clack
