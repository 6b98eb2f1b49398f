// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/instructions.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace clack::symbolic {
namespace {

class Lowering : public ::testing::Test {
 protected:
  Graph graph;
  std::vector<Expression> x{graph.symbol("x"), graph.symbol("y")};

  static std::size_t count(const Instructions& code, Code wanted) {
    return std::count_if(code.list.begin(), code.list.end(),
                         [&](const Instruction& i) { return i.code == wanted; });
  }
};

TEST_F(Lowering, SharesPartsBetweenOutputsAndDropsTheRest) {
  const Expression shared = sin(x[0] + x[1]);
  exp(shared);  // nobody asks for it
  const std::vector<Expression> outputs{shared, shared * x[0], shared};
  const Instructions code = lower(x, outputs);
  EXPECT_EQ(code.list.size(), 3u);
  EXPECT_EQ(code.outputs[0], code.outputs[2]);
}

TEST_F(Lowering, SineAndCosineOfOneAngleAreOneCall) {
  const std::vector<Expression> outputs{sin(x[0]) * cos(x[0]), cos(x[1])};
  const Instructions code = lower(x, outputs);
  EXPECT_EQ(count(code, Code::sincos), 1u);
  EXPECT_EQ(count(code, Code::cos), 1u);
  EXPECT_EQ(count(code, Code::sin), 0u);
}

TEST_F(Lowering, WholePowersBecomeSharedMultiplications) {
  const std::vector<Expression> outputs{pow(x[0], 2.0), pow(x[0], 3.0), pow(x[0], 4.0)};
  const Instructions code = lower(x, outputs);
  EXPECT_EQ(count(code, Code::mul), 3u);
  EXPECT_EQ(count(code, Code::pow), 0u);
}

TEST_F(Lowering, CallsComeFirst) {
  const std::vector<Expression> outputs{x[0] * x[1] + exp(x[0])};
  EXPECT_EQ(lower(x, outputs).list.front().code, Code::exp);
}

TEST_F(Lowering, NamesTheSymbolThatIsMissing) {
  const std::vector<Expression> inputs{x[0]}, outputs{x[0] + x[1]};
  try {
    lower(inputs, outputs);
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find("symbol y"), std::string::npos);
  }
  EXPECT_THROW(lower(outputs, outputs), std::invalid_argument);
  const std::vector<Expression> twice{x[0], x[0]};
  EXPECT_THROW(lower(twice, inputs), std::invalid_argument);
}

}  // namespace
}  // namespace clack::symbolic
