// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/neighbourhood.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "clack/mechanism/mechanism.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

/// Spheres in space, every pair a contact, and each with the floor.
Model spheres(int count) {
  return read_model_text(R"(clack: 1
dimension: 3
parameters: {n: )" + std::to_string(count) +
                             R"(}
bodies:
  "s{i}": {mass: 1, inertia: 0.4, position: ["3*{i}", 0, 5], shape: {sphere: {radius: 1}}, repeat: {count: n, as: i}}
  floor: {fixed: true, shape: {half-space: {normal: [0, 0, 1]}}}
contacts:
  "f{i}": {between: ["s{i}", floor], repeat: {count: n, as: i}}
  "p{i}-{j}": {between: ["s{i}", "s{j}"], repeat: [{count: n, as: i}, {from: i + 1, to: n, as: j}]}
)",
                         "spheres.yaml");
}

// Bodies on random cubics: whoever overlaps at one of 200 instants inside the step must have been named.
TEST(Neighbourhood, NamesEveryContactThatTouchesDuringAStep) {
  const Model model = spheres(8);
  Mechanism mechanism(model);
  const int nq = mechanism.coordinates(), n = mechanism.speeds(), bodies = n / 6;
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::size_t named = 0, touched = 0, possible = 0;
  for (int round = 0; round < 200; ++round) {
    const double h = 0.3;
    std::vector<Eigen::Vector3d> c0(bodies), c1(bodies), v0(bodies), v1(bodies);
    std::vector<double> q0(nq, 0.0), q1(nq, 0.0), u0(n, 0.0), u1(n, 0.0);
    const auto draw = [&](double size) {
      return Eigen::Vector3d(size * number(random), size * number(random), size * number(random));
    };
    for (int b = 0; b < bodies; ++b) {
      c0[b] = draw(8.0), v0[b] = draw(10.0), v1[b] = draw(10.0);
      c1[b] = c0[b] + 0.5 * h * (v0[b] + v1[b]) + draw(0.5);
      for (int k = 0; k < 3; ++k) {
        q0[7 * b + k] = c0[b][k], q1[7 * b + k] = c1[b][k];
        u0[6 * b + k] = v0[b][k], u1[6 * b + k] = v1[b][k];
      }
      q0[7 * b + 3] = q1[7 * b + 3] = 1.0;
    }
    ContactSet near;
    mechanism.nearby({0.0, h, q0.data(), u0.data(), q1.data(), u1.data()}, near);
    EXPECT_TRUE(std::is_sorted(near.begin(), near.end()));
    named += near.size();
    for (const ContactKey& key : possible_contacts(model)) {
      ++possible;
      const Between& between = *model.contacts[key.source].between();
      bool touches = false;
      for (int k = 0; k <= 200; ++k) {
        const double x = k / 200.0;
        const auto centre = [&](int b) -> Eigen::Vector3d {  // Hermite
          return (1 - 3 * x * x + 2 * x * x * x) * c0[b] + (3 * x * x - 2 * x * x * x) * c1[b] +
                 h * (x - 2 * x * x + x * x * x) * v0[b] + h * (x * x * x - x * x) * v1[b];
        };
        const int a = between.first.body.value, b = between.second.body.value;
        touches |= b < bodies ? (centre(a) - centre(b)).norm() <= 2.0 : centre(a).z() <= 1.0;
      }
      touched += touches;
      EXPECT_TRUE(!touches || std::binary_search(near.begin(), near.end(), key));
    }
  }
  EXPECT_GT(touched, 100u);
  EXPECT_LT(named, possible * 9 / 10);  // and it does leave others out
}

TEST(Neighbourhood, BodiesFarApartHaveNoContacts) {
  const Model model = spheres(20);
  Mechanism mechanism(model);
  std::vector<double> q, v;
  for (const Coordinate& c : model.coordinates) q.push_back(c.start);
  for (const Speed& s : model.speeds) v.push_back(s.start);
  ContactSet near;
  mechanism.nearby({0.0, 0.01, q.data(), v.data(), q.data(), v.data()}, near);
  EXPECT_TRUE(near.empty());
}

// Of many bodies only those of a single contact are placed: its gap is the one that it has among all.
TEST(Neighbourhood, TheGapOfOneContactAloneIsThatAmongAll) {
  const Model model = spheres(20);
  Mechanism mechanism(model), alone(model);
  const int nq = mechanism.coordinates(), n = mechanism.speeds();
  const ContactSet contacts = possible_contacts(model);
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::vector<GapMotion> all(contacts.size());
  for (int round = 0; round < 20; ++round) {
    std::vector<double> q(nq), v(n), a(n);
    for (std::vector<double>* list : {&q, &v, &a})
      for (double& x : *list) x = 5.0 * number(random);
    mechanism.gap_motion(0.0, q.data(), v.data(), a.data(), contacts, all);
    for (std::size_t i = round; i < contacts.size(); i += 7) {
      GapMotion one;
      alone.gap_motion(0.0, q.data(), v.data(), a.data(), {&contacts[i], 1}, {&one, 1});
      EXPECT_EQ(one.gap, all[i].gap) << i;
      EXPECT_EQ(one.rate, all[i].rate) << i;
      EXPECT_EQ(one.acceleration, all[i].acceleration) << i;
    }
  }
}

}  // namespace
}  // namespace clack
