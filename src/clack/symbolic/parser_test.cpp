// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/parser.hpp"

#include <gtest/gtest.h>

#include <ctime>
#include <numbers>
#include <random>

#include "clack/symbolic/program.hpp"

namespace clack::symbolic {
namespace {

class Parser : public ::testing::Test {
 protected:
  Graph graph;
  Expression x = graph.symbol("x"), y = graph.symbol("y"), left = graph.symbol("rod.left");
  Names names{[this](std::string_view name) {
                return name == "x" ? x : name == "y" ? y : name == "rod.left" ? left : Expression{};
              },
              {"x", "y", "rod.left", "length"}};

  Expression read(std::string_view text, const ParseLimits& limits = {}) {
    return parse(graph, text, names, limits);
  }
  double value(std::string_view text, double at_x = 0, double at_y = 0) {
    const std::vector<Expression> inputs{x, y};
    const Expression e = read(text);
    const double at[] = {at_x, at_y};
    double result = 0;
    Program(inputs, {&e, 1}, Backend::tape)(at, &result);
    return result;
  }
  /// Checks the place of the error and that message and remedy contain the given words.
  void expect_error(std::string_view text, std::size_t position, std::string_view what,
                    std::string_view remedy) {
    try {
      read(text);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const ParseError& e) {
      EXPECT_EQ(e.position(), position) << text;
      EXPECT_NE(std::string(e.what()).find(what), std::string::npos) << text << ": " << e.what();
      EXPECT_NE(e.remedy().find(remedy), std::string::npos) << text << ": " << e.remedy();
    }
  }
  /// A bomb must be answered at once (the bound is wide for busy machines; typical are
  /// microseconds).
  void expect_quick_error(const std::string& text) {
    const std::clock_t start = std::clock();  // processor time: other programs do not count
    EXPECT_THROW(read(text), ParseError);
    EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 0.02);
  }
};

TEST_F(Parser, FollowsTheUsualPrecedence) {
  EXPECT_EQ(value("1+2*3"), 7);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("10-3-4"), 3);
  EXPECT_EQ(value("12/3/2"), 2);
  EXPECT_EQ(value("2*-3"), -6);
  EXPECT_EQ(value("--+3"), 3);
  EXPECT_EQ(value("1 + 1 < 3"), 1);
  EXPECT_EQ(value("not 1 < 2 or 2 < 3 and 0 < 1"), 1);
  EXPECT_EQ(value("(1+2)*3"), 9);
}

TEST_F(Parser, KnowsAllFunctions) {
  EXPECT_EQ(value("sin(x)+cos(x)+tan(x)", 0.4), std::sin(0.4) + std::cos(0.4) + std::tan(0.4));
  EXPECT_EQ(value("asin(x)+acos(x)+atan(x)", 0.4),
            std::asin(0.4) + std::acos(0.4) + std::atan(0.4));
  EXPECT_EQ(value("atan2(x, y)", 1, -1), std::atan2(1, -1));
  EXPECT_EQ(value("sqrt(x)+exp(x)+log(x)", 0.4), std::sqrt(0.4) + std::exp(0.4) + std::log(0.4));
  EXPECT_EQ(value("abs(x)+sign(x)", -3), 2);
  EXPECT_EQ(value("min(x, 2, y)+max(x, y)", 1, -4), -3);
  EXPECT_EQ(value("pi"), std::numbers::pi);
  EXPECT_EQ(read("rod.left"), left);
}

TEST_F(Parser, ReadsConditionsAndPieces) {
  EXPECT_EQ(value("if(x < y, 10, 20)", 1, 2), 10);
  EXPECT_EQ(value("if(x >= y, 10, 20)", 1, 2), 20);
  const char* pieces = "piecewise(1, x < 0, 2, x < 1, 3)";
  EXPECT_EQ(value(pieces, -1), 1);
  EXPECT_EQ(value(pieces, 0.5), 2);
  EXPECT_EQ(value(pieces, 5), 3);
  EXPECT_EQ(value("x == 2", 2) + value("x != 2", 2), 1);
  EXPECT_EQ(value("x and y", 3, 0), 0);
  EXPECT_EQ(value("x and y", 3, 5), 1);
  EXPECT_EQ(value("x or y", 0, 5), 1);
  EXPECT_EQ(value("x or y", 0, 0), 0);
  EXPECT_EQ(value("not x", 0), 1);
}

TEST_F(Parser, SaysWhereAndWhyAndWhatToDo) {
  expect_error("", 0, "empty", "write");
  expect_error("   ", 0, "empty", "write");
  expect_error("x**2", 1, "**", "^");
  expect_error("(x + y", 6, "')' is missing", "byte 0");
  expect_error("sin(x", 5, "')' is missing", "byte 3");
  expect_error("x)", 1, "')' without", "open");
  expect_error("x = 2", 2, "'='", "==");
  expect_error("x && y", 2, "&&", "and");
  expect_error("2x", 1, "operator is missing", "2*x");
  expect_error("x y", 2, "operator is missing", "*");
  expect_error("2 (x)", 2, "operator is missing", "*");
  expect_error("x +", 3, "ends", "complete");
  expect_error("* x", 0, "'*'", "number");
  expect_error("()", 1, "')'", "parenthesis");
  expect_error("1,5", 1, "','", "point");
  expect_error("x < y < 2", 6, "chained", "and");
  expect_error("sin x", 0, "needs arguments", "sin(");
  expect_error("x + lenght", 4, "unknown name 'lenght'", "length");
  expect_error("sni(x)", 0, "unknown function", "sin");
  expect_error("ln(x)", 0, "unknown function", "log");
  expect_error("x(2)", 0, "no function", "x*(");
  expect_error("atan2(x)", 0, "takes 2 arguments, 1 given", "comma");
  expect_error("sin(x, y)", 0, "takes 1 argument, 2 given", "one argument");
  expect_error("sin()", 0, "0 given", "one argument");
  expect_error("if(x, y)", 0, "takes 3", "if(condition");
  expect_error("piecewise(1, x, 2, y)", 0, "odd", "otherwise");
  expect_error("1e999", 0, "does not fit", "1e308");
  expect_error("1 + nan", 4, "unknown name", "");
  expect_error("inf", 0, "unknown name", "");
  expect_error("x + \xc3\xa4", 4, "byte 0xc3", "numbers");
  expect_error(std::string_view("x\0y", 3), 1, "byte 0x00", "numbers");
  expect_error("x # y", 2, "'#'", "numbers");
  expect_error("and", 0, "'and'", "number");
  expect_error("1.2.3", 3, "operator is missing", "");
}

TEST_F(Parser, AnswersBombsAtOnce) {
  expect_quick_error(std::string(10'000'000, '('));
  expect_quick_error(std::string(90'000, '('));
  expect_quick_error(std::string(90'000, '-'));
  expect_quick_error(std::string(10'000'000, 'x'));
  expect_quick_error(std::string(90'000, 'x'));
  expect_quick_error(std::string(90'000, '9'));  // a number without exponent that does not fit
  std::string tower = "x", calls, negations;
  for (int i = 0; i < 20'000; ++i) tower += "^x";
  for (int i = 0; i < 20'000; ++i) calls += "sin(";
  for (int i = 0; i < 20'000; ++i) negations += "not ";
  expect_quick_error(tower);
  expect_quick_error(calls);
  expect_quick_error(negations);
}

TEST_F(Parser, ANumberTowerIsReadWithoutComputingIt) {
  EXPECT_FALSE(is_number(read("9^9^9^9^9^9^9")));
  EXPECT_EQ(value("9^9^9^9^9^9^9"), INFINITY);
}

TEST_F(Parser, ObeysItsLimits) {
  EXPECT_NO_THROW(read("((((x))))", {.depth = 4}));
  EXPECT_THROW(read("((((x))))", {.depth = 3}), ParseError);
  EXPECT_THROW(read("x + y", {.length = 4}), ParseError);
  EXPECT_THROW(read("sin(x)+sin(2*x)+sin(3*x)+sin(4*x)", {.nodes = 10}), ParseError);
}

TEST_F(Parser, LongFlatFormulasAreNotDeep) {
  std::string text = "x";
  for (int i = 0; i < 10'000; ++i) text += "+x*y";
  EXPECT_TRUE(depends_on(read(text), y));
}

TEST_F(Parser, BinaryGarbageNeverDoesAnythingButRefuse) {
  std::mt19937_64 random(3);
  const std::string_view alphabet = "xy()+-*/^<>=,. 0123456789esincosfmandort";
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (std::size_t k = random() % 24; k > 0; --k)
      text += i % 2 ? static_cast<char>(random()) : alphabet[random() % alphabet.size()];
    try {
      EXPECT_TRUE(read(text).is_valid());
    } catch (const ParseError& e) {
      EXPECT_LE(e.position(), text.size());
      EXPECT_FALSE(e.remedy().empty());
    }
  }
}

TEST_F(Parser, TheSameTextGivesTheSameNode) {
  EXPECT_EQ(read("sin(x + y)*2"), read("2 * sin(y+x)"));
}

}  // namespace
}  // namespace clack::symbolic
