// SPDX-License-Identifier: Apache-2.0
// Which features of two convex polyhedra are near each other: tree against tree.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "clack/geometry/box_distance.hpp"
#include "clack/geometry/solid_distance.hpp"
#include "clack/geometry/tolerances.hpp"

namespace clack {
namespace {

using Eigen::Vector3d;

RigidPose<3> rigid(const Pose& pose) { return {pose.position, pose.rotation}; }

Vector3d in_frame(const Pose& from, const Vector3d& local, const Pose& to) {
  return to.rotation.transpose() * (to_world(from, local) - to.position);
}

/// Calls `visit(a, b)` for edges of face i of the first body and of face j of the second that are not farther apart than
/// `reach()`. Each edge counts for its left face only, so that no pair comes twice.
template <class Reach, class Visit>
void visit_edge_pairs(const SolidPair& pair, const Pose& pa, const Pose& pb,
                      const Eigen::Matrix3d& turn, int i, int j, Reach&& reach, Visit&& visit) {
  for (const int a : pair.first.edges_of_face[i]) {
    if (pair.first.edges[a].left != i) continue;
    const EdgeSide& first = pair.first.edges[a].side;
    const Vector3d along = turn * first.direction, centre = in_frame(pa, first.centre, pb);
    for (const int b : pair.second.edges_of_face[j]) {
      if (pair.second.edges[b].left != j) continue;
      const EdgeSide& second = pair.second.edges[b].side;
      const Vector3d w = centre - second.centre;
      const auto [s, t] =
          closest_places(w, along, first.half_length, second.direction, second.half_length);
      if ((w + s * along - t * second.direction).norm() <= reach()) visit(a, b);
    }
  }
}

/// Visits the pairs of faces that may be within reach() of each other.
template <class Reach, class Visit>
void visit_face_pairs(const SolidPair& pair, const Pose& pa, const Pose& pb, TreeWorkspace& work,
                      Reach&& reach, Visit&& visit) {
  const RelativePose<3> relative(rigid(pa), rigid(pb));
  work.box_tests = 0;
  visit_leaf_pairs(pair.first.tree, pair.second.tree, relative, work, reach,
                   [&](const auto& a, const auto& b) {
                     for (int i = a.first; i < a.last; ++i)
                       for (int j = b.first; j < b.last; ++j) visit(i, j);
                   });
}

/// The part of an edge that is inside of all half-spaces of the faces shrunk by `depth`.
bool runs_inside(const EdgeSide& edge, const Pose& pa, const Polyhedron& solid, const Pose& pb,
                 double depth) {
  const Vector3d middle = in_frame(pa, edge.centre, pb),
                 along = pb.rotation.transpose() * (pa.rotation * edge.direction);
  double from = -edge.half_length, to = edge.half_length;
  for (const PolyhedronFace& face : solid.faces) {
    const double height = face.normal.dot(middle) - face.offset + depth,
                 slope = face.normal.dot(along);
    if (slope > 0.0)
      to = std::min(to, -height / slope);
    else if (slope < 0.0)
      from = std::max(from, -height / slope);
    else if (height > 0.0)
      return false;
    if (!(from < to)) return false;
  }
  return true;
}

bool any_runs_inside(const Polyhedron& edges, const Pose& pa, const Polyhedron& solid,
                     const Pose& pb, double depth) {
  return std::ranges::any_of(edges.edges, [&](const PolyhedronEdge& edge) {
    return runs_inside(edge.side, pa, solid, pb, depth);
  });
}

/// Two edges alone do not know what leans away at their ends: where bodies are sharp, edges may cross with their lines in
/// the wrong order although the bodies are apart. What is more than rounding overlaps only if one of these edges runs inside
/// of the other body.
SpatialDistance crossing_edges(const SolidPair& pair, const SolidContact& contact, const Pose& pa,
                               const Pose& pb) {
  const EdgeSide &a = pair.first.edges[contact.first].side,
                 &b = pair.second.edges[contact.second].side;
  SpatialDistance crossing = edge_edge(a, pa, b, pb);
  const double size = std::max(pair.first.size, pair.second.size),
               inside = geometry_tolerances.at_border * size;
  if (!crossing.is_candidate || crossing.distance >= -geometry_tolerances.on_face * size ||
      runs_inside(a, pa, pair.second, pb, inside) || runs_inside(b, pb, pair.first, pa, inside))
    return crossing;
  // As other edges that are none, see edge_edge.
  SpatialDistance apart;
  apart.is_candidate = false;
  apart.normal = -crossing.normal;
  apart.distance = a.half_length + b.half_length - crossing.distance;
  apart.first = {crossing.first.point, corner_surface(), Feature::edge};
  apart.second = {crossing.second.point, corner_surface(), Feature::edge};
  apart.border = apart.second.point;
  return apart;
}

int farthest_corner(const Polyhedron& body, const Pose& pose, const Vector3d& towards) {
  const Vector3d local = pose.rotation.transpose() * towards;
  return static_cast<int>(
      std::ranges::max_element(body.corners, {},
                               [&](const Vector3d& corner) { return corner.dot(local); }) -
      body.corners.begin());
}

/// How deep the lowest corner of `other` is below each face of `solid`, the least of it.
double least_shadow(const Polyhedron& solid, const Pose& pa, const Polyhedron& other,
                    const Pose& pb) {
  double least = std::numeric_limits<double>::infinity();
  for (const PolyhedronFace& face : solid.faces) {
    double deepest = 0.0;
    for (const Vector3d& corner : other.corners)
      deepest = std::max(deepest, face.offset - face.normal.dot(in_frame(pb, corner, pa)));
    least = std::min(least, deepest);
  }
  return least;
}

/// Everything about two faces that is at most `skin` away.
struct Collector {
  const SolidPair& pair;
  const Pose &pa, &pb;
  double skin;
  std::vector<SolidContact>& contacts;
  Eigen::Matrix3d turn = pb.rotation.transpose() * pa.rotation;

  void corners(const Polyhedron& owner, const Pose& own, int face, const PolyhedronFace& support,
               const Pose& other, SolidOwner who) {
    for (const int c : owner.faces[face].corners) {
      const double height =
          support.normal.dot(in_frame(own, owner.corners[c], other)) - support.offset;
      if (std::abs(height) > skin) continue;
      contacts.push_back(who == SolidOwner::first_corner ? SolidContact{who, c, 0}
                                                         : SolidContact{who, 0, c});
    }
  }
  void operator()(int i, int j) {
    corners(pair.first, pa, i, pair.second.faces[j], pb, SolidOwner::first_corner);
    corners(pair.second, pb, j, pair.first.faces[i], pa, SolidOwner::second_corner);
    visit_edge_pairs(
        pair, pa, pb, turn, i, j, [&] { return skin; },
        [&](int a, int b) {
          contacts.push_back({SolidOwner::edges, a, b});
        });
  }
};

}  // namespace

SpatialDistance distance_of(const SolidPair& pair, const SolidContact& contact, const Pose& pa,
                            const Pose& pb) {
  switch (contact.owner) {
    case SolidOwner::first_corner:
      return corner_solid(pair.first.corner_sides[contact.first], pa, pair.second, pb);
    case SolidOwner::second_corner: {
      SpatialDistance d =
          corner_solid(pair.second.corner_sides[contact.second], pb, pair.first, pa);
      std::swap(d.first, d.second);
      d.normal = -d.normal;
      d.inward = -d.inward;
      return d;
    }
    case SolidOwner::edges:
      break;
  }
  return crossing_edges(pair, contact, pa, pb);
}

void contacts_within(const SolidPair& pair, const Pose& pa, const Pose& pb, double skin,
                     SolidWorkspace& work, std::vector<SolidContact>& contacts) {
  contacts.clear();
  Collector collect{pair, pa, pb, skin, contacts};
  visit_face_pairs(
      pair, pa, pb, work.tree, [&] { return skin; }, [&](int i, int j) { collect(i, j); });
  std::ranges::sort(contacts);
  contacts.erase(std::unique(contacts.begin(), contacts.end()), contacts.end());
}

NearestFeatures nearest_features(const SolidPair& pair, const Pose& pa, const Pose& pb,
                                 SolidWorkspace& work) {
  NearestFeatures nearest{{}, std::numeric_limits<double>::infinity()};
  work.seen_first.assign(pair.first.corners.size(), 0);
  work.seen_second.assign(pair.second.corners.size(), 0);
  const auto look = [&](const SolidContact& contact) {
    const SpatialDistance d = distance_of(pair, contact, pa, pb);
    if (d.is_candidate && d.distance < nearest.distance) nearest = {contact, d.distance};
  };
  // A good first answer: the corners that lie farthest towards the other body, along the last normal, again and again.
  Vector3d towards = pa.position - pb.position;
  for (bool is_better = true; is_better;) {
    const double before = nearest.distance;
    look({SolidOwner::first_corner, farthest_corner(pair.first, pa, -towards), 0});
    look({SolidOwner::second_corner, 0, farthest_corner(pair.second, pb, towards)});
    is_better = nearest.distance < before;
    if (is_better) towards = distance_of(pair, nearest.contact, pa, pb).normal;
  }
  const auto reach = [&] { return std::max(nearest.distance, 0.0); };
  // What is that high above one face is at least as far from the body.
  const auto look_at_corners = [&](const Polyhedron& owner, const Pose& own, int face,
                                   const PolyhedronFace& support, const Pose& other,
                                   std::vector<char>& seen, SolidOwner who) {
    for (const int c : owner.faces[face].corners) {
      if (seen[c]) continue;
      seen[c] = 1;
      if (support.normal.dot(in_frame(own, owner.corners[c], other)) - support.offset > reach())
        continue;
      look(who == SolidOwner::first_corner ? SolidContact{who, c, 0} : SolidContact{who, 0, c});
    }
  };
  const Eigen::Matrix3d turn = pb.rotation.transpose() * pa.rotation;
  visit_face_pairs(pair, pa, pb, work.tree, reach, [&](int i, int j) {
    look_at_corners(pair.first, pa, i, pair.second.faces[j], pb, work.seen_first,
                    SolidOwner::first_corner);
    look_at_corners(pair.second, pb, j, pair.first.faces[i], pa, work.seen_second,
                    SolidOwner::second_corner);
    visit_edge_pairs(pair, pa, pb, turn, i, j, reach, [&](int a, int b) {
      look({SolidOwner::edges, a, b});
    });
  });
  return nearest;
}

double solid_overlap(const SolidPair& pair, const Pose& pa, const Pose& pb, double depth) {
  if (!any_runs_inside(pair.first, pa, pair.second, pb, depth) &&
      !any_runs_inside(pair.second, pb, pair.first, pa, depth))
    return 0.0;
  return std::min(least_shadow(pair.first, pa, pair.second, pb),
                  least_shadow(pair.second, pb, pair.first, pa));
}

}  // namespace clack
