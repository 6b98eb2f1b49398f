// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/expansion.hpp"

#include <gtest/gtest.h>

#include "clack/symbolic/parser.hpp"

namespace clack::symbolic {
namespace {

class ExpansionOf : public ::testing::Test {
 protected:
  bool is_zero(const std::string& text, std::size_t most_terms = 4096) {
    const Names names{[this](std::string_view name) { return graph_.symbol(name); }, {}};
    return is_identically_zero(parse(graph_, text, names), most_terms);
  }
  Graph graph_;
};

TEST_F(ExpansionOf, ProvesPolynomialIdentities) {
  EXPECT_TRUE(is_zero("(x + y)^2 - x^2 - 2*x*y - y^2"));
  EXPECT_TRUE(is_zero("(a - b)*(a + b) - a*a + b*b"));
  EXPECT_TRUE(is_zero("x/y*y - x"));
  EXPECT_TRUE(is_zero("0.1*(x + y) + 0.2*(x - y) - 0.3*x + 0.1*y"));  // to rounding of its terms
  EXPECT_TRUE(is_zero("sin(x)*(y + z) - y*sin(x) - sin(x)*z"));
  EXPECT_TRUE(is_zero("y/(x + z) - y*(x + z)^(-1)"));
}

TEST_F(ExpansionOf, ClaimsNothingThatIsNotSo) {
  EXPECT_FALSE(is_zero("x"));
  EXPECT_FALSE(is_zero("(x + y)^2 - x^2 - y^2"));
  EXPECT_FALSE(is_zero("1e-12*x + y - y"));
  EXPECT_FALSE(is_zero("if(t > 1, 1, 0)*x"));        // zero at every time before 1 s
  EXPECT_FALSE(is_zero("sin(x)^2 + cos(x)^2 - 1"));  // true, but not by multiplying out
}

TEST_F(ExpansionOf, GivesUpOnLongSums) {
  const std::string cube = "(a + b + c + d + f + g)^3";
  const std::string zero = cube + "*(a - b) - a*" + cube + " + b*" + cube;
  EXPECT_TRUE(is_zero(zero));
  EXPECT_FALSE(is_zero(zero, 50));
}

}  // namespace
}  // namespace clack::symbolic
