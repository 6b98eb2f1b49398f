// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

/// What the six stories have in common: SI units, z (in the plane y) up.
namespace stories {

inline constexpr double g = 9.81;

struct Ball {
  double radius = 0.1, height = 1.0, restitution = 0.8;  // of its lowest point
};
struct Cradle {
  double radius = 0.1, speed = 1.0;
  double place(int k, double apart) const {
    return (2 * radius + apart) * k - (k == 0 ? 0.5 : 0.0);
  }
};
struct Slide {
  double half = 0.2, speed = 2.0, friction = 0.3, margin = 1e-3;
  int directions = 24;
};
struct Creep {
  double half = 0.2, friction = 0.5, seconds = 60.0;
  double slope() const { return 0.9 * std::atan(friction); }
};
struct Rod {
  double length = 2.0, mass = 1.0, angle = 0.9, speed = 3.0,
         friction = 2.0;  // angle from the floor
  double inertia() const { return mass * length * length / 12.0; }
  /// Slip of the tip that is in front and below.
  double slip(double vx, double spin) const { return vx + 0.5 * spin * length * std::sin(angle); }
};
/// Two uniform rods.
struct Pendulum {
  double length = 1.0, mass = 1.0, first = 2.0, second = 2.5,
         seconds = 100.0;  // angles from hanging
  double inertia() const { return mass * length * length / 12.0; }
  /// Of one rod by its centre.
  double energy(double height, double vx, double vy, double spin) const {
    return 0.5 * mass * (vx * vx + vy * vy) + 0.5 * inertia() * spin * spin + mass * g * height;
  }
  double start() const {
    return -mass * g * length * (1.5 * std::cos(first) + 0.5 * std::cos(second));
  }
  double largest_kinetic() const { return start() + 2.0 * mass * g * length; }
};

/// Follows the height of a ball: the highest point after the first impact, and when it moves no more.
struct Bounces {
  double apex = 0.0, rest = 0.0;
  bool has_hit = false;
  void see(double t, double height, double speed) {
    if (!has_hit && speed >= 0.0 && t > 0.1) has_hit = true;
    if (has_hit && t < 1.2) apex = std::max(apex, height);
    if (std::abs(speed) > 1e-2 || std::abs(height) > 1e-2) rest = t;
  }
};

/// Ways to rest over all directions.
struct Spread {
  double least = 1e300, most = 0.0,
         turn = 0.0;  // m, m, largest angle between way and push, degrees
  void see(double angle, double x, double y) {
    const double way = std::hypot(x, y);
    least = std::min(least, way);
    most = std::max(most, way);
    turn =
        std::max(turn, std::abs(std::remainder(std::atan2(y, x) - angle, 2.0 * std::numbers::pi)) *
                           180.0 / std::numbers::pi);
  }
};

inline double step_of(int argc, char** argv) { return argc > 1 ? std::atof(argv[1]) : 1.0 / 60.0; }

}  // namespace stories
