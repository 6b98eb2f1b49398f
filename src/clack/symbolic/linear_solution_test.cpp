// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/linear_solution.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <random>

#include "clack/symbolic/program.hpp"

namespace clack::symbolic {
namespace {

TEST(LinearSolution, OfARotationIsRegularAtEveryAngle) {
  Graph graph;
  const Expression q = graph.symbol("q"), u = graph.symbol("u"), v = graph.symbol("v");
  const auto x = solve_linear(graph, {{cos(q), sin(q)}, {-sin(q), cos(q)}}, {u, v});
  ASSERT_TRUE(x);
  const std::vector<Expression> inputs{q, u, v};
  const Program program(inputs, *x);
  for (const double angle : {0.0, 1.5707963267948966, 3.0, -2.0}) {
    const std::array<double, 3> in{angle, 0.3, -2.0};
    std::array<double, 2> out{};
    program(in.data(), out.data());
    EXPECT_NEAR(out[0], std::cos(angle) * 0.3 + std::sin(angle) * 2.0, 1e-15);
    EXPECT_NEAR(out[1], std::sin(angle) * 0.3 - std::cos(angle) * 2.0, 1e-15);
  }
}

// Random sparse systems in blocks, against elimination in numbers.
TEST(LinearSolution, EqualsEliminationInNumbers) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> entry(-1.0, 1.0);
  int solved = 0;
  for (int round = 0; round < 100; ++round) {
    Graph graph;
    const int n = 1 + round % 6;
    Eigen::MatrixXd A = Eigen::MatrixXd::Identity(n, n);
    Eigen::VectorXd b(n);
    for (int i = 0; i < n; ++i) {
      b[i] = entry(random);
      for (int j = 0; j < n; ++j)
        if (entry(random) > 0.2) A(i, j) += entry(random);
    }
    std::vector<std::vector<Expression>> rows;
    std::vector<Expression> right, inputs;
    std::vector<double> values;
    const auto symbol = [&](double value) {
      inputs.push_back(graph.symbol("s" + std::to_string(inputs.size())));
      values.push_back(value);
      return inputs.back();
    };
    for (int i = 0; i < n; ++i) {
      rows.emplace_back();
      for (int j = 0; j < n; ++j)
        rows.back().push_back(A(i, j) == 0.0 ? graph.number(0.0) : symbol(A(i, j)));
      right.push_back(symbol(b[i]));
    }
    if (std::abs(A.determinant()) < 1e-2) continue;
    const auto x = solve_linear(graph, rows, right);
    ASSERT_TRUE(x);
    Eigen::VectorXd out(n);
    Program(inputs, *x)(values.data(), out.data());
    EXPECT_LT((A * out - b).norm(), 1e-11 * (1.0 + out.norm()));
    ++solved;
  }
  EXPECT_GT(solved, 50);
}

TEST(LinearSolution, RefusesStructurallySingularAndLargeBlocks) {
  Graph graph;
  const Expression q = graph.symbol("q"), zero = graph.number(0.0);
  EXPECT_FALSE(solve_linear(graph, {{q, zero}, {q, zero}}, {q, q}));
  const int n = largest_linear_block + 1;
  std::vector<std::vector<Expression>> full(n, std::vector<Expression>(n, q));
  EXPECT_FALSE(solve_linear(graph, full, std::vector<Expression>(n, q)));
}

}  // namespace
}  // namespace clack::symbolic
