// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "clack/error.hpp"
#include "clack/model/contact_source.hpp"
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
  const Contact& contact = model.contacts[SourceIndex(0)];
  ASSERT_TRUE(contact.between());
  EXPECT_EQ(contact.between()->first.body, BodyIndex(0));
  EXPECT_EQ(contact.between()->first.point(), 4);
  EXPECT_EQ(contact.between()->second.body, BodyIndex(1));
  EXPECT_TRUE(std::holds_alternative<WholeShape>(contact.between()->second.at));
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
  EXPECT_EQ(model.contacts[SourceIndex(0)].coefficients.dynamic_friction, 0.25);
  EXPECT_EQ(model.contacts[SourceIndex(0)].coefficients.static_friction, 0.25);
}

TEST(Contacts, ABoxOnAHalfPlaneIsAPairWithOneContactPerCorner) {
  const Model model = read_model_text(block +
                                          "contacts: {c: {between: [block, floor], friction: "
                                          "mu}}\nexclusive: [[c.top_left, c.bottom_left]]\n",
                                      "m.yaml");
  ASSERT_EQ(model.contacts.size(), 1u);
  const ContactSet corners = possible_contacts(model);
  ASSERT_EQ(corners.size(), 4u);
  EXPECT_EQ(contact_name(model, corners[1]), "c.bottom_right");
  EXPECT_EQ(corners[1], (ContactKey{SourceIndex(0), 0, 1, 0}));
  EXPECT_EQ(model.exclusive[0], (ContactSet{corners[3], corners[0]}));
}

TEST(Contacts, NamesAndKeysOfTwoBoxesBelongToEachOther) {
  const Model model = read_model_text(
      "clack: 1\ndimension: 3\nbodies:\n  a: {mass: 1, inertia: 1, shape: {box: {width: 1, height: "
      "1, depth: 1}}}\n"
      "  b: {mass: 1, inertia: 1, position: [0, 0, 2], shape: {box: {width: 1, height: 1, depth: "
      "1}}}\n"
      "contacts: {c: {between: [a, b]}}\n",
      "m.yaml");
  EXPECT_TRUE(possible_contacts(model).empty());  // made where the boxes are near, not listed
  ContactSet all;
  for (int k = 0; k < 8; ++k) all.push_back({SourceIndex(0), 0, k, 0});
  for (int k = 0; k < 8; ++k) all.push_back({SourceIndex(0), 1, 0, k});
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j) all.push_back({SourceIndex(0), 2, i, j});
  EXPECT_EQ(contact_name(model, all[9]), "c.b.corner2");
  EXPECT_EQ(contact_name(model, all[159]), "c.edge12.edge12");
  for (const ContactKey& key : all) EXPECT_EQ(contact_named(model, contact_name(model, key)), key);
  EXPECT_FALSE(contact_named(model, "c.edge13.edge1"));
  EXPECT_FALSE(contact_named(model, "c"));
}

TEST(Contacts, NoEntryMayHaveTheNameOfAContactThatAPairMakes) {
  EXPECT_THROW(read_model_text(block + "contacts: {c: {between: [block, floor]}, c.top_left: "
                                       "{between: [block.hook, floor]}}\n",
                               "m.yaml"),
               ModelError);
}

TEST(Contacts, APairIsNotOneContact) {
  try {
    (void)read_model_text(block + "contacts: {c: {between: [block, floor]}}\ncycle: {at: c}\n",
                          "m.yaml");
    ADD_FAILURE() << "accepted";
  } catch (const ModelError& error) {
    EXPECT_NE(error.remedy().find("c.bottom_left"), std::string::npos) << error.remedy();
  }
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
  const Contact& contact = model.contacts[SourceIndex(0)];
  ASSERT_TRUE(contact.formulas());
  EXPECT_EQ(contact.formulas()->normal_row.size(), 2u);
  EXPECT_EQ(contact.formulas()->tangent_rows[0].size(), 2u);
  EXPECT_TRUE(contact.formulas()->gap_bias.is_valid());
  EXPECT_EQ(contact.formulas()->slip_bias.size(), 1u);
  ASSERT_EQ(contact.zones.size(), 2u);
  EXPECT_EQ(contact.zones[0].coefficients.dynamic_friction, 0.1);
  EXPECT_EQ(contact.zones[1].coefficients.dynamic_friction, 0.5);
  EXPECT_EQ(contact.zones[1].coefficients.restitution, 1.0);
  EXPECT_EQ(model.cycle->contact, ContactKey{SourceIndex(0)});
  EXPECT_EQ(model.cycle->along, 0);
}

TEST(Contacts, SpatialContactsHaveTwoTangents) {
  const std::string head = "clack: 1\ndimension: 3\nbodies: {b: {mass: 1, inertia: 1}}\n";
  const Model model = read_model_text(
      head +
          "contacts: {c: {gap: b.z, slip: [b.vx, b.vy], friction: 1, surface_velocity: [1, t]}}\n",
      "m.yaml");
  EXPECT_EQ(model.contacts[SourceIndex(0)].formulas()->slip.size(), 2u);
  EXPECT_THROW(read_model_text(head + "contacts: {c: {gap: b.z, slip: b.vx}}\n", "m.yaml"),
               ModelError);
}

TEST(Contacts, APressedOneBringsThePadThatPressesIt) {
  const auto read = [](const std::string& slip) {
    return read_model_text(
        "clack: 1\ndimension: 3\nbodies: {b: {mass: 1, inertia: 1}}\ncontacts: {c: {pressed: 5, "
        "slip: " +
            slip + ", friction: 1}}\n",
        "m.yaml");
  };
  const Model line = read("b.vx"), plane = read("[b.vx, b.vy]");
  EXPECT_EQ(line.speeds.size(), 8u);  // of the body six
  EXPECT_EQ(plane.speeds.size(), 7u);
  EXPECT_EQ(line.speeds[7].name, "c.across_dot");
  ASSERT_TRUE(plane.contacts[SourceIndex(0)].is_pressed());
  EXPECT_EQ(plane.contacts[SourceIndex(0)].formulas()->pad->force, 5.0);
  EXPECT_EQ(plane.contacts[SourceIndex(0)].formulas()->pad->speeds[0], 6);
}

TEST(Contacts, APressedOneHasAForceASlipAndNothingOfGapsAndImpacts) {
  const auto refusal = [](const std::string& entry) {
    try {
      (void)read_model_text(block + "contacts: {c: {" + entry + "}}\n", "m.yaml");
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal("pressed: 1, slip: block.x_dot, friction: 1"), "accepted");
  EXPECT_NE(refusal("pressed: 0, slip: block.x_dot").find("pressed is 0, must be positive"),
            std::string::npos);
  EXPECT_NE(refusal("pressed: 1, friction: 1").find("is pressed but has no slip"),
            std::string::npos);
  EXPECT_NE(refusal("pressed: 1, slip: block.x_dot^2").find("slip"), std::string::npos);
  EXPECT_NE(refusal("pressed: 1, gap: block.y, slip: block.x_dot").find("either"),
            std::string::npos);
  EXPECT_NE(refusal("pressed: 1, slip: block.x_dot, restitution: 1").find("unknown key"),
            std::string::npos);
}

TEST(Contacts, NegativeRestitutionIsRefused) {
  const std::string contact = "contacts: {c: {between: [block, floor], restitution: -0.5}}\n";
  EXPECT_THROW(read_model_text(block + contact, "m.yaml"), ModelError);
}

}  // namespace
}  // namespace clack
