// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/term_sum.hpp"

#include <gtest/gtest.h>

#include <array>

#include "clack/symbolic/program.hpp"

namespace clack::symbolic {
namespace {

TEST(TermSum, SumsAreTakenApartIntoNumbersTimesFormulas) {
  Graph graph;
  const Expression x = graph.symbol("x"), y = graph.symbol("y");
  const std::vector<Term> terms = terms_of(2.0 * (x - 3.0 * sin(y)) - y + 5.0);
  ASSERT_EQ(terms.size(), 4U);
  EXPECT_EQ(terms[0].coefficient, 2.0);
  EXPECT_EQ(terms[0].rest, x);
  EXPECT_EQ(terms[1].coefficient, -6.0);
  EXPECT_EQ(terms[1].rest, sin(y));
  EXPECT_EQ(terms[2].coefficient, -1.0);
}

TEST(TermSum, EqualRestsAreOneTermAndSquaresOfSineAndCosineUnite) {
  Graph graph;
  const Expression x = graph.symbol("x"), y = graph.symbol("y"), zero = graph.number(0.0);
  TermSum sum;
  for (const double mass : {1.0, 2.0, 4.0}) {
    sum.add_product(mass, terms_of(cos(x)), terms_of(cos(y)));
    sum.add_product(mass, terms_of(sin(x)), terms_of(sin(y)));
  }
  EXPECT_EQ(sum.formula(zero), 7.0 * (cos(x) * cos(y) + sin(x) * sin(y)));
  TermSum square;
  square.add_product(3.0, terms_of(2.0 * cos(x)), terms_of(2.0 * cos(x)));
  square.add_product(3.0, terms_of(2.0 * sin(x)), terms_of(2.0 * sin(x)));
  EXPECT_EQ(square.formula(zero), graph.number(12.0));
  TermSum nothing;
  nothing.add(1.0, x);
  nothing.add(-1.0, x);
  EXPECT_EQ(nothing.formula(zero), zero);
}

TEST(TermSum, ProductsOfSumsKeepTheirValue) {
  Graph graph;
  const Expression x = graph.symbol("x"), y = graph.symbol("y");
  const Expression a = 2.0 * x - sin(y) * (x + 1.0), b = y / 3.0 + cos(x) - 0.5;
  TermSum sum;
  sum.add_product(1.5, terms_of(a), terms_of(b));
  const std::array<Expression, 2> inputs{x, y},
      outputs{sum.formula(graph.number(0.0)), 1.5 * a * b};
  const Program program(inputs, outputs);
  for (const double t : {-1.3, 0.2, 2.0}) {
    const std::array<double, 2> in{t, 0.7 - t};
    std::array<double, 2> out{};
    program(in.data(), out.data());
    EXPECT_NEAR(out[0], out[1], 1e-14);
  }
}

}  // namespace
}  // namespace clack::symbolic
