// SPDX-License-Identifier: Apache-2.0
#include "clack/model/reader.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "clack/error.hpp"

namespace clack {
namespace {

/// Everything that numbers are computed from, as text.
std::string fingerprint(const Model& model) {
  std::string text = model.name + model.about + std::to_string(model.dimension);
  const auto add = [&](const auto&... values) { ((text += fmt::format(" {}", values)), ...); };
  const auto add_formula = [&](Expression formula) {
    add(formula.is_valid() ? symbolic::to_text(formula) : "-");
  };
  const auto add_coefficients = [&](const Coefficients& c) {
    add(c.dynamic_friction, c.static_friction, c.restitution, c.tangential_restitution,
        c.reversibility);
  };
  for (const Parameter& p : model.parameters) add(p.name, p.value);
  for (const Expression& g : model.gravity) add_formula(g);
  for (const Coordinate& c : model.coordinates) add(c.name, c.start);
  for (const Speed& s : model.speeds) add(s.name, s.start);
  for (const Body& b : model.bodies) {
    add(b.name, static_cast<int>(b.kind), b.mass, b.inertia.sum(), b.points.size());
    for (const Expression& position : b.position) add_formula(position);
    add_formula(b.angle);
  }
  for (const auto& row : model.mass_matrix)
    for (const Expression& entry : row) add_formula(entry);
  for (const Expression& force : model.force) add_formula(force);
  add_formula(model.potential);
  for (const Contact& c : model.contacts) {
    add(c.name);
    if (const Between* b = c.between())
      add(b->first.body.value, b->first.point().value_or(-1), b->second.body.value,
          b->second.point().value_or(-1));
    if (const GapFormulas* f = c.formulas()) {
      add_formula(f->gap);
      for (const Expression& slip : f->slip) add_formula(slip);
    }
    add_coefficients(c.coefficients);
  }
  add(model.run.until, model.run.theory, model.run.tolerance, model.tolerances.gap);
  return text;
}

TEST(Reader, ResolvedModelsKeepEveryOverride) {
  const Model model =
      read_model(CLACK_SOURCE_DIR "/models/woodpecker/four-dof.yaml", {{"mu", "1/3"},
                                                                       {"r_M", "0.0033"},
                                                                       {"y_M_0", "pi"},
                                                                       {"phi_S_dot_0", "-1/7"},
                                                                       {"run.until", "0.1"}});
  const Model again = read_model_text(model.resolved_yaml, "resolved.yaml");
  EXPECT_EQ(fingerprint(again), fingerprint(model));
  EXPECT_EQ(again.coordinates[1].start, 3.141592653589793);
  EXPECT_EQ(again.speeds[3].start, -1.0 / 7.0);
  EXPECT_EQ(again.contacts[SourceIndex(0)].coefficients.dynamic_friction, 1.0 / 3.0);
  EXPECT_EQ(again.run.until, 0.1);
}

TEST(Reader, HeaderTextsAndDefaults) {
  const Model model = read_model_text(
      "clack: 1\nabout: what\nsource: who\nbodies: {b: {mass: 1, inertia: 1}}\n", "x/stem.yaml");
  EXPECT_EQ(model.name, "stem");
  EXPECT_EQ(model.about, "what");
  EXPECT_EQ(model.source, "who");
  EXPECT_EQ(model.dimension, 2);
  EXPECT_EQ(symbolic::number_value(model.gravity[1]), 0.0);
  EXPECT_EQ(model.run.theory, "poisson");
  EXPECT_EQ(model.run.integrator, "dop853");
}

TEST(Reader, GravityMayDependOnTime) {
  const Model model = read_model_text(
      "clack: 1\nparameters: {g: 9.81}\ngravity: [0, -g*sin(t)]\nbodies: {b: {mass: 1, inertia: "
      "1}}\n",
      "m.yaml");
  EXPECT_TRUE(symbolic::depends_on(model.gravity[1], model.time));
}

TEST(Reader, ThousandsOfBodiesAreReadWithoutQuadraticEffort) {
  const std::string yaml =
      "clack: 1\nparameters: {n: 5000}\nbodies:\n"
      "  \"b{i}\": {mass: 1, inertia: 1, position: [\"3*{i}\", 0], shape: {disk: {radius: 1}}, "
      "repeat: {count: n, as: i}}\n"
      "contacts:\n  \"c{i}\": {between: [\"b{i}\", \"b{i+1}\"], repeat: {count: n - 1, as: i}}\n";
  const Model model = read_model_text(yaml, "m.yaml");
  EXPECT_EQ(model.bodies.size(), 5000);
  EXPECT_EQ(model.contacts[SourceIndex(4998)].between()->first.body, BodyIndex(4998));
}

TEST(Reader, TheFirstModelOfTheUsersPageIsRead) {
  std::ifstream page(CLACK_SOURCE_DIR "/docs/model-files.md");
  std::string line, yaml;
  bool is_inside = false;
  while (std::getline(page, line)) {
    if (line == "    clack: 1") is_inside = true;
    if (is_inside && line.rfind("    ", 0) != 0) break;
    if (is_inside) yaml += line.substr(4) + "\n";
  }
  const Model model = read_model_text(yaml, "page.yaml");
  EXPECT_EQ(model.contacts.size(), 2);
  EXPECT_EQ(model.run.tolerance, 1e-10);
}

TEST(Reader, TheSectionsOfTheUsersPageAreReadTogether) {
  const std::string yaml = R"(clack: 1
parameters: {n: 5, "m{i}": {value: 1, repeat: {count: n, as: i}}, L: 2}
bodies:
  "ball{i}": {mass: "m{i}", inertia: 0.1, position: [0, "2*{i}"], shape: {disk: {radius: 0.1}}, repeat: {count: n, as: i}}
  a: {mass: 1, inertia: 0.1, points: {tip: [1, 0]}, coordinates: [q, y, turn]}
  b: {fixed: true, position: [3, 0]}
springs: [{between: [a.tip, b], stiffness: 100, damping: 0.1, rest: 0.5}, {torsion: [a, b], stiffness: 2}]
dampers: [{between: [a.tip, b], damping: 3}]
forces:  [{on: a.tip, force: [0, -sin(t)]}, {coordinate: q, force: -0.1*q_dot}]
torques: [{on: a, torque: 0.5, reaction: b}]
constraints:
  ramp: {configuration: y - q}
  fence: {motion: q_dot + turn_dot, active: false, known_from: 2}
contacts:
  "{i}{i+1}": {between: ["ball{i+1}", "ball{i}"], repeat: {count: n - 1, as: i}}
exclusive: [[12, 34]]
events: [{name: end-of-ramp, when: q - L, direction: rising, do: [{constraint_off: ramp}, {constraint_on: fence}]}, {when: t - 5, do: stop}]
cycle: {at: "12", after: "23", along: y}
)";
  const Model model = read_model_text(yaml, "page.yaml");
  EXPECT_EQ(model.bodies.size(), 7);
  EXPECT_EQ(model.springs.size(), 3u);
  EXPECT_EQ(model.contacts.size(), 4);
  EXPECT_EQ(model.cycle->after, ContactKey{SourceIndex(1)});
  EXPECT_EQ(model.events[0].actions.size(), 2u);
}

TEST(Remarks, NameWhatIsAllowedAndSeldomMeant) {
  const auto notes = [](const std::string& yaml) { return read_model_text(yaml, "m.yaml").notes; };
  const std::string two = R"(clack: 1
bodies:
  a: {mass: 1, inertia: 1, position: [0, 1], angle: 90, shape: {disk: {radius: 1}}}
  b: {mass: 1, inertia: 1, position: [0.5, 1], shape: {disk: {radius: 1}}}
  c: {mass: 1, inertia: 1, position: [9, 1], shape: {box: {width: 1, height: 1}}}
  floor: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}
contacts: {a: {between: [a, floor]}, b: {between: [b, floor]}}
)";
  const std::vector<std::string> found = notes(two);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_NE(found[0].find("there is no gravity"), std::string::npos);
  EXPECT_NE(found[1].find("body a: its angle 90 rad is more than a turn"), std::string::npos);
  EXPECT_NE(found[2].find("body c has a shape but no contact"), std::string::npos);
  EXPECT_NE(found[3].find("bodies a and b overlap"), std::string::npos);
  EXPECT_EQ(notes(two + "gravity: [0, 0]\n").size(), 3U);
}

}  // namespace
}  // namespace clack
