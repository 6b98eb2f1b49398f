// SPDX-License-Identifier: Apache-2.0
// Convex polyhedra in space as whole runs: hulls and prisms on each other, on boxes and on a floor.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "acceptance/run_support.hpp"

namespace clack::acceptance {
namespace {

const std::string cube_points =
    "[[-0.5,-0.5,-0.5],[0.5,-0.5,-0.5],[0.5,0.5,-0.5],[-0.5,0.5,-0.5],[-0.5,-0.5,0.5],[0.5,-0.5,0."
    "5],[0.5,0.5,0.5],[-0.5,0.5,0.5]]";

std::string sliding(const std::string& upper) {
  return R"(
clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  lower: {fixed: true, shape: {box: {width: 4, height: 4, depth: 1}}}
  upper: {mass: 1, inertia: 1/6, position: [1.2, 0, 1], velocity: [2, 0, 0], shape: )" +
         upper + R"(}
contacts: {c: {between: [upper, lower], friction: 0.1}}
run: {until: 0.8, theory: newton}
)";
}

// A box is a polyhedron: two pieces of code, the same events.
TEST(Polyhedra, ACubeAsAHullSlidesOffATableAsTheBoxItIs) {
  const Trace box = run_text(sliding("{box: {width: 1, height: 1, depth: 1}}"));
  for (const std::string& shape :
       {"{hull: {points: " + cube_points + "}}",
        std::string(
            "{prism: {polygon: [[-0.5,-0.5],[0.5,-0.5],[0.5,0.5],[-0.5,0.5]], depth: 1}}")}) {
    SCOPED_TRACE(shape);
    const Trace hull = run_text(sliding(shape));
    ASSERT_EQ(hull.status, RunStatus::done) << hull.reason;
    ASSERT_EQ(hull.events.size(), box.events.size());
    for (std::size_t k = 0; k < box.events.size(); ++k) {
      EXPECT_EQ(hull.events[k].kind, box.events[k].kind) << k;
      EXPECT_NEAR(hull.events[k].t, box.events[k].t, 1e-10) << k;
    }
    for (std::size_t k = 0; k < box.final_q.size(); ++k)
      EXPECT_NEAR(hull.final_q[k], box.final_q[k], 1e-8) << k;
    EXPECT_LE(hull.energy.ledger_error, 1e-8);
  }
}

// A tetrahedron falls with one corner down: it lands at sqrt(2 h/g), whatever of two pieces of code the floor is.
TEST(Polyhedra, ATetrahedronLandsOnItsCorner) {
  for (const char* floor :
       {"{half-space: {normal: [0, 0, 1]}}", "{box: {width: 4, height: 4, depth: 1}}"}) {
    SCOPED_TRACE(floor);
    const bool is_box = std::string(floor).find("box") != std::string::npos;
    const Trace trace = run_text(std::string(R"(
clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  floor: {fixed: true, position: [0, 0, )") +
                                 (is_box ? "-0.5" : "0") + "], shape: " + floor + R"(}
  die: {density: 1000, position: [0, 0, 0.275], shape: {hull: {points: [[0, 0, 0], [0.1, 0, 0.1], [-0.1, 0.1, 0.1], [0, -0.1, 0.1]]}}}
contacts: {c: {between: [die, floor], friction: 0.3, restitution: 0.4}}
run: {until: 0.4, theory: newton}
)");
    ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
    const auto impacts = events_of(trace, EventKind::impact);
    ASSERT_GE(impacts.size(), 1u);
    // The mass centre of a tetrahedron is 3/4 of its height above its corner.
    EXPECT_NEAR(impacts[0]->t, std::sqrt(2 * (0.275 - 0.075) / 9.81), 1e-10);
    EXPECT_LE(trace.energy.ledger_error, 1e-8);
  }
}

// A prism of three sides on a slope of 20 degrees: rest above mu = tan(20 deg), else a = g (sin - mu cos).
TEST(Polyhedra, APrismSlidesDownASlopeOfAPrism) {
  const double slope = 20.0 * std::numbers::pi / 180.0;
  for (const double mu : {0.5, 0.2}) {
    SCOPED_TRACE(mu);
    const Trace trace = run_text(fmt::format(R"(
clack: 1
dimension: 3
gravity: [{:.17g}, 0, {:.17g}]
bodies:
  plate: {{fixed: true, shape: {{prism: {{polygon: [[-3, -3], [3, -3], [3.5, 0], [3, 3], [-3, 3]], depth: 0.5}}}}}}
  wedge: {{density: 500, position: [1, 0, 0.35], shape: {{prism: {{polygon: [[0, 0], [0.3, 0], [0, 0.3]], depth: 0.2}}}}}}
contacts: {{c: {{between: [wedge, plate], friction: {}}}}}
run: {{until: 0.5, theory: newton}}
)",
                                             -9.81 * std::sin(slope), -9.81 * std::cos(slope), mu));
    ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
    const double a = mu > std::tan(slope) ? 0.0 : -9.81 * (std::sin(slope) - mu * std::cos(slope));
    EXPECT_NEAR(final_value(trace, "wedge.vx"), a * 0.5, 1e-8);
    EXPECT_NEAR(final_value(trace, "wedge.z"), 0.35, 1e-9);
    EXPECT_NEAR(final_value(trace, "wedge.wx"), 0.0, 1e-8);
    EXPECT_LE(trace.energy.ledger_error, 1e-8);
  }
}

/// A spiral over an ellipsoid.
std::string hull_points(int count, double a, double b, double c) {
  std::string points;
  for (int k = 0; k < count; ++k) {
    const double z = -1 + (2 * k + 1.0) / count, around = 2.399963229728653 * k,
                 r = std::sqrt(1 - z * z);
    points += fmt::format("{}[{:.17g}, {:.17g}, {:.17g}]", k ? ", " : "", a * r * std::cos(around),
                          b * r * std::sin(around), c * z);
  }
  return "{hull: {points: [" + points + "]}}";
}

/// Two bodies thrown at each other, without gravity.
Trace thrown(const std::string& first, const std::string& second, const Eigen::Vector3d& beside,
             const Eigen::Vector3d& spin) {
  return run_text(fmt::format(R"(
clack: 1
dimension: 3
bodies:
  a: {{mass: 1, inertia: shape, position: [-0.8, 0, 0], velocity: [2, 0, 0], spin: [1, 2, 3], shape: {}}}
  b: {{mass: 2, inertia: shape, position: [0.5, {}, {}], velocity: [-1, 0, 0], spin: [{}, {}, {}], shape: {}}}
contacts: {{c: {{between: [a, b], friction: 0.3, restitution: 0.6}}}}
run: {{until: 0.6, theory: newton}}
)",
                              first, beside.y(), beside.z(), spin.x(), spin.y(), spin.z(), second));
}

// Nothing overlaps at any row and momentum is kept, whatever the features: many corners, few, needles, plates.
TEST(Polyhedra, BodiesThrownAtEachOtherBounceWithoutPenetration) {
  const std::vector<std::string> shapes = {
      hull_points(60, 0.3, 0.2, 0.25), hull_points(5, 0.3, 0.3, 0.3),
      hull_points(20, 0.02, 0.02, 0.4),
      "{prism: {polygon: [[-0.2, -0.2], [0.2, -0.2], [0, 0.25]], depth: 0.01}}",
      "{box: {width: 0.3, height: 0.2, depth: 0.25}}"};
  int touched = 0;
  for (int k = 0; k < 20; ++k) {
    SCOPED_TRACE(k);
    if (k % 5 == 4 && k % 4 == 3) continue;  // two boxes: their own tests
    const Trace trace = thrown(shapes[k % 5], shapes[k % 4], {0, 0.02 * (k % 6), 0.015 * (k % 7)},
                               {-2.0 * (k % 3), 1.0, 4.0 * (k % 2)});
    ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
    const bool has_touched = !events_of(trace, EventKind::impact).empty();
    touched += has_touched ? 1 : 0;
    EXPECT_NEAR(final_value(trace, "a.vx") + 2 * final_value(trace, "b.vx"), 0.0, 1e-10);
    for (std::size_t row = 0; row < trace.row_count(); ++row)
      ASSERT_GE(at_row(trace, row, "gap_c"), -1e-9) << at_row(trace, row, "t");
    EXPECT_LE(trace.energy.ledger_error, 1e-8);
  }
  EXPECT_GE(touched, 15);
}

// A die of eight faces falls on a floor, knocks and comes to rest on one of them: all speeds are zero.
TEST(Polyhedra, ADieComesToRestOnAFace) {
  const Trace trace = run_text(R"(
clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  floor: {fixed: true, position: [0, 0, -0.5], shape: {box: {width: 4, height: 4, depth: 1}}}
  die: {density: 1000, position: [0, 0, 0.2], spin: [0, 1, 0], rotation: [[x, 0.2], [y, 0.3]], shape: {hull: {points: [[0.1, 0, 0], [-0.1, 0, 0], [0, 0.1, 0], [0, -0.1, 0], [0, 0, 0.1], [0, 0, -0.1]]}}}
contacts: {c: {between: [die, floor], friction: 0.5, restitution: 0.2}}
run: {until: 2, theory: newton}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_NEAR(final_value(trace, "die.z"), 0.1 / std::sqrt(3.0), 1e-8);
  for (const double speed : trace.final_v) EXPECT_NEAR(speed, 0.0, 1e-8);
  EXPECT_LE(trace.energy.ledger_error, 1e-8);
}

TEST(Polyhedra, BadShapesAreRefusedWithTheirPlace) {
  const auto refusal = [](const std::string& shape) -> std::string {
    try {
      load_model_text(
          "clack: 1\ndimension: 3\nbodies:\n  b: {mass: 1, inertia: 1, shape: " + shape + "}\n",
          "test.yaml");
    } catch (const ModelError& e) {
      return fmt::format("{} ({}) {}", e.what(), e.where(), e.remedy());
    }
    return "";
  };
  const std::pair<std::string, std::string> cases[] = {
      {"{hull: {points: [[0,0,0],[1,0,0],[0,1,0]]}}", "3 points, a solid needs 4"},
      {"{hull: {points: [[0,0,0],[1,0,0],[0,1,0],[1,1,0]]}}", "lie in a plane"},
      {"{hull: {points: [[0,0,0],[1,0,0],[0,1,0],[0,0,1],[0.1,0.1,0.1]]}}",
       "point 5 (0.1, 0.1, 0.1) is no corner"},
      {"{hull: {points: [[0,0,0],[1,0,0],[0,1,0],[0,0,1],[0,0,1]]}}", "is no corner"},
      {"{hull: {}}", "hull needs points"},
      {"{prism: {polygon: [[0,0],[1,0],[0,1]]}}", "prism needs depth"},
      {"{prism: {polygon: [[0,0],[1,0],[0,1]], depth: -1}}", "depth"},
      {"{prism: {polygon: [[0,0],[1,0],[0.2,0.2],[0,1]], depth: 1}}", "is no corner"},
      {"{hull: {points: [[0,0],[1,0],[0,1],[1,1]]}}", "3"},
  };
  for (const auto& [shape, message] : cases)
    EXPECT_NE(refusal(shape).find(message), std::string::npos) << shape << ": " << refusal(shape);
}

// The header of the model: the front edge passes the edge of the step, then the rear corner unloads, both at times that
// follow from x = v0 t - mu g t^2/2 - d; without a jump of the speed. It comes to rest on three corners on the floor.
TEST(Polyhedra, ATetrahedronTipsOverAStepAndTumblesToRest) {
  const Trace trace = run_file("polyhedra/tetrahedron-off-a-step.yaml");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const double a = 0.2, mu = 0.3, g = 9.81, v0 = 1.2, d = 0.15, h = a * std::sqrt(6.0) / 12.0;
  const auto time_at = [&](double x) {
    return (v0 - std::sqrt(v0 * v0 - 2.0 * mu * g * (d + x))) / (mu * g);
  };
  const auto features = events_of(trace, EventKind::feature),
             detached = events_of(trace, EventKind::detach),
             impacts = events_of(trace, EventKind::impact);
  ASSERT_GE(features.size(), 1u);
  ASSERT_GE(detached.size(), 2u);
  ASSERT_GE(impacts.size(), 3u);
  EXPECT_NEAR(features[0]->t, time_at(-a / (2.0 * std::sqrt(3.0))), 1e-9);
  EXPECT_NEAR(detached[0]->t, time_at(-mu * h), 1e-9);
  EXPECT_GT(impacts[0]->t, detached[1]->t);
  for (const double v : trace.final_v) EXPECT_NEAR(v, 0.0, 1e-9);
  EXPECT_NEAR(final_value(trace, "die.z"), -0.3 + h, 1e-9);
  EXPECT_LE(trace.energy.ledger_error, 1e-8);
}

TEST(Polyhedra, AStartThatOverlapsIsRefused) {
  try {
    run_text(R"(
clack: 1
dimension: 3
bodies:
  plate: {fixed: true, shape: {hull: {points: )" +
             cube_points + R"(}}}
  needle: {mass: 1, inertia: shape, shape: {prism: {polygon: [[-0.01,-0.01],[0.01,-0.01],[0,0.01]], depth: 3}}}
contacts: {c: {between: [needle, plate]}}
run: {until: 1}
)");
    FAIL() << "a needle through a cube ran";
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("contact c (needle and plate): penetrates by"),
              std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace clack::acceptance
