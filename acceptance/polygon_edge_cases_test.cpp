// SPDX-License-Identifier: Apache-2.0
// Edge cases of polygons in runs: the guide to polygon contact, section 6, and what other programs stumble over.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "acceptance/run_support.hpp"

namespace clack::acceptance {
namespace {

std::vector<double> times_of(const Trace& trace, EventKind kind) {
  std::vector<double> times;
  for (const TraceEvent& event : trace.events)
    if (event.kind == kind) times.push_back(event.t);
  return times;
}
bool has_flag(const Trace& trace, const std::string& flag) {
  return std::ranges::find(trace.flags, flag) != trace.flags.end();
}

const std::string square_shape =
    "shape: {polygon: [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]}";

/// A square over a floor whose top is given from right to left.
std::string over_floor(const std::string& body, const std::string& top, const std::string& rest) {
  return "clack: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n  s: {mass: 1, inertia: shape, " +
         body + ", " + square_shape +
         "}\n  floor: {fixed: true, shape: {polygon: [[-3, -1], [3, -1], " + top +
         "]}}\ncontacts: {c: {between: [s, floor], " + rest;
}

// The lowest corner falls on a vertex in the middle of a straight line: one contact, the same impact as on the edge.
TEST(PolygonEdgeCases, ALandingOnACollinearVertexIsALandingOnTheLine) {
  const std::string body = "position: [0, 0.4], angle: pi/4 - 0.3";
  const std::string rest =
      "friction: 0.3, restitution: 0.5}}\nrun: {until: 0.4, tolerance: 1.0e-12}\n";
  const double corner = 0.1 * std::sqrt(2.0) * std::sin(0.3);  // its x, left or right of the middle
  for (const double sign : {1.0, -1.0}) {
    const Trace plain = run_text(over_floor(body, "[3, 0], [-3, 0]", rest));
    const Trace split = run_text(
        over_floor(body, fmt::format("[3, 0], [{:.17g}, 0], [-3, 0]", sign * corner), rest));
    const auto wanted = times_of(plain, EventKind::impact),
               found = times_of(split, EventKind::impact);
    ASSERT_EQ(found.size(), wanted.size());
    ASSERT_GE(found.size(), 1u);
    for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], wanted[k], 1e-11);
    EXPECT_EQ(split.events[1].contacts.size(), 1u);
    for (std::size_t i = 0; i < plain.final_q.size(); ++i)
      EXPECT_NEAR(split.final_q[i], plain.final_q[i], 1e-10);
  }
}

// The border of a half-plane has no ends: a square that comes to rest on it does what it does on the top of a polygon.
TEST(PolygonEdgeCases, AHalfPlaneIsAFloorWithoutEnds) {
  const std::string body = "position: [0, 0.2], velocity: [0.5, 0], angle: 0.1";
  const std::string rest = "friction: 0.3}}\nrun: {until: 1, tolerance: 1.0e-12}\n";
  const Trace polygon = run_text(over_floor(body, "[3, 0], [-3, 0]", rest));
  const Trace plane = run_text(
      "clack: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n  s: {mass: 1, inertia: shape, " +
      body + ", " + square_shape +
      "}\n  floor: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}\ncontacts: {c: {between: "
      "[s, floor], " +
      rest);
  ASSERT_EQ(plane.status, RunStatus::done) << plane.reason;
  ASSERT_EQ(plane.events.size(), polygon.events.size());
  for (std::size_t i = 0; i < plane.final_q.size(); ++i)
    EXPECT_NEAR(plane.final_q[i], polygon.final_q[i], 1e-9);
}

// Edges of 2e-7 m on a floor of 6 m: the square slides over them as over the plain floor.
TEST(PolygonEdgeCases, EdgesOfAMillionthOfTheSizeAreSlidOver) {
  const std::string body = "position: [-0.12, 0.1], velocity: [1, 0]";
  const std::string rest = "friction: 0.1}}\nrun: {until: 0.3, tolerance: 1.0e-12}\n";
  const Trace plain = run_text(over_floor(body, "[3, 0], [-3, 0]", rest));
  const Trace fine =
      run_text(over_floor(body, "[3, 0], [4.0e-7, 0], [2.0e-7, 0], [0, 0], [-3, 0]", rest));
  ASSERT_EQ(fine.status, RunStatus::done) << fine.reason;
  EXPECT_TRUE(fine.impacts.empty());
  EXPECT_NEAR(final_value(fine, "s.x"), final_value(plain, "s.x"), 1e-10);
  EXPECT_NEAR(final_value(plain, "s.x"), -0.12 + 0.3 - 0.5 * 0.981 * 0.09, 1e-10);
}

// A small square flies about inside a ring that has a slit: each is inside the other's box all the time.
TEST(PolygonEdgeCases, ABodyInsideARingIsFarFromItAllTheTime) {
  const Trace trace = run_text(R"(
clack: 1
dimension: 2
bodies:
  s: {mass: 1, inertia: shape, position: [0, 0], velocity: [0.3, 0.1], spin: 2, )" +
                               square_shape + R"(}
  ring: {fixed: true, shape: {polygon: [[1.2, 0.01], [0, 1.3], [-1.3, 0], [0, -1.3], [1.2, -0.01], [1, -0.01], [0, -1], [-1, 0], [0, 1], [1, 0.01]]}}
contacts: {c: {between: [s, ring], restitution: 1}}
run: {until: 20}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_GE(times_of(trace, EventKind::impact).size(), 3u);
  EXPECT_NEAR(trace.energy.final, trace.energy.initial, 1e-9);
}

// A square of 0.2 in a round hole of radius 0.5 of a plate: it never comes out, and its energy stays.
TEST(PolygonEdgeCases, ABodyInAHoleStaysInIt) {
  const Trace trace = run_text(R"(
clack: 1
dimension: 2
bodies:
  s: {mass: 1, inertia: shape, position: [0, 0], velocity: [3, 1], spin: 20, )" +
                               square_shape + R"(}
  plate: {fixed: true, shape: {polygon: {vertices: [[-1, -1], [1, -1], [1, 1], [-1, 1]], holes: [[[-0.5, 0, -1], [0.5, 0, -1]]]}}}
contacts: {c: {between: [s, plate], restitution: 1}}
run: {until: 5}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_GE(times_of(trace, EventKind::impact).size(), 10u);
  EXPECT_NEAR(trace.energy.final, trace.energy.initial, 1e-9);
  for (std::size_t row = 0; row < trace.row_count(); ++row)
    ASSERT_LE(std::hypot(at_row(trace, row, "s.x"), at_row(trace, row, "s.y")), 0.5 - 0.1 + 1e-9);
}

TEST(PolygonEdgeCases, AStartThatTouchesExactlyIsAtRest) {
  const Trace trace = run_text(
      over_floor("position: [0, 0.1]", "[3, 0], [-3, 0]", "friction: 0.3}}\nrun: {until: 0.5}\n"));
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_TRUE(trace.impacts.empty());
  EXPECT_NEAR(final_value(trace, "s.y"), 0.1, 1e-14);
  EXPECT_TRUE(trace.jams.empty());
}

// Drift of a file with eleven digits: accepted, moved out along the normal, and the size of that is told.
TEST(PolygonEdgeCases, AStartALittleInsideIsMovedOut) {
  const Trace trace = run_text(over_floor("position: [0, 0.09999999999]", "[3, 0], [-3, 0]",
                                          "friction: 0.3}}\nrun: {until: 0.1}\n"));
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_TRUE(trace.impacts.empty());
  EXPECT_NEAR(trace.events[0].drift, 1e-11, 1e-16);
  EXPECT_NEAR(final_value(trace, "s.y"), 0.1, 1e-15);
}

// Between two impacts there is one step of rk4, in which the square leaves the floor and meets it with another corner.
TEST(PolygonEdgeCases, FeaturesChangeWithinOneStepOfAnyIntegrator) {
  const double times[] = {0.201927510938, 0.265240354357, 0.362092357095, 0.409151634700,
                          0.433154414674};  // guide, section 5
  for (const std::string integrator : {"dop853", "dopri5", "rk4", "cvode"}) {
    SCOPED_TRACE(integrator);
    std::vector<Override> settings = {
        {"eps", "0.5"}, {"run.until", "0.44"}, {"run.integrator", integrator}};
    if (integrator == "rk4") settings.push_back({"run.step", "1"});
    const Trace trace = run_file("polygons/square-tilted.yaml", settings);
    ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
    const auto impacts = times_of(trace, EventKind::impact);
    ASSERT_GE(impacts.size(), 5u);
    for (int k = 0; k < 5; ++k)
      EXPECT_NEAR(impacts[k], times[k], integrator == "cvode" ? 1e-7 : 1e-9);
  }
}

// Along a wall without a force: statuses are not unique, the motion is.
TEST(PolygonEdgeCases, AFlightAlongAWallIsAFlight) {
  const Trace trace = run_text(R"(
clack: 1
dimension: 2
bodies:
  s: {mass: 1, inertia: shape, position: [-0.3, 0.1], velocity: [1, 0], )" +
                               square_shape + R"(}
  wall: {fixed: true, shape: {polygon: [[-0.5, -1], [0.5, -1], [0.5, 0], [-0.5, 0]]}}
contacts: {c: {between: [s, wall], friction: 0.5, restitution: 0.3}}
run: {until: 2}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_NEAR(final_value(trace, "s.x"), 1.7, 1e-12);
  EXPECT_NEAR(final_value(trace, "s.x_dot"), 1.0, 1e-13);
  EXPECT_NEAR(final_value(trace, "s.angle"), 0.0, 1e-13);
}

/// Two squares standing on their corners, the one exactly above the other.
std::string corner_on_corner(const std::string& order) {
  return "clack: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n"
         "  a: {mass: 1, inertia: shape, position: [0, 0.5], angle: pi/4, " +
         square_shape +
         "}\n"
         "  b: {fixed: true, position: [0, 0], angle: pi/4, " +
         square_shape +
         "}\n"
         "contacts: {c: {between: [" +
         order + "], friction: 0.2}}\nrun: {until: 0.3, tolerance: 1.0e-11}\n";
}

TEST(PolygonEdgeCases, ACornerOnACornerIsReportedAndDoesNotPassThrough) {
  const Trace first = run_text(corner_on_corner("a, b")),
              second = run_text(corner_on_corner("b, a"));
  const double t = std::sqrt(2.0 * (0.5 - 0.2 * std::sqrt(2.0)) / 9.81);
  for (const Trace* trace : {&first, &second}) {
    ASSERT_EQ(trace->status, RunStatus::done) << trace->reason;
    const auto impacts = times_of(*trace, EventKind::impact);
    ASSERT_FALSE(impacts.empty());
    EXPECT_NEAR(impacts[0], t, 1e-10);
    EXPECT_TRUE(has_flag(*trace, "vertex-vertex"));
    EXPECT_LE(trace->energy.final, trace->energy.initial + 1e-12);
  }
}

// A corner falls into a notch of two slopes, with restitution: both edges are hit at once, and it comes to rest there.
TEST(PolygonEdgeCases, ACornerInANotchKeepsBothContacts) {
  const Trace trace = run_text(R"(
clack: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  s: {mass: 1, inertia: shape, position: [0, 0.3], angle: pi/4, )" +
                               square_shape + R"(}
  notch: {fixed: true, shape: {polygon: [[-1, -1], [1, -1], [1, 0.6], [0, 0], [-1, 0.6]]}}
contacts: {c: {between: [s, notch], friction: 0.3, restitution: 0.5}}
run: {until: 1.5}
)");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  for (const TraceEvent& event : trace.events)
    if (event.kind == EventKind::impact) {
      EXPECT_EQ(event.contacts.size(), 2u);
      break;
    }
  EXPECT_NEAR(final_value(trace, "s.y_dot"), 0.0, 1e-6);
}

// Two corners of different height pass over each other with less than a nanometre: no impact, or a graze that opens at
// once; the motion is that of the free flight.
TEST(PolygonEdgeCases, AGrazeChangesNothing) {
  const double g = 9.81, reach = 0.1 * std::sqrt(2.0);
  // The apex of a thrown square's lowest corner just touches the line y = 0 of a shelf above it: it is thrown from below.
  const double height = 0.2, speed = std::sqrt(2.0 * g * height);
  const Trace trace = run_text(fmt::format(R"(
clack: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  s: {{mass: 1, inertia: shape, position: [0, {:.17g}], angle: pi/4, velocity: [0.1, {:.17g}], {}}}
  shelf: {{fixed: true, shape: {{polygon: [[-3, 0], [3, 0], [3, 1], [-3, 1]]}}}}
contacts: {{c: {{between: [s, shelf], friction: 0.3, restitution: 0.5}}}}
run: {{until: 0.4, tolerance: 1.0e-12}}
)",
                                           -height - reach, speed, square_shape));
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_NEAR(final_value(trace, "s.x"), 0.04, 1e-9);
  EXPECT_NEAR(final_value(trace, "s.y"), -height - reach + 0.4 * speed - 0.5 * g * 0.16, 1e-8);
}

}  // namespace
}  // namespace clack::acceptance
