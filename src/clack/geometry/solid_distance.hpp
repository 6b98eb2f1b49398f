// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <compare>
#include <vector>

#include "clack/geometry/polyhedron.hpp"

// Distances in which convex polyhedra take part, the same questions as of boxes (box_distance.hpp); two of their edges
// meet as those of boxes do (edge_edge).

namespace clack {

/// A ball around `centre` (world) and a polyhedron.
SpatialDistance round_solid(const Eigen::Vector3d& centre, double radius, const Polyhedron& solid,
                            const Pose& pose);
/// A corner outside: distance of the point. Inside, not deeper than the middle: the least deep of the faces on which it can rest; on none: the nearest
/// face where it is deep, else no candidate.
SpatialDistance corner_solid(const CornerSide& corner, const Pose& corner_pose,
                             const Polyhedron& solid, const Pose& pose);
SpatialDistance held_corner(const CornerSide& corner, const Pose& corner_pose,
                            const Polyhedron& solid, const Pose& pose,
                            const SpatialDistance& distance, const Eigen::Vector3d& slip);

/// A contact of two polyhedra: a corner of one on the other, or two edges.
enum class SolidOwner { first_corner = 0, second_corner = 1, edges = 2 };
struct SolidContact {
  SolidOwner owner = SolidOwner::first_corner;
  int first = 0, second = 0;  // corner or edge of each; 0 where the body takes part as a whole
  friend auto operator<=>(const SolidContact&, const SolidContact&) = default;
};

/// Two polyhedra, to be asked at poses.
struct SolidPair {
  const Polyhedron& first;
  const Polyhedron& second;
};

/// What a query needs besides its answer; kept by the caller.
struct SolidWorkspace {
  TreeWorkspace tree;
  std::vector<char> seen_first, seen_second;  // corners
};

/// All contacts whose features are not farther apart than `skin`, ascending: tree against tree. Corners count by their
/// height over a face whose box is near.
void contacts_within(const SolidPair& pair, const Pose& first, const Pose& second, double skin,
                     SolidWorkspace& work, std::vector<SolidContact>& contacts);

/// The nearest of all pairs of features, by branch and bound, and its distance; overlapping bodies: the deepest of the
/// features that are near each other.
struct NearestFeatures {
  SolidContact contact;
  double distance = 0.0;
};
NearestFeatures nearest_features(const SolidPair& pair, const Pose& first, const Pose& second,
                                 SolidWorkspace& work);

SpatialDistance distance_of(const SolidPair& pair, const SolidContact& contact, const Pose& first,
                            const Pose& second);

/// Whether an edge of one runs inside of the other deeper than `depth`, however the features lie; then how far one of
/// them must be moved along the normal of a face so that they part, m. Otherwise 0.
double solid_overlap(const SolidPair& pair, const Pose& first, const Pose& second, double depth);

}  // namespace clack
