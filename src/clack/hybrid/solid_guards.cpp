// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/solid_guards.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "clack/hybrid/tolerances.hpp"

namespace clack {

using Eigen::Vector3d;

/// Two bodies at an instant: a direction and what separates them along it.
struct SolidGuards::Look {
  Vector3d normal = Vector3d::UnitZ();
  std::array<Vector3d, 4> spins;  // with which the normal may turn; the first: it stands still
  int spin_count = 1;
  double separation = 0.0;  // along the normal
  double gap = 0.0;         // the larger of separation and distance of the nearest features
  double rate = 0.0;        // of the corners that are first there, with the best of the spins
  double shift = 0.0;       // m/s by which the speeds of the state miss those of the curve
  double apart = 0.0;       // of the origins
  SolidContact contact;
};

/// Over a stretch. Infinite where the motion has no bound.
struct SolidGuards::Bounds {
  double speed = 0.0;                  // no two points approach faster
  double origins = 0.0, moving = 0.0;  // |x_A' - x_B'|; |R_A'| r_A + |R_B'| r_B
  double bending = 0.0, radii = 0.0;   // |R_A''| r_A + |R_B''| r_B; r_A + r_B
  symbolic::Interval acceleration[3];  // x_A'' - x_B''

  /// Acc where the normal stands still.
  double against(const Vector3d& normal) const {
    double least = 0.0;  // of n.(x_A'' - x_B'')
    for (int k = 0; k < 3; ++k)
      if (normal[k] != 0.0)
        least += std::min(normal[k] * acceleration[k].low, normal[k] * acceleration[k].high);
    return std::max(0.0, bending - least);
  }
  /// Acc where it turns; `apart`: the largest distance of the origins.
  double against_turning(double spin, double apart) const {
    const double largest =
        std::hypot(acceleration[0].largest(), acceleration[1].largest(), acceleration[2].largest());
    return largest + bending + spin * (2.0 * (origins + moving) + spin * (apart + radii));
  }
};

namespace {

/// min n.a - max n.b over the corners of both.
double separation_along(const SolidSource& solids, const Pose& a, const Pose& b,
                        const Vector3d& normal) {
  const Vector3d in_first = a.rotation.transpose() * normal,
                 in_second = b.rotation.transpose() * normal;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Vector3d& corner : solids.first->corners) low = std::min(low, in_first.dot(corner));
  for (const Vector3d& corner : solids.second->corners)
    high = std::max(high, in_second.dot(corner));
  return normal.dot(a.position - b.position) + low - high;
}

/// The line of the nearest features. Where they are so near that its direction is lost in rounding: the common normal of
/// two edges, or the normal of a face, whichever separates best.
Vector3d separating_normal(const SolidSource& solids, const NearestFeatures& nearest, const Pose& a,
                           const Pose& b) {
  Vector3d best = distance_of(solids.pair(), nearest.contact, a, b).normal;
  double most = separation_along(solids, a, b, best);
  const auto look = [&](const Vector3d& normal) {
    const double separation = separation_along(solids, a, b, normal);
    if (!(separation > most)) return;
    most = separation;
    best = normal;
  };
  const double wanted = std::max(0.5 * nearest.distance,
                                 nearest.distance - hybrid_tolerances.solid_closed * solids.size());
  if (most >= wanted) return best;
  if (nearest.contact.owner == SolidOwner::edges) {
    const Vector3d across =
        (a.rotation * solids.first->edges[nearest.contact.first].side.direction)
            .cross(b.rotation * solids.second->edges[nearest.contact.second].side.direction);
    if (across.norm() > 0.0) {
      look(across.normalized());
      look(-across.normalized());
    }
  }
  if (most >= wanted) return best;
  for (const PolyhedronFace& face : solids.first->faces) look(-(a.rotation * face.normal));
  for (const PolyhedronFace& face : solids.second->faces) look(b.rotation * face.normal);
  return best;
}

/// Of the corners that are first to meet the plane between two bodies: of A below `low`, of B above `high`.
double rate_of_first_corners(std::span<const double> heights, std::span<const double> rates,
                             std::size_t firsts, double low, double high) {
  double approach = std::numeric_limits<double>::infinity(), escape = -approach;
  for (std::size_t k = 0; k < heights.size(); ++k) {
    if (k < firsts && heights[k] <= low) approach = std::min(approach, rates[k]);
    if (k >= firsts && heights[k] >= high) escape = std::max(escape, rates[k]);
  }
  return approach - escape;
}

/// The part of a spin that turns the normal.
Vector3d turning_of_normal(const Vector3d& spin, const Vector3d& normal) {
  return spin - spin.dot(normal) * normal;
}

/// The spin with which a vector across two edges stays across them; none where they are parallel.
std::optional<Vector3d> spin_across(const Vector3d& first_edge, const Vector3d& first_spin,
                                    const Vector3d& second_edge, const Vector3d& second_spin,
                                    const Vector3d& normal) {
  const Vector3d m = first_edge.cross(normal), k = second_edge.cross(normal);
  const double mm = m.dot(m), mk = m.dot(k), kk = k.dot(k), determinant = mm * kk - mk * mk;
  if (!(determinant > hybrid_tolerances.solid_parallel)) return std::nullopt;
  const double x = m.dot(first_spin), y = k.dot(second_spin);
  return ((x * kk - y * mk) * m + (y * mm - x * mk) * k) / determinant;
}

}  // namespace

void SolidGuards::take(Integrator& integrator) {
  integrator_ = &integrator;
  state_.resize(integrator.state().size());
  motion_.take(integrator);
}

const BodyMotions& SolidGuards::place(double t) {
  integrator_->dense(t, state_);
  const double* q = state_.data();
  return mechanism_.bodies(t, q, q + mechanism_.coordinates());
}

/// What follows from the normal holds for any direction, and for any spin of it.
SolidGuards::Look SolidGuards::look(const SolidSource& solids, double t) {
  const BodyMotions& bodies = place(t);
  const BodyMotion &a = bodies[solids.first_body], &b = bodies[solids.second_body];
  Look at;
  const NearestFeatures nearest = nearest_features(solids.pair(), a.pose, b.pose, work_);
  at.contact = nearest.contact;
  at.normal = separating_normal(solids, nearest, a.pose, b.pose);
  const Vector3d relative = a.pose.position - b.pose.position;
  at.apart = relative.norm();
  at.spins[0] = Vector3d::Zero();
  for (const Vector3d& spin :
       {turning_of_normal(a.spin, at.normal), turning_of_normal(b.spin, at.normal)})
    if (spin != Vector3d::Zero()) at.spins[at.spin_count++] = spin;
  if (at.contact.owner == SolidOwner::edges) {
    const auto spin =
        spin_across(a.pose.rotation * solids.first->edges[at.contact.first].side.direction, a.spin,
                    b.pose.rotation * solids.second->edges[at.contact.second].side.direction,
                    b.spin, at.normal);
    if (spin) at.spins[at.spin_count++] = *spin;
  }
  const std::size_t firsts = solids.first->corners.size(),
                    count = firsts + solids.second->corners.size();
  heights_.resize(count);
  rates_.resize(at.spins.size() * count);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  const auto look_at = [&](std::size_t k, const BodyMotion& body, const Vector3d& corner,
                           const Vector3d& offset, const Vector3d& velocity) {
    const Vector3d arm = body.pose.rotation * corner, d = arm + offset,
                   u = velocity + body.spin.cross(arm);
    heights_[k] = at.normal.dot(d);
    for (int w = 0; w < at.spin_count; ++w)
      rates_[w * count + k] = at.normal.dot(u - at.spins[w].cross(d));
  };
  for (std::size_t k = 0; k < firsts; ++k) {
    look_at(k, a, solids.first->corners[k], relative, a.velocity - b.velocity);
    low = std::min(low, heights_[k]);
  }
  for (std::size_t k = firsts; k < count; ++k) {
    look_at(k, b, solids.second->corners[k - firsts], Vector3d::Zero(), Vector3d::Zero());
    high = std::max(high, heights_[k]);
  }
  at.separation = low - high;
  at.gap = std::max(at.separation, nearest.distance);
  const double same = hybrid_tolerances.solid_closed * solids.size();
  at.rate = -std::numeric_limits<double>::infinity();
  for (int w = 0; w < at.spin_count; ++w)
    at.rate =
        std::max(at.rate, rate_of_first_corners(heights_, std::span(rates_).subspan(w * count),
                                                firsts, low + same, high - same));
  const auto miss = [&](BodyIndex index, const BodyMotion& body, double radius) {
    const SolidRate rate = motion_.at(index, t);
    return std::max(0.0, (rate.velocity - body.velocity).norm() - rate.velocity_rounding) +
           radius * std::max(0.0, (rate.spin - body.spin).norm() - rate.spin_rounding);
  };
  at.shift = miss(solids.first_body, a, solids.first->outer_radius) +
             miss(solids.second_body, b, solids.second->outer_radius);
  return at;
}

SolidGuards::Bounds SolidGuards::bounds(const SolidSource& solids, double from, double to) const {
  const SolidRange a = motion_.over(solids.first_body, from, to),
                   b = motion_.over(solids.second_body, from, to);
  const double ra = solids.first->outer_radius, rb = solids.second->outer_radius;
  Bounds bounds;
  Vector3d velocity;
  for (int k = 0; k < 3; ++k) {
    velocity[k] = (a.velocity[k] - b.velocity[k]).largest();
    bounds.acceleration[k] = a.acceleration[k] - b.acceleration[k];
  }
  bounds.origins = velocity.norm();
  bounds.moving = a.turning * ra + b.turning * rb;
  bounds.speed = bounds.origins + bounds.moving;
  bounds.bending = a.bending * ra + b.bending * rb;
  bounds.radii = ra + rb;
  return bounds;
}

double SolidGuards::safe_time(const SolidSource& solids, const Look& at, const Bounds& bounds,
                              double depth, double longest) const {
  const std::size_t firsts = solids.first->corners.size(), count = heights_.size();
  struct Value {
    double separation, slope;
  };
  const auto value_at = [&](double tau, const double* rates, double bend) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    double low_rate = 0.0, high_rate = 0.0;
    for (std::size_t k = 0; k < count; ++k) {
      const double height = heights_[k] + tau * rates[k];
      if (k < firsts && height < low) {
        low = height;
        low_rate = rates[k];
      }
      if (k >= firsts && height > high) {
        high = height;
        high_rate = rates[k];
      }
    }
    return Value{low - high + depth - tau * (at.shift + 0.5 * bend * tau),
                 low_rate - high_rate - at.shift - bend * tau};
  };
  // First order: the distance shrinks by V at most.
  double best = bounds.speed > 0.0 ? std::min(longest, std::max(0.0, at.gap + depth) / bounds.speed)
                                   : longest;
  for (int w = 0; w < at.spin_count && at.separation + depth >= 0.0 && best < longest; ++w) {
    const double bend =
        w == 0 ? bounds.against(at.normal)
               : bounds.against_turning(at.spins[w].norm(), at.apart + longest * bounds.origins);
    // A concave function that is not negative at 0: Newton's method comes to its root from above, halving from below.
    double safe = 0.0, beyond = longest;
    for (int k = 0; k < hybrid_tolerances.solid_halvings; ++k) {
      const Value value = value_at(beyond, &rates_[w * count], bend);
      if (value.separation >= 0.0) {
        safe = beyond;
        break;
      }
      if (value.slope < 0.0) beyond = std::max(safe, beyond - value.separation / value.slope);
      const double half = 0.5 * (safe + beyond);
      (value_at(half, &rates_[w * count], bend).separation >= 0.0 ? safe : beyond) = half;
      if (beyond - safe <= hybrid_tolerances.solid_part * safe) break;
    }
    best = std::max(best, safe);
  }
  return best;
}

/// The distance is above `level` at `before`, below it at `after`: the instant between, by halving.
std::optional<SolidTouch> SolidGuards::sunk(const SolidSource& solids, double before, double after,
                                            double level) {
  const auto at = [&](double t) {
    const BodyMotions& bodies = place(t);
    return nearest_features(solids.pair(), bodies[solids.first_body].pose,
                            bodies[solids.second_body].pose, work_);
  };
  NearestFeatures touching = at(after);
  if (!(touching.distance < level)) return std::nullopt;
  for (double middle = 0.5 * (before + after); before < middle && middle < after;
       middle = 0.5 * (before + after)) {
    const NearestFeatures here = at(middle);
    (here.distance < level ? after : before) = middle;
    if (here.distance < level) touching = here;
  }
  return SolidTouch{after, contact_key(solids.source, touching.contact)};
}

std::optional<SolidTouch> SolidGuards::first(const SolidSource& solids, double until, double slow) {
  const double closed = hybrid_tolerances.solid_closed * solids.size(),
               resting = hybrid_tolerances.solid_resting * solids.size();
  double t = integrator_->time_before(), limit = until;
  Bounds most = bounds(solids, t, limit);
  {  // far apart all the time
    const BodyMotions& bodies = place(t);
    const double apart =
        (bodies[solids.first_body].pose.position - bodies[solids.second_body].pose.position)
            .norm() -
        solids.first->outer_radius - solids.second->outer_radius;
    if (apart > most.speed * (until - t)) return std::nullopt;
  }
  Look at = look(solids, t);
  if (at.gap < -resting) return std::nullopt;  // they overlap: there is no touch to come
  for (int step = 0; step < hybrid_tolerances.solid_steps; ++step) {
    for (int k = 0; k < hybrid_tolerances.solid_halvings && std::isinf(most.against(at.normal));
         ++k) {
      limit = t + 0.5 * (limit - t);  // a shorter stretch may have a bound
      most = bounds(solids, t, limit);
    }
    const bool is_closed = at.gap <= closed, comes = at.rate < -slow;
    const double depth = comes ? 2.0 * closed : resting;  // of what is closed: how far it may sink
    const double wait = safe_time(
        solids, at, most, is_closed ? depth - std::min(0.0, at.separation) : 0.0, limit - t);
    const double next = std::min(limit, std::max(t + wait, std::nextafter(t, limit)));
    const Look ahead = look(solids, next);
    // Apart, it touches at zero. A gap that rests has sunk where rounding does not explain it any more, one that has sunk
    // already where drift does not: what is slower than an impact is left to the contacts, and not asked again at once.
    const double level = at.gap > 0.0 ? 0.0 : at.gap >= -closed ? -closed : -resting;
    const bool is_fast = comes || ahead.rate < -slow || ahead.gap < -closed;
    if (at.gap >= level && ahead.gap < level && is_fast) {
      if (const auto touch = sunk(solids, t, next, level)) return touch;
    }
    at = ahead;
    t = next;
    if (!(t < until)) return std::nullopt;
    if (!(t < limit)) {
      limit = until;
      most = bounds(solids, t, limit);
    }
  }
  return SolidTouch{t, contact_key(solids.source, at.contact), true};
}

}  // namespace clack
