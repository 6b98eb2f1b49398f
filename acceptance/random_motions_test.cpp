// SPDX-License-Identifier: Apache-2.0
// Nothing tunnels: random motions of two outlines against conservative advancement by brute force, with every integrator.
// CLACK_RANDOM_MOTIONS=10000 runs as many instead of the few of the ordinary tests; scripts/random_motions does that.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <random>

#include "acceptance/drawn_boundary.hpp"
#include "acceptance/run_support.hpp"
#include "clack/hybrid/run.hpp"

namespace clack::acceptance {
namespace {

using Eigen::Vector2d;
using testing::BoundaryDrawing;
using testing::DrawnBoundary;
using testing::Placed;

/// Two bodies in motion, as a model and in closed form.
struct Motion {
  std::string yaml;  // with RUN to be filled in
  DrawnBoundary a, b;
  std::function<Placed(double)> place_a, place_b;
  double speed = 0.0;  // no two points approach faster
  double until = 0.0;

  double distance(double t) const {
    return testing::brute_force_distance(a.placed(place_a(t)), b.placed(place_b(t)));
  }
};

/// The second body: fixed, flying, prescribed by formulas of t, or on an arm that turns with a constant rate, whose speed
/// is that rate or half of it.
struct SecondBody {
  std::string yaml, coordinates;
  std::function<Placed(double)> place;
  double speed = 0.0;  // of its points, at most
};

constexpr double flight_gravity = 10.0;

SecondBody drawn_second(BoundaryDrawing& draw, double size, double radius, double until) {
  const double turn = draw.between(-1.0, 1.0) * std::min(1000.0, 20.0 / until),
               angle = draw.between(-3.0, 3.0);
  switch (draw.one_of(5)) {
    case 0:
      return {fmt::format("fixed: true, position: [0, 0], angle: {:.17g}", angle), "",
              [=](double) {
                return Placed{Vector2d::Zero(), angle};
              },
              0.0};
    case 1:
      return {fmt::format("mass: 1, inertia: 1, position: [0, 0], angle: {:.17g}, spin: {:.17g}",
                          angle, turn),
              "",
              [=](double t) {
                return Placed{Vector2d(0.0, -0.5 * flight_gravity * t * t), angle + turn * t};
              },
              flight_gravity * until + std::abs(turn) * radius};
    case 2: {
      const double shake = 0.3 * size, omega = 6.0 / until;
      return {fmt::format("motion: {{position: [\"{:.17g}*sin({:.17g}*t)\", 0], angle: \"{:.17g} + "
                          "{:.17g}*t\"}}",
                          shake, omega, angle, turn),
              "",
              [=](double t) {
                return Placed{Vector2d(shake * std::sin(omega * t), 0.0), angle + turn * t};
              },
              shake * omega + std::abs(turn) * radius};
    }
    default: {
      const double arm = 0.3 * size, rate = 3.0 / until;
      return {
          fmt::format(
              "mass: 1, inertia: 1, position: [\"{0:.17g}*cos(th)\", \"{0:.17g}*sin(th)\"], "
              "angle: \"{1:.17g} + 2*th\"",
              arm, angle),
          draw.one_of(2) == 0
              ? fmt::format(
                    "coordinates: {{th: 0.3}}\nspeeds: {{u: {{is: 0.5*th_dot, start: {:.17g}}}}}\n",
                    0.5 * rate)
              : fmt::format("coordinates: {{th: {{start: 0.3, rate: {:.17g}}}}}\n", rate),
          [=](double t) {
            const double th = 0.3 + rate * t;
            return Placed{Vector2d(arm * std::cos(th), arm * std::sin(th)), angle + 2.0 * th};
          },
          rate * (arm + 2.0 * radius)};
    }
  }
}

/// The first body flies under gravity and turns, towards the second.
Motion drawn_motion(unsigned seed) {
  BoundaryDrawing draw(seed);
  Motion m;
  m.a = draw.boundary();
  m.b = draw.boundary();
  const double ra = m.a.radius(), rb = m.b.radius(), size = ra + rb;
  const double fast = std::pow(10.0, draw.between(-1.0, 2.0));
  m.until = draw.between(1.0, 3.0) * size / fast;
  const double heading = draw.between(0.0, 2.0 * std::numbers::pi);
  const Vector2d to(std::cos(heading), std::sin(heading)), aside(-to.y(), to.x());
  const SecondBody second = drawn_second(draw, size, rb, m.until);
  // On an arm gravity would change the rate, and the arm reaches out of the middle.
  const bool is_on_arm = !second.coordinates.empty();
  const double g = is_on_arm ? 0.0 : flight_gravity;
  const Vector2d start = -1.4 * size * to + draw.between(-1.2, 1.2) * size * aside,
                 velocity = fast * to;
  const double angle = draw.between(-3.0, 3.0),
               spin = draw.between(-1.0, 1.0) * std::min(1000.0, 20.0 / m.until);
  m.place_a = [=](double t) {
    return Placed{start + t * velocity + Vector2d(0.0, -0.5 * g * t * t), angle + spin * t};
  };
  m.place_b = second.place;
  m.speed = fast + flight_gravity * m.until + std::abs(spin) * ra + second.speed;
  m.yaml = fmt::format(
      "clack: 1\ndimension: 2\ngravity: [0, {:.17g}]\n{}bodies:\n  a: {{free: true, mass: 1, "
      "inertia: 1, position: "
      "[{:.17g}, {:.17g}], angle: {:.17g}, velocity: [{:.17g}, {:.17g}], spin: {:.17g}, {}}}\n  b: "
      "{{{}, {}}}\ncontacts: {{hit: {{between: [a, b]}}}}\nrun: {{until: {:.17g}, sample: {:.17g}, "
      "RUN}}\n",
      -g, second.coordinates, start.x(), start.y(), angle, velocity.x(), velocity.y(), spin,
      m.a.yaml(), second.yaml, m.b.yaml(), m.until, m.until);
  return m;
}

/// The first time at which the distance falls to `closed`; nothing before is passed over. `least`: the smallest distance
/// seen.
std::optional<double> advance_conservatively(const Motion& m, double closed, double& least) {
  least = std::numeric_limits<double>::infinity();
  for (double t = 0.0; t <= m.until;) {
    const double distance = m.distance(t);
    least = std::min(least, distance);
    if (distance <= closed) return t;
    t += distance / m.speed;
  }
  return std::nullopt;
}

/// The run goes no further than its first impact.
std::optional<double> first_impact(const std::string& text) {
  const Model model = load_model_text(text, "test.yaml", {});
  Run run(model);
  do {
    for (const TraceEvent& event : run.trace().events)
      if (event.kind == EventKind::impact) return event.t;
  } while (run.advance_to_next_event());
  return std::nullopt;
}

int motions_wanted() {
  const char* asked = std::getenv("CLACK_RANDOM_MOTIONS");
  return asked ? std::atoi(asked) : 100;
}

TEST(RandomMotions, TheFirstTouchIsThatOfConservativeAdvancement) {
  const std::vector<std::string> integrators = {
      "integrator: dop853", "integrator: dopri5", "integrator: rk4, step: 1",
      "integrator: cvode, tolerance: 1.0e-12", "integrator: dop853, tolerance: 1.0e-3"};
  int hits = 0, misses = 0, grazes = 0, failures = 0;
  for (int k = 0; k < motions_wanted() && failures < 10; ++k) {
    const Motion m = drawn_motion(1000u + static_cast<unsigned>(k));
    const double size = m.a.radius() + m.b.radius();
    double least = 0.0;
    const std::optional<double> wanted = advance_conservatively(m, 1e-9 * size, least);
    for (const std::string& run : integrators) {
      SCOPED_TRACE(fmt::format("motion {}, {}", k, run));
      std::string text = m.yaml;
      text.replace(text.find("RUN"), 3, run);
      const std::optional<double> found = first_impact(text);
      if (found.has_value() != wanted.has_value()) {
        // Between closed (1e-9 of the size) and touching: a graze, which either may see.
        if (least < 1e-8 * size) {
          ++grazes;
          continue;
        }
        ADD_FAILURE() << (found ? "touches, should miss; least " : "misses, should touch; least ")
                      << least << "\n"
                      << text;
        ++failures;
        continue;
      }
      if (!found) continue;
      // The brute force stops just before the touch; at the touch itself the distance is none.
      // All of these motions are exact but for cvode, which keeps to its tolerance on the way.
      const bool is_exact = run.find("cvode") == std::string::npos;
      const bool is_early = *found < *wanted - (is_exact ? 1e-9 : 1e-7) * m.until;
      const double there = m.distance(*found);
      const double closed = is_exact ? 1e-9 : 1e-7;
      const bool is_late = *found > *wanted + 1e-3 * m.until;
      if (is_early || is_late || !(there <= closed * size)) {
        ADD_FAILURE() << "touches at " << *found << ", should at " << *wanted << ", distance there "
                      << there << "\n"
                      << text;
        ++failures;
      }
    }
    ++(wanted ? hits : misses);
  }
  RecordProperty("hits", hits);
  RecordProperty("misses", misses);
  EXPECT_GT(hits, motions_wanted() / 5);
  EXPECT_GT(misses, motions_wanted() / 20);
  EXPECT_LE(grazes, motions_wanted() / 20);
}

}  // namespace
}  // namespace clack::acceptance
