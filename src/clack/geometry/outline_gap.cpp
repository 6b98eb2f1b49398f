// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/outline_gap.hpp"

#include <algorithm>
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
  const double foot = std::clamp(gap.along, edge.lowest(), edge.length);
  ClosestPair closest;
  closest.candidate = candidate;
  closest.line_gap = gap.gap;
  closest.place = edge.is_line() ? gap.along : gap.along / edge.length;
  closest.vertex = gap.vertex;
  closest.normal = gap.normal;
  closest.is_at_end = gap.along <= edge.lowest() + rounding || gap.along >= edge.length - rounding;
  if (edge.is_straight()) {
    closest.gap = sign * std::hypot(gap.gap, gap.along - foot);
    closest.foot = gap.vertex - gap.gap * gap.normal + (foot - gap.along) * gap.tangent;
    return closest;
  }
  const bool is_on = foot == gap.along;
  const PlanarPose& support = candidate.owner == PairSide::first ? second : first;
  closest.foot =
      is_on ? Vector2d(gap.vertex - gap.gap * gap.normal) : to_world(support, edge.point_at(foot));
  closest.gap = sign * (is_on ? std::abs(gap.gap) : (gap.vertex - closest.foot).norm());
  closest.is_at_end = closest.is_at_end && edge.has_ends();
  return closest;
}

/// Points of one outline inside the other by more than rounding, with the nearest edges there.
class InsidePoints {
 public:
  InsidePoints(const OutlinePair& pair, const PlanarPose& first, const PlanarPose& second,
               std::vector<ClosestPair>& contacts)
      : pair_(pair), first_(first), second_(second), contacts_(contacts) {}

  void add_vertices(PairSide owner) {
    const Outline& mine = owner == PairSide::first ? pair_.first : pair_.second;
    for (const OutlineVertexIndex i : vertices_near_the_other(owner))
      add(owner, i, mine.vertices[i].point);
    if (!mine.has_arcs) return;
    for (const OutlineEdgeIndex j : indices(mine.edges))  // disks have no vertex
      if (mine.edges[j].is_convex_arc() && !mine.edges[j].has_ends())
        add(owner, OutlineVertexIndex(mine.vertices.size() + j.value), mine.edges[j].start);
  }
  /// The points of convex arcs at which they look towards edges that they may meet.
  void add_arcs(TreeWorkspace& work) {
    if (!pair_.first.has_arcs && !pair_.second.has_arcs) return;
    const double reach = outline_tolerances.rounding * pair_.size();
    visit_leaf_pairs(
        pair_.first.tree, pair_.second.tree, RelativePose<2>(first_, second_), work,
        [&] { return reach; },
        [&](const auto& a, const auto& b) {
          for (int i = a.first; i < a.last; ++i)
            for (int j = b.first; j < b.last; ++j) {
              add_deepest(PairSide::first, i, j);
              add_deepest(PairSide::second, j, i);
            }
        });
  }
  double deepest() const { return deepest_; }

 private:
  /// Ascending: those whose leaf is not apart from the box around the other outline.
  std::vector<OutlineVertexIndex> vertices_near_the_other(PairSide owner) const {
    const bool is_first = owner == PairSide::first;
    const Outline &mine = is_first ? pair_.first : pair_.second,
                  &other = is_first ? pair_.second : pair_.first;
    const RelativePose<2> relative(first_, second_);
    const double reach =
        outline_tolerances.rounding * (pair_.size() + (first_.position - second_.position).norm());
    std::vector<OutlineVertexIndex> found;
    std::vector<int> nodes;
    if (!mine.tree.empty() && !other.tree.empty()) nodes.push_back(0);
    while (!nodes.empty()) {
      const BoxTree<2>::Node& node = mine.tree[nodes.back()];
      nodes.pop_back();
      const double apart = is_first ? relative.separation(node.box, other.tree[0].box)
                                    : relative.separation(other.tree[0].box, node.box);
      if (apart > reach) continue;
      if (!node.is_leaf()) {
        nodes.insert(nodes.end(), {node.child + 1, node.child});
        continue;
      }
      for (int k = node.first; k < node.last; ++k) {
        const OutlineEdge& edge = mine.edges[OutlineEdgeIndex(k)];
        if (edge.has_ends()) found.insert(found.end(), {edge.from, edge.to});
      }
    }
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }
  void add_deepest(PairSide owner, int arc_index, int edge_index) {
    const bool is_first = owner == PairSide::first;
    const Outline& mine = is_first ? pair_.first : pair_.second;
    const OutlineEdge& arc = mine.edges[OutlineEdgeIndex(arc_index)];
    if (!arc.is_convex_arc()) return;
    const Candidate candidate{owner, OutlineVertexIndex(mine.vertices.size() + arc_index),
                              OutlineEdgeIndex(edge_index)};
    const CandidateGap gap = candidate_gap(pair_, candidate, first_, second_);
    const PlanarPose& pose = is_first ? first_ : second_;
    if (!is_facing(pair_, candidate, pose, gap, 0.0)) return;
    add(owner, candidate.vertex,
        arc.centre - arc.radius * (pose.rotation.transpose() * gap.normal));
  }
  /// A point of a round, in the frame of its body.
  void add(PairSide owner, OutlineVertexIndex round, const Vector2d& local) {
    const bool is_first = owner == PairSide::first;
    const Outline& other = is_first ? pair_.second : pair_.first;
    const PlanarPose &my_pose = is_first ? first_ : second_,
                     &other_pose = is_first ? second_ : first_;
    const double size = pair_.size();
    const Vector2d point = to_body(other_pose, to_world(my_pose, local));
    if (distance_to(other.tree[0].box, point) > 0.0 || !contains(other, point)) return;
    const double depth = boundary_distance(other, point);
    if (depth <= outline_tolerances.rounding * size) return;
    deepest_ = std::max(deepest_, depth);
    for (const OutlineEdgeIndex j : indices(other.edges)) {
      if (segment_distance(other.edges[j], point) > depth + outline_tolerances.tie_inside * size)
        continue;
      ClosestPair closest = closest_pair(pair_, canonical(owner, round, j), first_, second_, -1.0);
      if (closest.candidate.owner != owner || !pair_.is_vertex(closest.candidate)) {
        closest.gap = -depth;
        closest.vertex = to_world(my_pose, local);
      }
      contacts_.push_back(closest);
    }
  }
  /// Two convex arcs have one name.
  Candidate canonical(PairSide owner, OutlineVertexIndex round, OutlineEdgeIndex edge) const {
    const Candidate candidate{owner, round, edge};
    const bool are_rounds = !pair_.is_vertex(candidate) && pair_.edge(candidate).is_convex_arc();
    if (owner == PairSide::first || !are_rounds) return candidate;
    return {PairSide::first, OutlineVertexIndex(pair_.first.vertices.size() + edge.value),
            OutlineEdgeIndex(round.value - pair_.second.vertices.size())};
  }

  const OutlinePair& pair_;
  const PlanarPose &first_, &second_;
  std::vector<ClosestPair>& contacts_;
  double deepest_ = 0.0;
};

/// The nearest points of an arc and an edge are inside of both.
bool is_between_arcs(const OutlinePair& pair, const ClosestPair& closest, const PlanarPose& first,
                     const PlanarPose& second) {
  const CandidateGap gap = candidate_gap(pair, closest.candidate, first, second);
  const double slab = outline_tolerances.slab * pair.size();
  const bool is_first = closest.candidate.owner == PairSide::first;
  return is_on_edge(pair, closest.candidate, gap, slab) &&
         is_facing(pair, closest.candidate, is_first ? first : second, gap, slab);
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
    InsidePoints inside(pair, first, second, result.contacts);
    inside.add_vertices(PairSide::first);
    inside.add_vertices(PairSide::second);
    inside.add_arcs(work);
    const double depth = inside.deepest();
    if (depth > 0.0) {
      result.status = PairStatus::overlap;
      result.gap = -depth;
      result.kind = kind_of(result.contacts, size);
      return result;
    }
    if (outlines_cross(pair, first, second, work)) {
      result.status = PairStatus::crossing;
      return result;
    }
  }
  const double distance = vertex_distance(pair, first, second, work);
  std::vector<Candidate> near;
  candidates_within(pair, first, second, distance + outline_tolerances.tie * size,
                    VertexChoice::all, work, near);
  for (const Candidate& candidate : near) {
    // An arc whose end is nearest: that vertex is listed.
    const ClosestPair closest = closest_pair(pair, candidate, first, second, 1.0);
    if (pair.is_vertex(candidate) || is_between_arcs(pair, closest, first, second))
      result.contacts.push_back(closest);
  }
  result.gap = distance;
  result.kind = kind_of(result.contacts, size);
  return result;
}

}  // namespace clack
