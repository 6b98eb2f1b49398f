// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "clack/geometry/first_touch.hpp"

namespace clack {

PairTrajectory free_flights(const FreeFlight& first, const FreeFlight& second) {
  const auto place = [](const FreeFlight& body, double t, PlanarMotion& motion) {
    const Eigen::Vector2d at = body.position + t * body.velocity + 0.5 * t * t * body.acceleration;
    motion.pose = planar_pose(at.x(), at.y(), body.angle + body.spin * t);
    motion.velocity = body.velocity + t * body.acceleration;
    motion.spin = body.spin;
  };
  PairTrajectory trajectory;
  trajectory.at = [=](double t, PlanarMotion& a, PlanarMotion& b) {
    place(first, t, a);
    place(second, t, b);
  };
  const Eigen::Vector2d velocity = first.velocity - second.velocity,
                        acceleration = first.acceleration - second.acceleration;
  trajectory.bounds = [=](double from, double to) {
    PairBounds bounds;  // |v + a t| is convex in t
    bounds.speed =
        std::max((velocity + from * acceleration).norm(), (velocity + to * acceleration).norm());
    bounds.acceleration = acceleration.norm();
    bounds.first_spin = std::abs(first.spin);
    bounds.second_spin = std::abs(second.spin);
    return bounds;
  };
  return trajectory;
}

}  // namespace clack
