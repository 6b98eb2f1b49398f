// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/draw.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "clack/hybrid/executor.hpp"

namespace clack {
namespace {

/// A disk that falls by 5 cm onto the floor (g = 10, so at 0.1 s), stays there and rolls, tied to a wall by a spring.
const std::string disk_on_floor =
    "clack: 1\ngravity: [0, -10]\nbodies:\n"
    "  disk: {mass: 2, inertia: 0.01, position: [0, 0.15], velocity: [0.3, 0], shape: {disk: "
    "{radius: 0.1}}}\n"
    "  floor: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}\n"
    "  wall: {fixed: true, position: [-1, 0], points: {hook: [0, 0.1]}}\n"
    "springs: [{between: [disk, wall.hook], stiffness: 1e-9}]\n"
    "contacts: {c: {between: [disk, floor], friction: 0.5}}\n"
    "draw: {mark: {disk: {radius: 0.01}, position: [disk.x, 0], angle: t}}\n"
    "run: {until: 0.3, sample: 0.01}\n";

TEST(DrawRun, ShowsBodiesSpringsSketchesAndForcesWhereTheTraceHasThem) {
  const Model model = load_model_text(disk_on_floor, "m.yaml");
  const Trace trace = run(model);
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const Drawing drawing = draw_run(model, trace);
  ASSERT_EQ(drawing.parts.size(), 4u);  // disk, floor, wall, mark
  EXPECT_EQ(drawing.parts[0].kind, DrawnKind::disk);
  EXPECT_EQ(drawing.parts[0].radius, 0.1);
  EXPECT_EQ(drawing.parts[1].kind, DrawnKind::half_plane);
  EXPECT_EQ(drawing.links, std::vector<DrawnLink>{DrawnLink::spring});
  const DrawnFrame &first = drawing.frames.front(), &last = drawing.frames.back();
  EXPECT_EQ(first.poses[0], (DrawnPose{0, 0.15, 0}));
  EXPECT_TRUE(first.contacts.empty());
  EXPECT_EQ(last.t, 0.3);
  EXPECT_EQ(last.poses[0][0], trace.final_q[0]);
  EXPECT_EQ(last.poses[3][0], trace.final_q[0]);  // the mark is below the disk
  EXPECT_EQ(last.poses[3][2], 0.3);
  EXPECT_EQ(last.links[0],
            (std::array<double, 6>{last.poses[0][0], last.poses[0][1], 0, -1, 0.1, 0}));
  ASSERT_EQ(last.contacts.size(), 1u);
  EXPECT_NEAR(last.contacts[0].point[0], last.poses[0][0], 1e-12);
  EXPECT_NEAR(last.contacts[0].point[1], 0.0, 1e-9);
  EXPECT_EQ(last.contacts[0].normal_force[0], 0.0);
  EXPECT_NEAR(last.contacts[0].normal_force[1], 20.0, 1e-6);
}

TEST(DrawRun, HasBothSidesOfEveryEvent) {
  const Model model = load_model_text(disk_on_floor, "m.yaml");
  const Trace trace = run(model);
  const Drawing drawing = draw_run(model, trace);
  ASSERT_FALSE(trace.impacts.empty());
  int at_impact = 0;
  for (const DrawnFrame& frame : drawing.frames) at_impact += frame.t == trace.impacts[0].t ? 1 : 0;
  EXPECT_EQ(at_impact, 2);
  for (std::size_t k = 1; k < drawing.frames.size(); ++k)
    EXPECT_LE(drawing.frames[k - 1].t, drawing.frames[k].t);
}

TEST(DrawRun, ShowsTheImpulsesOfEveryImpactWhereTheyAct) {
  const Model model = load_model_text(disk_on_floor, "m.yaml");
  const Trace trace = run(model);
  const Drawing drawing = draw_run(model, trace);
  ASSERT_EQ(trace.impacts.size(), 1u);
  ASSERT_EQ(drawing.impulses.size(), 1u);
  const DrawnImpulse& impulse = drawing.impulses[0];
  EXPECT_EQ(impulse.t, trace.impacts[0].t);
  EXPECT_NEAR(impulse.point[0], 0.03, 1e-6);  // 0.3 m/s for 0.1 s
  EXPECT_NEAR(impulse.point[1], 0.0, 1e-9);
  EXPECT_NEAR(impulse.normal_impulse[1], 2.0, 1e-6);  // 2 kg come with 1 m/s and stay
  EXPECT_EQ(impulse.friction_impulse[0], trace.impacts[0].tangent_impulse[0][0]);
  EXPECT_LT(impulse.friction_impulse[0], 0.0);
}

TEST(DrawRun, ShowsContactsOfFormulasWhereTheModelSaysTheyAre) {
  const Model model = load_model_text(
      "clack: 1\ncoordinates: {x: {start: 0, rate: 1}, y: 0.05}\nmass_matrix: [[2, 0], [0, "
      "2]]\nforce: [0, -20]\n"
      "contacts: {c: {gap: y, slip: x_dot, friction: 0.1}}\n"
      "draw: {at: {contact: c, position: [x, y], normal: [0, 1]}}\nrun: {until: 0.3, sample: "
      "0.01}\n",
      "m.yaml");
  const Trace trace = run(model);
  const Drawing drawing = draw_run(model, trace);
  ASSERT_EQ(drawing.links, std::vector<DrawnLink>{DrawnLink::gap});
  EXPECT_EQ(drawing.frames[0].links[0], (std::array<double, 6>{0, 0.05, 0, 0, 0, 0}))
      << "from the place to the floor";
  const DrawnFrame& last = drawing.frames.back();
  ASSERT_EQ(last.contacts.size(), 1u);
  EXPECT_EQ(last.contacts[0].point[0], trace.final_q[0]);
  EXPECT_NEAR(last.contacts[0].normal_force[1], 20.0, 1e-9);
  EXPECT_NEAR(last.contacts[0].friction_force[0], -2.0, 1e-9);
  ASSERT_EQ(drawing.impulses.size(), 1u);
  EXPECT_NEAR(drawing.impulses[0].normal_impulse[1], 2.0, 1e-9);
  EXPECT_NEAR(drawing.impulses[0].friction_impulse[0], -0.2, 1e-9);
}

TEST(DrawRun, StaysSmallForLongTraces) {
  const Model model = load_model_text(disk_on_floor, "m.yaml", {{"run.sample", "1e-5"}});
  const Trace trace = run(model);
  ASSERT_GT(trace.row_count(), 20000u);
  const Drawing drawing = draw_run(model, trace);
  EXPECT_LE(drawing.frames.size(), 1300u);
  EXPECT_GE(drawing.frames.size(), 1000u);
}

/// A ball on a floor that slides along x under friction, a box beside it that falls turned by a quarter about x, the
/// uniform solid of a body without a shape, and sketches.
const std::string things_in_space =
    "clack: 1\ndimension: 3\ngravity: [0, 0, -10]\nbodies:\n"
    "  floor: {fixed: true, shape: {half-space: {normal: [0, 0, 1]}}}\n"
    "  ball: {mass: 1, inertia: 0.4, position: [0, 0, 1], velocity: [3, 0, 0], shape: {sphere: "
    "{radius: 1}}}\n"
    "  box: {mass: 1, inertia: [1, 1, 1], position: [5, 0, 9], orientation: [1, 1, 0, 0], shape: "
    "{box: {width: 2, height: 4, depth: 6}}}\n"
    "  brick: {mass: 12, inertia: [13, 10, 5], position: [9, 0, 9], points: {corner: [0.5, 1, "
    "1.5], hook: [0, 0, 2]}}\n"
    "contacts: {c: {between: [ball, floor], friction: 0.2}}\n"
    "draw:\n"
    "  mark: {sphere: {radius: 0.1}, position: [ball.x, 0, t]}\n"
    "  plate: {box: {width: 1, height: 2, depth: 3}, rotation: [[z, t]]}\n"
    "  string: {rod: [[0, 0, 9], [ball.x, ball.y, ball.z]]}\n"
    "run: {until: 0.1, sample: 0.01}\n";

TEST(DrawRun, ShowsBodiesInSpaceWithTheirPosesAndForces) {
  const Model model = load_model_text(things_in_space, "m.yaml");
  const Trace trace = run(model);
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const Drawing drawing = draw_run(model, trace);
  ASSERT_EQ(drawing.dimension, 3);
  std::vector<std::string> names;
  for (const DrawnPart& part : drawing.parts) names.push_back(part.name);
  EXPECT_EQ(names, (std::vector<std::string>{"floor", "ball", "box", "brick", "brick.hook", "mark",
                                             "plate"}));
  EXPECT_EQ(drawing.parts[0].kind, DrawnKind::half_plane);
  EXPECT_EQ(drawing.parts[1].kind, DrawnKind::sphere);
  EXPECT_EQ(drawing.parts[2].points[0], (std::array<double, 3>{1, 2, 3}));
  // m (y^2 + z^2)/12 = 13, ... with m = 12: edges 1, 2, 3.
  ASSERT_EQ(drawing.parts[3].kind, DrawnKind::box);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(drawing.parts[3].points[0][k], 0.5 * (k + 1), 1e-12);
  const DrawnFrame& last = drawing.frames.back();
  EXPECT_EQ(last.poses[1][0], trace.final_q[0]);
  for (int k = 3; k < 5; ++k)
    EXPECT_NEAR(last.poses[2][k], std::sqrt(0.5), 1e-12);  // a quarter about x
  EXPECT_NEAR(last.poses[5][2], 0.1, 1e-12);
  EXPECT_NEAR(last.poses[6][3], std::cos(0.05), 1e-12);
  EXPECT_EQ(last.links[0], (std::array<double, 6>{0, 0, 9, last.poses[1][0], 0, last.poses[1][2]}));
  ASSERT_EQ(last.contacts.size(), 1u);
  EXPECT_NEAR(last.contacts[0].normal_force[2], 10.0, 1e-9);
  EXPECT_NEAR(last.contacts[0].friction_force[0], -2.0, 1e-9) << "against the slip, mu N";
  EXPECT_NEAR(last.contacts[0].friction_force[1], 0.0, 1e-9);
  EXPECT_NEAR(last.contacts[0].point[2], 0.0, 1e-9);
}

TEST(DrawRun, ShowsASmoothShapeByPointsOfItsSurface) {
  const Model model = load_model_text(
      "clack: 1\ndimension: 3\nbodies: {b: {mass: 1, inertia: 1, shape: {ellipsoid: {axes: [1, 2, "
      "3]}}}}\n"
      "run: {until: 0.1}\n",
      "m.yaml");
  const Drawing drawing = draw_run(model, run(model));
  ASSERT_EQ(drawing.parts.size(), 1u);
  const DrawnPart& part = drawing.parts[0];
  ASSERT_EQ(part.points.size(), 2u + drawn_grid.rings * drawn_grid.around);
  for (const auto& [x, y, z] : part.points)
    EXPECT_NEAR(x * x + y * y / 4.0 + z * z / 9.0, 1.0, 1e-12);
}

}  // namespace
}  // namespace clack
