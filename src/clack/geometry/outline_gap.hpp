// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>

#include "clack/geometry/outline_pair.hpp"

namespace clack {

/// How two outlines lie to each other.
enum class PairStatus {
  disjoint,  // interiors apart
  overlap,   // a vertex of one is inside the other
  crossing,  // interiors overlap, but no vertex is inside (a plus sign): there is no gap
};
std::string_view to_string(PairStatus status);

/// What is closest: a vertex at the inside of an edge, two vertices, parallel edges at two places, a vertex at several
/// edges at one place, anything else, nothing (crossing).
enum class ClosestKind { vertex_edge, vertex_vertex, edge_edge, notch, multi, none };
/// VE, VV, EE, notch, multi, none.
std::string_view to_string(ClosestKind kind);

/// A vertex and an edge that realise the gap.
struct ClosestPair {
  Candidate candidate;
  double gap = 0.0;       // distance from the edge (the segment); negative inside
  double line_gap = 0.0;  // from its line
  double place = 0.0;     // of the foot on the line, in lengths of the edge
  Eigen::Vector2d vertex = Eigen::Vector2d::Zero(), foot = Eigen::Vector2d::Zero(),
                  normal = Eigen::Vector2d::Zero();  // world; the edge's outward normal
  bool is_at_end = false;                            // the foot is an end of the edge
};

/// Signed gap of two outlines (polygon-contact 2.3):
///
///   disjoint  smallest distance of a vertex from an edge of the other, both ways
///   overlap   minus the largest depth; depth of an inside vertex: its distance from the other boundary; of an arc: that
///             of its points nearest to the edges it meets
///   crossing  none
///
/// Continuous through zero, symmetric, 1-Lipschitz under translation while it is defined.
struct PairGap {
  PairStatus status = PairStatus::disjoint;
  std::optional<double> gap;
  ClosestKind kind = ClosestKind::none;
  /// Disjoint: all that are as near up to 1e-12 of the size; overlap: every inside vertex with its nearest edges. Ascending.
  std::vector<ClosestPair> contacts;
};
/// Interiors overlap although no vertex is inside: a piece of an edge between two meetings runs inside the other body, or
/// two edges run along each other with their bodies on the same side.
bool outlines_cross(const OutlinePair& pair, const PlanarPose& first, const PlanarPose& second,
                    TreeWorkspace& work);

PairGap signed_gap(const OutlinePair& pair, const PlanarPose& first, const PlanarPose& second,
                   TreeWorkspace& work);

}  // namespace clack
