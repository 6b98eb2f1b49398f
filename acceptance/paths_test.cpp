// SPDX-License-Identifier: Apache-2.0
// Contacts that follow the closest point of a curve or surface: whole runs against closed forms, against the same motion by
// formulas, and against brute force.
#include <gtest/gtest.h>

#include <cmath>

#include "acceptance/run_support.hpp"
#include "clack/hybrid/run.hpp"
#include "clack/input_file.hpp"

namespace clack::acceptance {
namespace {

double end_of(const Trace& trace) { return at_row(trace, trace.row_count() - 1, "t"); }

/// The coordinates of a run at some times.
std::vector<std::vector<double>> at_times(const Model& model, const std::vector<double>& times,
                                          const std::vector<std::string>& names) {
  Run run(model);
  std::vector<std::vector<double>> found;
  for (const double t : times) {
    run.advance_to(t);
    const RunView view = run.look();
    auto& row = found.emplace_back();
    for (const std::string& name : names)
      for (std::size_t k = 0; k < model.coordinates.size(); ++k)
        if (model.coordinates[k].name == name) row.push_back(view.q[k]);
  }
  return found;
}

// ------------------------------------------------------------------ ramp and fence

TEST(FenceAsPath, IsTheFenceByFormulas) {
  const std::vector<double> times{1.0, 4.0, 7.5, 7.7, 8.0, 8.4, 8.9, 9.2, 9.4};
  const std::vector<std::string> names{"q1", "q2", "q3"};
  const auto by_path = at_times(load_model(model_path("paths/fence.yaml")), times, names);
  const auto by_formulas = at_times(load_model(model_path("fence/fence.yaml")), times, names);
  for (std::size_t i = 0; i < times.size(); ++i)
    for (std::size_t k = 0; k < names.size(); ++k)
      EXPECT_NEAR(by_path[i][k], by_formulas[i][k], 1e-9) << names[k] << " at " << times[i];
}

/// Times and forces: the independent numbers that models/fence/fence.yaml is held against (docs/theories/embedding.md).
// The fence goes on where the slope ends: the contact with the slope is enough.
TEST(FenceAsPath, OneEntryFollowsSlopeAndFence) {
  std::string yaml = read_input_file(CLACK_SOURCE_DIR "/models/paths/fence.yaml");
  const std::size_t second = yaml.find("  fence: {between");
  ASSERT_NE(second, std::string::npos);
  yaml.erase(second, yaml.find('\n', second) - second + 1);
  const Trace one = run_text(yaml), two = run_file("paths/fence.yaml");
  ASSERT_EQ(one.status, RunStatus::done) << one.reason;
  for (const char* name : {"q1", "q2", "q1_dot", "q2_dot"})
    EXPECT_EQ(final_value(one, name), final_value(two, name)) << name;
}

TEST(FenceAsPath, HandsTheDiskOverAndLetsItGoAtItsEnd) {
  const Trace trace = run_file("paths/fence.yaml");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const auto features = events_of(trace, EventKind::feature);
  ASSERT_EQ(features.size(), 2U);
  EXPECT_NEAR(features[0]->t, 7.699912792779, 1e-9);
  EXPECT_NEAR(features[1]->t, 8.999316533946, 1e-9);
  ASSERT_EQ(features[0]->features.size(), 1U);
  EXPECT_EQ(features[0]->features[0].after, std::vector<int>{contact_index(trace, "fence")});
  EXPECT_TRUE(features[1]->features.at(0).after.empty());
  EXPECT_TRUE(trace.impacts.empty());
  const double at_fence = features[0]->t;
  EXPECT_NEAR(value_after(trace, at_fence, "normal_fence"), 11.980808285651, 1e-7);
  EXPECT_NEAR(
      std::hypot(value_after(trace, at_fence, "q1_dot"), value_after(trace, at_fence, "q2_dot")),
      6.576697861759, 1e-9);
  EXPECT_NEAR(value_after(trace, at_fence, "fence.s"), 25.32, 1e-8);
  EXPECT_NEAR(value_after(trace, features[1]->t, "q1"), -33.216075962847, 1e-8);
  EXPECT_NEAR(value_after(trace, features[1]->t, "q2"), -0.754383905546, 1e-8);
}

/// The foot of the fence by formulas, q4, is a coordinate without inertia there.
TEST(FenceAsPath, ASharedParameterIsTheCoordinateOfTheFormulas) {
  const std::string shared = R"(
clack: 1
dimension: 2
parameters: {phi: pi/36, m: 1, r: 0.5, J: 0.125, R: 20, L: 25.32, L_f: 8.27, g: 9.8}
gravity: [0, -g]
coordinates: {q1: {start: -r*sin(phi)}, q2: {start: r*cos(phi)}, q3: 0}
bodies:
  disk: {mass: m, inertia: J, position: [q1, q2], angle: q3, shape: {disk: {radius: r}}}
paths:
  slope: {parameter: s, point: [-s*cos(phi), -s*sin(phi)], from: -1, to: L}
  arc:
    parameter: s
    point: [-(L*cos(phi) + R*sin(phi)) - R*sin((s - L)/R - phi), R*cos(phi) - L*sin(phi) - R*cos((s - L)/R - phi)]
    from: L
    to: L + L_f
contacts:
  ramp: {between: [disk, slope], parameter: q4}
  fence: {between: [disk, arc], parameter: q4}
run: {until: 8.9, theory: embedding, tolerance: 1e-11}
)";
  const std::vector<double> times{1.0, 7.5, 8.0, 8.4, 8.8};
  const std::vector<std::string> names{"q1", "q2", "q4"};
  const auto by_path = at_times(load_model_text(shared, "shared.yaml"), times, names);
  const auto by_formulas = at_times(load_model(model_path("fence/fence.yaml")), times, names);
  for (std::size_t i = 0; i < times.size(); ++i)
    for (std::size_t k = 0; k < names.size(); ++k)
      EXPECT_NEAR(by_path[i][k], by_formulas[i][k], 1e-8) << names[k] << " at " << times[i];
}

// ------------------------------------------------------------------ a ball in a bowl

/// (1 + k)(R - r) a'^2/2 = g (cos a - cos a0), N = m g cos a + m (R - r) a'^2, F = k m g sin a/(1 + k).
TEST(BallInABowl, RollsAsTheClosedFormSays) {
  const double R = 1.0, r = 0.2, m = 1.0, k = 0.4, a0 = 0.8, g = 9.81, l = R - r;
  const Trace trace = run_file("paths/bowl.yaml");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  for (std::size_t row = 0; row < trace.row_count(); ++row) {
    const double x = at_row(trace, row, "ball.x"), y = at_row(trace, row, "ball.y");
    const double a = std::atan2(x, -y);
    const double rate =
        std::hypot(at_row(trace, row, "ball.x_dot"), at_row(trace, row, "ball.y_dot")) / l;
    EXPECT_NEAR(std::hypot(x, y), l, 1e-10);
    EXPECT_NEAR(0.5 * (1.0 + k) * l * rate * rate, g * (std::cos(a) - std::cos(a0)), 1e-8);
    EXPECT_NEAR(at_row(trace, row, "normal_rolling"), m * g * std::cos(a) + m * l * rate * rate,
                1e-8);
    EXPECT_NEAR(std::abs(at_row(trace, row, "tangent_rolling")),
                std::abs(k * m * g * std::sin(a) / (1.0 + k)), 1e-8);
    EXPECT_NEAR(at_row(trace, row, "rolling.s"), -a, 1e-9);
  }
}

TEST(BallInABowl, SwingsWithTheEllipticPeriod) {
  const double l = 0.8, k = 0.4, a0 = 0.8, g = 9.81;
  const double period = 4.0 * std::sqrt((1.0 + k) * l / g) * std::comp_ellint_1(std::sin(0.5 * a0));
  const auto found = at_times(load_model(model_path("paths/bowl.yaml")),
                              {0.25 * period, 0.5 * period, period}, {"ball.x", "ball.y"});
  EXPECT_NEAR(found[0][0], 0.0, 1e-8);
  EXPECT_NEAR(found[1][0], -l * std::sin(a0), 1e-8);
  EXPECT_NEAR(found[2][0], l * std::sin(a0), 1e-8);
}

// ------------------------------------------------------------------ many nearest points

double distance_to_hills(double x, double y) {
  double least = std::numeric_limits<double>::infinity();
  constexpr int nodes = 40000;
  for (int i = 0; i <= nodes; ++i) {
    const double s = -9.0 + 18.0 * i / nodes;
    least = std::min(least, std::hypot(x + s, y - std::cos(s)));
  }
  return least;
}

/// 1e-6: brute force, with steps of 4.5e-4 m at a distance of 0.1 m, is that much too large.
TEST(BallOverHills, IsAlwaysOnItsNearestPoint) {
  const Trace trace = run_file("paths/hills.yaml");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_GE(trace.impacts.size(), 2U);
  EXPECT_FALSE(events_of(trace, EventKind::feature).empty());
  for (std::size_t row = 0; row < trace.row_count(); row += 5) {
    const double by_force =
        distance_to_hills(at_row(trace, row, "ball.x"), at_row(trace, row, "ball.y"));
    EXPECT_NEAR(at_row(trace, row, "gap_bounce"), by_force - 0.1, 2e-6) << at_row(trace, row, "t");
  }
}

const std::string flight = R"(
clack: 1
dimension: 2
parameters: {x0: 0, y0: 0.3, vx: 0, vy: 0, from: -2, to: 2, r: 0.1, g: 10}
gravity: [0, -g]
bodies:
  ball: {mass: 1, inertia: 0.004, position: [x0, y0], velocity: [vx, vy], shape: {disk: {radius: r}}}
paths:
  ground: {parameter: s, point: [-s, s^2/2], from: from, to: to}
contacts:
  touch: {between: [ball, ground]}
run: {until: 1}
)";

/// The parabola y = x^2/2 has its centre of curvature at (0, 1): straight above the vertex the nearest point is unique below only.
TEST(ClosestPointRuns, StopAtACentreOfCurvature) {
  const Trace trace = run_text(flight, {{"vy", "6"}});
  EXPECT_EQ(trace.status, RunStatus::stopped);
  EXPECT_NE(trace.reason.find("centre of curvature"), std::string::npos) << trace.reason;
  // 0.3 + 6 t - 5 t^2 = 0.999 to the part at which the point counts as lost
  EXPECT_NEAR(end_of(trace), (6.0 - std::sqrt(36.0 - 20.0 * 0.699)) / 10.0, 1e-6);
}

TEST(ClosestPointRuns, ThePointLetsGoAtTheEndOfItsPath) {
  const Trace trace =
      run_text(flight, {{"x0", "0"}, {"y0", "0.1"}, {"vx", "2"}, {"to", "2"}, {"from", "-0.15"}});
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const auto features = events_of(trace, EventKind::feature);
  ASSERT_EQ(features.size(), 1U);
  EXPECT_NEAR(value_after(trace, features[0]->t, "touch.s"), -0.15, 0.0);
  EXPECT_EQ(status_after(trace, features[0]->t, "touch"), ContactStatus::open);
  // It flies on: free fall from there.
  const double t = features[0]->t, dt = end_of(trace) - t;
  EXPECT_NEAR(
      final_value(trace, "ball.y"),
      value_after(trace, t, "ball.y") + value_after(trace, t, "ball.y_dot") * dt - 5.0 * dt * dt,
      1e-8);
}

/// A disk that is wider than the valley touches both its flanks.
TEST(ClosestPointRuns, TwoTouchesOfOnePathAreNamed) {
  const Trace trace = run_text(flight, {{"r", "1.5"}, {"x0", "0.1"}, {"y0", "2.6"}});
  EXPECT_EQ(trace.status, RunStatus::stopped);
  EXPECT_NE(trace.reason.find("at two points"), std::string::npos) << trace.reason;
  EXPECT_NE(trace.remedy.find("split ground"), std::string::npos) << trace.remedy;
}

// ------------------------------------------------------------------ frames

/// The path stands on a cart: the reaction acts on it, so momentum along x and energy stay.
TEST(ClosestPointRuns, AFrameThatMovesFeelsTheReaction) {
  const Trace trace = run_text(R"(
clack: 1
dimension: 2
gravity: [0, -9.81]
coordinates: {c: 0, x: 0.5, y: 0.725}
frames: {cart: {position: [c, 0]}}
bodies:
  cart: {mass: 2, inertia: 1, position: [c, 0]}
  bead: {mass: 1, inertia: 1, position: [x, y], points: {tip: [0, 0]}}
paths:
  dip: {parameter: s, point: [-s, 0.5*s^2 + 0.6], from: -3, to: 3, in: cart}
contacts:
  slide: {between: [bead.tip, dip]}
run: {until: 2, tolerance: 1e-11}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  for (std::size_t row = 0; row < trace.row_count(); ++row) {
    const double c = at_row(trace, row, "c_dot"), x = at_row(trace, row, "x_dot"),
                 y = at_row(trace, row, "y_dot");
    EXPECT_NEAR(2.0 * c + x, 0.0, 1e-9);
    EXPECT_NEAR(c * c + 0.5 * (x * x + y * y) + 9.81 * (at_row(trace, row, "y") - 0.725), 0.0,
                1e-8);
    const double along = at_row(trace, row, "x") - at_row(trace, row, "c");
    EXPECT_NEAR(at_row(trace, row, "y"), 0.6 + 0.5 * along * along, 1e-10);
  }
}

/// A closed path that turns: where the roller touches, the nearest point of the cam is its radius away.
TEST(CamOnACurve, TheRollerStaysOnTheTurningCam) {
  const Trace trace = run_file("paths/cam.yaml");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  for (std::size_t row = 0; row < trace.row_count(); row += 10) {
    const double t = at_row(trace, row, "t"), y = at_row(trace, row, "y"), turn = 20.0 * t;
    double least = 1.0;
    for (int i = 0; i < 20000; ++i) {
      const double s = 2.0 * M_PI * i / 20000.0, rho = 0.04 + 0.005 * std::cos(2.0 * s);
      least = std::min(least, std::hypot(-rho * std::sin(s + turn), y - rho * std::cos(s + turn)));
    }
    EXPECT_NEAR(least, 0.01 + at_row(trace, row, "gap_roller"), 1e-8) << t;
    EXPECT_NEAR(at_row(trace, row, "gap_roller"), 0.0, 1e-10) << t;
  }
}

// ------------------------------------------------------------------ space

TEST(SphereInAParaboloid, StaysOnItsCircle) {
  const Trace trace = run_file("paths/dish.yaml");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const double w = std::sqrt(1.36), radius = 0.6 - 0.12 / w, height = 0.18 + 0.2 / w;
  for (std::size_t row = 0; row < trace.row_count(); ++row) {
    const double x = at_row(trace, row, "ball.x"), y = at_row(trace, row, "ball.y");
    EXPECT_NEAR(std::hypot(x, y), radius, 1e-8);
    EXPECT_NEAR(at_row(trace, row, "ball.z"), height, 1e-8);
    EXPECT_NEAR(std::hypot(at_row(trace, row, "slide.x"), at_row(trace, row, "slide.y")), 0.6,
                1e-8);
    EXPECT_NEAR(at_row(trace, row, "normal_slide"), 9.81 * w, 1e-7);
  }
}

/// A sphere on two square surfaces side by side, x from -2 to 0 and from 0 to 1, |y| < 1.
const std::string two_squares = R"(
clack: 1
dimension: 3
parameters: {r: 0.1, mu: 0}
gravity: [0, 0, -10]
surfaces:
  west: {parameters: [a, b], point: [a, b, 0], from: [-2, -1], to: [0, 1]}
  east: {parameters: [a, b], point: [a, b, 0], from: [0, -1], to: [1, 1]}
)";

// It crosses the border at x = 0 after 1/2 s, where nothing jumps, comes to the end at x = 1 after 1 s and falls freely from
// there: the edge holds nothing. Without friction, and rolling.
TEST(SphereOnSurfaces, GoesOverTheBorderAndFallsFromTheEdge) {
  for (const bool rolls : {false, true}) {
    const Trace trace = run_text(two_squares + R"(
bodies:
  ball: {mass: 1, inertia: 0.4*r^2, position: [-1, 0.1, r], velocity: [2, 0.3, 0], spin: )" +
                                     (rolls ? "[-0.3/r, 2/r, 0]" : "[0, 0, 0]") +
                                     R"(, shape: {sphere: {radius: r}}}
contacts:
  on_west: {between: [ball, west], friction: mu}
  on_east: {between: [ball, east], friction: mu}
run: {until: 1.5}
)",
                                 {{"mu", rolls ? "0.5" : "0"}});
    ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
    const auto borders = events_of(trace, EventKind::feature);
    ASSERT_EQ(borders.size(), 2U);
    EXPECT_NEAR(borders[0]->t, 0.5, 1e-9);
    EXPECT_EQ(status_after(trace, 0.6, "on_east"),
              rolls ? ContactStatus::stick : ContactStatus::slip);
    EXPECT_NEAR(borders[1]->t, 1.0, 1e-9);
    EXPECT_TRUE(trace.impacts.empty());
    EXPECT_NEAR(final_value(trace, "ball.x"), 2.0, 1e-9);
    EXPECT_NEAR(final_value(trace, "ball.y"), 0.1 + 0.3 * 1.5, 1e-9);
    EXPECT_NEAR(final_value(trace, "ball.z"), 0.1 - 5.0 * 0.25, 1e-8);
    EXPECT_NEAR(final_value(trace, "ball.wy"), rolls ? 20.0 : 0.0, 1e-9);
  }
}

// One entry is enough: the contact goes on along what begins where its own path ends, and has the same material there.
TEST(SphereOnSurfaces, OneEntryGoesOnWhereAnotherSurfaceBegins) {
  const Trace trace = run_text(two_squares + R"(
bodies:
  ball: {mass: 1, inertia: 0.4*r^2, position: [-1, 0.1, r], velocity: [2, 0.3, 0], shape: {sphere: {radius: r}}}
contacts:
  touch: {between: [ball, west], friction: 0.1}
run: {until: 0.9}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_EQ(trace.contacts, (std::vector<std::string>{"touch", "touch.east"}));
  EXPECT_TRUE(trace.impacts.empty());
  // Sliding friction turns the sphere until it rolls: 2/7 of the speed are gone then, at 2/7 v/(mu g), on one side or the other.
  EXPECT_NEAR(final_value(trace, "ball.vx"), 2.0 * 5.0 / 7.0, 1e-9);
  EXPECT_NEAR(final_value(trace, "ball.vy"), 0.3 * 5.0 / 7.0, 1e-9);
  EXPECT_EQ(status_after(trace, 0.9, "touch.east"), ContactStatus::stick);
}

// Beside |y| = 1 there is nothing: the sphere that flies past lands on no border.
TEST(SphereOnSurfaces, NothingIsBesideTheBorder) {
  const Trace trace = run_text(two_squares + R"(
bodies:
  ball: {mass: 1, inertia: 0.4*r^2, position: [-1, 1.05, 0.2], shape: {sphere: {radius: r}}}
contacts:
  on_west: {between: [ball, west]}
  on_east: {between: [ball, east]}
run: {until: 0.5}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_TRUE(trace.impacts.empty());
  EXPECT_NEAR(final_value(trace, "ball.z"), 0.2 - 5.0 * 0.25, 1e-9);
}

// The same dish with its closest point among the speeds.
TEST(SphereInAParaboloid, MovesTheSameWithItsClosestPointAsCoordinates) {
  std::string yaml = read_input_file(CLACK_SOURCE_DIR "/models/paths/dish.yaml");
  yaml.replace(yaml.find("friction: 0}"), 12, "friction: 0, parameter: [u, w]}");
  const Trace trace = run_text(yaml, {{"run.theory", "embedding"}, {"run.until", "1"}});
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const Trace alone = run_file("paths/dish.yaml", {{"run.until", "1"}});
  EXPECT_NEAR(final_value(trace, "u"), final_value(alone, "slide.x"), 1e-8);
  EXPECT_NEAR(final_value(trace, "w"), final_value(alone, "slide.y"), 1e-8);
  for (const char* name : {"ball.x", "ball.y", "ball.z"})
    EXPECT_NEAR(final_value(trace, name), final_value(alone, name), 1e-8) << name;
  EXPECT_NEAR(std::hypot(final_value(trace, "u"), final_value(trace, "w")), 0.6, 1e-8);
}

}  // namespace
}  // namespace clack::acceptance
