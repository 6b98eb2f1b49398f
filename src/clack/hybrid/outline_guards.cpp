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

symbolic::Interval interval(const DenseCurve::Range& range) { return {range.low, range.high}; }

}  // namespace

ContactSet OutlineGuards::quiet_contacts(const ContactSet& closed, double t, const double* q,
                                         const double* v) {
  ContactSet quiet;
  std::vector<Candidate> near;
  for (const OutlineSource& source : mechanism_.outlines()) {
    const OutlinePair pair = source.pair();
    const PairPlaces at = places_of(mechanism_, source, t, q, v);
    std::vector<CandidateGap> mine;
    for (const ContactKey& key : closed)
      if (key.source == source.source) {
        insert(quiet, key);
        mine.push_back(candidate_gap(pair, candidate_of(key), at.first.pose, at.second.pose));
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

PairTrajectory OutlineGuards::trajectory_of(const OutlineSource& source) {
  const int n = mechanism_.coordinates();
  PairTrajectory trajectory;
  trajectory.at = [this, &source](double t, PlanarMotion& first, PlanarMotion& second) {
    curve_.values(t, state_.data());
    const PairPlaces at =
        places_of(mechanism_, source, t, state_.data(), state_.data() + mechanism_.coordinates());
    first = at.first;
    second = at.second;
  };
  trajectory.bounds = [this, &source, n](double from, double to) {
    ranges_.t = {from, to};
    for (int i = 0; i < n; ++i) ranges_.q[i] = interval(curve_.range(i, 0, from, to));
    // Where speeds are the rates of coordinates their bounds are those of the curve of the coordinates itself.
    const int first = mechanism_.rates_are_speeds() ? 0 : n, order = first == 0 ? 1 : 0;
    for (int j = 0; j < mechanism_.speeds(); ++j) {
      ranges_.v[j] = interval(curve_.range(first + j, order, from, to));
      ranges_.a[j] = interval(curve_.range(first + j, order + 1, from, to));
    }
    return mechanism_.outline_bounds().of(source.first_body, source.second_body, ranges_);
  };
  return trajectory;
}

std::optional<OutlineTouch> OutlineGuards::first(Integrator& integrator, double until,
                                                 const ContactSet& quiet,
                                                 std::span<const double> slow) {
  const int n = mechanism_.coordinates();
  curve_.take(integrator, n + mechanism_.speeds());
  state_.resize(n + mechanism_.speeds());
  ranges_.q.resize(n);
  ranges_.v.resize(mechanism_.speeds());
  ranges_.a.resize(mechanism_.speeds());
  std::optional<OutlineTouch> found;
  std::vector<Candidate> closed;
  for (std::size_t k = 0; k < slow.size(); ++k) {
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
