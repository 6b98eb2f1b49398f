// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/machine_code.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "clack/symbolic/random_formula.hpp"
#include "clack/symbolic/tape.hpp"

namespace clack::symbolic {
namespace {

/// Runs both and compares bit for bit; any "not a number" equals any other.
class BothWays {
 public:
  BothWays(std::span<const Expression> inputs, std::span<const Expression> outputs)
      : instructions_(lower(inputs, outputs)),
        tape_(make_tape(instructions_)),
        code_(MachineCode::make(instructions_)),
        registers_(tape_.register_count),
        // Canaries behind the workspace and the outputs would be overwritten by a wrong address.
        workspace_(code_ ? code_->workspace_size() + 1 : 0, canary),
        from_tape_(outputs.size()),
        from_code_(outputs.size() + 1, canary) {
    std::copy(tape_.constants.begin(), tape_.constants.end(), registers_.begin());
  }
  bool is_available() const { return code_ != nullptr; }

  bool agree_at(const std::vector<double>& at) {
    run_tape(tape_, registers_.data(), at.data(), from_tape_.data());
    code_->run(at.data(), from_code_.data(), workspace_.data());
    if (workspace_.back() != canary || from_code_.back() != canary) return false;
    for (std::size_t i = 0; i < from_tape_.size(); ++i) {
      const double a = from_tape_[i], b = from_code_[i];
      if (std::isnan(a) && std::isnan(b)) continue;
      if (std::bit_cast<std::uint64_t>(a) != std::bit_cast<std::uint64_t>(b)) return false;
    }
    return true;
  }
  double output(std::size_t i) const { return from_code_[i]; }

 private:
  static constexpr double canary = 12345.678;
  Instructions instructions_;
  Tape tape_;
  std::unique_ptr<const MachineCode> code_;
  std::vector<double> registers_, workspace_, from_tape_, from_code_;
};

#define NEED_MACHINE_CODE(both) \
  if (!(both).is_available()) GTEST_SKIP() << "no machine code on this platform"

TEST(MachineCode, HasTheBitsOfTheTapeOnThousandsOfRandomFormulas) {
  for (unsigned seed = 0; seed < 4000; ++seed) {
    Graph graph;
    testing::RandomFormula formula(graph, seed, false);
    std::vector<Expression> outputs;
    for (unsigned i = 0; i < 1 + seed % 4; ++i) outputs.push_back(formula(10 + seed % 60));
    BothWays both(formula.symbols, outputs);
    NEED_MACHINE_CODE(both);
    for (int i = 0; i < 4; ++i)
      ASSERT_TRUE(
          both.agree_at({formula.number(-3, 3), formula.number(-3, 3), formula.number(-3, 3)}))
          << "seed " << seed;
  }
}

TEST(MachineCode, HasTheBitsOfTheTapeAtZerosInfinitiesAndNotANumber) {
  const double special[] = {0.0,
                            -0.0,
                            1.0,
                            -1.0,
                            std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity(),
                            std::nan(""),
                            std::numeric_limits<double>::denorm_min(),
                            1e308};
  for (unsigned seed = 0; seed < 200; ++seed) {
    Graph graph;
    testing::RandomFormula formula(graph, seed, false);
    const std::vector<Expression> outputs{formula(5), formula(9), formula(20)};
    BothWays both(formula.symbols, outputs);
    NEED_MACHINE_CODE(both);
    for (double x : special)
      for (double y : special)
        ASSERT_TRUE(both.agree_at({x, y, special[seed % 9]})) << "seed " << seed;
  }
}

TEST(MachineCode, EveryOperationGivesTheDefinedValue) {
  Graph graph;
  const std::vector<Expression> in{graph.symbol("a"), graph.symbol("b"), graph.symbol("c")};
  const Expression a = in[0], b = in[1], c = in[2];
  const std::vector<Expression> outputs{a + b,       a - b,
                                        a * b,       a / b,
                                        -a,          pow(a, b),
                                        sin(a),      cos(a),
                                        tan(a),      asin(a),
                                        acos(a),     atan(a),
                                        sqrt(a),     exp(a),
                                        log(a),      abs(a),
                                        sign(a),     atan2(a, b),
                                        min(a, b),   max(a, b),
                                        less(a, b),  less_equal(a, b),
                                        equal(a, b), select(a, b, c)};
  const std::vector<Op> ops{Op::add,  Op::sub, Op::mul,  Op::div,        Op::neg,   Op::pow,
                            Op::sin,  Op::cos, Op::tan,  Op::asin,       Op::acos,  Op::atan,
                            Op::sqrt, Op::exp, Op::log,  Op::abs,        Op::sign,  Op::atan2,
                            Op::min,  Op::max, Op::less, Op::less_equal, Op::equal, Op::select};
  BothWays both(in, outputs);
  NEED_MACHINE_CODE(both);
  for (double x : {0.5, -0.25, 0.0, 0.9})
    for (double y : {0.5, -0.25, 2.0}) {
      ASSERT_TRUE(both.agree_at({x, y, 7.0}));
      for (std::size_t i = 0; i < ops.size(); ++i) {
        const double wanted = apply(ops[i], x, y, 7.0);
        if (std::isnan(wanted)) continue;
        EXPECT_DOUBLE_EQ(both.output(i), wanted) << to_text(outputs[i]);
      }
    }
}

TEST(MachineCode, ManyLiveValuesAreSpilledAndComeBack) {
  Graph graph;
  std::vector<Expression> in, products;
  for (int i = 0; i < 60; ++i) in.push_back(graph.symbol("x" + std::to_string(i)));
  for (int i = 0; i < 60; ++i)
    for (int j = i + 1; j < 60; ++j) products.push_back(in[i] * in[j]);
  Expression e = graph.number(0.0);
  for (std::size_t i = 0; i < products.size();
       ++i)  // all products live before the first is used up
    e = e +
        products[products.size() - 1 - i] / (products[i] + products[(i * 37) % products.size()]);
  BothWays both(in, {&e, 1});
  NEED_MACHINE_CODE(both);
  std::vector<double> at;
  for (int i = 0; i < 60; ++i) at.push_back(1.0 + 0.37 * i);
  EXPECT_TRUE(both.agree_at(at));
}

TEST(MachineCode, OutputsMayBeInputsConstantsRepeatedAndUsedAgain) {
  Graph graph;
  const std::vector<Expression> x{graph.symbol("x"), graph.symbol("y")};
  const Expression p = x[0] * x[1];
  const std::vector<Expression> outputs{x[1], graph.number(7), p, p, sin(p) + p, x[0], cos(p)};
  BothWays both(x, outputs);
  NEED_MACHINE_CODE(both);
  EXPECT_TRUE(both.agree_at({3, 5}));
  EXPECT_EQ(both.output(1), 7);
  EXPECT_EQ(both.output(3), 15);
}

}  // namespace
}  // namespace clack::symbolic
