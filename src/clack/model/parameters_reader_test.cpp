// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "clack/error.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

Model with_parameters(const std::string& parameters, const std::vector<Override>& overrides = {}) {
  return read_model_text(
      "clack: 1\nparameters: {" + parameters + "}\nbodies: {b: {mass: 1, inertia: 1}}\n", "m.yaml",
      overrides);
}

TEST(Parameters, AreFormulasOfEachOtherInAnyOrder) {
  const Model model = with_parameters("a: 2*b, b: c^2, c: 3");
  EXPECT_EQ(model.parameters[0].name, "a");
  EXPECT_EQ(model.parameters[0].value, 18.0);
  EXPECT_EQ(model.parameters[1].value, 9.0);
}

TEST(Parameters, OverridesReachTheParametersThatDependOnThem) {
  const Model model = with_parameters("a: 2*b, b: c^2, c: 3", {{"c", "5"}});
  EXPECT_EQ(model.parameters[0].value, 50.0);
  EXPECT_EQ(with_parameters("a: 1, b: 2", {{"a", "b + 1"}}).parameters[0].value, 3.0);
  EXPECT_THROW(with_parameters("a: 1, b: a", {{"a", "b + 1"}}), ModelError);
}

TEST(Parameters, RepeatedOnesCanBeSetOneByOne) {
  const Model model = with_parameters(
      "n: 2, \"m{i}\": {value: \"0.5^{i}\", repeat: {count: n, as: i}}", {{"n", "3"}, {"m3", "n"}});
  ASSERT_EQ(model.parameters.size(), 4u);
  EXPECT_EQ(model.parameters[1].value, 0.5);
  EXPECT_EQ(model.parameters[2].value, 0.25);
  EXPECT_EQ(model.parameters[3].value, 3.0);
}

}  // namespace
}  // namespace clack
