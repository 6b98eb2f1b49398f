// SPDX-License-Identifier: Apache-2.0
// Contacts between planar bodies in numbers against the same contacts written out as formulas and differentiated.
#include <gtest/gtest.h>

#include <random>

#include "clack/index.hpp"
#include "clack/mechanism/contact_formulas.hpp"
#include "clack/mechanism/mechanism.hpp"
#include "clack/model/own_formulas.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

/// Free, placed (two of them moved by one coordinate), prescribed and fixed bodies; disks, points, half-planes, a box.
const char* const planar_scene = R"(clack: 1
coordinates: {a: 0.4, b: 0.3, s: 1.5}
gravity: [0, -9.81]
bodies:
  arm: {mass: 1, inertia: 0.1, position: [0.6*sin(a), -0.6*cos(a)], angle: a, points: {tip: [0.1, -0.7]}, shape: {disk: {radius: 0.2}}}
  fork: {mass: 2, inertia: 0.2, position: [sin(a) + 0.4*cos(b), s*b], angle: a*b + s, points: {end: [0.3, 0.4]}, shape: {half-plane: {normal: [0.6, 0.8], point: [0.1, 0.2]}}}
  cart: {mass: 3, inertia: 1, position: [s, 3 + 0.1*s^2], angle: 0.3*s, shape: {box: {width: 1, height: 0.4}}}
  table: {motion: {position: [0.1*t, 0.2*sin(3*t)], angle: 0.2*t^2}, shape: {half-plane: {normal: [0, 1]}}}
  post: {fixed: true, position: [3, -1], angle: 0.7, shape: {disk: {radius: 0.5}}, points: {top: [0, 0.6]}}
contacts:
  disk-plane: {between: [arm, fork]}
  plane-disk: {between: [table, arm], surface_velocity: sin(t)}
  disk-disk: {between: [arm, post]}
  point-plane: {between: [arm.tip, table]}
  point-disk: {between: [fork.end, post]}
  disk-point: {between: [arm, fork.end]}
  fixed-point: {between: [post.top, fork]}
  box-plane: {between: [cart, table]}
  plane-box: {between: [fork, cart]}
)";

struct Formulas {
  Model model;
  MotionSymbols motion{model};
  /// gap, gap_rate, gap_bias, slip, slip_bias, normal row, tangent row
  std::vector<double> at(const ContactKey& key, const std::vector<double>& inputs) const {
    const ContactFormulas f = contact_formulas(model, key, motion);
    std::vector<Expression> outputs{f.gap, f.gap_rate, f.gap_bias, f.slip[0], f.slip_bias[0]};
    outputs.insert(outputs.end(), f.normal_row.begin(), f.normal_row.end());
    outputs.insert(outputs.end(), f.tangent_rows[0].begin(), f.tangent_rows[0].end());
    const symbolic::Program program(motion.inputs(), outputs, symbolic::Backend::tape);
    std::vector<double> values(outputs.size());
    program(inputs.data(), values.data());
    return values;
  }
};

// Rounding only: numbers of order 1 to 100, a few dozen operations.
TEST(PlanarTouch, NumbersAgreeWithDifferentiatedFormulas) {
  const Model model = read_model_text(planar_scene, "scene.yaml");
  Mechanism mechanism(model);
  const Formulas formulas{with_own_formulas(model)};
  const ContactSet contacts = possible_contacts(model);
  ASSERT_EQ(contacts.size(), 7u + 2u * 4u);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const int n = mechanism.speeds();
  for (int round = 0; round < 30; ++round) {
    std::vector<double> inputs{0.8 + number(random)};
    for (int i = 0; i < 2 * n; ++i) inputs.push_back(2.0 * number(random));
    Snapshot s(n, 1, number_of(contacts), 0);
    mechanism.evaluator({contacts, {}})
        ->evaluate(inputs[0], inputs.data() + 1, inputs.data() + 1 + n, s);
    for (int i = 0; i < s.contacts(); ++i) {
      const std::vector<double> f = formulas.at(contacts[i], inputs);
      const std::string name = contact_name(model, contacts[i]);
      const double scale = 1e-12 * (1.0 + std::abs(f[2]) + std::abs(f[4]));
      EXPECT_NEAR(s.gap()[i], f[0], 1e-13) << name;
      EXPECT_NEAR(s.gap_rate()[i], f[1], 1e-12) << name;
      EXPECT_NEAR(s.gap_bias()[i], f[2], scale) << name;
      EXPECT_NEAR(s.slip()[i], f[3], 1e-12) << name;
      EXPECT_NEAR(s.slip_bias()[i], f[4], scale) << name;
      for (int j = 0; j < n; ++j) {
        EXPECT_NEAR(s.normal_jacobian()(i, j), f[5 + j], 1e-12) << name;
        EXPECT_NEAR(s.tangent_jacobian()(i, j), f[5 + n + j], 1e-12) << name;
      }
    }
  }
}

TEST(PlanarTouch, PlacesOfContactsLieOnBothBodies) {
  const Model model = read_model_text(planar_scene, "scene.yaml");
  Mechanism mechanism(model);
  std::vector<double> q, v;
  for (const Coordinate& c : model.coordinates) q.push_back(c.start);
  for (const Speed& s : model.speeds) v.push_back(s.start);
  const ContactPlace place =
      mechanism.place_of(0.0, q.data(), v.data(), {.source = SourceIndex(2)});  // two disks
  EXPECT_EQ(place.first_body, BodyIndex(0));
  EXPECT_EQ(place.second_body, BodyIndex(4));
  EXPECT_NEAR((place.point - place.first_centre).norm(), 0.2, 1e-15);
  EXPECT_NEAR(place.normal.dot((place.first_centre - place.second_centre).normalized()), 1.0,
              1e-15);
  EXPECT_EQ(place.tangents(0, 0), place.normal.y());
}

/// Nine contacts by formulas: a point above parabolas.
const char* const parabolas = R"(clack: 1
coordinates: {x: 0.3, y: 2}
mass_matrix: [[1, 0], [0, 1]]
force: [0, 0]
contacts:
  "c{i}": {gap: "y - {i}*x^2", repeat: {count: 9, as: i}}
)";

TEST(Mechanism, AsksOnlyForTheGapsThatAreWanted) {
  const Model model = read_model_text(parabolas, "m.yaml");
  Mechanism mechanism(model);
  const double q[] = {0.3, 2.0}, v[] = {1.0, -1.0}, a[] = {0.5, 0.25};
  const ContactSet all = possible_contacts(model);
  ASSERT_EQ(all.size(), 9u);
  std::vector<GapMotion> together(9), alone(1);
  mechanism.gap_motion(0.0, q, v, a, all, together);
  for (int i = 0; i < 9; ++i) {
    mechanism.gap_motion(0.0, q, v, a, {&all[i], 1}, alone);
    EXPECT_EQ(alone[0].gap, together[i].gap);
    EXPECT_EQ(alone[0].rate, together[i].rate);
    EXPECT_EQ(alone[0].acceleration, together[i].acceleration);
    const int k = all[i].source.value + 1;
    EXPECT_NEAR(alone[0].gap, 2.0 - k * 0.09, 1e-15) << k;
    EXPECT_NEAR(alone[0].acceleration, 0.25 - k * (2.0 + 2.0 * 0.3 * 0.5), 1e-14) << k;
  }
}

// Every subset of 9 contacts is a selection of its own; only the latest programs stay.
TEST(Mechanism, KeepsABoundedNumberOfPrograms) {
  const Model model = read_model_text(parabolas, "m.yaml");
  Mechanism mechanism(model);
  const ContactSet all = possible_contacts(model);
  const double q[] = {0.3, 2.0}, v[] = {1.0, -1.0};
  for (unsigned subset = 0; subset < 200; ++subset) {
    RowSelection rows;
    for (int i = 0; i < 9; ++i)
      if (subset >> i & 1) rows.contacts.push_back(all[i]);
    Snapshot s(2, 1, number_of(rows.contacts), 0);
    mechanism.evaluator(rows)->evaluate(0.0, q, v, s);
    for (int i = 0; i < s.contacts(); ++i)
      EXPECT_NEAR(s.gap()[i], 2.0 - (rows.contacts[i].source.value + 1) * 0.09, 1e-14);
    EXPECT_LE(mechanism.kept_programs(), FormulaRows::program_bound);
  }
  EXPECT_EQ(mechanism.kept_programs(), FormulaRows::program_bound);
}

}  // namespace
}  // namespace clack
