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

/// Calls `test(round, distance)` for the rounds that a leaf owns (the starts of its edges, ends of open chains, convex
/// arcs) and the edges of the other leaf. Two convex arcs meet in the first outline's name only.
template <class Test>
void test_leaves(const Outline& owner, PairSide side, const BoxTree<2>::Node& rounds,
                 const PlanarPose& seen, const Outline& support, const BoxTree<2>::Node& edges,
                 TreeWorkspace& work, Test&& test) {
  const auto test_vertex = [&](OutlineVertexIndex vertex) {
    const Vector2d point = to_world(seen, owner.vertices[vertex].point);
    for (int j = edges.first; j < edges.last; ++j) {
      ++work.pair_tests;
      const OutlineEdgeIndex edge(j);
      test(vertex, edge, [&] { return segment_distance(support.edges[edge], point); });
    }
  };
  for (int i = rounds.first; i < rounds.last; ++i) {
    const OutlineEdge& mine = owner.edges[OutlineEdgeIndex(i)];
    if (mine.has_ends()) {
      test_vertex(mine.from);
      if (!owner.vertices[mine.to].after.is_valid()) test_vertex(mine.to);
    }
    if (!mine.is_convex_arc()) continue;
    const OutlineEdge arc = placed(mine, seen);
    for (int j = edges.first; j < edges.last; ++j) {
      const OutlineEdgeIndex edge(j);
      if (support.edges[edge].is_convex_arc() && side == PairSide::second) continue;
      ++work.pair_tests;
      test(OutlineVertexIndex(owner.vertices.size() + i), edge,
           [&] { return edge_distance(arc, support.edges[edge]); });
    }
  }
}

bool is_convex_round(const Outline& outline, OutlineVertexIndex round) {
  return !outline.vertices.contains(round) || outline.corner(round) == Corner::convex;
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
  gap.centre = to_world(owner, pair.centre(candidate));
  const double radius = pair.radius(candidate);
  if (edge.is_straight()) {
    gap.normal = support.rotation * edge.normal;
    gap.tangent = support.rotation * edge.tangent;
    const Vector2d from_start = gap.centre - to_world(support, edge.start);
    gap.gap = gap.normal.dot(from_start) - radius;
    gap.along = gap.tangent.dot(from_start);
  } else {
    const double sign = edge.radius > 0.0 ? 1.0 : -1.0;
    const Vector2d way = gap.centre - to_world(support, edge.centre);
    gap.reach = way.norm();
    const Vector2d out = gap.reach > 0.0 ? Vector2d(way / gap.reach)
                                         : Vector2d(sign * (support.rotation * edge.normal));
    gap.normal = sign * out;
    gap.tangent = {-gap.normal.y(), gap.normal.x()};
    gap.gap = sign * gap.reach - edge.radius - radius;
    gap.along = along_towards(edge, support.rotation.transpose() * out);
  }
  gap.vertex = gap.centre - radius * gap.normal;
  if (radius > 0.0)
    gap.own = along_towards(pair.arc(candidate), -(owner.rotation.transpose() * gap.normal));
  return gap;
}

CandidateRate candidate_rate(const OutlinePair& pair, const Candidate& candidate,
                             const CandidateGap& gap, const PlanarMotion& first,
                             const PlanarMotion& second) {
  const bool is_first = candidate.owner == PairSide::first;
  const PlanarMotion &owner = is_first ? first : second, &support = is_first ? second : first;
  // The material point of the other body at the same place: T . (C - E) and n . (C - E) then have these rates.
  const Vector2d relative = owner.velocity_at(gap.vertex) - support.velocity_at(gap.vertex);
  CandidateRate rate;
  rate.gap_rate = gap.normal.dot(relative);
  rate.slip = gap.tangent.dot(relative);
  rate.along_rate = rate.slip;
  rate.turning = support.spin - owner.spin;
  if (!pair.is_vertex(candidate))
    rate.along_rate =
        gap.tangent.dot(owner.velocity_at(gap.centre) - support.velocity_at(gap.centre));
  const double radius = pair.edge(candidate).radius;
  if (radius == 0.0) return rate;
  // In the frame of the other body the line of centres turns by sign(R) along_rate/|C - c|, the normal with it.
  const double reach = std::max(gap.reach, std::numeric_limits<double>::min());
  rate.turning += std::copysign(rate.along_rate / reach, radius * rate.along_rate);
  rate.along_rate *= std::abs(radius) / reach;
  return rate;
}

std::array<CandidateBorder, 4> candidate_borders(const OutlinePair& pair,
                                                 const Candidate& candidate,
                                                 const CandidateGap& gap, const CandidateRate& rate,
                                                 const PlanarPose& owner_pose) {
  std::array<CandidateBorder, 4> borders;
  const OutlineEdge& edge = pair.edge(candidate);
  const Outline &support = pair.support(candidate), &owner = pair.owner(candidate);
  const auto set = [](CandidateBorder& border, const Outline& outline, OutlineVertexIndex corner,
                      double margin, double margin_rate) {
    const double turn = outline.vertices[corner].turn;
    border = {turn >= -outline_tolerances.nearly_smooth, margin, margin_rate, turn};
  };
  if (edge.has_ends()) {
    set(borders[0], support, edge.from, gap.along, rate.along_rate);
    set(borders[1], support, edge.to, edge.length - gap.along, -rate.along_rate);
  }
  if (!pair.is_vertex(candidate)) {
    const OutlineEdge& arc = pair.arc(candidate);
    if (!arc.has_ends()) return borders;
    set(borders[2], owner, arc.from, gap.own, arc.radius * rate.turning);
    set(borders[3], owner, arc.to, arc.length - gap.own, -arc.radius * rate.turning);
    return borders;
  }
  const OutlineVertex& vertex = pair.vertex(candidate);
  const Vector2d out = -(owner_pose.rotation.transpose() * gap.normal);
  const auto cone = [&](CandidateBorder& border, OutlineEdgeIndex neighbour,
                        const Vector2d& tangent, double sign) {
    const double bend = neighbour.is_valid() ? std::abs(owner.edges[neighbour].radius) : 0.0;
    const double scale = edge.is_straight() ? bend : std::abs(edge.radius);
    if (!(scale > 0.0)) return;
    const Vector2d normal(tangent.y(), -tangent.x());
    border = {true, sign * scale * std::atan2(cross2(normal, out), normal.dot(out)),
              sign * scale * rate.turning, vertex.turn};
  };
  cone(borders[2], vertex.before, owner.tangent_before(vertex), 1.0);
  cone(borders[3], vertex.after, owner.tangent_after(vertex), -1.0);
  return borders;
}

bool is_on_edge(const OutlinePair& pair, const Candidate& candidate, const CandidateGap& gap,
                double slab) {
  const OutlineEdge& edge = pair.edge(candidate);
  return gap.along >= edge.lowest() - slab && gap.along <= edge.length + slab;
}

bool is_facing(const OutlinePair& pair, const Candidate& candidate, const PlanarPose& owner,
               const CandidateGap& gap, double slab) {
  const Outline& outline = pair.owner(candidate);
  if (!pair.is_vertex(candidate)) {
    const OutlineEdge& arc = pair.arc(candidate);
    return gap.own >= -slab && gap.own <= arc.length + slab;
  }
  const OutlineVertex& vertex = pair.vertex(candidate);
  const Vector2d normal = owner.rotation.transpose() * gap.normal;
  return -outline.tangent_before(vertex).dot(normal) >= -outline_tolerances.facing &&
         outline.tangent_after(vertex).dot(normal) >= -outline_tolerances.facing;
}

bool can_touch(const OutlinePair& pair, const Candidate& candidate, const PlanarPose& first,
               const PlanarPose& second, const CandidateGap& gap, double slab) {
  const OutlineEdge& edge = pair.edge(candidate);
  // A round as large as the hollow of an arc touches its ends only.
  if (edge.is_concave_arc() && !(pair.radius(candidate) < -edge.radius)) return false;
  return is_convex_round(pair.owner(candidate), candidate.vertex) &&
         is_on_edge(pair, candidate, gap, slab) &&
         is_facing(pair, candidate, candidate.owner == PairSide::first ? first : second, gap, slab);
}

bool few_within(const OutlinePair& pair, const PlanarPose& first, const PlanarPose& second,
                double skin, VertexChoice choice, std::size_t most, TreeWorkspace& work,
                std::vector<Candidate>& candidates) {
  candidates.clear();
  work.box_tests = work.pair_tests = 0;
  const double slack = rounding_of(pair, first, second);
  const PlanarPose second_seen = seen_from(first, second), first_seen = seen_from(second, first);
  double reach = skin + slack;
  const auto add = [&](PairSide owner, const Outline& rounds) {
    return [&, owner](OutlineVertexIndex round, OutlineEdgeIndex edge, const auto& distance) {
      const bool is_wanted = choice == VertexChoice::all || is_convex_round(rounds, round);
      if (!is_wanted || !(distance() <= skin)) return;
      if (candidates.size() < most)
        candidates.push_back({owner, round, edge});
      else
        reach = -std::numeric_limits<double>::infinity();  // no further boxes
    };
  };
  const auto add_first = add(PairSide::first, pair.first);
  const auto add_second = add(PairSide::second, pair.second);
  visit_leaf_pairs(
      pair.first.tree, pair.second.tree, RelativePose<2>(first, second), work,
      [&] { return reach; },
      [&](const auto& a, const auto& b) {
        test_leaves(pair.first, PairSide::first, a, first_seen, pair.second, b, work, add_first);
        test_leaves(pair.second, PairSide::second, b, second_seen, pair.first, a, work, add_second);
      });
  std::sort(candidates.begin(), candidates.end());
  return reach > 0.0;
}

void candidates_within(const OutlinePair& pair, const PlanarPose& first, const PlanarPose& second,
                       double skin, VertexChoice choice, TreeWorkspace& work,
                       std::vector<Candidate>& candidates) {
  if (!few_within(pair, first, second, skin, choice, outline_tolerances.most_candidates, work,
                  candidates))
    throw std::length_error("skin too large");
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

namespace {

/// Like visit_leaf_pairs, the nearer box first: where nothing is known yet every box may hold the nearest, and a first
/// answer leaves most of them out.
template <class Reach, class Visit>
void visit_nearer_first(const BoxTree<2>& a, const BoxTree<2>& b, const RelativePose<2>& relative,
                        TreeWorkspace& work, Reach&& reach, Visit&& visit) {
  work.stack.clear();
  if (!a.empty() && !b.empty()) work.stack.emplace_back(0, 0);
  while (!work.stack.empty()) {
    const auto [i, j] = work.stack.back();
    work.stack.pop_back();
    const auto &first = a[i], &second = b[j];
    if (first.is_leaf() && second.is_leaf()) {
      visit(first, second);
      continue;
    }
    const bool opens_first =
        second.is_leaf() ||
        (!first.is_leaf() && first.box.half.squaredNorm() >= second.box.half.squaredNorm());
    std::array<std::pair<int, int>, 2> children{{{i, j}, {i, j}}};
    std::array<double, 2> apart{};
    for (const int k : {0, 1}) {
      if (opens_first)
        children[k].first = first.child + k;
      else
        children[k].second = second.child + k;
      ++work.box_tests;
      apart[k] = relative.separation(a[children[k].first].box, b[children[k].second].box);
    }
    const int nearer = apart[1] < apart[0] ? 1 : 0;
    for (const int k : {1 - nearer, nearer})
      if (!(apart[k] > reach())) work.stack.push_back(children[k]);
  }
}

}  // namespace

double vertex_distance(const OutlinePair& pair, const PlanarPose& first, const PlanarPose& second,
                       TreeWorkspace& work) {
  double best = std::numeric_limits<double>::infinity();
  const double slack = rounding_of(pair, first, second);
  work.box_tests = work.pair_tests = 0;
  const PlanarPose second_seen = seen_from(first, second), first_seen = seen_from(second, first);
  const auto lower = [&](OutlineVertexIndex, OutlineEdgeIndex, const auto& distance) {
    best = std::min(best, distance());
  };
  visit_nearer_first(
      pair.first.tree, pair.second.tree, RelativePose<2>(first, second), work,
      [&] { return best + slack; },
      [&](const auto& a, const auto& b) {
        test_leaves(pair.first, PairSide::first, a, first_seen, pair.second, b, work, lower);
        test_leaves(pair.second, PairSide::second, b, second_seen, pair.first, a, work, lower);
      });
  return best;
}

}  // namespace clack
