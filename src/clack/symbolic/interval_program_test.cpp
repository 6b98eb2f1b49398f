// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/interval_program.hpp"

#include <gtest/gtest.h>

#include <random>

#include "clack/symbolic/parser.hpp"
#include "clack/symbolic/program.hpp"

namespace clack::symbolic {
namespace {

// Whatever the formula, its value at random points of the box is inside of the interval.
TEST(IntervalProgram, HoldsEveryValueOfTheFormula) {
  const char* formulas[] = {
      "x*y - y/3",      "sin(x)*cos(y)",      "x^2 - x*y",     "x^3 + y^(-2)",
      "exp(-x)*abs(y)", "atan(x/(2 + y^2))",  "sqrt(x^2 + 1)", "max(x, y) - min(x, 1)",
      "sin(5*x + y)",   "if(x < y, x, 3*y)",  "tan(x/9)",      "sign(x)*y",
      "(x + 20)^1.5",   "log(x^2 + 1)*cos(y)"};
  std::mt19937_64 engine(5);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(engine() >> 11) * 0x1.0p-53;
  };
  for (const char* text : formulas) {
    Graph graph;
    const Expression inputs[] = {graph.symbol("x"), graph.symbol("y")};
    Names names;
    names.resolve = [&](std::string_view name) {
      return name == "x" || name == "y" ? graph.symbol(name) : Expression{};
    };
    const Expression output = parse(graph, text, names);
    const IntervalProgram ranges(inputs, {&output, 1});
    const Program program(inputs, {&output, 1});
    for (int k = 0; k < 200; ++k) {
      const double x = uniform(-9, 9), y = uniform(-9, 9), w = uniform(0, 2);
      const Interval box[] = {{x, x + w}, {y, y + w}};
      Interval range;
      ranges(box, &range);
      for (int i = 0; i < 20; ++i) {
        const double point[] = {uniform(x, x + w), uniform(y, y + w)};
        double value = 0.0;
        program(point, &value);
        EXPECT_LE(range.low, value) << text;
        EXPECT_GE(range.high, value) << text;
      }
    }
  }
}

// Not infinitely wide: sin over a short stretch is as wide as the stretch, at most.
TEST(IntervalProgram, NarrowBoxesGiveNarrowAnswers) {
  Graph graph;
  const Expression x = graph.symbol("x"), output = sin(x * 3.0);
  const IntervalProgram program({&x, 1}, {&output, 1});
  const Interval box{0.4, 0.41};
  Interval range;
  program(&box, &range);
  EXPECT_NEAR(range.low, std::sin(1.2), 1e-12);
  EXPECT_NEAR(range.high, std::sin(1.23), 1e-12);
}

}  // namespace
}  // namespace clack::symbolic
