#include <gtest/gtest.h>

#include "clack/error.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

const std::string block = R"(clack: 1
parameters: {mu: 0.25}
bodies:
  block: {mass: 1, inertia: 1, shape: {box: {width: 2, height: 1}}, points: {hook: [0, 1]}}
  floor: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}
)";

TEST(Contacts, PointsAndShapesAreAttached) {
  const Model model = read_model_text(block +
                                          "contacts: {c: {between: [block.hook, floor], "
                                          "dynamic_friction: mu, static_friction: 2*mu, "
                                          "restitution: 0.5, tangential_restitution: -1, "
                                          "reversibility: 1, surface_velocity: sin(t)}}\n",
                                      "m.yaml");
  const Contact& contact = model.contacts[0];
  EXPECT_FALSE(contact.is_formula);
  EXPECT_EQ(contact.first.body, 0);
  EXPECT_EQ(contact.first.point, 4);
  EXPECT_EQ(contact.second.body, 1);
  EXPECT_EQ(contact.second.point, -1);
  EXPECT_EQ(contact.coefficients.dynamic_friction, 0.25);
  EXPECT_EQ(contact.coefficients.static_friction, 0.5);
  EXPECT_EQ(contact.coefficients.restitution, 0.5);
  EXPECT_EQ(contact.coefficients.tangential_restitution, -1.0);
  EXPECT_EQ(contact.coefficients.reversibility, 1.0);
  ASSERT_EQ(contact.surface_velocity.size(), 1u);
}

TEST(Contacts, FrictionSetsBothCoefficients) {
  const Model model = read_model_text(
      block + "contacts: {c: {between: [block.hook, floor], friction: mu}}\n", "m.yaml");
  EXPECT_EQ(model.contacts[0].coefficients.dynamic_friction, 0.25);
  EXPECT_EQ(model.contacts[0].coefficients.static_friction, 0.25);
}

TEST(Contacts, ABoxOnAHalfPlaneBecomesOneContactPerCorner) {
  const Model model = read_model_text(block +
                                          "contacts: {c: {between: [block, floor], friction: "
                                          "mu}}\nexclusive: [[c.top_left, c.bottom_left]]\n",
                                      "m.yaml");
  ASSERT_EQ(model.contacts.size(), 4u);
  EXPECT_EQ(model.contacts[1].name, "c.bottom_right");
  EXPECT_EQ(model.contacts[1].first.point, 1);
  EXPECT_EQ(model.exclusive[0], (std::vector<int>{3, 0}));
}

TEST(Contacts, FormulaContactsMayGiveTheirRows) {
  const Model model = read_model_text(
      "clack: 1\ncoordinates: {x: 1, y: 1}\nmass_matrix: [[1, 0], [0, 1]]\nforce: [0, 0]\n"
      "contacts:\n  c: {gap: y - x^2, slip: x_dot + 2*x*y_dot, normal_row: [-2*x, 1], "
      "tangent_rows: [[1, 2*x]], "
      "gap_bias: -2*x_dot^2, slip_bias: 2*x_dot*y_dot, friction: 0.5, "
      "zones: [{where: x - 1, friction: 0.1}, {where: -x, restitution: 1}]}\n"
      "cycle: {at: c, along: x}\n",
      "m.yaml");
  const Contact& contact = model.contacts[0];
  EXPECT_TRUE(contact.is_formula);
  EXPECT_EQ(contact.normal_row.size(), 2u);
  EXPECT_EQ(contact.tangent_rows[0].size(), 2u);
  EXPECT_TRUE(contact.gap_bias.is_valid());
  EXPECT_EQ(contact.slip_bias.size(), 1u);
  ASSERT_EQ(contact.zones.size(), 2u);
  EXPECT_EQ(contact.zones[0].coefficients.dynamic_friction, 0.1);
  EXPECT_EQ(contact.zones[1].coefficients.dynamic_friction, 0.5);
  EXPECT_EQ(contact.zones[1].coefficients.restitution, 1.0);
  EXPECT_EQ(model.cycle->contact, 0);
  EXPECT_EQ(model.cycle->along, 0);
}

TEST(Contacts, SpatialContactsHaveTwoTangents) {
  const std::string head = "clack: 1\ndimension: 3\nbodies: {b: {mass: 1, inertia: 1}}\n";
  const Model model = read_model_text(
      head +
          "contacts: {c: {gap: b.z, slip: [b.vx, b.vy], friction: 1, surface_velocity: [1, t]}}\n",
      "m.yaml");
  EXPECT_EQ(model.contacts[0].slip.size(), 2u);
  EXPECT_THROW(read_model_text(head + "contacts: {c: {gap: b.z, slip: b.vx}}\n", "m.yaml"),
               ModelError);
}

TEST(Contacts, NegativeRestitutionIsRefused) {
  const std::string contact = "contacts: {c: {between: [block, floor], restitution: -0.5}}\n";
  EXPECT_THROW(read_model_text(block + contact, "m.yaml"), ModelError);
}

}  // namespace
}  // namespace clack
