// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/lexer.hpp"

#include <gtest/gtest.h>

#include "clack/symbolic/parser.hpp"

namespace clack::symbolic {
namespace {

TEST(Lexer, ReadsNumbersOfAllShapesExactly) {
  for (const auto& [text, value] : std::vector<std::pair<std::string, double>>{{"12", 12},
                                                                               {"0.5", 0.5},
                                                                               {".25", 0.25},
                                                                               {"3.", 3},
                                                                               {"1e3", 1e3},
                                                                               {"2.5E-4", 2.5e-4},
                                                                               {"1e+2", 100}}) {
    const Token token = next_token(text, 0);
    EXPECT_EQ(token.kind, TokenKind::number);
    EXPECT_EQ(token.value, value);
    EXPECT_EQ(token.text, text);
  }
}

TEST(Lexer, ReadsNamesWithDotsAndUnderscores) {
  const Token token = next_token("  rod_1.left+2", 0);
  EXPECT_EQ(token.kind, TokenKind::identifier);
  EXPECT_EQ(token.text, "rod_1.left");
  EXPECT_EQ(token.position, 2u);
}

TEST(Lexer, PrefersTheLongerSymbol) {
  EXPECT_EQ(next_token("<=1", 0).text, "<=");
  EXPECT_EQ(next_token("< =1", 0).text, "<");
}

TEST(Lexer, RefusesNumbersThatDoNotFit) {
  EXPECT_THROW(next_token("1e999", 0), ParseError);
  EXPECT_THROW(next_token("1e-999", 0), ParseError);
}

TEST(Lexer, EndsAtTheEnd) {
  EXPECT_EQ(next_token("x  ", 1).kind, TokenKind::end);
  EXPECT_EQ(quoted(next_token("", 0)), "the end of the formula");
}

}  // namespace
}  // namespace clack::symbolic
