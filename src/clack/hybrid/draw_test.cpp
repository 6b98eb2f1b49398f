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
    "  disk: {mass: 2, inertia: 0.01, position: [0, 0.15], velocity: [0.3, 0], shape: {disk: {radius: 0.1}}}\n"
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
  EXPECT_EQ(first.poses[0], (std::array<double, 3>{0, 0.15, 0}));
  EXPECT_TRUE(first.contacts.empty());
  EXPECT_EQ(last.t, 0.3);
  EXPECT_EQ(last.poses[0][0], trace.final_q[0]);
  EXPECT_EQ(last.poses[3][0], trace.final_q[0]);  // the mark is below the disk
  EXPECT_EQ(last.poses[3][2], 0.3);
  EXPECT_EQ(last.links[0], (std::array<double, 4>{last.poses[0][0], last.poses[0][1], -1, 0.1}));
  ASSERT_EQ(last.contacts.size(), 1u);
  EXPECT_NEAR(last.contacts[0].point[0], last.poses[0][0], 1e-12);
  EXPECT_NEAR(last.contacts[0].point[1], 0.0, 1e-9);
  EXPECT_EQ(last.contacts[0].direction, (std::array<double, 2>{0, 1}));
  EXPECT_NEAR(last.contacts[0].normal, 20.0, 1e-6);
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

TEST(DrawRun, StaysSmallForLongTraces) {
  const Model model = load_model_text(disk_on_floor, "m.yaml", {{"run.sample", "1e-5"}});
  const Trace trace = run(model);
  ASSERT_GT(trace.row_count(), 20000u);
  const Drawing drawing = draw_run(model, trace);
  EXPECT_LE(drawing.frames.size(), 1300u);
  EXPECT_GE(drawing.frames.size(), 1000u);
}

TEST(DrawRun, IsEmptyInSpace) {
  const Model model = load_model_text(
      "clack: 1\ndimension: 3\nbodies: {b: {mass: 1, inertia: 1, shape: {sphere: {radius: 1}}}}\n"
      "run: {until: 0.1}\n",
      "m.yaml");
  EXPECT_TRUE(draw_run(model, run(model)).empty());
}

}  // namespace
}  // namespace clack
