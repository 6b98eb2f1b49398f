// SPDX-License-Identifier: Apache-2.0
#include "clack/model/own_formulas.hpp"

#include "clack/model/reader.hpp"

namespace clack {
namespace {

/// One formula of every kind that a model can hold.
const char* const everything = R"yaml(
clack: 1
gravity: [0, -9.81]
bodies:
  ball: {mass: 1, inertia: 0.1, position: [0, 2], shape: {disk: {radius: 0.5}}, points: {top: [0, 0.5]}}
  floor: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}
  lift: {motion: {position: ["sin(t)", 5], angle: 0}}
springs: [{between: [ball, lift], stiffness: "3 + t", rest: 1}]
forces: [{on: ball.top, force: ["cos(t)", 0]}]
torques: [{on: ball, torque: "sin(2*t)"}]
constraints: {guide: {configuration: "ball.x - 0.1*sin(t)", active: "t - 0.5"}}
contacts:
  floor: {between: [ball, floor], friction: 0.2, surface_velocity: "0.1*t",
          zones: [{where: "ball.x - 1", friction: 0.4}]}
  wall: {gap: "3 - ball.x", slip: ball.y_dot}
events: [{when: "t - 0.7", do: stop}]
)yaml";

void expect_in(const symbolic::Graph& graph, std::initializer_list<Expression> formulas) {
  for (const Expression formula : formulas) EXPECT_EQ(formula.graph(), &graph);
}

TEST(OwnFormulas, EveryFormulaOfTheCopyIsInItsOwnGraph) {
  const Model model = read_model_text(everything, "everything.yaml");
  ASSERT_TRUE(model.graph->is_sealed());
  const Model own = with_own_formulas(model);
  const symbolic::Graph& graph = *own.graph;
  EXPECT_FALSE(graph.is_sealed());
  EXPECT_NE(&graph, model.graph.get());
  const Contact &floor = own.contacts[SourceIndex(0)], &wall = own.contacts[SourceIndex(1)];
  expect_in(graph, {own.time, own.gravity[1], own.coordinates[0].symbol, own.speeds[0].symbol});
  expect_in(graph, {own.bodies[BodyIndex(0)].position[0], own.bodies[BodyIndex(2)].position[0],
                    own.bodies[BodyIndex(2)].angle});
  expect_in(graph, {own.springs[0].stiffness, own.springs[0].rest, own.forces[0].components[0]});
  expect_in(graph, {own.torques[0].value, own.constraints[0].rows[0], own.constraints[0].active});
  expect_in(graph, {floor.surface_velocity[0], floor.zones[0].where, wall.formulas()->gap,
                    wall.formulas()->slip[0]});
  expect_in(graph, {own.events[0].when});
  EXPECT_EQ(to_text(wall.formulas()->gap), to_text(model.contacts[SourceIndex(1)].formulas()->gap));
}

TEST(OwnFormulas, MassMatrixForceAndRowsAreTakenOverToo) {
  const Model own =
      with_own_formulas(read_model(CLACK_SOURCE_DIR "/models/woodpecker/three-dof.yaml"));
  expect_in(*own.graph, {own.mass_matrix[0][0], own.force[0], own.potential,
                         own.contacts[SourceIndex(0)].formulas()->gap});
}

}  // namespace
}  // namespace clack
