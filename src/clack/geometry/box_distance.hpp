// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "clack/geometry/spatial_distance.hpp"

// Distances in which boxes take part; spatial_distance.hpp chooses among them.

namespace clack {

inline Eigen::Vector3d to_world(const Pose& pose, const Eigen::Vector3d& local) {
  return pose.position + pose.rotation * local;
}
LocalSurface face_surface();
Witness round_witness(const Eigen::Vector3d& point, double radius);

LocalSurface edge_surface(const Eigen::Vector3d& along);
LocalSurface corner_surface();
/// Whether a corner can rest on a face of another body, `normal` in the frame of the corner's body: the edges lead away
/// from the face.
bool can_rest(const CornerSide& corner, const Eigen::Vector3d& normal);
/// Closest points of two segments (centres apart by w, unit directions, half lengths), as places along them.
std::array<double, 2> closest_places(const Eigen::Vector3d& w, const Eigen::Vector3d& e1, double h1,
                                     const Eigen::Vector3d& e2, double h2);

/// A ball around `centre` (world) and a box.
SpatialDistance round_box(const Eigen::Vector3d& centre, double radius, const Box& box,
                          const Pose& pose);
/// Two edges: the distance of their lines where they cross and the common normal lies in both
/// normal cones (borders included); otherwise no candidate.
SpatialDistance edge_edge(const EdgeSide& first, const Pose& first_pose, const EdgeSide& second,
                          const Pose& second_pose);
/// A corner outside of a box: distance of the point. Inside: the least deep of the faces on which
/// it can rest, -n in the cone of its own faces; on none: the nearest face where it is deep, else
/// no candidate.
SpatialDistance corner_box(const CornerSide& corner, const Pose& corner_pose, const Box& box,
                           const Pose& pose);

/// Closed contacts, see touching_distance.
SpatialDistance held_edges(const EdgeSide& first, const Pose& first_pose, const EdgeSide& second,
                           const Pose& second_pose, const SpatialDistance& distance,
                           const Eigen::Vector3d& slip);
SpatialDistance held_corner(const CornerSide& corner, const Pose& corner_pose, const Box& box,
                            const Pose& pose, const SpatialDistance& distance,
                            const Eigen::Vector3d& slip);

}  // namespace clack
