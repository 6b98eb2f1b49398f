// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/outline_guards.hpp"

#include <algorithm>
#include <cmath>

#include "clack/geometry/tolerances.hpp"
#include "clack/hybrid/tolerances.hpp"

namespace clack {
namespace {

struct PairPlaces {
  PlanarMotion first, second;
};

PairPlaces places_of(Mechanism& mechanism, const OutlineSource& source, double t, const double* q,
                     const double* v) {
  const BodyMotions& bodies = mechanism.bodies(t, q, v);
  return {planar_motion(bodies[source.first_body]), planar_motion(bodies[source.second_body])};
}

/// A corner that stays on an edge meets the lines of its neighbours over convex corners at these corners alone, where the
/// border of the edge guards. The border of a half-plane has no ends, a polyline nothing behind its last corner.
void insert_neighbours(const OutlinePair& pair, const ContactKey& contact, ContactSet& quiet) {
  Candidate candidate = candidate_of(contact);
  const Outline& support = pair.support(candidate);
  const OutlineEdge& edge = pair.edge(candidate);
  const auto add = [&](OutlineVertexIndex corner, OutlineEdgeIndex OutlineVertex::*neighbour) {
    if (!corner.is_valid() || support.corner(corner) != Corner::convex) return;
    candidate.edge = support.vertices[corner].*neighbour;
    if (candidate.edge.is_valid()) insert(quiet, contact_key(contact.source, candidate));
  };
  add(edge.from, &OutlineVertex::before);
  add(edge.to, &OutlineVertex::after);
}

symbolic::Interval interval(const DenseCurve::Range& range) { return {range.low, range.high}; }

}  // namespace

ContactSet OutlineGuards::quiet_contacts(const ContactSet& closed, double t, const double* q,
                                         const double* v) {
  ContactSet quiet;
  std::vector<Candidate> near;
  for (std::size_t begin = 0, end = 0; begin < closed.size(); begin = end) {
    while (end < closed.size() && closed[end].source == closed[begin].source) ++end;
    const OutlineSource* const of = mechanism_.outlines_of_source(closed[begin].source);
    if (!of) continue;
    const OutlineSource& source = *of;
    const OutlinePair pair = source.pair();
    const PairPlaces at = places_of(mechanism_, source, t, q, v);
    std::vector<CandidateGap> mine;
    for (std::size_t k = begin; k < end; ++k) {
      insert(quiet, closed[k]);
      insert_neighbours(pair, closed[k], quiet);
      mine.push_back(candidate_gap(pair, candidate_of(closed[k]), at.first.pose, at.second.pose));
    }
    if (mine.size() < 2) continue;
    const double band = hybrid_tolerances.outline_band * pair.size();
    candidates_within(pair, at.first.pose, at.second.pose, 2.0 * band, VertexChoice::convex, work_,
                      near);
    for (const Candidate& candidate : near) {
      const CandidateGap gap = candidate_gap(pair, candidate, at.first.pose, at.second.pose);
      const auto on_line = std::count_if(mine.begin(), mine.end(), [&](const CandidateGap& c) {
        return std::abs(cross2(c.normal, gap.normal)) <= outline_tolerances.same_normal &&
               std::abs(gap.normal.dot(c.vertex - gap.vertex)) <= 2.0 * band;
      });
      if (on_line >= 2 && std::abs(gap.gap) <= band)
        insert(quiet, contact_key(source.source, candidate));
    }
  }
  return quiet;
}

/// Of the largest outline, or of 1 m (1 rad) where that is smaller: rates whose difference moves a coordinate by less over
/// the whole step are one. Far below what a resting gap may sink before it is looked at again, so that no touch is passed;
/// the instant, which asks the speeds, then sees the same approach as the search.
constexpr double agreeing_way = 1e-10;

double OutlineGuards::rate_of(int coordinate, double by_speeds, double t) const {
  const double rate = curve_.rate(coordinate, t), step = curve_.end() - curve_.begin();
  const double way = agreeing_way * std::min(1.0, mechanism_.outline_neighbours().largest_radius());
  const bool is_one = std::abs(rate - by_speeds) <= curve_.rate_rounding(coordinate) + way / step;
  return is_one ? by_speeds : rate;
}

PlanarMotion OutlineGuards::motion_of(BodyIndex body, double t) {
  const Body& of = mechanism_.model().bodies[body];
  const int n = mechanism_.coordinates();
  if (of.kind == BodyKind::free) {
    for (int k = 0; k < 3; ++k) {
      const int i = of.first_coordinate + k;
      q_[i] = curve_.value(i, t);
      rates_[i] = rate_of(i, curve_.value(n + of.first_speed + k, t), t);
    }
  } else if (of.kind != BodyKind::fixed) {
    for (int i = 0; i < n; ++i) q_[i] = curve_.value(i, t);
    for (int j = 0; j < mechanism_.speeds(); ++j) v_[j] = curve_.value(n + j, t);
    mechanism_.coordinate_rates(t, q_.data(), v_.data(), told_.data());
    for (int i = 0; i < n; ++i) rates_[i] = rate_of(i, told_[i], t);
  }
  return mechanism_.motion_along(body, t, q_.data(), rates_.data());
}

void OutlineGuards::take_ranges(BodyIndex body, double from, double to) {
  const Body& of = mechanism_.model().bodies[body];
  if (of.kind == BodyKind::fixed) return;
  const bool is_free = of.kind == BodyKind::free;
  const int first = is_free ? of.first_coordinate : 0,
            last = is_free ? first + 3 : mechanism_.coordinates();
  ranges_.t = {from, to};
  for (int i = first; i < last; ++i) {
    if (!is_free) ranges_.q[i] = interval(curve_.range(i, 0, from, to));
    ranges_.rate[i] = interval(curve_.range(i, 1, from, to));
    ranges_.acceleration[i] = interval(curve_.range(i, 2, from, to));
  }
}

PairTrajectory OutlineGuards::trajectory_of(const OutlineSource& source) {
  PairTrajectory trajectory;
  trajectory.at = [this, &source](double t, PlanarMotion& first, PlanarMotion& second) {
    first = motion_of(source.first_body, t);
    second = motion_of(source.second_body, t);
  };
  trajectory.bounds = [this, &source](double from, double to) {
    take_ranges(source.first_body, from, to);
    take_ranges(source.second_body, from, to);
    return mechanism_.outline_bounds().of(source.first_body, source.second_body, ranges_);
  };
  return trajectory;
}

const std::vector<int>& OutlineGuards::near_in_step() {
  OutlineNeighbours& neighbours = mechanism_.outline_neighbours();
  if (neighbours.is_trivial()) return neighbours.find(0.0);
  const double from = curve_.begin(), to = curve_.end();
  for (std::size_t k = 0; k < neighbours.bodies().size(); ++k) {
    const BodyIndex body = neighbours.bodies()[k];
    const Body& of = mechanism_.model().bodies[body];
    if (of.kind == BodyKind::free) {
      const auto x = curve_.range(of.first_coordinate, 0, from, to),
                 y = curve_.range(of.first_coordinate + 1, 0, from, to);
      neighbours.place(k, {x.low, y.low}, {x.high, y.high});
      continue;
    }
    const Eigen::Vector2d at = motion_of(body, from).pose.position;
    take_ranges(body, from, to);
    const double way = of.kind == BodyKind::fixed
                           ? 0.0
                           : (to - from) * mechanism_.outline_bounds().speed_of(body, ranges_);
    neighbours.place(k, at.array() - way, at.array() + way);
  }
  return neighbours.find(0.0);
}

std::optional<OutlineTouch> OutlineGuards::first(Integrator& integrator, double until,
                                                 const ContactSet& quiet,
                                                 std::span<const double> slow) {
  const int n = mechanism_.coordinates();
  curve_.take(integrator, n + mechanism_.speeds());
  q_.resize(n);
  rates_.resize(n);
  told_.resize(n);
  v_.resize(mechanism_.speeds());
  ranges_.q.resize(n);
  ranges_.rate.resize(n);
  ranges_.acceleration.resize(n);
  static thread_local std::vector<Candidate> closed;  // the memory is kept
  std::optional<OutlineTouch> found;
  for (const int k : near_in_step()) {
    const OutlineSource& source = mechanism_.outlines()[k];
    const OutlinePair pair = source.pair();
    closed.clear();
    for (const ContactKey& key : quiet)
      if (key.source == source.source) closed.push_back(candidate_of(key));
    TouchSearch search = touch_search(pair, 0.0);
    search.tolerances.gap = hybrid_tolerances.outline_band * pair.size();
    search.tolerances.slab = outline_slab(pair);
    search.tolerances.speed = slow[k];
    search.closed = closed;
    const FirstTouch touch =
        first_touch(pair, trajectory_of(source), integrator.time_before(), until, search, work_);
    if (touch.outcome == TouchOutcome::misses || (found && !(touch.t < found->t))) continue;
    const bool gave_up = touch.outcome == TouchOutcome::gave_up;
    const Candidate contact = touch.candidates.empty() ? Candidate{} : touch.candidates.front();
    found = OutlineTouch{touch.t, contact_key(source.source, contact), gave_up};
    until = touch.t;
  }
  return found;
}

OutlineClosing closed_outline_contacts(Mechanism& mechanism, const OutlineSource& source,
                                       const ClosedTolerances& tolerances, double t,
                                       const double* q, const double* v) {
  const PairPlaces at = places_of(mechanism, source, t, q, v);
  TreeWorkspace work;
  std::vector<Candidate> candidates;
  ClosedSet set;
  closed_set(source.pair(), at.first, at.second, tolerances, work, candidates, set);
  OutlineClosing closing;
  closing.has_vertex_on_vertex = set.has_vertex_on_vertex;
  for (const OutlineContact& contact : set.contacts)
    closing.contacts.push_back(contact_key(source.source, contact.candidate));
  return closing;
}

double outline_slab(const OutlinePair& pair) {
  return hybrid_tolerances.outline_slab * pair.smaller() +
         4.0 * hybrid_tolerances.outline_band * pair.size();
}

OutlineEnd outline_end(Mechanism& mechanism, const OutlineSource& source, const ContactKey& contact,
                       double t, const double* q, const double* v) {
  const PairPlaces at = places_of(mechanism, source, t, q, v);
  const OutlinePair pair = source.pair();
  const Candidate candidate = candidate_of(contact);
  const CandidateGap gap = candidate_gap(pair, candidate, at.first.pose, at.second.pose);
  const CandidateRate rate = candidate_rate(pair, candidate, gap, at.first, at.second);
  const PlanarPose& owner = candidate.owner == PairSide::first ? at.first.pose : at.second.pose;
  OutlineEnd end{gap.along, 0.0};
  double nearest = std::numeric_limits<double>::infinity();
  for (const CandidateBorder& border : candidate_borders(pair, candidate, gap, rate, owner)) {
    if (!border.is_border || !(std::abs(border.margin) < nearest)) continue;
    nearest = std::abs(border.margin);
    end.turn = border.turn;
  }
  return end;
}

PairGap outline_start_gap(Mechanism& mechanism, const OutlineSource& source, double t,
                          const double* q, const double* v) {
  const PairPlaces at = places_of(mechanism, source, t, q, v);
  TreeWorkspace work;
  return signed_gap(source.pair(), at.first.pose, at.second.pose, work);
}

double outline_gap(Mechanism& mechanism, const OutlineSource& source, double t, const double* q,
                   const double* v) {
  return outline_start_gap(mechanism, source, t, q, v)
      .gap.value_or(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace clack
