// SPDX-License-Identifier: Apache-2.0
#include "clack/model/section_readers.hpp"

#include <gtest/gtest.h>

#include "clack/error.hpp"

namespace clack {
namespace {

struct ReadingTest : testing::Test {
  Model model;
  std::shared_ptr<symbolic::Graph> graph = std::make_shared<symbolic::Graph>();
  FormulaReader formulas{*graph, "f"};
  SmoothShapes shapes = smooth_shapes();
  Reading reading{model, formulas, shapes, {}, {}, {}, {}, {}};
  void SetUp() override {
    model.graph = graph;
    model.file = "f";
    model.time = graph->symbol("t");
    const yaml::Node coordinates = yaml::parse("{q: {start: 3, rate: 5}}", "f");
    read_coordinates(reading, &coordinates, nullptr, nullptr);
  }
};

TEST_F(ReadingTest, FormulasHaveTheirValueAtTheStart) {
  const Expression q = graph->symbol("q"), u = graph->symbol("q_dot"), t = model.time;
  EXPECT_EQ(reading.at_start(q * q + u + cos(t)), 15.0);
  EXPECT_EQ(reading.at_start(graph->number(2)), 2.0);
}

TEST_F(ReadingTest, ProductsOfSpeedsAreNotLinear) {
  const Expression q = graph->symbol("q"), u = graph->symbol("q_dot");
  const yaml::Node node = yaml::text_node("x");
  EXPECT_NO_THROW(reading.check_linear(sin(q) * u + q, node, "slip"));
  EXPECT_THROW(reading.check_linear(u * u, node, "slip"), ModelError);
  EXPECT_THROW(reading.check_linear(sin(u), node, "slip"), ModelError);
}

TEST_F(ReadingTest, UnknownNamesGetTheNearestKnown) {
  try {
    (void)reading.index(yaml::text_node("beek"), "cycle", "contact", {{"beak", 0}, {"upper", 1}});
    FAIL();
  } catch (const ModelError& e) {
    EXPECT_EQ(e.remedy(), "did you mean beak? known are beak, upper");
  }
}

TEST_F(ReadingTest, LabelsHaveNoSpacesCommasOrQuotes) {
  const yaml::Node node = yaml::text_node("x");
  for (const char* good : {"12", "wall-x", "a.v1/b.e2", "table-*"})
    EXPECT_NO_THROW(check_label(reading, good, "contact", node));
  for (const char* bad : {"", "a b", "a,b", "a\"b", "a\nb"})
    EXPECT_THROW(check_label(reading, bad, "contact", node), ModelError);
}

}  // namespace
}  // namespace clack
