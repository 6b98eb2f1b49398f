// SPDX-License-Identifier: Apache-2.0
#include "clack/model/formula_reader.hpp"

#include <gtest/gtest.h>

#include "clack/error.hpp"

namespace clack {
namespace {

struct FormulaReaderTest : testing::Test {
  symbolic::Graph graph;
  FormulaReader reader{graph, "f"};
  void SetUp() override {
    reader.add_parameter("mass", 2.0);
    reader.add_symbol("rod.x", graph.symbol("rod.x"), allow_coordinates);
    reader.add_symbol("rod.x_dot", graph.symbol("rod.x_dot"), allow_speeds);
  }
  std::string message(const std::string& text, unsigned allowed) {
    try {
      (void)reader.formula(yaml::text_node(text), "thing", allowed);
    } catch (const ModelError& e) {
      return std::string(e.what()) + " | " + e.remedy();
    }
    return "";
  }
};

TEST_F(FormulaReaderTest, ParametersBecomeNumbers) {
  const Expression formula =
      reader.formula(yaml::text_node("mass*rod.x + t"), "thing", allow_position);
  const auto symbols = symbolic::symbols_of(formula);
  EXPECT_EQ(symbols.size(), 2u);
  EXPECT_EQ(formula, graph.number(2.0) * graph.symbol("rod.x") + graph.symbol("t"));
  EXPECT_EQ(reader.number(yaml::text_node("mass^3/4"), "thing"), 2.0);
  EXPECT_DOUBLE_EQ(reader.number(yaml::text_node("2*pi"), "thing"), 6.283185307179586);
}

TEST_F(FormulaReaderTest, NamesThatMayNotStandThereAreNamedWithTheirKind) {
  EXPECT_NE(message("rod.x_dot", allow_position).find("rod.x_dot is a speed"), std::string::npos);
  EXPECT_NE(message("rod.x", allow_time).find("rod.x is a coordinate"), std::string::npos);
  EXPECT_NE(message("2*t", allow_constants).find("t is the time"), std::string::npos);
  EXPECT_NE(message("mas", allow_constants).find("mass"), std::string::npos);
  EXPECT_EQ(message("rod.x_dot", allow_state), "");
}

TEST_F(FormulaReaderTest, TheColumnOfAMistakeIsThatOfItsCharacter) {
  yaml::Node node = yaml::text_node("mass + foo");
  node.place = {3, 10};
  const auto place = [&] {
    try {
      (void)reader.number(node, "thing");
    } catch (const ModelError& e) {
      return e.where();
    }
    return std::string();
  };
  EXPECT_EQ(place(), "f:3:17");
  node.is_quoted = true;
  EXPECT_EQ(place(), "f:3:18");
  node.origin = "--set thing";
  EXPECT_EQ(place(), "--set thing");
}

TEST_F(FormulaReaderTest, RangesAreChecked) {
  EXPECT_THROW(reader.positive(yaml::text_node("mass - 2"), "thing"), ModelError);
  EXPECT_THROW(reader.not_negative(yaml::text_node("-1"), "thing"), ModelError);
  EXPECT_EQ(reader.not_negative(yaml::text_node("mass - 2"), "thing"), 0.0);
  EXPECT_THROW(reader.number_in(yaml::text_node("3"), "thing", 0, 1, "less"), ModelError);
  EXPECT_EQ(reader.integer(yaml::text_node("mass*3"), "thing", 0, 10), 6);
  EXPECT_THROW(reader.integer(yaml::text_node("2.5"), "thing", 0, 10), ModelError);
  EXPECT_THROW(reader.number(yaml::text_node("exp(1000)"), "thing"), ModelError);
}

}  // namespace
}  // namespace clack
