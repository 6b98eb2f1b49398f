// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/first_touch.hpp"

#include <cmath>

#include "clack/geometry/candidate_march.hpp"
#include "clack/geometry/outline_gap.hpp"
#include "clack/geometry/tolerances.hpp"

namespace clack {
namespace {

/// Over one stretch, in which no other candidates can touch.
void search_candidates(const OutlinePair& pair, const PairTrajectory& trajectory,
                       const PlacedPair& start, double to, double skin, double reach,
                       const TouchSearch& search, std::span<const Candidate> candidates,
                       FirstTouch& result) {
  const double from = start.t;
  const PairBounds bounds = trajectory.bounds(from, to);
  double end = to;
  double rounding = 0.0;  // of the touch at `end`
  const auto resolution = [&] {
    return std::max(1e-13 * std::max(std::abs(end), to - from), rounding);
  };
  for (const Candidate& candidate : candidates) {
    if (std::binary_search(search.closed.begin(), search.closed.end(), candidate)) continue;
    CandidateMarch march(pair, trajectory, search, candidate, bounds, skin, reach, start);
    const FirstTouch found = march.first(from, std::min(to, end + resolution()));
    result.evaluations += found.evaluations;
    if (found.outcome == TouchOutcome::misses) continue;
    if (found.outcome == TouchOutcome::gave_up) {
      if (result.outcome == TouchOutcome::misses || found.t < end) {
        result.outcome = TouchOutcome::gave_up;
        result.t = end = found.t;
        result.candidates.assign(1, candidate);
      }
      continue;
    }
    if (result.outcome == TouchOutcome::misses || found.t < end - resolution())
      result.candidates.clear();
    result.outcome = TouchOutcome::touches;
    result.candidates.push_back(candidate);
    rounding = march.rounding();
    end = result.candidates.size() == 1 ? found.t : std::min(end, found.t);
    result.t = end;
  }
}

/// V. A half-plane is touched not farther from its origin than `reach`.
double speed_over(const OutlinePair& pair, const PairBounds& bounds, double reach) {
  return bounds.speed + bounds.first_spin * (pair.first.is_bounded ? pair.first.radius : reach) +
         bounds.second_spin * (pair.second.is_bounded ? pair.second.radius : reach);
}

/// How far from the origin of a half-plane the other body comes over a stretch.
double reach_over(const OutlinePair& pair, const PlanarPose& first, const PlanarPose& second,
                  const PairBounds& bounds, double duration) {
  if (pair.first.is_bounded && pair.second.is_bounded) return 0.0;
  return (first.position - second.position).norm() + bounds.speed * duration + pair.size();
}

}  // namespace

TouchSearch touch_search(const OutlinePair& pair, double speed) {
  const double size = pair.size();
  TouchSearch search;
  search.tolerances = {outline_tolerances.closed * size, outline_tolerances.slab * size,
                       outline_tolerances.graze * speed};
  search.thinnest_skin = outline_tolerances.thinnest_skin * pair.smaller();
  return search;
}

namespace {

/// The stretch of the motion that is searched at once, and what could touch in it.
struct Stretch {
  double end = 0.0, skin = 0.0;
  bool can_touch = false;
  bool is_listed = true;  // else too many to be followed: nothing touches before `end` all the same
};

/// What has many candidates within the skin is looked at in steps of its distance, as long as these are a part of the
/// stretch: each costs one search for the nearest, however many corners lie behind it.
Stretch next_stretch(const OutlinePair& pair, const PlacedPair& at, double limit, double speed,
                     double distance, const TouchSearch& search, TreeWorkspace& work,
                     std::vector<Candidate>& candidates) {
  const double way = speed * (limit - at.t);
  const auto stretch_within = [&](double skin) {
    Stretch stretch{way > skin ? at.t + skin / speed : limit, skin};
    stretch.can_touch = speed * (stretch.end - at.t) >= distance;
    return stretch;
  };
  const double skin = std::max(search.thinnest_skin, outline_tolerances.skin_per_gap * distance);
  Stretch stretch = stretch_within(skin);
  if (!stretch.can_touch) return stretch;
  const bool may_step = distance >= outline_tolerances.stepping_gap * skin;
  if (!may_step) {
    while (stretch.can_touch &&
           !few_within(pair, at.first.pose, at.second.pose, stretch.skin, VertexChoice::convex,
                       outline_tolerances.most_candidates, work, candidates))
      stretch = stretch_within(0.5 * stretch.skin);  // a shorter stretch needs fewer
    return stretch;
  }
  stretch.is_listed = few_within(pair, at.first.pose, at.second.pose, skin, VertexChoice::convex,
                                 outline_tolerances.long_list, work, candidates);
  if (!stretch.is_listed) stretch.end = at.t + distance / speed;
  return stretch;
}

}  // namespace

FirstTouch first_touch(const OutlinePair& pair, const PairTrajectory& trajectory, double from,
                       double to, const TouchSearch& search, TreeWorkspace& work) {
  static thread_local std::vector<Candidate> candidates;  // the memory is kept
  FirstTouch result;
  PlacedPair at{from, {}, {}};
  while (true) {
    trajectory.at(at.t, at.first, at.second);
    const double distance = vertex_distance(pair, at.first.pose, at.second.pose, work);
    double limit = to, speed = 0.0, reach = 0.0;
    const auto look_ahead = [&] {
      const PairBounds bounds = trajectory.bounds(at.t, limit);
      reach = reach_over(pair, at.first.pose, at.second.pose, bounds, limit - at.t);
      speed = speed_over(pair, bounds, reach);
    };
    look_ahead();
    for (int k = 0; k < outline_tolerances.halvings && !std::isfinite(speed); ++k) {
      limit = at.t + 0.5 * (limit - at.t);  // a shorter stretch may have a bound
      look_ahead();
    }
    if (!std::isfinite(speed)) {
      result.outcome = TouchOutcome::gave_up;
      result.t = at.t;
      return result;
    }
    const Stretch stretch =
        next_stretch(pair, at, limit, speed, distance, search, work, candidates);
    if (stretch.can_touch && stretch.is_listed) {
      search_candidates(pair, trajectory, at, stretch.end, stretch.skin, reach + 2.0 * stretch.skin,
                        search, candidates, result);
      if (result.outcome != TouchOutcome::misses) return result;
    }
    if (!(stretch.end < to)) return result;
    if (!(stretch.end > at.t)) {
      result.outcome = TouchOutcome::gave_up;
      result.t = at.t;
      return result;
    }
    at.t = stretch.end;
  }
}

}  // namespace clack
