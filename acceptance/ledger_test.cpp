// SPDX-License-Identifier: Apache-2.0
// The energy ledger: heat is heat, what drives put in has its own line, and the books close.
#include <gtest/gtest.h>

#include "run_support.hpp"

namespace clack::acceptance {
namespace {

std::string reproducer(const std::string& name) {
  return CLACK_SOURCE_DIR "/acceptance/reproducers/" + name + ".yaml";
}

Trace run_reproducer(const std::string& name, const std::vector<Override>& overrides = {}) {
  return run(load_model(reproducer(name), overrides));
}

void expect_closed(const Trace& trace, double tolerance = 1e-7) {
  const EnergyLedger& e = trace.energy;
  EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_LT(e.ledger_error, tolerance);
  EXPECT_FALSE(e.open.has_value());
  EXPECT_LE(e.work_of_friction, 0.0);
  EXPECT_EQ(e.dissipated, -(e.work_of_friction + e.work_of_impacts));
  EXPECT_NEAR(
      e.final - e.initial,
      e.work_of_forces + e.work_of_drives + e.work_of_friction + e.work_of_impacts + e.corrections,
      tolerance * std::max(e.exchanged, 1e-300));
}

// The table is so fast that the block slips: w^2 A = 8 m/s2 > mu g. A time-stepping integration of friction force times
// slip gives 1.20401 J with 2e6 steps, an event by event one 1.20402 J.
TEST(Ledger, ABlockOnAShakenTableHeatsItByFrictionTimesSlip) {
  const Trace point = run_text(R"(clack: 1
parameters: {A: 0.02, w: 20}
gravity: [0, -9.81]
coordinates: {x: {start: 0, rate: A*w}, y: 0}
bodies: {block: {mass: 1, position: [x, y]}}
contacts: {foot: {gap: y, slip: x_dot, friction: 0.3, surface_velocity: A*w*cos(w*t)}}
run: {until: 2}
)");
  expect_closed(point);
  EXPECT_NEAR(point.energy.dissipated, 1.20402, 2e-5);
  const Trace trace = run_reproducer("shaking-table");
  expect_closed(trace);
  EXPECT_NEAR(trace.energy.dissipated, 1.20401, 1e-4);
  EXPECT_GT(trace.energy.work_of_drives, 0.5);
  EXPECT_EQ(trace.energy.work_of_forces, 0.0);
}

// w^2 A = 2 m/s2 < mu g: it never slips, so there is no heat however much the table works on the block.
TEST(Ledger, ABlockThatIsCarriedAlongDissipatesNothing) {
  const Trace trace = run_reproducer("shaking-table", {{"w", "10"}});
  expect_closed(trace);
  EXPECT_NEAR(trace.energy.dissipated, 0.0, 1e-12);
  EXPECT_NEAR(trace.energy.work_of_drives, trace.energy.final - trace.energy.initial, 1e-8);
}

TEST(Ledger, ABeltThatDrivesAMassHeatsItAndNeverCoolsIt) {
  const Trace trace = run_reproducer("belt");
  expect_closed(trace);
  EXPECT_GT(trace.energy.dissipated, 0.0);
  EXPECT_GT(trace.energy.work_of_drives, trace.energy.dissipated);
}

// m = 1 kg at 0.1 m/s, 1 N from 1 s to 10 s: 9.1 m/s, (9.1^2 - 0.1^2)/2 J.
TEST(Ledger, AForceThatBeginsLateIsBooked) {
  const Trace trace = run_reproducer("late-force");
  expect_closed(trace);
  EXPECT_NEAR(trace.energy.work_of_forces, 41.4, 1e-6);
}

// A formula spring has no potential and the motion rests at every event: only work is exchanged.
// Decay of a dry oscillator: half swings from 1 m, each shorter by 2 mu m g/k, until k |x| <= mu m g.
TEST(Ledger, AnOscillatorWithoutPotentialIsMeasuredByTheWorkExchanged) {
  const Trace trace = run_text(R"(clack: 1
gravity: [0, -9.81]
coordinates: {x: 1, y: 0}
bodies: {mass: {mass: 1, position: [x, y]}}
forces: [{on: mass, force: [-100*x, 0]}]
contacts: {floor: {gap: y, slip: x_dot, friction: 0.5}}
run: {until: 10}
)");
  expect_closed(trace);
  const double shift = 0.5 * 9.81 / 100;
  double x = 1.0;
  while (x > shift) x -= 2.0 * shift;
  EXPECT_NEAR(trace.energy.dissipated, 50.0 * (1.0 - x * x), 1e-6);
  EXPECT_NEAR(trace.energy.work_of_forces, trace.energy.dissipated, 1e-6);
  EXPECT_LT(trace.energy.exchanged, 51.0);
}

// A ball of 1 kg at rest above a plate that comes up with 1 m/s, restitution 1: it leaves with 2 m/s, all of the 2 J
// from the drive. Without rebound: 1 m/s, 1 J from the drive, half of it heat.
TEST(Ledger, APlateThatHitsABallWorksAndTheImpactKeepsItsHeat) {
  for (const double e : {0.0, 0.5, 1.0}) {
    const Trace trace = run_text(R"(clack: 1
parameters: {e: 0}
gravity: [0, 0]
bodies:
  ball: {mass: 1, inertia: 0.1, position: [0, 1], shape: {disk: {radius: 0.5}}}
  plate: {motion: {position: [0, t], angle: 0}, shape: {half-plane: {normal: [0, 1]}}}
contacts: {hit: {between: [ball, plate], restitution: e}}
run: {until: 0.6}
)",
                                 {{"e", std::to_string(e)}});
    expect_closed(trace);
    const double impulse = 1.0 + e;
    EXPECT_NEAR(trace.energy.work_of_drives, impulse, 1e-9);
    EXPECT_NEAR(trace.energy.work_of_normal_impacts, -0.5 * (1.0 - e * e), 1e-9);
    EXPECT_EQ(trace.energy.work_of_tangential_impacts, 0.0);
  }
}

// A damper between a mass and a wall that moves with 1 m/s: heat d v^2 is work of forces, the wall's is the drive's.
TEST(Ledger, ADamperOnAMovingWallHeatsAndTheWallPays) {
  for (const char* dimension : {"2", "3"}) {
    const bool is_plane = std::string(dimension) == "2";
    const Trace trace = run_text(std::string("clack: 1\ndimension: ") + dimension + R"(
bodies:
  mass: {mass: 1, inertia: 0.1, position: )" +
                                 (is_plane ? "[0, 0]" : "[0, 0, 0]") + R"(}
  wall: {motion: {position: )" + (is_plane ? "[5 + t, 0], angle: 0" : "[5 + t, 0, 0]") +
                                 R"(}}
springs: [{between: [mass, wall], stiffness: 0, damping: 1, rest: 5}]
run: {until: 2}
)");
    expect_closed(trace);
    // v = 1 - exp(-t); force exp(-t) on the mass; the wall's work is its integral, the heat that of exp(-2 t).
    EXPECT_NEAR(trace.energy.work_of_drives, 1.0 - std::exp(-2.0), 1e-8);
    EXPECT_NEAR(trace.energy.work_of_forces, -0.5 * (1.0 - std::exp(-4.0)), 1e-8);
  }
}

TEST(Ledger, AnOpenLedgerIsFlaggedWithItsIntervalAndEndsWithExitCodeOne) {
  testing::ProgramFolder folder;
  const testing::Finished open = folder.clack(
      "run '" CLACK_SOURCE_DIR
      "/models/pendulum-wall/pendulum-wall.yaml' --integrator rk4 --tolerance 1e-13 --set "
      "tolerances.ledger=1e-14 --set run.step=0.1 --out o --until 3");
  EXPECT_EQ(open.exit_code, 1) << open.errors;
  EXPECT_NE(open.errors.find("error: the energy ledger is open"), std::string::npos) << open.errors;
  EXPECT_NE(open.errors.find("between t = "), std::string::npos);
  EXPECT_NE(open.output.find("ledger-open"), std::string::npos);
  EXPECT_NE(folder.read("o/events.json").find("\"open\""), std::string::npos);
}

}  // namespace
}  // namespace clack::acceptance
