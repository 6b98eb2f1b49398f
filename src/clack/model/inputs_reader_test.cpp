// SPDX-License-Identifier: Apache-2.0
// Signals from outside in model files, and entries that come to a model from outside.
#include <gtest/gtest.h>

#include "clack/error.hpp"
#include "clack/model/addition.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

Model with_inputs(const std::string& inputs, const std::string& force = "push") {
  return read_model_text("clack: 1\nparameters: {a: 2}\ninputs: " + inputs +
                             "\ncoordinates: {x: 0}\nmass_matrix: [[1]]\nforce: [" + force + "]\n",
                         "m.yaml");
}

std::string input_refusal(const std::string& inputs, const std::string& force = "push") {
  try {
    (void)with_inputs(inputs, force);
  } catch (const ModelError& e) {
    EXPECT_FALSE(e.remedy().empty());
    return std::string(e.what()) + " (" + e.where() + ")";
  }
  return "";
}

TEST(Inputs, HaveAValueOrAParabolaAtTheStart) {
  const Model model = with_inputs("{push: a^2, pull: [1, a, -3]}", "push - pull*x");
  ASSERT_EQ(model.inputs.size(), 2u);
  EXPECT_EQ(model.inputs[0].start, (Signal{.value = 4.0}));
  EXPECT_EQ(model.inputs[1].start, (Signal{.value = 1.0, .rate = 2.0, .acceleration = -3.0}));
  EXPECT_EQ(model.inputs[1].start.at(2.0), 1.0 + 4.0 - 6.0);
  EXPECT_TRUE(symbolic::depends_on(model.force[0], model.time));  // so that rates are known
}

TEST(Inputs, SayWhatIsWrongWithThem) {
  EXPECT_NE(input_refusal("[push]").find("inputs: a map"), std::string::npos);
  EXPECT_NE(input_refusal("{a: 1, push: 0}").find("this name is taken (m.yaml:3:"),
            std::string::npos);
  EXPECT_NE(input_refusal("{push: [1, 2]}").find("input push"), std::string::npos);
  EXPECT_NE(input_refusal("{push: x}"), "");
  EXPECT_NE(input_refusal("{push: 1/0}"), "");
  EXPECT_NE(input_refusal("{sin: 1, push: 0}"), "");
  EXPECT_NE(input_refusal("{push: 0}", "pish"), "");
}

TEST(Inputs, MayNotStandWhereTimeMayNot) {
  try {
    (void)read_model_text(
        "clack: 1\ninputs: {w: 1}\ncoordinates: {x: w}\nmass_matrix: [[1]]\nforce: [0]\n",
        "m.yaml");
    FAIL();
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("w is an input, which may not stand here"),
              std::string::npos)
        << e.what();
  }
}

TEST(ModelAdditions, GoToTheEndOfTheirSections) {
  const Model model = with_inputs("{push: 1}");
  const Model larger =
      extended_model(model, {{"constraints", "hold", "{\"motion\": \"x_dot - push\"}", "stdin:1"},
                             {"contacts", "wall", "{\"gap\": \"x + a\"}", "stdin:2"},
                             {"inputs", "pull", "3", "stdin:3"}});
  ASSERT_EQ(larger.constraints.size(), 1u);
  ASSERT_EQ(larger.contacts.size(), 1);
  ASSERT_EQ(larger.inputs.size(), 2u);
  EXPECT_EQ(larger.inputs[1].start.value, 3.0);
  EXPECT_EQ(larger.coordinates.size(), model.coordinates.size());
}

TEST(ModelAdditions, AreRefusedWithTheirOrigin) {
  const Model model = with_inputs("{push: 1}");
  const auto refusal = [&](const ModelAddition& addition) {
    try {
      (void)extended_model(model, {addition});
    } catch (const ModelError& e) {
      EXPECT_EQ(e.where(), "stdin:7");
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(refusal({"inputs", "push", "1", "stdin:7"}).find("already"), std::string::npos);
  EXPECT_NE(refusal({"constraints", "c", "{motion: z_dot}", "stdin:7"}), "");
  EXPECT_NE(refusal({"constraints", "c", "{motions: x_dot}", "stdin:7"}), "");
  EXPECT_NE(refusal({"contacts", "c", "{gap: x, restitution: 2}", "stdin:7"}), "");
}

}  // namespace
}  // namespace clack
