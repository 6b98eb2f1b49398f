// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/load_coupling.hpp"

#include <gtest/gtest.h>

#include "clack/hybrid/accumulation.hpp"
#include "clack/mechanism/mechanism.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

/// Three disks, speeds 0 to 2, 3 to 5 and 6 to 8, with further sections.
struct CoupledDisks {
  Model model;
  std::unique_ptr<Mechanism> mechanism;
  Snapshot snapshot;

  explicit CoupledDisks(const std::string& sections)
      : model(load_model_text(
            "clack: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n"
            "  a: {mass: 1, inertia: 1, position: [0, 0], shape: {disk: {radius: 0.1}}}\n"
            "  b: {mass: 1, inertia: 1, position: [1, 0], shape: {disk: {radius: 0.1}}}\n"
            "  c: {mass: 1, inertia: 1, position: [2, 0], shape: {disk: {radius: 0.1}}}\n"
            "  ground: {fixed: true, shape: {half-plane: {normal: [0, 1], point: [0, -1]}}}\n"
            "  shaker: {motion: {position: [\"sin(t)\", -3]}, shape: {half-plane: {normal: [0, "
            "1]}}}\n" +
                sections,
            "test.yaml")),
        mechanism(make_mechanism(model)),
        snapshot(mechanism->snapshot({})) {
    std::vector<double> q, v;
    for (const Coordinate& c : model.coordinates) q.push_back(c.start);
    for (const Speed& s : model.speeds) v.push_back(s.start);
    mechanism->evaluator({})->evaluate(0.0, q.data(), v.data(), snapshot);
  }
  LoadCoupling coupling() const { return {model, snapshot}; }
};

TEST(LoadCoupling, FreeBodiesAreApartAndTheirSpeedsTogether) {
  const CoupledDisks disks("");
  LoadCoupling coupling = disks.coupling();
  EXPECT_EQ(coupling.group_of(0), coupling.group_of(2));
  EXPECT_NE(coupling.group_of(0), coupling.group_of(3));
  EXPECT_NE(coupling.group_of(3), coupling.group_of(6));
  for (const int speed : {0, 3, 6}) EXPECT_FALSE(coupling.is_timed(coupling.group_of(speed)));
}

TEST(LoadCoupling, SpringsAndFormulasOfForcesCoupleTheGroundDoesNot) {
  const CoupledDisks disks(
      "springs: [{between: [a, b], stiffness: 1, rest: 1}, {between: [a, ground], stiffness: 1, "
      "rest: 1}, "
      "{between: [c, ground], stiffness: 1, rest: 1}]\n");
  LoadCoupling coupling = disks.coupling();
  EXPECT_EQ(coupling.group_of(0), coupling.group_of(3));
  EXPECT_NE(coupling.group_of(0), coupling.group_of(6));
  const CoupledDisks pulled("forces: [{on: c, force: [\"-a.x\", 0]}]\n");
  LoadCoupling by_formula = pulled.coupling();
  EXPECT_EQ(by_formula.group_of(0), by_formula.group_of(6));
  EXPECT_NE(by_formula.group_of(0), by_formula.group_of(3));
}

TEST(LoadCoupling, TimeTakesPartInLoadsAndInPrescribedBodiesThatMayBeTouched) {
  const CoupledDisks forced("forces: [{on: b, force: [\"sin(t)\", 0]}]\n");
  LoadCoupling coupling = forced.coupling();
  EXPECT_FALSE(coupling.is_timed(coupling.group_of(0)));
  EXPECT_TRUE(coupling.is_timed(coupling.group_of(3)));
  const CoupledDisks shaken(
      "contacts: {ground: {between: [a, ground]}, shaker: {between: [c, shaker]}}\n");
  LoadCoupling touched = shaken.coupling();
  EXPECT_FALSE(touched.is_timed(touched.group_of(0)));
  EXPECT_TRUE(touched.is_timed(touched.group_of(6)));
}

// A pair of contacts that knock in turn; one of them goes on as another: the pattern is not broken.
TEST(Accumulation, GoesOnWhereAContactGetsAnotherName) {
  const ContactKey a{SourceIndex(0), 0, 1, 4}, b{SourceIndex(0), 0, 2, 4},
      c{SourceIndex(0), 0, 1, 5};
  const auto knocks = [&](Accumulation& accumulation, double& t, double& speed,
                          const ContactKey& first, int count) {
    for (int k = 0; k < count; ++k) {
      accumulation.add({.t = t,
                        .contacts = {k % 2 == 0 ? first : b},
                        .speed = speed,
                        .loss = speed,
                        .slip = {0.0}});
      t += speed;
      speed *= 0.5;
    }
  };
  Accumulation named{Tolerances{}}, renamed{Tolerances{}};
  double t = 0.0, speed = 1e-7, t2 = 0.0, speed2 = 1e-7;
  knocks(named, t, speed, a, 4);
  knocks(named, t, speed, c, 4);
  EXPECT_FALSE(named.completed());
  knocks(renamed, t2, speed2, a, 4);
  renamed.hand_over(a, c);
  knocks(renamed, t2, speed2, c, 4);
  ASSERT_TRUE(renamed.completed());
  EXPECT_NEAR(renamed.completed()->ratio, 0.25, 1e-9);
  EXPECT_EQ(renamed.completed()->contacts, (ContactSet{c, b}));
}

}  // namespace
}  // namespace clack
