// SPDX-License-Identifier: Apache-2.0
// What rests under forces that follow t: the steps see nothing of them, the guards do.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "clack/hybrid/executor.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

constexpr double weight = 2.0 * 9.81, friction = 0.5, until = 0.7;

/// A block of 2 kg at rest on a floor, with its own feet, and a force in its mass centre.
Trace block(const char* feet, const char* first, const std::string& force) {
  return run(read_model_text(fmt::format(R"(
clack: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  block: {{mass: 2, inertia: 1, {}}}
  floor: {{fixed: true, shape: {{half-plane: {{normal: [0, 1]}}}}}}
contacts: {{foot: {{between: [{}, floor], friction: {}}}}}
forces: [{{on: block, force: [{}]}}]
run: {{until: {}, theory: poisson}}
)",
                                         feet, first, friction, force, until),
                             "block.yaml"));
}

constexpr const char* corners = "shape: {box: {width: 1, height: 0.02}}, position: [0, 0.01]";
constexpr const char* point = "points: {foot: [0, 0]}, position: [0, 0]";

/// (0.5 + t) sin(w t): rises above 1 after many periods in which it does not.
double part(double w, double t) { return (0.5 + t) * std::sin(w * t); }
std::string force_of(double w, double size) {
  return fmt::format("{}*(0.5 + t)*sin({}*t)", size, w);
}

/// When the force first is as large as `size` that it has a factor of, in the direction x > 0 or in both.
double first_time(double w, bool is_both) {
  const auto beyond = [&](double t) { return (is_both ? std::abs(part(w, t)) : part(w, t)) - 1.0; };
  const double h = 1e-4 / w;
  double b = h;
  while (beyond(b) < 0.0) b += h;
  double a = b - h;
  for (int i = 0; i < 100; ++i) (beyond(0.5 * (a + b)) < 0.0 ? a : b) = 0.5 * (a + b);
  return b;
}

/// The first event behind the start.
double first_event(const Trace& trace) {
  for (const TraceEvent& event : trace.events)
    if (event.t > 0.0) return event.t;
  return NAN;
}

constexpr double frequencies[] = {20.0, 29.714, 71.0, 300.0, 1000.0, 3000.0};  // rad/s

TEST(TimedLoads, ABlockOnTwoCornersSlipsWhereTheForceFirstIsItsFriction) {
  for (const double w : frequencies) {
    const Trace trace = block(corners, "block", force_of(w, friction * weight) + ", 0");
    EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
    EXPECT_NEAR(first_event(trace), first_time(w, true), 1e-9) << w;
  }
}

TEST(TimedLoads, ABlockOnOnePointSlipsWhereTheForceFirstIsItsFriction) {
  for (const double w : frequencies) {
    const Trace trace = block(point, "block.foot", force_of(w, friction * weight) + ", 0");
    EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
    EXPECT_NEAR(first_event(trace), first_time(w, true), 1e-9) << w;
  }
}

TEST(TimedLoads, ABlockIsLiftedWhereTheForceFirstIsItsWeight) {
  for (const double w : frequencies) {
    const Trace trace = block(point, "block.foot", "0, " + force_of(w, weight));
    EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
    EXPECT_NEAR(first_event(trace), first_time(w, false), 1e-9) << w;
  }
}

}  // namespace
}  // namespace clack
