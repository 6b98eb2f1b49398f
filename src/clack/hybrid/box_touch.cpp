// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/box_touch.hpp"

#include <cmath>

#include "clack/geometry/spatial_distance.hpp"
#include "clack/hybrid/tolerances.hpp"

// The touch of two boxes by what parts them as a whole. A corner that leaves a face over its border hands over to an edge,
// whose gap is none before: it begins inside the step, small, and no end of the step shows it.

namespace clack {

namespace {

struct BoxPair {
  BodyIndex first_body, second_body;
  const Box *first = nullptr, *second = nullptr;
};

/// Empty: not two boxes in space.
std::optional<BoxPair> boxes_of(const Model& model, const Contact& contact) {
  if (source_kind(model, contact) != SourceKind::pair) return std::nullopt;
  const BodyIndex a = contact.between()->first.body, b = contact.between()->second.body;
  if (!model.bodies[a].shape || !model.bodies[b].shape) return std::nullopt;
  const auto *first = std::get_if<Box>(&*model.bodies[a].shape),
             *second = std::get_if<Box>(&*model.bodies[b].shape);
  if (!first || !second) return std::nullopt;
  return BoxPair{a, b, first, second};
}

/// Two boxes along the last step of the integrator.
struct BoxMotion {
  Mechanism& mechanism;
  const ModeDynamics& dynamics;
  Integrator& integrator;
  const BoxPair& boxes;
  std::vector<double>& state;

  const BodyMotions& bodies(double t) {
    integrator.dense(t, {state.data(), state.size()});
    return mechanism.bodies(t, dynamics.q(state.data()), dynamics.v(state.data()));
  }
  double gap(double t) {
    const BodyMotions& now = bodies(t);
    return shadow_gap(*boxes.first, now[boxes.first_body].pose, *boxes.second,
                      now[boxes.second_body].pose);
  }
  double size() const {
    return std::min(boxes.first->half_extents.minCoeff(), boxes.second->half_extents.minCoeff());
  }
  /// No two points approach faster between two times: from the speeds at both, and as much again as they differ.
  double speed_between(double a, double b) {
    struct End {
      Eigen::Vector3d velocity, first_spin, second_spin;
    };
    const auto end = [&](double t) {
      const BodyMotions& now = bodies(t);
      const BodyMotion &first = now[boxes.first_body], &second = now[boxes.second_body];
      return End{first.velocity - second.velocity, first.spin, second.spin};
    };
    const End x = end(a), y = end(b);
    const auto most = [](const Eigen::Vector3d& u, const Eigen::Vector3d& v) {
      return std::max(u.norm(), v.norm()) + (u - v).norm();
    };
    return most(x.velocity, y.velocity) +
           most(x.first_spin, y.first_spin) * boxes.first->half_extents.norm() +
           most(x.second_spin, y.second_spin) * boxes.second->half_extents.norm();
  }
  bool stay_apart(double a, double b, double speed) {
    const BodyMotions& now = bodies(a);
    const double centres =
        (now[boxes.first_body].pose.position - now[boxes.second_body].pose.position).norm();
    return centres - boxes.first->half_extents.norm() - boxes.second->half_extents.norm() >
           speed * (b - a);
  }
};

/// Conservative advancement: the shadows of two boxes come nearer no faster than their points, so that from a gap d no touch
/// comes before d/V. What is less deep than the rounding of the guards is theirs.
std::optional<double> first_touch_of(BoxMotion& motion, double a, double b) {
  const double speed = motion.speed_between(a, b);
  if (!(speed > 0.0) || motion.stay_apart(a, b, speed)) return std::nullopt;
  const double least = hybrid_tolerances.followed_distance * motion.size();
  const double deep = -hybrid_tolerances.outline_band * motion.size();
  double t = a, gap = motion.gap(a), apart = gap > 0.0 ? a : b;  // the last time they were apart
  for (int step = 0; step < hybrid_tolerances.followed_steps && t < b; ++step) {
    t = std::min(b, t + std::max(gap, least) / speed);
    gap = motion.gap(t);
    if (gap > 0.0) apart = t;
    if (!(gap < deep) || !(apart < t)) continue;
    double before = apart, after = t;
    for (double middle = 0.5 * (before + after); before < middle && middle < after;
         middle = 0.5 * (before + after))
      (motion.gap(middle) < 0.0 ? after : before) = middle;
    return after;
  }
  return std::nullopt;
}

/// Boxes that touch already have no distance to advance by: the overlap at some times of the step shows what has come
/// besides. Beyond the drift that a closed contact may have it is another touch, not deeper than where it is found.
std::optional<double> next_touch_of(BoxMotion& motion, double a, double b) {
  constexpr int looks = 8;
  const double deep = -hybrid_tolerances.box_drift * motion.size();
  double before = a;
  for (int k = 1; k <= looks; ++k) {
    double after = k == looks ? b : a + (b - a) * k / looks;
    if (!(motion.gap(after) < deep)) {
      before = after;
      continue;
    }
    if (k == 1 && motion.gap(a) < deep) return std::nullopt;  // it was deep when the step began
    for (double middle = 0.5 * (before + after); before < middle && middle < after;
         middle = 0.5 * (before + after))
      (motion.gap(middle) < deep ? after : before) = middle;
    return after;
  }
  return std::nullopt;
}

}  // namespace

std::optional<BoxTouch> first_touch_of_boxes(Mechanism& mechanism, const ModeDynamics& dynamics,
                                             Integrator& integrator, const ContactSet& closed,
                                             double until, std::vector<double>& state) {
  const Model& model = mechanism.model();
  std::optional<BoxTouch> first;
  if (model.dimension == 2) return first;
  for (const SourceIndex source : indices(model.contacts)) {
    const auto boxes = boxes_of(model, model.contacts[source]);
    if (!boxes) continue;
    const auto is_theirs = [&](const ContactKey& c) { return c.source == source; };
    const bool touches = std::ranges::any_of(closed, is_theirs);
    BoxMotion motion{mechanism, dynamics, integrator, *boxes, state};
    const double begin = integrator.time_before(), end = first ? first->t : until;
    const auto touch =
        touches ? next_touch_of(motion, begin, end) : first_touch_of(motion, begin, end);
    if (touch) first = BoxTouch{*touch, source};
  }
  if (first) integrator.dense(first->t, {state.data(), state.size()});
  return first;
}

std::optional<std::size_t> nearest_gap(Mechanism& mechanism, const ModeDynamics& dynamics,
                                       const ContactSet& open, const BoxTouch& touch,
                                       const std::vector<double>& state) {
  GapMotions gaps;
  std::optional<std::size_t> nearest;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (open[i].source != touch.source) continue;
    gap_motion_of(mechanism, {&open[i], 1}, touch.t, dynamics.q(state.data()),
                  dynamics.v(state.data()), nullptr, gaps);
    const double gap = std::abs(gaps.of[0].gap);
    if (!(gap < least)) continue;
    least = gap;
    nearest = i;
  }
  return nearest;
}

}  // namespace clack
