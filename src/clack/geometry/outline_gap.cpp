// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/outline_gap.hpp"

#include <cmath>

#include "clack/geometry/tolerances.hpp"

namespace clack {
namespace {

using Eigen::Vector2d;

Vector2d to_body(const PlanarPose& pose, const Vector2d& world) {
  return pose.rotation.transpose() * (world - pose.position);
}

ClosestPair closest_pair(const OutlinePair& pair, const Candidate& candidate,
                         const PlanarPose& first, const PlanarPose& second, double sign) {
  const CandidateGap gap = candidate_gap(pair, candidate, first, second);
  const OutlineEdge& edge = pair.edge(candidate);
  const double rounding = outline_tolerances.rounding * pair.size();
  const double foot = std::clamp(gap.along, 0.0, edge.length);
  ClosestPair closest;
  closest.candidate = candidate;
  closest.line_gap = gap.gap;
  closest.gap = sign * std::hypot(gap.gap, gap.along - foot);
  closest.place = gap.along / edge.length;
  closest.vertex = gap.vertex;
  closest.normal = gap.normal;
  closest.foot = gap.vertex - gap.gap * gap.normal + (foot - gap.along) * gap.tangent;
  closest.is_at_end = gap.along <= rounding || gap.along >= edge.length - rounding;
  return closest;
}

/// Vertices of one outline inside the other by more than rounding, with their nearest edges.
double add_inside(const OutlinePair& pair, PairSide owner, const PlanarPose& first,
                  const PlanarPose& second, std::vector<ClosestPair>& contacts) {
  const bool is_first = owner == PairSide::first;
  const Outline &mine = is_first ? pair.first : pair.second,
                &other = is_first ? pair.second : pair.first;
  const PlanarPose &my_pose = is_first ? first : second, &other_pose = is_first ? second : first;
  const double size = pair.size();
  double deepest = 0.0;
  for (const OutlineVertexIndex i : indices(mine.vertices)) {
    const Vector2d point = to_body(other_pose, to_world(my_pose, mine.vertices[i].point));
    if (distance_to(other.tree[0].box, point) > 0.0 || !contains(other, point)) continue;
    const double depth = boundary_distance(other, point);
    if (depth <= outline_tolerances.rounding * size) continue;
    deepest = std::max(deepest, depth);
    for (const OutlineEdgeIndex j : indices(other.edges))
      if (segment_distance(other.edges[j], point) <= depth + outline_tolerances.tie_inside * size)
        contacts.push_back(closest_pair(pair, {owner, i, j}, first, second, -1.0));
  }
  return deepest;
}

/// Places at which boundaries meet, along an edge of one outline.
struct EdgeCut {
  PairSide side = PairSide::first;
  OutlineEdgeIndex edge;
  double along = 0.0;
  friend auto operator<=>(const EdgeCut&, const EdgeCut&) = default;
};

/// Edges that meet: where, on both of them. True when they run along each other in the same direction: then both
/// bodies are on the same side.
bool cut_edges(const OutlineEdge& a, const OutlineEdge& b, double tolerance, const EdgeCut& on_a,
               const EdgeCut& on_b, std::vector<EdgeCut>& cuts) {
  const double sine = cross2(a.tangent, b.tangent);
  const Vector2d between = b.start - a.start;
  const auto add = [&](EdgeCut cut, double along) {
    cut.along = along;
    cuts.push_back(cut);
  };
  if (std::abs(sine) > outline_tolerances.same_normal) {
    const double s = cross2(between, b.tangent) / sine, u = cross2(between, a.tangent) / sine;
    const bool meets = s >= -tolerance && s <= a.length + tolerance && u >= -tolerance &&
                       u <= b.length + tolerance;
    if (meets) add(on_a, s), add(on_b, u);
    return false;
  }
  double common = 0.0;
  for (const Vector2d& p : {b.start, b.end()})
    if (segment_distance(a, p) <= tolerance) add(on_a, a.tangent.dot(p - a.start)), ++common;
  for (const Vector2d& p : {a.start, a.end()})
    if (segment_distance(b, p) <= tolerance) add(on_b, b.tangent.dot(p - b.start)), ++common;
  if (common < 2 || a.tangent.dot(b.tangent) < 0.0) return false;
  const double low = std::max(0.0, a.tangent.dot(between)),
               high = std::min(a.length, a.tangent.dot(b.end() - a.start));
  return high - low > tolerance;
}

/// Interiors overlap although no vertex is inside: a piece of an edge between two meetings runs inside the other body,
/// or two edges run along each other with their bodies on the same side.
bool is_crossing(const OutlinePair& pair, const PlanarPose& first, const PlanarPose& second,
                 TreeWorkspace& work) {
  const double tolerance = outline_tolerances.rounding * pair.size();
  std::vector<EdgeCut> cuts;
  bool is_along = false;
  visit_leaf_pairs(
      pair.first.tree, pair.second.tree, RelativePose<2>(first, second), work,
      [&] { return tolerance; },
      [&](const auto& a, const auto& b) {
        for (int j = b.first; j < b.last; ++j) {
          OutlineEdge seen = pair.second.edges[OutlineEdgeIndex(j)];
          seen.start = to_body(first, to_world(second, seen.start));
          seen.tangent = first.rotation.transpose() * (second.rotation * seen.tangent);
          for (int i = a.first; i < a.last; ++i)
            if (cut_edges(pair.first.edges[OutlineEdgeIndex(i)], seen, tolerance,
                          {PairSide::first, OutlineEdgeIndex(i), 0.0},
                          {PairSide::second, OutlineEdgeIndex(j), 0.0}, cuts))
              is_along = true;
        }
      });
  if (is_along) return true;
  const std::size_t meetings = cuts.size();
  for (std::size_t k = 0; k < meetings; ++k) {  // the ends of the edges belong to the pieces
    const EdgeCut cut = cuts[k];
    const Outline& mine = cut.side == PairSide::first ? pair.first : pair.second;
    cuts.push_back({cut.side, cut.edge, 0.0});
    cuts.push_back({cut.side, cut.edge, mine.edges[cut.edge].length});
  }
  std::sort(cuts.begin(), cuts.end());
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
    const EdgeCut &from = cuts[k], &to = cuts[k + 1];
    if (from.side != to.side || from.edge != to.edge || to.along - from.along <= tolerance)
      continue;
    const bool is_first = from.side == PairSide::first;
    const OutlineEdge& edge = (is_first ? pair.first : pair.second).edges[from.edge];
    const Vector2d middle = edge.start + 0.5 * (from.along + to.along) * edge.tangent;
    const Outline& other = is_first ? pair.second : pair.first;
    const Vector2d point = is_first ? to_body(second, to_world(first, middle))
                                    : to_body(first, to_world(second, middle));
    if (contains(other, point) && boundary_distance(other, point) > tolerance) return true;
  }
  return false;
}

ClosestKind kind_of(const std::vector<ClosestPair>& contacts, double size) {
  if (contacts.empty()) return ClosestKind::none;
  const auto place = [](const ClosestPair& c) -> Vector2d { return 0.5 * (c.vertex + c.foot); };
  const auto normal = [](const ClosestPair& c) -> Vector2d {
    return c.candidate.owner == PairSide::first ? c.normal : Vector2d(-c.normal);
  };
  std::vector<Vector2d> places;
  bool all_at_ends = true, one_normal = true, one_vertex = true;
  for (const ClosestPair& c : contacts) {
    const bool is_known = std::any_of(places.begin(), places.end(), [&](const Vector2d& p) {
      return (p - place(c)).norm() <= outline_tolerances.same_point * size;
    });
    if (!is_known) places.push_back(place(c));
    all_at_ends = all_at_ends && c.is_at_end;
    one_normal =
        one_normal && (normal(c) - normal(contacts[0])).norm() <= outline_tolerances.same_normal;
    one_vertex = one_vertex && c.candidate.owner == contacts[0].candidate.owner &&
                 c.candidate.vertex == contacts[0].candidate.vertex;
  }
  if (places.size() == 1 && all_at_ends) return ClosestKind::vertex_vertex;
  if (contacts.size() == 1) return ClosestKind::vertex_edge;
  if (places.size() == 1 && one_vertex) return ClosestKind::notch;
  if (places.size() == 2 && one_normal) return ClosestKind::edge_edge;
  return ClosestKind::multi;
}

}  // namespace

std::string_view to_string(PairStatus status) {
  switch (status) {
    case PairStatus::disjoint:
      return "disjoint";
    case PairStatus::overlap:
      return "overlap";
    case PairStatus::crossing:
      return "crossing";
  }
  return "";
}

std::string_view to_string(ClosestKind kind) {
  switch (kind) {
    case ClosestKind::vertex_edge:
      return "VE";
    case ClosestKind::vertex_vertex:
      return "VV";
    case ClosestKind::edge_edge:
      return "EE";
    case ClosestKind::notch:
      return "notch";
    case ClosestKind::multi:
      return "multi";
    case ClosestKind::none:
      return "none";
  }
  return "";
}

PairGap signed_gap(const OutlinePair& pair, const PlanarPose& first, const PlanarPose& second,
                   TreeWorkspace& work) {
  PairGap result;
  const double size = pair.size();
  const RelativePose<2> relative(first, second);
  if (relative.separation(pair.first.tree[0].box, pair.second.tree[0].box) <= 0.0) {
    const double of_first = add_inside(pair, PairSide::first, first, second, result.contacts);
    const double of_second = add_inside(pair, PairSide::second, first, second, result.contacts);
    const double depth = std::max(of_first, of_second);
    if (depth > 0.0) {
      result.status = PairStatus::overlap;
      result.gap = -depth;
      result.kind = kind_of(result.contacts, size);
      return result;
    }
    if (is_crossing(pair, first, second, work)) {
      result.status = PairStatus::crossing;
      return result;
    }
  }
  const double distance = vertex_distance(pair, first, second, work);
  std::vector<Candidate> near;
  candidates_within(pair, first, second, distance + outline_tolerances.tie * size,
                    VertexChoice::all, work, near);
  for (const Candidate& candidate : near)
    result.contacts.push_back(closest_pair(pair, candidate, first, second, 1.0));
  result.gap = distance;
  result.kind = kind_of(result.contacts, size);
  return result;
}

}  // namespace clack
