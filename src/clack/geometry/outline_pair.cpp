// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/outline_pair.hpp"

#include <cmath>
#include <stdexcept>

#include "clack/geometry/tolerances.hpp"

namespace clack {
namespace {

using Eigen::Vector2d;

/// The pose of the second outline in the frame of the first.
PlanarPose seen_from(const PlanarPose& first, const PlanarPose& second) {
  return {first.rotation.transpose() * (second.position - first.position),
          first.rotation.transpose() * second.rotation};
}

/// What rounding may do to a distance of boxes.
double rounding_of(const OutlinePair& pair, const PlanarPose& first, const PlanarPose& second) {
  return outline_tolerances.rounding * (pair.size() + (first.position - second.position).norm());
}

/// Calls `test(vertex, its place in the frame of the edges, edge)` for the vertices that a leaf owns (the starts of its
/// edges) and the edges of the other leaf.
template <class Test>
void test_leaves(const Outline& owner, const BoxTree<2>::Node& vertices, const PlanarPose& seen,
                 const BoxTree<2>::Node& edges, TreeWorkspace& work, Test&& test) {
  for (int i = vertices.first; i < vertices.last; ++i) {
    const OutlineVertexIndex vertex = owner.edges[OutlineEdgeIndex(i)].from;
    const Vector2d point = to_world(seen, owner.vertices[vertex].point);
    for (int j = edges.first; j < edges.last; ++j) {
      ++work.pair_tests;
      test(vertex, point, OutlineEdgeIndex(j));
    }
  }
}

}  // namespace

PlanarPose planar_pose(double x, double y, double angle) {
  PlanarPose pose;
  pose.position = {x, y};
  const double c = std::cos(angle), s = std::sin(angle);
  pose.rotation << c, -s, s, c;
  return pose;
}

CandidateGap candidate_gap(const OutlinePair& pair, const Candidate& candidate,
                           const PlanarPose& first, const PlanarPose& second) {
  const bool is_first = candidate.owner == PairSide::first;
  const PlanarPose &owner = is_first ? first : second, &support = is_first ? second : first;
  const OutlineEdge& edge = pair.edge(candidate);
  CandidateGap gap;
  gap.vertex = to_world(owner, pair.vertex(candidate).point);
  gap.normal = support.rotation * edge.normal;
  gap.tangent = support.rotation * edge.tangent;
  const Vector2d from_start = gap.vertex - to_world(support, edge.start);
  gap.gap = gap.normal.dot(from_start);
  gap.along = gap.tangent.dot(from_start);
  return gap;
}

CandidateRate candidate_rate(const CandidateGap& gap, const PlanarMotion& owner,
                             const PlanarMotion& support) {
  // The material point of the other body at the vertex itself: T . (C - E) and n . (C - E) then have these rates.
  const Vector2d relative = owner.velocity_at(gap.vertex) - support.velocity_at(gap.vertex);
  return {gap.normal.dot(relative), gap.tangent.dot(relative)};
}

bool is_on_edge(const OutlinePair& pair, const Candidate& candidate, const CandidateGap& gap,
                double slab) {
  return gap.along >= -slab && gap.along <= pair.edge(candidate).length + slab;
}

bool is_facing(const OutlinePair& pair, const Candidate& candidate, const PlanarPose& owner,
               const CandidateGap& gap) {
  const Outline& outline = pair.owner(candidate);
  const OutlineVertex& vertex = pair.vertex(candidate);
  const Vector2d normal = owner.rotation.transpose() * gap.normal;
  return -outline.edges[vertex.before].tangent.dot(normal) >= -outline_tolerances.facing &&
         outline.edges[vertex.after].tangent.dot(normal) >= -outline_tolerances.facing;
}

bool can_touch(const OutlinePair& pair, const Candidate& candidate, const PlanarPose& first,
               const PlanarPose& second, const CandidateGap& gap, double slab) {
  return corner_kind(pair.vertex(candidate).turn) == Corner::convex &&
         is_on_edge(pair, candidate, gap, slab) &&
         is_facing(pair, candidate, candidate.owner == PairSide::first ? first : second, gap);
}

void candidates_within(const OutlinePair& pair, const PlanarPose& first, const PlanarPose& second,
                       double skin, VertexChoice choice, TreeWorkspace& work,
                       std::vector<Candidate>& candidates) {
  candidates.clear();
  work.box_tests = work.pair_tests = 0;
  const double slack = rounding_of(pair, first, second);
  const PlanarPose second_seen = seen_from(first, second), first_seen = seen_from(second, first);
  const auto add = [&](PairSide owner, const Outline& vertices, const Outline& edges) {
    return [&, owner](OutlineVertexIndex vertex, const Vector2d& point, OutlineEdgeIndex edge) {
      const bool is_wanted =
          choice == VertexChoice::all || vertices.corner(vertex) == Corner::convex;
      if (!is_wanted || !(segment_distance(edges.edges[edge], point) <= skin)) return;
      if (candidates.size() == outline_tolerances.most_candidates)
        throw std::length_error("skin too large");
      candidates.push_back({owner, vertex, edge});
    };
  };
  const auto add_first = add(PairSide::first, pair.first, pair.second);
  const auto add_second = add(PairSide::second, pair.second, pair.first);
  visit_leaf_pairs(
      pair.first.tree, pair.second.tree, RelativePose<2>(first, second), work,
      [&] { return skin + slack; },
      [&](const auto& a, const auto& b) {
        test_leaves(pair.first, a, first_seen, b, work, add_first);
        test_leaves(pair.second, b, second_seen, a, work, add_second);
      });
  std::sort(candidates.begin(), candidates.end());
}

int count_valid(const OutlinePair& pair, const PlanarPose& first, const PlanarPose& second,
                double skin, const std::vector<Candidate>& candidates) {
  const double size = pair.size(), slab = outline_tolerances.slab * size;
  int count = 0;
  for (const Candidate& candidate : candidates) {
    const CandidateGap gap = candidate_gap(pair, candidate, first, second);
    if (gap.gap >= -outline_tolerances.tie * size && gap.gap <= skin &&
        can_touch(pair, candidate, first, second, gap, slab))
      ++count;
  }
  return count;
}

double vertex_distance(const OutlinePair& pair, const PlanarPose& first, const PlanarPose& second,
                       TreeWorkspace& work) {
  double best = std::numeric_limits<double>::infinity();
  const double slack = rounding_of(pair, first, second);
  work.box_tests = work.pair_tests = 0;
  const PlanarPose second_seen = seen_from(first, second), first_seen = seen_from(second, first);
  const auto lower = [&](const Outline& edges) {
    return [&](OutlineVertexIndex, const Vector2d& point, OutlineEdgeIndex edge) {
      best = std::min(best, segment_distance(edges.edges[edge], point));
    };
  };
  const auto lower_first = lower(pair.second), lower_second = lower(pair.first);
  visit_leaf_pairs(
      pair.first.tree, pair.second.tree, RelativePose<2>(first, second), work,
      [&] { return best + slack; },
      [&](const auto& a, const auto& b) {
        test_leaves(pair.first, a, first_seen, b, work, lower_first);
        test_leaves(pair.second, b, second_seen, a, work, lower_second);
      });
  return best;
}

}  // namespace clack
