// SPDX-License-Identifier: Apache-2.0
// Nothing depends on bookkeeping: the same scene turned, mirrored, shifted, renumbered or listed in another order.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "acceptance/run_support.hpp"

namespace clack::acceptance {
namespace {

using Eigen::Vector2d;
using Points = std::vector<Vector2d>;

/// How a scene is written down.
struct Writing {
  double turned = 0.0;       // rad, all of it
  bool is_mirrored = false;  // x -> -x, before it is turned
  Vector2d shifted = Vector2d::Zero();
  int first_vertex = 0;
  bool is_exchanged = false;  // which body a pair names first
  bool is_reversed = false;   // order of bodies and of entries
};

Vector2d placed(const Writing& writing, Vector2d v) {
  if (writing.is_mirrored) v.x() = -v.x();
  return Eigen::Rotation2Dd(writing.turned) * v;
}

/// In the frame of the body: mirrored outlines run the other way round, and begin elsewhere.
std::string shape_text(const Writing& writing, Points points) {
  if (writing.is_mirrored) {
    for (Vector2d& p : points) p.x() = -p.x();
    std::reverse(points.begin(), points.end());
  }
  std::rotate(points.begin(),
              points.begin() + writing.first_vertex % static_cast<int>(points.size()),
              points.end());
  std::string text;
  for (const Vector2d& p : points)
    text += fmt::format("{}[{:.17g}, {:.17g}]", text.empty() ? "" : ", ", p.x(), p.y());
  return "shape: {polygon: [" + text + "]}";
}

struct Thrown {
  std::string name;
  Points points;
  Vector2d position, velocity;
  double angle, spin;
};

/// An L and a square that are thrown onto a step, against each other.
std::string scene(const Writing& writing) {
  const double sense = writing.is_mirrored ? -1.0 : 1.0;
  const std::vector<Thrown> thrown = {
      {"L",
       {{-0.1, -0.15}, {0.2, -0.15}, {0.2, -0.05}, {0, -0.05}, {0, 0.25}, {-0.1, 0.25}},
       {-0.2, 0.5},
       {0.8, 0},
       0.3,
       1.0},
      {"square",
       {{-0.1, -0.1}, {0.1, -0.1}, {0.1, 0.1}, {-0.1, 0.1}},
       {0.35, 0.6},
       {-0.5, 0},
       0.2,
       -2.0}};
  const Points step = {{-2, -1}, {2, -1}, {2, 0.1}, {0.1, 0.1}, {0.1, 0}, {-2, 0}};
  std::vector<std::string> bodies;
  for (const Thrown& b : thrown) {
    const Vector2d at = placed(writing, b.position) + writing.shifted,
                   v = placed(writing, b.velocity);
    bodies.push_back(
        fmt::format("  {}: {{mass: 1, inertia: 0.02, position: [{:.17g}, {:.17g}], velocity: "
                    "[{:.17g}, {:.17g}], "
                    "angle: {:.17g}, spin: {:.17g}, {}}}\n",
                    b.name, at.x(), at.y(), v.x(), v.y(), sense * b.angle + writing.turned,
                    sense * b.spin, shape_text(writing, b.points)));
  }
  bodies.push_back(fmt::format(
      "  step: {{fixed: true, position: [{:.17g}, {:.17g}], angle: {:.17g}, {}}}\n",
      writing.shifted.x(), writing.shifted.y(), writing.turned, shape_text(writing, step)));
  std::vector<std::string> entries;
  for (const auto& [a, b] :
       {std::pair<std::string, std::string>{"L", "step"}, {"square", "step"}, {"L", "square"}})
    entries.push_back(
        fmt::format("{0}{1}: {{between: [{2}, {3}], friction: 0.3, restitution: 0.4}}", a, b,
                    writing.is_exchanged ? b : a, writing.is_exchanged ? a : b));
  if (writing.is_reversed) {
    std::reverse(bodies.begin(), bodies.end());
    std::reverse(entries.begin(), entries.end());
  }
  const Vector2d gravity = placed(writing, {0, -9.81});
  std::string text = fmt::format("clack: 1\ndimension: 2\ngravity: [{:.17g}, {:.17g}]\nbodies:\n",
                                 gravity.x(), gravity.y());
  for (const std::string& body : bodies) text += body;
  return text + fmt::format("contacts: {{{}, {}, {}}}\nrun: {{until: 0.6, tolerance: 1.0e-13}}\n",
                            entries[0], entries[1], entries[2]);
}

std::vector<double> impact_times(const Writing& writing) {
  const Trace trace = run_text(scene(writing));
  EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
  std::vector<double> times;
  for (const TraceEvent& event : trace.events) {
    if (event.kind == EventKind::zeno) break;
    if (event.kind == EventKind::impact) times.push_back(event.t);
  }
  return times;
}

TEST(PolygonInvariance, TheSameSceneWrittenDifferentlyHasTheSameImpacts) {
  const std::vector<double> wanted = impact_times({});
  ASSERT_GE(wanted.size(), 5u);
  const std::vector<std::pair<const char*, Writing>> writings = {
      {"turned by 1", {.turned = 1.0}},
      {"turned by -2.3", {.turned = -2.3}},
      {"mirrored", {.is_mirrored = true}},
      {"mirrored and turned", {.turned = 0.7, .is_mirrored = true}},
      {"shifted", {.shifted = {1.5, -0.7}}},
      {"first vertex 1", {.first_vertex = 1}},
      {"first vertex 3", {.first_vertex = 3}},
      {"bodies exchanged", {.is_exchanged = true}},
      {"order reversed", {.is_reversed = true}},
  };
  for (const auto& [name, writing] : writings) {
    SCOPED_TRACE(name);
    const std::vector<double> found = impact_times(writing);
    // Rounding of the first state grows from impact to impact, by about a factor ten in this scene.
    double tolerance = 1e-12;
    for (std::size_t k = 0; k < std::min<std::size_t>(5, found.size()); ++k) {
      EXPECT_NEAR(found[k], wanted[k], tolerance) << k;
      tolerance = std::min(10.0 * tolerance, 1e-11);
    }
    EXPECT_GE(found.size(), 5u);
  }
}

/// The scene with so many edges in a leaf of every tree.
Trace run_with_leaves(int leaf) {
  Model model = load_model_text(scene({}), "scene.yaml");
  for (Body& body : model.bodies) {
    Outline& outline = std::get<Outline>(*body.shape);
    Points points;
    for (const OutlineVertex& vertex : outline.vertices) points.push_back(vertex.point);
    outline = make_outline(points, leaf);
  }
  Run run(model);
  run.advance_to_end();
  return run.take_trace();
}

TEST(PolygonInvariance, LeavesOfTheTreesDoNotMoveABit) {
  const Trace wanted = run_with_leaves(1);
  ASSERT_GE(wanted.events.size(), 5u);
  for (const int leaf : {2, 3, 5, 16}) {
    const Trace found = run_with_leaves(leaf);
    EXPECT_EQ(found.rows, wanted.rows) << leaf;
    ASSERT_EQ(found.events.size(), wanted.events.size()) << leaf;
    for (std::size_t k = 0; k < wanted.events.size(); ++k)
      EXPECT_EQ(found.events[k].t, wanted.events[k].t) << leaf;
  }
}

/// A body that rocks on its foot, with a back of n corners high above the floor.
Trace rocking_with_back(int n) {
  return run_text(fmt::format(R"(
clack: 1
gravity: [0, -9.81]
parameters: {{n: {}}}
bodies:
  body: {{mass: 1, inertia: 0.05, position: [0, 0.5], angle: 0.1, shapes: {{foot: {{polygon: [[-0.2, -0.4], [0.2, -0.4], [0.2, -0.3], [-0.2, -0.3]]}}, back: {{polygon: {{curve: {{count: n, as: i, points: [[0.2*cos(2*pi*i/n), 0.2*sin(2*pi*i/n)]]}}}}}}}}}}
  floor: {{fixed: true, shape: {{polygon: [[-3, -1], [3, -1], [3, 0], [-3, 0]]}}}}
contacts: {{foot: {{between: [body.foot, floor], friction: 0.5, restitution: 0.2}}, back: {{between: [body.back, floor]}}}}
run: {{until: 0.25}}
)",
                              n));
}

// A trace holds what happens and what touches; corners that nothing comes near leave nothing in it.
TEST(PolygonInvariance, WhatIsRecordedDoesNotGrowWithTheCorners) {
  const Trace few = rocking_with_back(30), many = rocking_with_back(3000);
  ASSERT_EQ(many.status, RunStatus::done) << many.reason;
  EXPECT_FALSE(few.impacts.empty());
  EXPECT_EQ(many.events.size(), few.events.size());
  EXPECT_EQ(many.columns, few.columns);
  EXPECT_EQ(many.contacts, few.contacts);
  EXPECT_EQ(many.rows.size(), few.rows.size());
  EXPECT_EQ(many.contact_rows.size(), few.contact_rows.size());
}

/// A box that is dropped, turned and spinning, onto another one; the drop is turned about the vertical, the boxes' own
/// frames are not: other corners and faces take part.
std::string dropped_box(double turn) {
  const double c = std::cos(turn), s = std::sin(turn);
  return fmt::format(R"(
clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  lower: {{fixed: true, position: [0, 0, -0.5], shape: {{box: {{width: 1, height: 1, depth: 1}}}}}}
  upper: {{mass: 1, inertia: 1/6, position: [{:.17g}, {:.17g}, 0.9], orientation: [{:.17g}, {:.17g}, {:.17g}, {:.17g}], spin: [{:.17g}, {:.17g}, 0], shape: {{box: {{width: 1, height: 1, depth: 1}}}}}}
contacts: {{c: {{between: [upper, lower], friction: 0.3, restitution: 0.4}}}}
run: {{until: 0.4, theory: newton, tolerance: 1.0e-12}}
)",
                     0.3 * c - 0.2 * s, 0.3 * s + 0.2 * c, std::cos(0.2),
                     std::sin(0.2) * (0.6 * c - 0.8 * s), std::sin(0.2) * (0.6 * s + 0.8 * c), 0.0,
                     c - 2.0 * s, s + 2.0 * c);
}

TEST(PolygonInvariance, ABoxDroppedOntoABoxMeetsEveryFaceAlike) {
  const auto impacts = [](const Trace& trace) {
    std::vector<double> times;
    for (const TraceEvent& event : trace.events)
      if (event.kind == EventKind::impact) times.push_back(event.t);
    return times;
  };
  const Trace straight = run_text(dropped_box(0.0));
  ASSERT_EQ(straight.status, RunStatus::done) << straight.reason;
  const auto wanted = impacts(straight);
  ASSERT_GE(wanted.size(), 2u);
  for (int quarter = 1; quarter < 4; ++quarter) {
    const Trace turned = run_text(dropped_box(quarter * 0.5 * std::numbers::pi));
    ASSERT_EQ(turned.status, RunStatus::done) << turned.reason;
    const auto found = impacts(turned);
    ASSERT_GE(found.size(), 2u);
    for (int k = 0; k < 2; ++k) EXPECT_NEAR(found[k], wanted[k], 1e-11) << quarter << " " << k;
  }
}

// Two runs give the same bytes.
TEST(PolygonInvariance, ARunIsTheSameTwice) {
  const std::string text = scene({});
  const Trace a = run_text(text), b = run_text(text);
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.final_q, b.final_q);
}

// The plane and space: a box that slides off a table, as polygons and as boxes; three times to 1e-10 (guide, section 5).
TEST(PolygonInvariance, SlideOffInThePlaneAndAsBoxesInSpaceAreTheSame) {
  const Trace plane = run_file("polygons/slide-off.yaml");
  const Trace space = run_text(R"(
clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  box: {mass: 1, inertia: [1, 1/240, 1], position: [-0.25, 0, 0.05], velocity: [2, 0, 0], shape: {box: {width: 0.2, height: 0.4, depth: 0.1}}}
  table: {fixed: true, position: [-1.5, 0, -0.5], shape: {box: {width: 3, height: 2, depth: 1}}}
contacts: {top: {between: [box, table], friction: 0.3}}
run: {until: 0.25, theory: newton, tolerance: 1.0e-12}
)");
  const auto times = [](const Trace& trace) {
    std::vector<double> found;
    for (const TraceEvent& event : trace.events)
      if ((event.kind == EventKind::feature || event.kind == EventKind::detach) &&
          (found.empty() || event.t > found.back() + 1e-9))
        found.push_back(event.t);
    return found;
  };
  ASSERT_EQ(plane.status, RunStatus::done) << plane.reason;
  ASSERT_EQ(space.status, RunStatus::done) << space.reason;
  const auto a = times(plane), b = times(space);
  ASSERT_GE(a.size(), 3u);
  ASSERT_GE(b.size(), 3u);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], 1e-10) << k;
}

}  // namespace
}  // namespace clack::acceptance
