// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/constant_flow.hpp"

#include <gtest/gtest.h>

#include <random>

#include "clack/hybrid/dynamics.hpp"
#include "clack/hybrid/fixed_contacts.hpp"
#include "clack/hybrid/tolerances.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

using testing::fixed;

struct FlowCase {
  Mode mode;
  std::vector<ContactMaterial> materials;
};

FlowCase with(std::vector<ClosedContact> closed, std::size_t constraints = 0, double mu = 0.3) {
  FlowCase made;
  made.materials.assign(closed.size(), {.dynamic_friction = mu, .static_friction = mu});
  made.mode.closed = std::move(closed);
  made.mode.constraints.assign(constraints, true);
  return made;
}

/// Rates at seeded states, always the same.
std::vector<double> rates_at_states(ModeDynamics& dynamics) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> all, y(dynamics.size()), dydt(dynamics.size());
  for (int state = 0; state < 50; ++state) {
    for (double& number : y) number = uniform(random);
    dynamics.right_hand_side()(uniform(random), y.data(), dydt.data());
    all.insert(all.end(), dydt.begin(), dydt.end());
  }
  return all;
}

/// A mode is entered until its flow is compiled: all that time its rates are the same to the last bit.
void expect_same_flow(const Model& model, const std::vector<FlowCase>& cases) {
  const auto mechanism = make_mechanism(model);
  const auto formulation = make_formulation("delassus");
  ModeDynamics dynamics(*mechanism, *formulation);
  std::vector<std::vector<double>> first;
  for (int visit = 0; visit <= hybrid_tolerances.visits_to_compile; ++visit)
    for (std::size_t i = 0; i < cases.size(); ++i) {
      dynamics.enter(cases[i].mode, cases[i].materials, 0.0, 0.0);
      EXPECT_EQ(dynamics.is_flow_compiled(), visit == hybrid_tolerances.visits_to_compile);
      if (visit == 0) first.push_back(rates_at_states(dynamics));
      EXPECT_EQ(rates_at_states(dynamics), first[i]) << "case " << i << ", visit " << visit;
    }
}

Model woodpecker() { return read_model(CLACK_SOURCE_DIR "/models/woodpecker/three-dof.yaml"); }

TEST(ConstantFlow, HasTheBitsOfTheFormulation) {
  constexpr auto slip = ContactStatus::slip, stick = ContactStatus::stick;
  expect_same_flow(woodpecker(),
                   {with({}), with({{fixed(1), slip, {1.0, 0.0}}}),
                    with({{fixed(1), slip, {-1.0, 0.0}}}), with({{fixed(1), stick, {0.0, 0.0}}}),
                    with({{fixed(0), slip, {-1.0, 0.0}}, {fixed(2), slip, {1.0, 0.0}}}),
                    with({{fixed(2), slip, {0.0, 0.0}}}, 0, 0.0)});
}

/// Forces with sines, a driven surface and a driven joint: powers of all three kinds.
TEST(ConstantFlow, CarriesTheWorksOfDrives) {
  const Model model = read_model_text(
      "clack: 1\ndimension: 2\ncoordinates: {x: {start: 0, rate: 1}, y: 0, z: {start: 0, rate: "
      "0.5}}\n"
      "mass_matrix: [[2, 0.5, 0], [0.5, 1, 0], [0, 0, 3]]\n"
      "force: [\"-3*x - x_dot + sin(t)\", \"-9.81 - y^2\", \"cos(x)\"]\n"
      "constraints: {drive: {motion: \"z_dot - 0.5*cos(t)\"}}\n"
      "contacts: {floor: {gap: y, slip: \"x_dot + 0.2*z_dot - 0.3*sin(t)\", friction: 0.4}}\n"
      "run: {until: 1, theory: poisson}\n",
      "driven.yaml");
  expect_same_flow(model, {with({{fixed(0), ContactStatus::slip, {1.0, 0.0}}}, 1),
                           with({{fixed(0), ContactStatus::stick, {0.0, 0.0}}}), with({}, 1)});
}

/// One visit is not worth it, and rows that change have no constant answer.
TEST(ConstantFlow, IsLeftAloneWhereRowsChange) {
  const Model model = read_model(CLACK_SOURCE_DIR "/models/rod/falling.yaml");
  const auto mechanism = make_mechanism(model);
  const auto formulation = make_formulation("delassus");
  ModeDynamics dynamics(*mechanism, *formulation);
  const FlowCase left = with({{fixed(0), ContactStatus::slip, {1.0, 0.0}}});
  for (int visit = 0; visit < 5; ++visit) {
    dynamics.enter(left.mode, left.materials, 0.0, 0.0);
    rates_at_states(dynamics);
    EXPECT_FALSE(dynamics.is_flow_compiled());
  }
}

}  // namespace
}  // namespace clack
