// SPDX-License-Identifier: Apache-2.0
// Inside a mode nothing is allocated after warm-up: every call to malloc is counted (Eigen does not
// use operator new).
#include <gtest/gtest.h>

#include <atomic>

#include "clack/hybrid/dynamics.hpp"
#include "clack/hybrid/fixed_contacts.hpp"
#include "clack/hybrid/guards.hpp"
#include "clack/hybrid/tick_loop.hpp"
#include "clack/model/reader.hpp"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
namespace {
std::atomic<long> mode_mallocs{0};
}
extern "C" {
void* __libc_malloc(std::size_t size);
void* malloc(std::size_t size) {
  ++mode_mallocs;
  return __libc_malloc(size);
}
}

namespace clack {
namespace {

using testing::fixed;

/// Calls to malloc during twenty steps of a mode of the three-degree woodpecker, after five steps
/// of warm-up.
long mallocs_in_mode(ContactStatus lower) {
  const Model model = read_model(CLACK_SOURCE_DIR "/models/woodpecker/three-dof.yaml");
  const auto mechanism = make_mechanism(model);
  const auto formulation = make_formulation("delassus");
  ModeDynamics dynamics(*mechanism, *formulation);
  GuardSet guards(model, *mechanism, dynamics);
  Mode mode;
  if (lower != ContactStatus::open)
    mode.closed = {{fixed(1), lower, {lower == ContactStatus::slip ? -1.0 : 0.0, 0.0}}};
  const ContactMaterial material{.dynamic_friction = 0.3, .static_friction = 0.3};
  const std::vector<ContactMaterial> materials(mode.closed.size(), material);
  std::vector<double> y;
  for (const Coordinate& c : model.coordinates) y.push_back(c.start);
  for (const Speed& s : model.speeds) y.push_back(s.start);
  if (lower == ContactStatus::stick) y[3] = 0.0;
  y.resize(dynamics.size(), 0.0);
  const auto integrator =
      make_integrator("dop853", {.relative_tolerance = 1e-12, .absolute_tolerance = 1e-12});
  dynamics.enter(mode, materials, 0.0, 0.0);
  integrator->reset(dynamics.right_hand_side(), 0.0, y, 1e-4);
  Scales scales;
  scales.contacts.resize(model.contacts.size());
  guards.enter(mode, materials, {}, {}, {}, scales, 0.0, y.data(), integrator->rate().data());
  std::vector<double> between(y.size());
  long before = 0;
  for (int step = 0; step < 25; ++step) {
    if (step == 5) before = mode_mallocs;
    if (integrator->step(1.0) != StepStatus::ok) return -1;
    (void)guards.first_crossing(*integrator);
    integrator->dense(0.5 * (integrator->time_before() + integrator->time()), between);
    guards.advance(*integrator);
  }
  return mode_mallocs - before;
}

/// The same for formulation `projection` on a model of joints only (three cranks: dependent rows).
long mallocs_of_projection(const char* file, int constraints) {
  const Model model = read_model(std::string(CLACK_SOURCE_DIR "/models/projection/") + file);
  const auto mechanism = make_mechanism(model);
  const auto formulation = make_formulation("projection");
  ModeDynamics dynamics(*mechanism, *formulation);
  Mode mode;
  mode.constraints.assign(constraints, true);
  std::vector<double> y;
  for (const Coordinate& c : model.coordinates) y.push_back(c.start);
  for (const Speed& s : model.speeds) y.push_back(s.start);
  y.resize(dynamics.size(), 0.0);
  dynamics.enter(mode, {}, 0.0, 0.0);
  long before = 0;
  for (int k = 0; k < 25; ++k) {
    if (k == 5) before = mode_mallocs;
    y[0] += 1e-6;  // another state: nothing is taken from the last one
    dynamics.evaluate(0.0, y.data());
  }
  return mode_mallocs - before;
}

TEST(ModeMemory, ProjectionAllocatesNothingAlsoWithDependentRows) {
  EXPECT_EQ(mallocs_of_projection("spherical-pendulum.yaml", 1), 0);
  EXPECT_EQ(mallocs_of_projection("cranks.yaml", 3), 0);
}

/// Calls to malloc during 500 ticks of a model, rows of the trace among them, after 20 ticks of warm-up.
long mallocs_in_ticks(const Model& model) {
  SteeredRun run(std::make_unique<Simulation>(model));
  TickLoop loop(run, 1000.0, 2.0);
  long before = 0;
  for (int k = 0; k < 520; ++k) {
    if (k == 20) before = mode_mallocs;
    loop.tick();
  }
  EXPECT_FALSE(run.is_over()) << run.simulation().trace().reason;
  return mode_mallocs - before;
}

/// A pushed double pendulum.
long mallocs_in_ticks(const std::string& integrator) {
  const std::string yaml =
      "clack: 1\ndimension: 2\ninputs: {push: [0.1, 2, 0]}\ngravity: [0, -9.81]\n"
      "coordinates: {a: 0.4, b: 0.2}\n"
      "bodies:\n"
      "  one: {mass: 1, inertia: 0.1, position: [sin(a), -cos(a)], angle: a}\n"
      "  two: {mass: 1, inertia: 0.1, position: [2*sin(a) + sin(b), -2*cos(a) - cos(b)], angle: "
      "b}\n"
      "forces: [{on: two, force: [push, 0]}]\n"
      "contacts: {wall: {gap: 10 - a}}\n"
      "run: {until: 2, sample: 1e-3, integrator: " +
      integrator + "}\n";
  return mallocs_in_ticks(load_model_text(yaml, "ticks.yaml"));
}

TEST(ModeMemory, TicksAllocateNothingOnceTheirModeIsBuilt) {
  EXPECT_EQ(mallocs_in_ticks("rk4, step: 1e-3"), 0);
  EXPECT_EQ(mallocs_in_ticks("dop853"), 0);
}

/// A model of the gallery in ticks, with a bound on drift that every step exceeds.
long mallocs_with_drift(const char* file, const std::string& formulation,
                        std::vector<Override> more = {}) {
  more.insert(more.end(), {{"run.integrator", "rk4"},
                           {"run.step", "1e-3"},
                           {"run.sample", "1e-3"},
                           {"run.until", "2"},
                           {"run.formulation", formulation},
                           {"tolerances.drift", "1e-16"}});
  return mallocs_in_ticks(load_model(std::string(CLACK_SOURCE_DIR "/models/") + file, more));
}

TEST(ModeMemory, ProjectingDriftOutAllocatesNothing) {
  for (const char* formulation : {"embedding", "delassus"}) {
    EXPECT_EQ(mallocs_with_drift("chain/chain-2.yaml", formulation), 0) << formulation;
    const std::vector<Override> sliding = {{"L", "1000"}, {"q1_dot0", "20"}};
    EXPECT_EQ(mallocs_with_drift("disk-ramp/disk-ramp.yaml", formulation, sliding), 0)
        << formulation;
  }
  EXPECT_EQ(mallocs_with_drift("fence/fence.yaml", "embedding"),
            0);  // a coordinate without inertia
}

TEST(ModeMemory, TheCounterCounts) {
  const long before = mode_mallocs;
  const auto number = std::make_unique<double>(1.0);
  const Eigen::VectorXd vector = Eigen::VectorXd::Constant(100, *number);
  EXPECT_GE(mode_mallocs - before, 2) << vector.sum();
}

TEST(ModeMemory, FreeFlightAllocatesNothing) { EXPECT_EQ(mallocs_in_mode(ContactStatus::open), 0); }
TEST(ModeMemory, SlippingAllocatesNothing) { EXPECT_EQ(mallocs_in_mode(ContactStatus::slip), 0); }
TEST(ModeMemory, StickingAllocatesNothing) { EXPECT_EQ(mallocs_in_mode(ContactStatus::stick), 0); }

}  // namespace
}  // namespace clack
#endif
