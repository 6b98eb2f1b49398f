// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "clack/geometry/outline_gap.hpp"
#include "clack/geometry/tolerances.hpp"

namespace clack {
namespace {

using Eigen::Vector2d;

/// Places at which boundaries meet, along an edge of one outline.
struct EdgeCut {
  PairSide side = PairSide::first;
  OutlineEdgeIndex edge;
  double along = 0.0;
  friend auto operator<=>(const EdgeCut&, const EdgeCut&) = default;
};

void add_cut(EdgeCut cut, double along, std::vector<EdgeCut>& cuts) {
  cut.along = along;
  cuts.push_back(cut);
}

/// Straight edges along each other: their ends cut, and when they run in the same direction both bodies are on the same
/// side (true).
bool cut_parallels(const OutlineEdge& a, const OutlineEdge& b, double tolerance,
                   const EdgeCut& on_a, const EdgeCut& on_b, std::vector<EdgeCut>& cuts) {
  int common = 0;
  const auto cut_by_ends = [&](const OutlineEdge& mine, const OutlineEdge& other,
                               const EdgeCut& on_mine) {
    if (other.is_line()) return;
    for (const Vector2d& p : {other.start, other.end()})
      if (segment_distance(mine, p) <= tolerance)
        add_cut(on_mine, mine.tangent.dot(p - mine.start), cuts), ++common;
  };
  cut_by_ends(a, b, on_a);
  cut_by_ends(b, a, on_b);
  if (common < 2 || a.tangent.dot(b.tangent) < 0.0) return false;
  if (a.is_one_sided || b.is_one_sided || a.is_line() || b.is_line()) return true;
  const double low = std::max(0.0, a.tangent.dot(b.start - a.start)),
               high = std::min(a.length, a.tangent.dot(b.end() - a.start));
  return high - low > tolerance;
}

/// Edges that meet: where, on both of them. True when they run along each other with both bodies on one side.
bool cut_edges(const OutlineEdge& a, const OutlineEdge& b, double tolerance, const EdgeCut& on_a,
               const EdgeCut& on_b, std::vector<EdgeCut>& cuts) {
  const bool are_parallel =
      a.is_straight() && b.is_straight() &&
      std::abs(cross2(a.tangent, b.tangent)) <= outline_tolerances.same_normal;
  if (are_parallel) return cut_parallels(a, b, tolerance, on_a, on_b, cuts);
  for (const EdgeMeeting& meeting : edge_meetings(a, b, tolerance)) {
    add_cut(on_a, meeting.on_first, cuts);
    add_cut(on_b, meeting.on_second, cuts);
  }
  return false;
}

/// The ends of the edges that are cut belong to the pieces.
void add_ends(const OutlinePair& pair, std::vector<EdgeCut>& cuts) {
  const std::size_t meetings = cuts.size();
  for (std::size_t k = 0; k < meetings; ++k) {
    const EdgeCut cut = cuts[k];
    const OutlineEdge& edge =
        (cut.side == PairSide::first ? pair.first : pair.second).edges[cut.edge];
    if (edge.is_line()) continue;
    cuts.push_back({cut.side, cut.edge, 0.0});
    cuts.push_back({cut.side, cut.edge, edge.length});
  }
}

}  // namespace

bool outlines_cross(const OutlinePair& pair, const PlanarPose& first, const PlanarPose& second,
                    TreeWorkspace& work) {
  const double tolerance = outline_tolerances.rounding * pair.size();
  const PlanarPose seen_pose{first.rotation.transpose() * (second.position - first.position),
                             first.rotation.transpose() * second.rotation};
  std::vector<EdgeCut> cuts;
  bool is_along = false;
  visit_leaf_pairs(
      pair.first.tree, pair.second.tree, RelativePose<2>(first, second), work,
      [&] { return tolerance; },
      [&](const auto& a, const auto& b) {
        for (int j = b.first; j < b.last; ++j) {
          const OutlineEdge seen = placed(pair.second.edges[OutlineEdgeIndex(j)], seen_pose);
          for (int i = a.first; i < a.last; ++i)
            if (cut_edges(pair.first.edges[OutlineEdgeIndex(i)], seen, tolerance,
                          {PairSide::first, OutlineEdgeIndex(i), 0.0},
                          {PairSide::second, OutlineEdgeIndex(j), 0.0}, cuts))
              is_along = true;
        }
      });
  if (is_along) return true;
  add_ends(pair, cuts);
  std::sort(cuts.begin(), cuts.end());
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
    const EdgeCut &from = cuts[k], &to = cuts[k + 1];
    if (from.side != to.side || from.edge != to.edge || to.along - from.along <= tolerance)
      continue;
    const bool is_first = from.side == PairSide::first;
    const OutlineEdge& edge = (is_first ? pair.first : pair.second).edges[from.edge];
    const Vector2d middle = edge.point_at(0.5 * (from.along + to.along));
    const Outline& other = is_first ? pair.second : pair.first;
    const PlanarPose &mine = is_first ? first : second, &its = is_first ? second : first;
    const Vector2d point = its.rotation.transpose() * (to_world(mine, middle) - its.position);
    // Two arcs that touch overlap by rounding over a piece that is much longer. An open chain has no inside in which a
    // vertex could be: what drift makes of a touch is none.
    // Nor has the border of a half-plane a length that its rounding could be compared with: a corner that rests on it is
    // as deep as its drift, which the size of the one body that has a size does not tell.
    const bool is_border =
        edge.is_line() || (other.edges.size() == 1 && other.edges[OutlineEdgeIndex(0)].is_line());
    const double deep = edge.is_one_sided || !other.has_inside || is_border
                            ? outline_tolerances.resting * pair.size()
                            : (edge.is_straight() && !other.has_arcs ? 1.0 : 4.0) * tolerance;
    if (contains(other, point) && boundary_distance(other, point) > deep) return true;
  }
  return false;
}

}  // namespace clack
