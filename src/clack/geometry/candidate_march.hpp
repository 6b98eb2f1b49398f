// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <limits>
#include <optional>

#include "clack/geometry/first_touch.hpp"
#include "clack/geometry/outline_gap.hpp"
#include "clack/geometry/tolerances.hpp"

namespace clack {

/// No contact can come earlier from a gap and its rate when |g''| <= Acc.
inline double safe_time(double gap, double rate, double acc, double speed) {
  if (acc <= 0.0) return rate < 0.0 ? -gap / rate : std::numeric_limits<double>::infinity();
  const double root = std::sqrt(rate * rate + 2.0 * acc * gap);
  const double second_order = rate > 0.0 ? (rate + root) / acc : 2.0 * gap / (root - rate);
  return std::max(second_order, speed > 0.0 ? gap / speed : 0.0);
}

/// Where both bodies are at a time: candidates that are followed from there share it.
struct PlacedPair {
  double t = 0.0;
  PlanarMotion first, second;
};

/// A march along one candidate.
class CandidateMarch {
 public:
  CandidateMarch(const OutlinePair& pair, const PairTrajectory& trajectory,
                 const TouchSearch& search, const Candidate& candidate, const PairBounds& bounds,
                 double skin, double reach, const PlacedPair& start)
      : pair_(pair),
        trajectory_(trajectory),
        search_(search),
        candidate_(candidate),
        placed_at_(start.t),
        first_(start.first),
        second_(start.second) {
    const bool is_first = candidate.owner == PairSide::first;
    const OutlineEdge& edge = pair.edge(candidate);
    const double radius = pair.centre(candidate).norm(), own = pair.radius(candidate);
    const Outline& support = pair.support(candidate);
    const double spin1 = is_first ? bounds.first_spin : bounds.second_spin,
                 spin2 = is_first ? bounds.second_spin : bounds.first_spin,
                 rate1 = is_first ? bounds.first_spin_rate : bounds.second_spin_rate,
                 rate2 = is_first ? bounds.second_spin_rate : bounds.first_spin_rate;
    // An arc: two centres, fixed to their bodies. An edge: the centre of the round in the turning frame of the edge.
    const bool is_arc = !edge.is_straight();
    const double rho = is_arc               ? edge.centre.norm()
                       : support.is_bounded ? support.radius + own + 2.0 * skin
                                            : reach;
    speed_ = bounds.speed + spin1 * radius + spin2 * rho;
    acceleration_ =
        bounds.acceleration + (rate1 + spin1 * spin1) * radius + (rate2 + spin2 * spin2) * rho;
    if (!is_arc) acceleration_ += 2.0 * spin2 * (speed_ + spin2 * rho);
    bend_ = edge.radius;
    support_spin_ = spin2;
  }

  /// The first root on [from, to] that is a touch.
  FirstTouch first(double from, double to) {
    FirstTouch result;
    double t = from, before = from;
    bool could_sink = false;  // just before, a gap below zero would have been a touch
    const double closed = search_.tolerances.gap;
    begin_at(from);
    for (int step = 0; step < outline_tolerances.march_steps; ++step) {
      result.evaluations += arrive(t);
      std::optional<double> root;
      double wait = 0.0;
      if (gap_.gap < -closed) {  // behind the line: nothing before it comes out again
        if (could_sink) root = sunk(before, t, result.evaluations);
        if (t == from && is_shallow()) root = t;
        if (!root) look(t);
        could_sink = false;
        wait = safe_wait(-gap_.gap, -rate_.gap_rate, -1.0);
      } else if (gap_.gap > closed) {
        could_sink = true;
        wait = safe_wait(gap_.gap, rate_.gap_rate, 1.0);
      } else if (flight_ && flight_->height > 0.0) {
        could_sink = is_touch();
        wait = safe_wait(flight_->height, rate_.gap_rate, 1.0);
      } else {
        root = flight_ ? landing(t) : touch(t, to, result.evaluations);
        if (!root && !flight_) look(t);
        could_sink = is_touch();
        flight_.reset();
        wait = leaving_time();
        if (rate_.gap_rate > search_.tolerances.speed && !is_below_) {
          flight_ = LowFlight{t, rate_.gap_rate, gap_.gap, 0.0};
          wait = safe_wait(0.0, rate_.gap_rate, 1.0);
        }
      }
      if (root) {
        result.outcome = TouchOutcome::touches;
        result.t = *root;
        return result;
      }
      if (is_below_ && rate_.gap_rate > 0.0) wait = std::min(wait, coming_out_time());
      before = t;
      t += std::max(wait, resolution(t));
      if (!(t <= to)) return result;
    }
    result.outcome = TouchOutcome::gave_up;
    result.t = t;
    return result;
  }
  /// Of the time of the touch that was found: slow ones are known to the rounding of places over their speed.
  double rounding() const {
    constexpr double part = 4.0 * std::numeric_limits<double>::epsilon();
    return part * places() / std::abs(rate_.gap_rate);
  }

 private:
  double places() const {
    return first_.pose.position.norm() + second_.pose.position.norm() + pair_.size();
  }
  static double resolution(double t) {
    return 4.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), 1e-12);
  }
  /// From a gap (`side` 1) or from behind it (-1) zero cannot come before this. The distance d of two centres has
  ///
  ///   -|a| <= d'' <= |a| + V^2/d
  ///
  /// and g falls with d at a convex arc, rises with it at a concave one: where V^2/d counts, half of the time in which d
  /// could be halved bounds the wait.
  double safe_wait(double gap, double rate, double side) const {
    if (side * bend_ >= 0.0) return safe_time(gap, rate, acceleration_, speed_);
    if (!(speed_ > 0.0)) return std::numeric_limits<double>::infinity();
    const double half = 0.5 * gap_.reach, slow = gap / speed_;
    if (!(half > 0.0)) return slow;
    const double acceleration = acceleration_ + speed_ * speed_ / half;
    return std::max(slow, std::min(half / speed_, safe_time(gap, rate, acceleration, speed_)));
  }
  void look(double t) {
    if (t != placed_at_) trajectory_.at(t, first_, second_);
    placed_at_ = t;
    gap_ = candidate_gap(pair_, candidate_, first_.pose, second_.pose);
    if (is_below_ && gap_.gap > search_.tolerances.gap) {  // it came out: now zero is zero
      is_below_ = false;
      level_ = 0.0;
    }
    gap_.gap -= level_;
    rate_ = candidate_rate(pair_, candidate_, gap_, first_, second_);
  }
  /// Looks at t and follows a flight there; the number of evaluations.
  int arrive(double t) {
    if (!flight_) {
      look(t);
      return 1;
    }
    look(0.5 * (flight_->t + t));
    const double middle = rate_.gap_rate;
    look(t);
    const double rate = rate_.gap_rate, risen = gap_.gap - flight_->begin,
                 way = (t - flight_->t) / 6.0 * (flight_->rate + 4.0 * middle + rate),
                 noise = outline_tolerances.gap_rounding * std::numeric_limits<double>::epsilon() *
                         places();
    flight_->height = std::clamp(flight_->height + way, risen - noise, risen + noise);
    flight_->t = t;
    flight_->rate = rate;
    if (std::abs(gap_.gap) > search_.tolerances.gap) flight_.reset();
    return 2;
  }
  /// A flight is over: a touch, if it came down on the edge.
  std::optional<double> landing(double t) const {
    return rate_.gap_rate < -search_.tolerances.speed && is_touch() ? std::optional(t)
                                                                    : std::nullopt;
  }
  bool is_touch() const {
    return can_touch(pair_, candidate_, first_.pose, second_.pose, gap_, search_.tolerances.slab);
  }
  /// A gap that begins a little below zero is closed there: what begins in touch may be placed by rounding, or drift.
  void begin_at(double from) {
    look(from);
    if (!(gap_.gap < 0.0)) return;
    const bool is_rounding = gap_.gap >= -search_.tolerances.gap;
    is_below_ = !is_rounding && gap_.gap > -outline_tolerances.resting * pair_.size() &&
                !(rate_.gap_rate < -search_.tolerances.speed) && is_touch();
    if (is_rounding || is_below_) level_ = gap_.gap;
  }
  /// At the start: a little below zero over its edge and sinking further is a touch that came with the start.
  bool is_shallow() const {
    return gap_.gap > -outline_tolerances.resting * pair_.size() &&
           rate_.gap_rate < -search_.tolerances.speed && is_touch();
  }
  /// From a closed gap: until it may have left. A gap that rests, or one that is beside its edge, may wait longer: it
  /// is looked at again before it sinks by `resting`, or before its foot can be back.
  double leaving_time() const {
    const double rate = std::abs(rate_.gap_rate);
    const bool is_at_rest = rate <= search_.tolerances.speed;
    const double way =
        is_at_rest ? outline_tolerances.resting * pair_.size() : search_.tolerances.gap;
    const double bend = bend_ != 0.0 && gap_.reach > 0.0 ? 2.0 * speed_ * speed_ / gap_.reach : 0.0;
    const double root = std::sqrt(rate * rate + 2.0 * (acceleration_ + bend) * way);
    const double wait =
        rate + root > 0.0 ? 2.0 * way / (rate + root) : std::numeric_limits<double>::infinity();
    const OutlineEdge& edge = pair_.edge(candidate_);
    const double beside =
        std::max(edge.lowest() - gap_.along, gap_.along - edge.length) - search_.tolerances.slab;
    if (bend_ == 0.0) return std::max(wait, speed_ > 0.0 ? beside / speed_ : 0.0);
    // The foot on an arc: the line of centres turns by at most V/d, d halved at most, and the arc by its spin.
    const double half = 0.5 * gap_.reach;
    if (!(half > 0.0) || !(speed_ > 0.0)) return wait;
    const double foot_speed = std::abs(bend_) * (speed_ / half + support_spin_);
    return std::max(wait, std::min(half / speed_, beside / foot_speed));
  }
  /// Of a gap that rises from below zero: before this it is not above the tolerance of gaps, from which on zero is zero.
  double coming_out_time() const {
    const double way = 2.0 * search_.tolerances.gap - (gap_.gap + level_), rate = rate_.gap_rate;
    return 2.0 * way / (rate + std::sqrt(rate * rate + 2.0 * acceleration_ * way));
  }
  /// The root itself, from a place where the gap is closed up to its tolerance; V1 to V4 there.
  std::optional<double> touch(double t, double to, int& evaluations) {
    if (!(rate_.gap_rate < -search_.tolerances.speed)) return std::nullopt;  // V4
    double root = t;
    for (int k = 0; k < outline_tolerances.newton_steps; ++k) {
      const double next = std::clamp(root - gap_.gap / rate_.gap_rate, t, to);
      if (!(rate_.gap_rate < 0.0) || next == root) break;
      const bool is_settled = std::abs(next - root) <= resolution(root);
      root = next;
      look(root);
      ++evaluations;
      if (is_settled) break;
    }
    const bool is_closed = std::abs(gap_.gap) <= search_.tolerances.gap;
    return is_closed && is_touch() ? std::optional(root) : std::nullopt;
  }
  /// A gap that was closed or open at `high` and is below zero at `low`: where it sank.
  std::optional<double> sunk(double high, double low, int& evaluations) {
    look(high);
    const double level = gap_.gap > search_.tolerances.gap ? 0.0 : -search_.tolerances.gap;
    while (low - high > resolution(low)) {
      const double middle = 0.5 * (low + high);
      if (!(middle > high) || !(middle < low)) break;
      look(middle);
      ++evaluations;
      (gap_.gap > level ? high : low) = middle;
    }
    look(low);
    return rate_.gap_rate < 0.0 && is_touch() ? std::optional(low) : std::nullopt;
  }

  const OutlinePair& pair_;
  const PairTrajectory& trajectory_;
  const TouchSearch& search_;
  const Candidate candidate_;
  double speed_ = 0.0, acceleration_ = 0.0, bend_ = 0.0,
         support_spin_ = 0.0;  // bend: radius of the edge
  /// From a closed gap, too low for the gap itself, which is known to the rounding of places only: within that rounding
  /// its height is the integral of the gap's rate (Simpson), so that bounces shrink by the ratio of their speeds as far
  /// as speeds can tell.
  struct LowFlight {
    double t = 0.0, rate = 0.0, begin = 0.0, height = 0.0;  // begin: the gap from which it rose
  };
  std::optional<LowFlight> flight_;
  double level_ =
      0.0;  // of a gap that begins a little below zero (drift): flights end where they began
  bool is_below_ = false;  // by more than the tolerance of gaps, until it comes out
  double placed_at_ = 0.0;
  PlanarMotion first_, second_;
  CandidateGap gap_;
  CandidateRate rate_;
};

}  // namespace clack
