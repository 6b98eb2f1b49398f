// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <compare>
#include <vector>

#include "clack/geometry/outline.hpp"

namespace clack {

using PlanarPose = RigidPose<2>;
PlanarPose planar_pose(double x, double y, double angle);
inline Eigen::Vector2d to_world(const PlanarPose& pose, const Eigen::Vector2d& local) {
  return pose.position + pose.rotation * local;
}

/// A planar body in motion.
struct PlanarMotion {
  PlanarPose pose;
  Eigen::Vector2d velocity = Eigen::Vector2d::Zero();
  double spin = 0.0;

  Eigen::Vector2d velocity_at(const Eigen::Vector2d& point) const {
    const Eigen::Vector2d arm = point - pose.position;
    return velocity + spin * Eigen::Vector2d(-arm.y(), arm.x());
  }
};

/// Which of the two outlines of a pair.
enum class PairSide { first = 0, second = 1 };
inline PairSide other(PairSide side) {
  return side == PairSide::first ? PairSide::second : PairSide::first;
}

/// A vertex of one outline and an edge of the other (polygon-contact 2.2). Ordered lexicographically; nothing else
/// orders contacts.
struct Candidate {
  PairSide owner = PairSide::first;  // of the vertex
  OutlineVertexIndex vertex;
  OutlineEdgeIndex edge;
  friend auto operator<=>(const Candidate&, const Candidate&) = default;
};

/// Two outlines, to be asked at poses.
struct OutlinePair {
  const Outline& first;
  const Outline& second;

  const Outline& owner(const Candidate& c) const {
    return c.owner == PairSide::first ? first : second;
  }
  const Outline& support(const Candidate& c) const {
    return c.owner == PairSide::first ? second : first;
  }
  const OutlineVertex& vertex(const Candidate& c) const { return owner(c).vertices[c.vertex]; }
  const OutlineEdge& edge(const Candidate& c) const { return support(c).edges[c.edge]; }
  double size() const { return std::max(first.radius, second.radius); }
};

/// A candidate at two poses. `gap` is the distance from the LINE of the edge: no branch at zero, positive outside.
struct CandidateGap {
  double gap = 0.0, along = 0.0;  // g = n . (C - E), s = T . (C - E)
  Eigen::Vector2d vertex = Eigen::Vector2d::Zero(), normal = Eigen::Vector2d::Zero(),
                  tangent = Eigen::Vector2d::Zero();  // world; C, n_j, T_j
};
CandidateGap candidate_gap(const OutlinePair& pair, const Candidate& candidate,
                           const PlanarPose& first, const PlanarPose& second);

/// Rates of gap and place, n . (v_C - v_B) and T . (v_C - v_B): velocities of the vertex and of the material point of the
/// other body at the same place. Exact, the turning of n and T included; the second is the slip when they touch.
struct CandidateRate {
  double gap_rate = 0.0, slip = 0.0;
};
CandidateRate candidate_rate(const CandidateGap& gap, const PlanarMotion& owner,
                             const PlanarMotion& support);

/// V1 to V3 of polygon-contact 2.2: whether gap = 0 would be a touch of the two bodies.
///
///   V1  the vertex is convex     V2  -slab <= s <= L + slab
///   V3  both neighbours of the vertex are in front of the edge: (C_nb - C) . n_j >= -1e-9 |C_nb - C|
bool is_on_edge(const OutlinePair& pair, const Candidate& candidate, const CandidateGap& gap,
                double slab);
bool is_facing(const OutlinePair& pair, const Candidate& candidate, const PlanarPose& owner,
               const CandidateGap& gap);
bool can_touch(const OutlinePair& pair, const Candidate& candidate, const PlanarPose& first,
               const PlanarPose& second, const CandidateGap& gap, double slab);

/// Which vertices a query returns; only convex ones can touch an edge.
enum class VertexChoice { all, convex };

/// All candidates whose vertex is within `skin` of its edge (the segment), ascending; tree against tree. Throws
/// std::length_error beyond the largest number of candidates.
void candidates_within(const OutlinePair& pair, const PlanarPose& first, const PlanarPose& second,
                       double skin, VertexChoice choice, TreeWorkspace& work,
                       std::vector<Candidate>& candidates);

/// Candidates among these that could touch and have 0 <= g <= skin (g >= -1e-12 of the size).
int count_valid(const OutlinePair& pair, const PlanarPose& first, const PlanarPose& second,
                double skin, const std::vector<Candidate>& candidates);

/// Smallest distance of a vertex of one outline from an edge of the other: the distance of the boundaries, as long as
/// they do not cross.
double vertex_distance(const OutlinePair& pair, const PlanarPose& first, const PlanarPose& second,
                       TreeWorkspace& work);

}  // namespace clack
