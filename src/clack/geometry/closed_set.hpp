// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/geometry/outline_pair.hpp"

namespace clack {

/// When two outlines count as touching. In a run: the rounding of the gap and what a contact travels within the
/// tolerance of time.
struct ClosedTolerances {
  double gap = 0.0, slab = 0.0;  // m
  double speed = 0.0;            // m/s: slower is at rest
};

/// A contact of two outlines that touch.
struct OutlineContact {
  Candidate candidate;
  CandidateGap place;
  CandidateRate rate;
};

/// From geometry to contacts (polygon-contact 2.4): candidates with |g| <= gap tolerance that can touch (V1 to V3), and
/// of these
///   (a) none that is leaving its edge, or the cone of its round, over an end that is convex or collinear (at a reflex
///       end the next edge blocks);
///   (b) of two at one point with one normal the lower;
///   (c) of those on one line, with one normal, the two outermost;
///   (d) a vertex in a reflex corner: both edges;
///   (e) of several at a convex vertex on a convex vertex that approach, the fastest (ties: the lower).
struct ClosedSet {
  std::vector<OutlineContact> contacts;  // ascending
  bool has_vertex_on_vertex = false;     // (e) had to choose
};
void closed_set(const OutlinePair& pair, const PlanarMotion& first, const PlanarMotion& second,
                const ClosedTolerances& tolerances, TreeWorkspace& work,
                std::vector<Candidate>& candidates, ClosedSet& closed);

}  // namespace clack
