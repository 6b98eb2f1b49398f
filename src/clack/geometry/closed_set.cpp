// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/closed_set.hpp"

#include <cmath>

#include "clack/geometry/tolerances.hpp"

namespace clack {
namespace {

using Eigen::Vector2d;

/// From the second body to the first.
Vector2d pair_normal(const OutlineContact& c) {
  return c.candidate.owner == PairSide::first ? c.place.normal : Vector2d(-c.place.normal);
}

bool has_same_normal(const OutlineContact& a, const OutlineContact& b) {
  return (pair_normal(a) - pair_normal(b)).norm() <= outline_tolerances.same_normal;
}

bool is_same_point(const OutlineContact& a, const OutlineContact& b, double size) {
  return (a.place.vertex - b.place.vertex).norm() <= outline_tolerances.same_point * size;
}

/// The corner of its edge at which a contact is, if it is at one.
std::optional<Corner> end_of(const OutlinePair& pair, const OutlineContact& c, double slab) {
  const OutlineEdge& edge = pair.edge(c.candidate);
  if (!edge.has_ends()) return std::nullopt;
  if (c.place.along <= slab) return pair.support(c.candidate).corner(edge.from);
  if (c.place.along >= edge.length - slab) return pair.support(c.candidate).corner(edge.to);
  return std::nullopt;
}

/// (a)
bool is_leaving(const OutlinePair& pair, const OutlineContact& c, const PlanarPose& owner,
                const ClosedTolerances& tolerances) {
  const auto borders = candidate_borders(pair, c.candidate, c.place, c.rate, owner);
  return std::any_of(borders.begin(), borders.end(), [&](const CandidateBorder& border) {
    return border.is_border && border.margin <= tolerances.slab && border.rate < -tolerances.speed;
  });
}

/// (b) and (c): on one line two contacts are enough, the outermost ones.
void keep_outermost(std::vector<OutlineContact>& contacts, double size, double line) {
  const auto is_redundant = [&](std::size_t k) {
    const OutlineContact& mine = contacts[k];
    const Vector2d along(-pair_normal(mine).y(), pair_normal(mine).x());
    bool has_lower = false, has_higher = false;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (i == k || !has_same_normal(mine, contacts[i])) continue;
      const Vector2d way = contacts[i].place.vertex - mine.place.vertex;
      if (is_same_point(mine, contacts[i], size)) {
        if (i < k) return true;  // (b)
        continue;
      }
      if (std::abs(way.dot(pair_normal(mine))) > line) continue;
      (way.dot(along) < 0.0 ? has_lower : has_higher) = true;
    }
    return has_lower && has_higher;
  };
  std::vector<OutlineContact> kept;
  for (std::size_t k = 0; k < contacts.size(); ++k)
    if (!is_redundant(k)) kept.push_back(contacts[k]);
  contacts = std::move(kept);
}

/// (e)
void choose_among_vertices(const OutlinePair& pair, const ClosedTolerances& tolerances,
                           ClosedSet& closed) {
  const auto meets_vertex = [&](const OutlineContact& c) {
    const auto end = end_of(pair, c, tolerances.slab);
    return end == Corner::convex && c.rate.gap_rate < -tolerances.speed;
  };
  std::vector<OutlineContact>& contacts = closed.contacts;
  const auto is_slower = [&](std::size_t k) {
    if (!meets_vertex(contacts[k])) return false;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (i == k || !meets_vertex(contacts[i]) ||
          !is_same_point(contacts[i], contacts[k], pair.size()))
        continue;
      const double faster = contacts[k].rate.gap_rate - contacts[i].rate.gap_rate;
      if (faster > tolerances.speed || (faster >= -tolerances.speed && i < k)) return true;
    }
    return false;
  };
  std::vector<OutlineContact> kept;
  for (std::size_t k = 0; k < contacts.size(); ++k)
    if (!is_slower(k)) kept.push_back(contacts[k]);
  closed.has_vertex_on_vertex = kept.size() < contacts.size();
  contacts = std::move(kept);
}

}  // namespace

void closed_set(const OutlinePair& pair, const PlanarMotion& first, const PlanarMotion& second,
                const ClosedTolerances& tolerances, TreeWorkspace& work,
                std::vector<Candidate>& candidates, ClosedSet& closed) {
  closed.contacts.clear();
  closed.has_vertex_on_vertex = false;
  candidates_within(pair, first.pose, second.pose, std::hypot(tolerances.gap, tolerances.slab),
                    VertexChoice::convex, work, candidates);
  for (const Candidate& candidate : candidates) {
    const CandidateGap place = candidate_gap(pair, candidate, first.pose, second.pose);
    if (!(std::abs(place.gap) <= tolerances.gap) ||
        !can_touch(pair, candidate, first.pose, second.pose, place, tolerances.slab))
      continue;
    const PlanarMotion& owner = candidate.owner == PairSide::first ? first : second;
    const OutlineContact contact{candidate, place,
                                 candidate_rate(pair, candidate, place, first, second)};
    if (!is_leaving(pair, contact, owner.pose, tolerances)) closed.contacts.push_back(contact);
  }
  if (closed.contacts.size() < 2) return;
  keep_outermost(closed.contacts, pair.size(), 2.0 * tolerances.gap);
  choose_among_vertices(pair, tolerances, closed);
}

}  // namespace clack
