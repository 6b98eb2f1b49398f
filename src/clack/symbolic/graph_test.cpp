// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "clack/symbolic/program.hpp"
#include "clack/symbolic/random_formula.hpp"
#include "clack/symbolic/storage.hpp"

namespace clack::symbolic {
namespace {

TEST(Graph, StoresEverySubexpressionOnce) {
  Graph graph;
  const Expression x = graph.symbol("x"), y = graph.symbol("y");
  const Expression first = sin(x + y) * cos(x);
  const std::size_t size = graph.size();
  const Expression second = cos(graph.symbol("x")) * sin(y + x);
  EXPECT_EQ(first, second);
  EXPECT_EQ(graph.size(), size);
}

TEST(Graph, GivesTheSameNodesInTheSameOrderForTheSameInput) {
  Graph one, two;
  testing::RandomFormula first(one, 7, false), second(two, 7, false);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(first(40).node(), second(40).node());
  ASSERT_EQ(one.size(), two.size());
  EXPECT_TRUE(one.storage().nodes == two.storage().nodes);
}

TEST(Graph, KeepsOneZeroAndOneNotANumber) {
  Graph graph;
  EXPECT_EQ(graph.number(-0.0), graph.number(0.0));
  EXPECT_EQ(graph.number(std::nan("1")), graph.number(-std::nan("2")));
  EXPECT_NE(graph.number(1.0), graph.number(std::nextafter(1.0, 2.0)));
}

TEST(Graph, TellsNumbersSymbolsAndDependence) {
  Graph graph;
  const Expression x = graph.symbol("x"), y = graph.symbol("body.y"), e = sin(y) * 2.0;
  EXPECT_TRUE(is_symbol(y));
  EXPECT_EQ(symbol_name(y), "body.y");
  EXPECT_EQ(number_value(graph.number(2.5)), 2.5);
  EXPECT_FALSE(number_value(e).has_value());
  EXPECT_TRUE(depends_on(e, y));
  EXPECT_FALSE(depends_on(e, x));
  EXPECT_EQ(symbols_of(e + x), (std::vector{x, y}));  // by creation, not by place in the formula
  EXPECT_THROW(symbol_name(e), std::invalid_argument);
}

TEST(Graph, CountsSharedOperationsOnce) {
  Graph graph;
  const Expression x = graph.symbol("x"), shared = sin(x);
  const std::vector<Expression> outputs{shared + 1.0, shared * x};
  EXPECT_EQ(operation_count(outputs), 3u);
}

TEST(Graph, RefusesToMixGraphsAndEmptyExpressions) {
  Graph one, two;
  EXPECT_THROW(one.symbol("x") + two.symbol("x"), std::invalid_argument);
  EXPECT_THROW(one.symbol("x") * Expression{}, std::invalid_argument);
  EXPECT_THROW(sin(Expression{}), std::invalid_argument);
}

TEST(Graph, WalksGraphsOfAMillionLevelsWithoutTheCallStack) {
  Graph graph;
  const Expression x = graph.symbol("x");
  Expression e = x;
  for (int i = 0; i < 1'000'000; ++i) e = i % 2 ? sin(e) : e + x;
  EXPECT_TRUE(depends_on(e, x));
  EXPECT_EQ(symbols_of(e).size(), 1u);
}

TEST(Graph, CopyHasTheSameNodesAndGrowsOnItsOwn) {
  Graph graph;
  const Expression x = graph.symbol("x"), e = sin(x) * x;
  Graph first(graph), second(graph);
  const std::size_t size = graph.size();
  const Expression one = derivative(first.same(e), first.same(x)),
                   two = derivative(second.same(e), second.symbol("x"));
  EXPECT_EQ(one.node(), two.node());
  EXPECT_EQ(to_text(one), to_text(two));
  EXPECT_EQ(to_text(first.same(e)), to_text(e));
  EXPECT_EQ(graph.size(), size);
  EXPECT_FALSE(first.same(Expression{}).is_valid());
  EXPECT_THROW(second.same(exp(one) + 7.0), std::invalid_argument);  // made after the copy
}

TEST(Graph, SealedGraphAnswersAndIsCopiedButTakesNoNewFormula) {
  Graph graph;
  const Expression x = graph.symbol("x"), e = 2.0 * x;
  graph.seal();
  EXPECT_TRUE(graph.is_sealed());
  EXPECT_EQ(graph.symbol("x"), x);  // what exists is found
  EXPECT_EQ(to_text(e), "2*x");
  EXPECT_EQ(number_value(graph.number(2.0)), 2.0);
  EXPECT_THROW(graph.symbol("y"), std::logic_error);
  EXPECT_THROW(sin(x), std::logic_error);
  EXPECT_THROW(graph.number(17.0), std::logic_error);
  EXPECT_TRUE(depends_on(e, x));
  double value = 0.0;
  const double at = 1.5;
  Program({&x, 1}, {&e, 1}, Backend::tape)(&at, &value);
  EXPECT_EQ(value, 3.0);
  Graph copy(graph);
  EXPECT_FALSE(copy.is_sealed());
  EXPECT_EQ(derivative(copy.same(e), copy.same(x)), copy.number(2.0));
}

}  // namespace
}  // namespace clack::symbolic
