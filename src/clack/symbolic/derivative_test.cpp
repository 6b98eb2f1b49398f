// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "clack/symbolic/parser.hpp"
#include "clack/symbolic/program.hpp"
#include "clack/symbolic/random_formula.hpp"

namespace clack::symbolic {
namespace {

double evaluate(Expression e, std::span<const Expression> symbols, const std::vector<double>& at) {
  double result = 0.0;
  Program(symbols, {&e, 1}, Backend::tape)(at.data(), &result);
  return result;
}

TEST(Derivative, MatchesFiniteDifferencesOnRandomFormulas) {
  int compared = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Graph graph;
    testing::RandomFormula formula(graph, seed, true);
    const Expression e = formula(12), x = formula.symbols[seed % 3];
    const std::vector<Expression> outputs{e, derivative(e, x)};
    const Program program(formula.symbols, outputs, Backend::tape);
    for (int i = 0; i < 5; ++i) {
      std::vector<double> at{formula.number(-2, 2), formula.number(-2, 2), formula.number(-2, 2)};
      const double middle = at[seed % 3];
      double here[2];
      program(at.data(), here);
      // Richardson: two central differences remove the h^2 error; h = 1e-3 balances h^4 and
      // rounding.
      const auto difference = [&](double h) {
        double above[2], below[2];
        at[seed % 3] = middle + h;
        program(at.data(), above);
        at[seed % 3] = middle - h;
        program(at.data(), below);
        return (above[0] - below[0]) / (2 * h);
      };
      const double wide = difference(2e-3), narrow = difference(1e-3);
      const double estimate = (4 * narrow - wide) / 3;
      if (!std::isfinite(estimate) || std::fabs(narrow - wide) > 1e-2 * (1 + std::fabs(narrow)))
        continue;
      ++compared;
      // What Richardson removed bounds what is left of it.
      const double tolerance =
          1e-2 * std::fabs(narrow - wide) + 1e-8 * (1 + std::fabs(here[0]) + std::fabs(here[1]));
      EXPECT_NEAR(here[1], estimate, tolerance) << "seed " << seed << ": " << to_text(e);
    }
  }
  EXPECT_GT(compared, 1000);  // of 1500; the others bend too much within the step
}

TEST(Derivative, MatchesSymPyToRounding) {
  std::ifstream file(CLACK_SOURCE_DIR "/src/clack/symbolic/sympy_derivatives.json");
  const auto data = nlohmann::json::parse(file);
  ASSERT_GE(data["cases"].size(), 80u);
  Graph graph;
  const std::vector<Expression> symbols{graph.symbol("x"), graph.symbol("y"), graph.symbol("z")};
  const Names names{[&](std::string_view name) {
                      return name.size() == 1 && name >= "x" && name <= "z" ? symbols[name[0] - 'x']
                                                                            : Expression{};
                    },
                    {"x", "y", "z"}};
  for (const auto& sample : data["cases"]) {
    const std::string text = sample["formula"];
    const std::vector<double> at = sample["point"];
    const Expression e = parse(graph, text, names);
    const auto check = [&](Expression f, double wanted, const char* what) {
      // Some tens of roundings of 1e-16, enlarged by cancellation between terms of similar size.
      EXPECT_NEAR(evaluate(f, symbols, at), wanted, 1e-12 * (1 + std::fabs(wanted)))
          << what << " of " << text;
    };
    check(e, sample["value"], "value");
    for (int i = 0; i < 3; ++i) {
      const Expression first = derivative(e, symbols[i]);
      check(first, sample["first"][i], "first derivative");
      for (int j = 0; j < 3; ++j)
        check(derivative(first, symbols[j]), sample["second"][i][j], "second derivative");
    }
  }
}

TEST(Derivative, FollowsBranchesOfKinksAndJumps) {
  Graph graph;
  const std::vector<Expression> x{graph.symbol("x")};
  const auto slope_at = [&](Expression e, double at) {
    return evaluate(derivative(e, x[0]), x, {at});
  };
  EXPECT_EQ(slope_at(abs(x[0]), -2), -1);
  EXPECT_EQ(slope_at(abs(x[0]), 3), 1);
  EXPECT_EQ(slope_at(sign(x[0]), 3), 0);
  EXPECT_EQ(slope_at(min(x[0], 2.0 * x[0]), 3), 1);
  EXPECT_EQ(slope_at(min(x[0], 2.0 * x[0]), -3), 2);
  EXPECT_EQ(slope_at(max(x[0], 2.0 * x[0]), 3), 2);
  const Expression piece = select(less(x[0], graph.number(1)), pow(x[0], 2.0), pow(x[0], 3.0));
  EXPECT_EQ(slope_at(piece, 0.5), 1.0);
  EXPECT_EQ(slope_at(piece, 2.0), 12.0);
  EXPECT_EQ(derivative(less(x[0], graph.number(1)), x[0]), graph.number(0));
}

TEST(Derivative, PowersWithAConstantExponentNeedNoLogarithm) {
  Graph graph;
  const Expression x = graph.symbol("x"), k = graph.symbol("k");
  EXPECT_EQ(derivative(pow(x, 3.0), x), 3.0 * pow(x, 2.0));
  EXPECT_EQ(derivative(pow(x, k), x), k * pow(x, k - 1.0));
  EXPECT_EQ(derivative(pow(x, k), k), pow(x, k) * log(x));
}

TEST(Derivative, TotalRateFollowsTheChainRule) {
  Graph graph;
  const std::vector<Expression> q{graph.symbol("a"), graph.symbol("b")};
  const std::vector<Expression> v{graph.symbol("a_dot"), graph.symbol("b_dot")};
  EXPECT_EQ(total_derivative(sin(q[0]) * q[1], q, v), q[1] * (cos(q[0]) * v[0]) + sin(q[0]) * v[1]);
  EXPECT_EQ(total_derivative(graph.symbol("c"), q, v), graph.number(0));
  EXPECT_THROW(total_derivative(q[0], q, std::span(v).first(1)), std::invalid_argument);
  EXPECT_THROW(derivative(q[0], q[0] + q[1]), std::invalid_argument);
}

TEST(Derivative, SharedPartsCostOnce) {
  // f_{k+1} = sin(f_k) * f_k doubles as a tree and must stay linear as a graph.
  Graph graph;
  const Expression x = graph.symbol("x");
  Expression e = x;
  for (int i = 0; i < 1000; ++i) e = sin(e) * e;
  const std::size_t before = graph.size();
  derivative(e, x);
  EXPECT_LT(graph.size() - before, 6 * before);
}

TEST(Derivative, DeepGraphsNeedNoCallStack) {
  Graph graph;
  const Expression x = graph.symbol("x");
  Expression e = x;
  for (int i = 0; i < 200'000; ++i) e = sin(e);
  EXPECT_TRUE(depends_on(derivative(e, x), x));
}

}  // namespace
}  // namespace clack::symbolic
