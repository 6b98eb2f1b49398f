// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/solid_distance.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "clack/geometry/box_distance.hpp"
#include "clack/geometry/tolerances.hpp"

namespace clack {
namespace {

using Eigen::Vector3d;

constexpr const GeometryTolerances& solid_limits = geometry_tolerances;
constexpr double infinite = std::numeric_limits<double>::infinity();

/// The feature of a polyhedron nearest to a point, all in the frame of the polyhedron.
struct NearestFeature {
  Feature feature = Feature::face;
  int index = 0;
  double height = 0.0;  // inside: minus the depth below the highest face
  Vector3d normal = Vector3d::UnitZ();
};

double height_over(const PolyhedronFace& face, const Vector3d& x) {
  return face.normal.dot(x) - face.offset;
}

/// The least of -a_k . (x - p_k), how far x is from the border of a face in its plane, and where.
struct FaceBorder {
  double slack = infinite;
  int edge = 0;
};
FaceBorder border_of(const Polyhedron& solid, const PolyhedronFace& face, const Vector3d& x) {
  FaceBorder border;
  for (int k = 0; k < static_cast<int>(face.corners.size()); ++k) {
    const double slack = -face.across[k].dot(x - solid.corners[face.corners[k]]);
    if (slack < border.slack) border = {slack, k};
  }
  return border;
}

int highest_face(const Polyhedron& solid, const Vector3d& x) {
  int highest = 0;
  double height = -infinite;
  for (int f = 0; f < static_cast<int>(solid.faces.size()); ++f)
    if (const double h = height_over(solid.faces[f], x); h > height) {
      height = h;
      highest = f;
    }
  return highest;
}

/// 1. not above any face by more than `near`: inside; 2. above a face and beside none of its edges; 3. beside an edge;
/// 4. a corner.
NearestFeature nearest_feature(const Polyhedron& solid, const Vector3d& x, double near) {
  const int highest = highest_face(solid, x);
  NearestFeature found{Feature::face, highest, height_over(solid.faces[highest], x),
                       solid.faces[highest].normal};
  if (found.height <= near) return found;
  double best = -infinite;
  for (int f = 0; f < static_cast<int>(solid.faces.size()); ++f) {
    const PolyhedronFace& face = solid.faces[f];
    const double height = height_over(face, x);
    if (height <= near || height <= best || border_of(solid, face, x).slack < -near) continue;
    best = height;
    found = {Feature::face, f, height, face.normal};
  }
  if (best > 0.0) return found;
  double least = infinite;
  for (int e = 0; e < static_cast<int>(solid.edges.size()); ++e) {
    const EdgeSide& edge = solid.edges[e].side;
    const Vector3d w = x - edge.centre;
    const double s = edge.direction.dot(w);
    if (std::abs(s) > edge.half_length + near) continue;
    const Vector3d d = w - s * edge.direction;
    if (const double length = d.norm(); length < least) {
      least = length;
      found = {Feature::edge, e, length, d / length};
    }
  }
  for (int c = 0; c < static_cast<int>(solid.corners.size()); ++c) {
    const Vector3d d = x - solid.corners[c];
    if (const double length = d.norm(); length < least) {
      least = length;
      found = {Feature::corner, c, length, d / length};
    }
  }
  return found;
}

/// The nearest border of the region in which a ball's centre lies: of all `slacks`, positive inside, with their gradients.
struct RegionBorder {
  double slack = infinite;
  Vector3d gradient = Vector3d::Zero();
  void look(double value, const Vector3d& rate) {
    if (std::abs(value) < slack) {
      slack = std::abs(value);
      gradient = rate;
    }
  }
};
RegionBorder region_border(const Polyhedron& solid, const NearestFeature& at, const Vector3d& x) {
  RegionBorder border;
  if (at.feature == Feature::face) {
    const PolyhedronFace& face = solid.faces[at.index];
    const FaceBorder nearest = border_of(solid, face, x);
    border.look(nearest.slack, -face.across[nearest.edge]);
  } else if (at.feature == Feature::edge) {
    const EdgeSide& edge = solid.edges[at.index].side;
    const Vector3d w = x - edge.centre;
    const double s = edge.direction.dot(w);
    border.look(edge.first_face.dot(w), edge.first_face);
    border.look(edge.second_face.dot(w), edge.second_face);
    border.look(edge.half_length - std::abs(s), -std::copysign(1.0, s) * edge.direction);
  } else {
    const CornerSide& corner = solid.corner_sides[at.index];
    for (const Vector3d& d : corner.edges) border.look(-d.dot(x - corner.point), -d);
  }
  return border;
}

LocalSurface surface_of(const Polyhedron& solid, const NearestFeature& at, const Pose& pose) {
  if (at.feature == Feature::face) return face_surface();
  if (at.feature == Feature::corner) return corner_surface();
  return edge_surface(pose.rotation * solid.edges[at.index].side.direction);
}

Vector3d to_body(const Pose& pose, const Vector3d& point) {
  return pose.rotation.transpose() * (point - pose.position);
}

/// A point on a face; the margin is what is left to the edges of the face.
SpatialDistance point_on_face(const Polyhedron& solid, int index, const Pose& pose,
                              const Vector3d& point) {
  const Vector3d x = to_body(pose, point);
  const PolyhedronFace& face = solid.faces[index];
  const FaceBorder border = border_of(solid, face, x);
  SpatialDistance result;
  result.normal = pose.rotation * face.normal;
  result.distance = height_over(face, x);
  result.first = round_witness(point, 0.0);
  result.second = {point - result.distance * result.normal, face_surface(), Feature::face};
  result.margin = border.slack;
  result.band = solid_limits.border_band * solid.size;
  result.ends_at_border = true;
  result.inward = -(pose.rotation * face.across[border.edge]);
  result.border = point;
  return result;
}

/// Of the faces on which a corner can rest and for which `is_meant` holds, the best by `better(height, best height)`.
template <class IsMeant, class Better>
int resting_face(const CornerSide& corner, const Eigen::Matrix3d& seen, const Polyhedron& solid,
                 const Vector3d& x, IsMeant&& is_meant, Better&& better) {
  int chosen = -1;
  double height = 0.0;
  for (int f = 0; f < static_cast<int>(solid.faces.size()); ++f) {
    const double h = height_over(solid.faces[f], x);
    if (!is_meant(h) || (chosen >= 0 && !better(h, height))) continue;
    if (!can_rest(corner, seen * solid.faces[f].normal)) continue;
    chosen = f;
    height = h;
  }
  return chosen;
}

}  // namespace

SpatialDistance round_solid(const Vector3d& centre, double radius, const Polyhedron& solid,
                            const Pose& pose) {
  const double part = radius > 0.0 ? solid_limits.on_face_of_ball : solid_limits.on_face;
  const Vector3d x = to_body(pose, centre);
  const NearestFeature at = nearest_feature(solid, x, part * solid.size);
  SpatialDistance result;
  result.distance = at.height - radius;
  result.normal = pose.rotation * at.normal;
  result.first = round_witness(centre - radius * result.normal, radius);
  result.second = {centre - at.height * result.normal, surface_of(solid, at, pose), at.feature};
  // The sign tells the features apart: + a face, - an edge, + a corner.
  const RegionBorder border = region_border(solid, at, x);
  const double sign = at.feature == Feature::edge ? -1.0 : 1.0;
  result.margin = sign * border.slack;
  result.band = solid_limits.border_band * solid.size;
  result.inward = sign * (pose.rotation * border.gradient);
  result.border = centre;
  return result;
}

SpatialDistance corner_solid(const CornerSide& corner, const Pose& pa, const Polyhedron& solid,
                             const Pose& pb) {
  const Vector3d point = to_world(pa, corner.point), x = to_body(pb, point);
  if (height_over(solid.faces[highest_face(solid, x)], x) > solid_limits.on_face * solid.size)
    return round_solid(point, 0.0, solid, pb);
  const int face = resting_face(
      corner, pa.rotation.transpose() * pb.rotation, solid, x,
      [&](double h) { return h >= -solid.depth; },  // farther down are the faces of the far side
      [](double h, double best) { return h > best; });
  if (face >= 0) return point_on_face(solid, face, pb, point);
  SpatialDistance apart = round_solid(point, 0.0, solid, pb);
  if (apart.distance < -solid_limits.may_touch * solid.size) return apart;  // deep all the same
  apart.is_candidate = false;
  apart.distance = solid.outer_radius;
  return apart;
}

SpatialDistance held_corner(const CornerSide& corner, const Pose& pa, const Polyhedron& solid,
                            const Pose& pb, const SpatialDistance& distance, const Vector3d& slip) {
  const Vector3d point = to_world(pa, corner.point), x = to_body(pb, point),
                 motion = pb.rotation.transpose() * slip;
  const int face = resting_face(
      corner, pa.rotation.transpose() * pb.rotation, solid, x,
      [&](double h) { return std::abs(h) < solid_limits.may_touch * solid.size; },
      [](double h, double best) { return std::abs(h) < std::abs(best); });
  if (face < 0) return distance;
  SpatialDistance result = point_on_face(solid, face, pb, point);
  const double noise = solid_limits.creeping * solid.size + solid_limits.parallel * motion.norm();
  double fastest = solid.faces[face].normal.dot(motion);  // of the faces that meet here
  bool leaves = false;
  for (const PolyhedronFace& other : solid.faces) {
    const double h = height_over(other, x), rate = other.normal.dot(motion);
    if (h < -solid_limits.at_border * solid.size || h > result.band || !(rate > fastest + noise))
      continue;
    fastest = rate;
    leaves = true;
  }
  if (leaves) result.leaving_rate = fastest;
  return result;
}

}  // namespace clack
