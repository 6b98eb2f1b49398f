// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
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

/// A round of one outline and an edge of the other (polygon-contact 2.2 and 2.11). A round is a vertex (radius 0) or a
/// convex arc, and is numbered so: the vertices first, behind them arc j as (number of vertices) + j. Of two convex arcs
/// the first outline's is the round. Ordered lexicographically; nothing else orders contacts.
struct Candidate {
  PairSide owner = PairSide::first;  // of the round
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
  bool is_vertex(const Candidate& c) const { return owner(c).vertices.contains(c.vertex); }
  /// The round: a vertex, or an arc.
  const OutlineVertex& vertex(const Candidate& c) const { return owner(c).vertices[c.vertex]; }
  const OutlineEdge& arc(const Candidate& c) const {
    return owner(c).edges[OutlineEdgeIndex(c.vertex.value - owner(c).vertices.size())];
  }
  const Eigen::Vector2d& centre(const Candidate& c) const {
    return is_vertex(c) ? vertex(c).point : arc(c).centre;
  }
  double radius(const Candidate& c) const { return is_vertex(c) ? 0.0 : arc(c).radius; }
  const OutlineEdge& edge(const Candidate& c) const { return support(c).edges[c.edge]; }
  /// Of the larger and of the smaller one; half-planes have none.
  double size() const { return std::max(radius_of(first), radius_of(second)); }
  double smaller() const {
    if (!first.is_bounded) return second.radius;
    return second.is_bounded ? std::min(first.radius, second.radius) : first.radius;
  }

 private:
  static double radius_of(const Outline& o) { return o.is_bounded ? o.radius : 0.0; }
};

/// A candidate at two poses. `gap` is the distance from the line (or circle) of the edge: no branch at zero, positive
/// outside. C: centre of the round, r: its radius; c, R: those of an arc.
///
///   edge          g = n . (C - E) - r
///   convex arc    g = |C - c| - R - r,   n from c to C
///   concave arc   g = R - r - |C - c|,   n from C to c
struct CandidateGap {
  double gap = 0.0, along = 0.0;  // s: place of the foot, T . (C - E), or along the arc
  Eigen::Vector2d vertex = Eigen::Vector2d::Zero(), normal = Eigen::Vector2d::Zero(),
                  tangent = Eigen::Vector2d::Zero();  // world; C - r n, n, T = (-n_y, n_x)
  Eigen::Vector2d centre = Eigen::Vector2d::Zero();   // C
  double own = 0.0;    // arcs: place of the touching point along the round itself
  double reach = 0.0;  // |C - c| of an arc as the edge; 0: straight
};
CandidateGap candidate_gap(const OutlinePair& pair, const Candidate& candidate,
                           const PlanarPose& first, const PlanarPose& second);

/// Rates, exact, the turning of the normal included. v1, v2: velocities of material points of the round's body and of
/// the other one.
///
///   gap_rate = n . (v1 - v2) at the witness    slip = T . (v1 - v2) there
///   along_rate  of the foot on its edge: T . (v1 - v2) at C, arcs: times R/|C - c|
///   turning     of the normal against the body of the round, rad/s
struct CandidateRate {
  double gap_rate = 0.0, slip = 0.0, along_rate = 0.0, turning = 0.0;
};
CandidateRate candidate_rate(const OutlinePair& pair, const Candidate& candidate,
                             const CandidateGap& gap, const PlanarMotion& first,
                             const PlanarMotion& second);

/// How far the foot is from the ends of its edge, or the normal from the ends of the round's cone, with the rate of
/// that. Beyond a border the contact is another one's. Reflex ends are none: the next edge blocks the way there.
struct CandidateBorder {
  bool is_border = false;
  double margin = 0.0, rate = 0.0;  // m, m/s (of a cone: its angle times a radius)
  double turn = 0.0;                // of the corner there
};
/// Start and end of the edge, start and end of the round. The cone of a vertex has borders where arcs take part; between
/// straight edges it ends where another corner touches.
std::array<CandidateBorder, 4> candidate_borders(const OutlinePair& pair,
                                                 const Candidate& candidate,
                                                 const CandidateGap& gap, const CandidateRate& rate,
                                                 const PlanarPose& owner);

/// V1 to V3 of polygon-contact 2.2 and 2.11: whether gap = 0 would be a touch of the two bodies.
///
///   V1  the vertex is convex     V2  -slab <= s <= L + slab
///   V3  -n in the cone of the round; of a vertex: both neighbours in front of the edge, (C_nb - C) . n >= -1e-9 |C_nb - C|
bool is_on_edge(const OutlinePair& pair, const Candidate& candidate, const CandidateGap& gap,
                double slab);
bool is_facing(const OutlinePair& pair, const Candidate& candidate, const PlanarPose& owner,
               const CandidateGap& gap, double slab);
bool can_touch(const OutlinePair& pair, const Candidate& candidate, const PlanarPose& first,
               const PlanarPose& second, const CandidateGap& gap, double slab);

/// Which vertices a query returns; only convex ones can touch an edge.
enum class VertexChoice { all, convex };

/// All candidates whose round is within `skin` of its edge (ends included), ascending; tree against tree. Throws
/// std::length_error beyond the largest number of candidates.
void candidates_within(const OutlinePair& pair, const PlanarPose& first, const PlanarPose& second,
                       double skin, VertexChoice choice, TreeWorkspace& work,
                       std::vector<Candidate>& candidates);

/// The same while there are no more than `most`; false: there are more, and the list is cut off.
[[nodiscard]] bool few_within(const OutlinePair& pair, const PlanarPose& first,
                              const PlanarPose& second, double skin, VertexChoice choice,
                              std::size_t most, TreeWorkspace& work,
                              std::vector<Candidate>& candidates);

/// Candidates among these that could touch and have 0 <= g <= skin (g >= -1e-12 of the size).
int count_valid(const OutlinePair& pair, const PlanarPose& first, const PlanarPose& second,
                double skin, const std::vector<Candidate>& candidates);

/// Smallest distance of a vertex or arc of one outline from an edge of the other: the distance of the boundaries, as
/// long as they do not cross.
double vertex_distance(const OutlinePair& pair, const PlanarPose& first, const PlanarPose& second,
                       TreeWorkspace& work);

}  // namespace clack
