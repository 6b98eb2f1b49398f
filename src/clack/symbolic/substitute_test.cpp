// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "clack/symbolic/expression.hpp"
#include "clack/symbolic/program.hpp"
#include "clack/symbolic/random_formula.hpp"

namespace clack::symbolic {
namespace {

TEST(Substitute, ReplacesSymbolsAndSimplifiesAgain) {
  Graph graph;
  const Expression x = graph.symbol("x"), y = graph.symbol("y");
  const std::vector<Expression> symbols{x}, values{graph.number(0)};
  EXPECT_EQ(substitute(y + x * sin(y), symbols, values), y);
}

TEST(Substitute, ExchangesSymbolsAtTheSameTime) {
  Graph graph;
  const std::vector<Expression> xy{graph.symbol("x"), graph.symbol("y")}, yx{xy[1], xy[0]};
  EXPECT_EQ(substitute(xy[0] - xy[1] / xy[0], xy, yx), xy[1] - xy[0] / xy[1]);
}

TEST(Substitute, NumbersGiveTheValueOfTheProgram) {
  int compared = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    Graph graph;
    testing::RandomFormula formula(graph, seed, false);
    const Expression e = formula(15);
    const std::vector<double> at{0.3, -1.2, 2.1};
    std::vector<Expression> numbers;
    for (double value : at) numbers.push_back(graph.number(value));
    const Expression folded = substitute(e, formula.symbols, numbers);
    double compiled = 0.0;
    Program(formula.symbols, {&e, 1}, Backend::tape)(at.data(), &compiled);
    if (!std::isfinite(compiled) || !is_number(folded)) continue;
    ++compared;
    // Folding may cancel where the program rounds (x - x, coefficients): equal up to conditioning.
    EXPECT_NEAR(*number_value(folded), compiled, 1e-9 * (1 + std::fabs(compiled))) << to_text(e);
  }
  EXPECT_GT(compared, 150);
}

TEST(Substitute, RefusesFormulasInPlaceOfSymbols) {
  Graph graph;
  const std::vector<Expression> formula{graph.symbol("x") + 1.0}, value{graph.number(1)};
  EXPECT_THROW(substitute(graph.symbol("x"), formula, value), std::invalid_argument);
  EXPECT_THROW(substitute(graph.symbol("x"), formula, {}), std::invalid_argument);
}

}  // namespace
}  // namespace clack::symbolic
