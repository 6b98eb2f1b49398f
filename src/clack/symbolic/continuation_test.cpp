// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/continuation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "clack/symbolic/random_formula.hpp"

namespace clack::symbolic {
namespace {

using Number = Continuation::Number;

/// sum_j matrix_ij output_j, begun with zero, as a loop would do it.
std::vector<Number> linear(Continuation& next, const std::vector<std::vector<double>>& matrix) {
  std::vector<Number> rows;
  for (const std::vector<double>& row : matrix) {
    Number sum = next.constant(0.0);
    for (std::size_t j = 0; j < row.size(); ++j)
      sum = next.sum(sum, next.product(next.constant(row[j]), next.output(j)));
    rows.push_back(sum);
  }
  return rows;
}

TEST(Continuation, HasTheBitsOfTheSameOperationsOnOutputs) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-2.0, 2.0);
  for (int trial = 0; trial < 200; ++trial) {
    Graph graph;
    const std::vector<Expression> in{graph.symbol("x"), graph.symbol("y"), graph.symbol("z")};
    // One factor is zero, one one, one formula a number: what may be left out.
    const std::vector<Expression> out{sin(in[0]) * in[1] + in[2], in[0] * in[1] - cos(in[0]),
                                      graph.number(uniform(random)), in[2] * uniform(random)};
    std::vector<std::vector<double>> matrix(3, std::vector<double>(4));
    for (auto& row : matrix)
      for (double& entry : row) entry = uniform(random);
    matrix[0][1] = 0.0;
    matrix[1][0] = 1.0;
    for (const Backend backend : {Backend::tape, Backend::automatic}) {
      Continuation next(in, out);
      const Program both = next.program(linear(next, matrix), backend);
      const Program first(in, out, backend);
      const std::vector<double> x{uniform(random), uniform(random), uniform(random)};
      std::vector<double> values(4), results(3);
      first(x.data(), values.data());
      both(x.data(), results.data());
      for (int i = 0; i < 3; ++i) {
        double sum = 0.0;
        for (int j = 0; j < 4; ++j) sum += matrix[i][j] * values[j];
        EXPECT_EQ(results[i], sum);
      }
    }
  }
}

TEST(Continuation, LeavesOutWhatNobodyNeeds) {
  Graph graph;
  const std::vector<Expression> in{graph.symbol("x"), graph.symbol("y")};
  const std::vector<Expression> out{exp(in[0]), 3.0 * in[1]};
  Continuation next(in, out);
  const Number speed = next.product(next.constant(3.0), next.input(1));
  // 3 y is there already, and 3 y - 3 y is zero: the exponential and all else are gone.
  const Number nothing = next.product(next.output(0), next.difference(speed, next.output(1)));
  const std::vector<Number> results{
      speed, next.product(next.input(0), next.difference(speed, next.output(1)))};
  EXPECT_EQ(next.program(results).operation_count(), 1u);
  // What may be infinite is not multiplied away.
  EXPECT_EQ(next.program(std::vector<Number>{nothing}).operation_count(), 2u);
}

TEST(Continuation, KeepsWhatIsNotFinite) {
  Graph graph;
  const std::vector<Expression> in{graph.symbol("x")}, out{1.0 / in[0]};
  Continuation next(in, out);
  const Program program = next.program(std::vector<Number>{
      next.product(next.constant(0.0), next.output(0)),
      next.difference(next.output(0), next.output(0)),
      next.product(next.constant(std::numeric_limits<double>::infinity()), next.constant(0.0))});
  const double x = 0.0;
  double result[3] = {};
  program(&x, result);
  for (const double r : result) EXPECT_TRUE(std::isnan(r));
}

/// A sum that begins with 0 is never -0, and 0 + x - x is zero.
TEST(Continuation, KeepsTheSignOfZero) {
  Graph graph;
  const std::vector<Expression> in{graph.symbol("x")}, out{-2.0 * in[0]};
  Continuation next(in, out);
  const Number sum = next.sum(next.constant(0.0), next.output(0));
  const Program program = next.program(std::vector<Number>{
      next.output(0), next.sum(sum, next.constant(0.0)), next.difference(sum, next.output(0))});
  const double x = 0.0;
  double result[3] = {};
  program(&x, result);
  EXPECT_TRUE(std::signbit(result[0]));
  EXPECT_FALSE(std::signbit(result[1]));
  EXPECT_FALSE(std::signbit(result[2]));
}

TEST(Continuation, SinesAndCosinesOfOneAngleStayTogether) {
  Graph graph;
  const std::vector<Expression> in{graph.symbol("x")}, out{sin(in[0]), cos(in[0])};
  Continuation next(in, out);
  const Program program =
      next.program(std::vector<Number>{next.output(1), next.sum(next.output(0), next.output(1))});
  const double x = 0.3;
  double result[2] = {};
  program(&x, result);
  EXPECT_DOUBLE_EQ(result[0], std::cos(x));
  EXPECT_DOUBLE_EQ(result[1], std::sin(x) + std::cos(x));
  EXPECT_EQ(program.operation_count(), 2u);
}

}  // namespace
}  // namespace clack::symbolic
