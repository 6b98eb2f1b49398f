// SPDX-License-Identifier: Apache-2.0
// Inside a mode nothing is allocated after warm-up: every call to malloc is counted (Eigen does not
// use operator new).
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "clack/hybrid/dynamics.hpp"
#include "clack/hybrid/fixed_contacts.hpp"
#include "clack/hybrid/guards.hpp"
#include "clack/hybrid/run.hpp"
#include "clack/hybrid/tick_loop.hpp"
#include "clack/model/contact_source.hpp"
#include "clack/model/reader.hpp"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
namespace {
std::atomic<long> mode_mallocs{0}, mode_bytes{0};
}
extern "C" {
void* __libc_malloc(std::size_t size);
void* malloc(std::size_t size) {
  ++mode_mallocs;
  mode_bytes += static_cast<long>(size);
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

/// The same for a model with pairs of bodies, in steps of a millisecond. `closed`: the names of the contacts that the mode
/// holds closed, all with one status, slipping to the side that the bodies move to.
long mallocs_between(const std::string& yaml, const std::vector<std::string>& closed,
                     ContactStatus status) {
  const Model model = load_model_text(yaml, "memory.yaml");
  const auto mechanism = make_mechanism(model);
  const auto formulation = make_formulation("delassus");
  ModeDynamics dynamics(*mechanism, *formulation);
  GuardSet guards(model, *mechanism, dynamics);
  std::vector<double> y;
  for (const Coordinate& c : model.coordinates) y.push_back(c.start);
  for (const Speed& s : model.speeds) y.push_back(s.start);
  y.resize(dynamics.size(), 0.0);
  Mode mode;
  for (const std::string& name : closed)
    mode.closed.push_back({*contact_named(model, name), status, {1.0, 0.0}});
  std::ranges::sort(mode.closed, {}, &ClosedContact::contact);
  const ContactMaterial material{.dynamic_friction = 0.3, .static_friction = 0.3};
  const std::vector<ContactMaterial> materials(mode.closed.size(), material);
  const auto integrator =
      make_integrator("dop853", {.relative_tolerance = 1e-12, .absolute_tolerance = 1e-12});
  dynamics.enter(mode, materials, 0.0, 0.0);
  if (status == ContactStatus::slip) {
    dynamics.evaluate(0.0, y.data());
    const int k = dynamics.tangents();
    for (int i = 0; i < number_of(mode.closed); ++i) {
      const auto slip = dynamics.snapshot().slip().segment(i * k, k);
      for (int a = 0; a < k; ++a) mode.closed[i].slip_direction[a] = slip[a] / slip.norm();
    }
    dynamics.enter(mode, materials, 0.0, 0.0);
  }
  integrator->reset(dynamics.right_hand_side(), 0.0, y, 1e-4);
  Scales scales;
  scales.contacts.resize(model.contacts.size());
  guards.enter(mode, materials, {}, {}, {}, scales, 0.0, y.data(), integrator->rate().data());
  long before = 0;
  for (int step = 0; step < 45; ++step) {
    if (step == 15) before = mode_mallocs;
    if (integrator->step(integrator->time() + 1e-3) != StepStatus::ok) return -1;
    (void)guards.first_crossing(*integrator);
    guards.advance(*integrator);
  }
  return mode_mallocs - before;
}

/// A square over a ground of 1000 corners, whose edge 999 is level and at y = 0.
std::string over_thousand_corners(const char* height, const char* motion) {
  return std::string(
             "clack: 1\ndimension: 2\ngravity: [0, -9.81]\nparameters: {R: 100, n: 1000}\n"
             "bodies:\n"
             "  box: {mass: 1, inertia: 0.1, shape: {polygon: [[-0.1, -0.1], [0.1, -0.1], [0.1, "
             "0.1], [-0.1, 0.1]]}, position: [0, ") +
         height + "], " + motion +
         "}\n"
         "  ground: {fixed: true, position: [0, -R*cos(pi/n)], shape: {polygon: {curve: {count: "
         "n, as: i, points: [[-R*sin((2*i + 1)*pi/n), R*cos((2*i + 1)*pi/n)]]}}}}\n"
         "contacts: {c: {between: [box, ground], friction: 0.3}}\nrun: {until: 1}\n";
}

TEST(ModeMemory, NearAThousandCornersNothingIsAllocated) {
  EXPECT_EQ(mallocs_between(over_thousand_corners("0.16", "velocity: [2, 0.5], spin: 3"), {},
                            ContactStatus::open),
            0);
  const std::vector<std::string> feet{"box.v0/ground.e999", "box.v1/ground.e999"};
  const std::string at_rest = over_thousand_corners("0.1", "velocity: [0, 0]"),
                    sliding = over_thousand_corners("0.1", "velocity: [1, 0]");
  EXPECT_EQ(mallocs_between(at_rest, feet, ContactStatus::stick), 0);
  EXPECT_EQ(mallocs_between(sliding, feet, ContactStatus::slip), 0);
}

// A box that rests on a box: contacts are looked for by the tree, and their forces are hyperstatic.
TEST(ModeMemory, ABoxThatRestsOnABoxAllocatesNothing) {
  const std::string model =
      "clack: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  lower: {fixed: true, shape: {box: {width: 4, height: 4, depth: 1}}}\n"
      "  upper: {mass: 1, inertia: 1/6, position: [0.2, 0.1, 1], shape: {box: {width: 1, height: "
      "1, depth: 1}}}\n"
      "contacts: {c: {between: [upper, lower], friction: 0.3}}\nrun: {until: 1, theory: newton}\n";
  EXPECT_EQ(mallocs_between(
                model, {"c.upper.corner1", "c.upper.corner2", "c.upper.corner3", "c.upper.corner4"},
                ContactStatus::stick),
            0);
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

/// What the instants of a run take from one time to another, the rows of its trace among it.
struct Taken {
  double calls = 0.0, bytes = 0.0;  // per event
};
Taken taken_by_events(const Model& model, double from, double to) {
  RunOptions options;
  options.fine_rows = false;
  Run run(model, options);
  run.advance_to(from);
  const long calls = mode_mallocs, bytes = mode_bytes;
  const std::size_t events = run.trace().events.size();
  run.advance_to(to);
  const double count = static_cast<double>(run.trace().events.size() - events);
  return {static_cast<double>(mode_mallocs - calls) / count,
          static_cast<double>(mode_bytes - bytes) / count};
}

/// Not none: questions and answers of the nodes are values. Decisions, corrections of drift and what a formulation prepares
/// for a mode keep their memory; with those it was 207.
TEST(ModeMemory, AnEventOfTheWoodpeckerTakesLessThan140Pieces) {
  const Model model = load_model(CLACK_SOURCE_DIR "/models/woodpecker/three-dof.yaml",
                                 {{"run.until", "4"}, {"run.sample", "1"}});
  EXPECT_LT(taken_by_events(model, 1.0, 3.5).calls, 140.0);
}

/// Disks that bounce beside each other, each at a time of its own.
Model disks(int count) {
  return load_model_text("clack: 1\ndimension: 2\nparameters: {n: " + std::to_string(count) + R"(}
gravity: [0, -9.81]
bodies:
  "d{i}": {mass: 1, inertia: 0.02, position: ["3*{i}", "1 + 0.01*{i}"], shape: {disk: {radius: 0.2}}, repeat: {count: n, as: i}}
  floor: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}
contacts:
  "c{i}": {between: ["d{i}", floor], friction: 0.3, restitution: 0.8, repeat: {count: n, as: i}}
run: {until: 0.8, theory: poisson, sample: 0.1}
)",
                         "disks.yaml");
}

/// An event is written down with the state of all bodies: twice as many, twice as much. With a mass matrix of its own in each
/// snapshot it would be nearly four times as much.
TEST(ModeMemory, AnEventOfManyBodiesTakesMemoryByTheirNumberNotByItsSquare) {
  const double few = taken_by_events(disks(60), 0.0, 0.8).bytes,
               many = taken_by_events(disks(120), 0.0, 0.8).bytes;
  EXPECT_LT(many / few, 2.2);
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
