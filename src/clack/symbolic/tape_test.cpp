// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/tape.hpp"

#include <gtest/gtest.h>

namespace clack::symbolic {
namespace {

TEST(Tape, UsesRegistersAgain) {
  Graph graph;
  const std::vector<Expression> x{graph.symbol("x")};
  Expression e = x[0];
  for (int i = 0; i < 1000; ++i) e = sqrt(e + 1.0) * x[0];
  const Tape tape = make_tape(lower(x, {&e, 1}));
  EXPECT_GT(tape.list.size(), 2900u);
  EXPECT_LE(tape.register_count, tape.constants.size() + 1 + 2);
}

TEST(Tape, OutputsMayBeInputsConstantsAndRepeated) {
  Graph graph;
  const std::vector<Expression> x{graph.symbol("x"), graph.symbol("y")};
  const std::vector<Expression> outputs{x[1], graph.number(7), x[0] * x[1], x[0] * x[1], x[0]};
  const Tape tape = make_tape(lower(x, outputs));
  std::vector<double> registers(tape.register_count);
  std::copy(tape.constants.begin(), tape.constants.end(), registers.begin());
  const double in[] = {3, 5};
  double out[5];
  run_tape(tape, registers.data(), in, out);
  EXPECT_EQ(std::vector(out, out + 5), (std::vector<double>{5, 7, 15, 15, 3}));
}

}  // namespace
}  // namespace clack::symbolic
