// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/shared_angles.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "clack/symbolic/program.hpp"

namespace clack::symbolic {
namespace {

TEST(SharedAngles, AllCornersOfAPolygonNeedOneSineAndOneCosine) {
  Graph graph;
  const std::vector<Expression> inputs{graph.symbol("phi"), graph.symbol("y")};
  constexpr int corners = 100;
  std::vector<Expression> gaps;
  for (int k = 0; k < corners; ++k) {
    const Expression angle = inputs[0] + graph.number(0.0625 * k - 3.0);
    gaps.push_back(inputs[1] + 0.5 * sin(angle) * cos(angle));
  }
  const std::vector<Expression> shared = share_angles(gaps);
  const Program before(inputs, gaps), after(inputs, shared);
  // One pair of sine and cosine, and two products and a sum for each of both at each corner.
  EXPECT_LE(after.operation_count(), static_cast<std::size_t>(corners * 10 + 1));
  std::vector<double> expected(corners), found(corners);
  for (double phi = -7.0; phi < 7.0; phi += 0.37) {
    const double in[2] = {phi, 0.25};
    before(in, expected.data());
    after(in, found.data());
    for (int k = 0; k < corners; ++k) EXPECT_NEAR(found[k], expected[k], 1e-15) << phi << " " << k;
  }
}

TEST(SharedAngles, AnglesMayCountBackwardsAndBeSums) {
  Graph graph;
  const std::vector<Expression> inputs{graph.symbol("a"), graph.symbol("b")};
  std::vector<Expression> formulas;
  for (int k = 0; k < 8; ++k) {
    formulas.push_back(sin(0.25 * k - (2.0 * inputs[0] - inputs[1])));
    formulas.push_back(cos(2.0 * inputs[0] + (0.5 * k - inputs[1])));
  }
  const std::vector<Expression> shared = share_angles(formulas);
  EXPECT_NE(shared[2], formulas[2]);
  const Program before(inputs, formulas), after(inputs, shared);
  std::vector<double> expected(formulas.size()), found(formulas.size());
  const double in[2] = {0.7, -1.9};
  before(in, expected.data());
  after(in, found.data());
  for (std::size_t i = 0; i < formulas.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-15) << i;
}

TEST(SharedAngles, FewAnglesKeepTheirFormulas) {
  Graph graph;
  const Expression x = graph.symbol("x"), y = graph.symbol("y");
  std::vector<Expression> formulas;
  for (std::size_t k = 0; k + 1 < least_shared_angles; ++k) {
    formulas.push_back(sin(x + 0.1 * static_cast<double>(k)));
    formulas.push_back(cos(x + 0.1 * static_cast<double>(k)));  // the same constants again
  }
  formulas.push_back(sin(y) + sin(graph.number(2.0) * y));
  EXPECT_EQ(share_angles(formulas), formulas);
  EXPECT_TRUE(share_angles({}).empty());
}

}  // namespace
}  // namespace clack::symbolic
