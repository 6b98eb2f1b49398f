// SPDX-License-Identifier: Apache-2.0
#pragma once
// Formulas as a straight list of instructions, before registers are chosen. Both the tape and the
// machine code are made from it, so they do the same operations in the same order. For the files of
// this room only.
#include <cstdint>
#include <span>
#include <vector>

#include "clack/symbolic/storage.hpp"

namespace clack::symbolic {

/// Values are numbered: constants first, then inputs, then the results of the instructions in
/// order.
using Value = std::uint32_t;

enum class Code : std::uint8_t {
  add,
  sub,
  mul,
  div,
  neg,
  sqrt,
  abs,
  sign,
  min,
  max,
  less,
  less_equal,
  equal,
  select,  // few machine instructions
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  exp,
  log,
  atan2,
  pow,    // calls of the C library
  sincos  // both at once; the cosine is the next value after the sine
};

constexpr bool is_call(Code code) { return code >= Code::sin; }
constexpr int operand_count(Code code) {
  switch (code) {
    case Code::add:
    case Code::sub:
    case Code::mul:
    case Code::div:
    case Code::min:
    case Code::max:
    case Code::less:
    case Code::less_equal:
    case Code::equal:
    case Code::atan2:
    case Code::pow:
      return 2;
    case Code::select:
      return 3;
    default:
      return 1;
  }
}
constexpr int result_count(Code code) { return code == Code::sincos ? 2 : 1; }

struct Instruction {
  Code code;
  Value result;
  std::array<Value, 3> operand{};
};

struct Instructions {
  std::vector<double> constants;
  std::size_t input_count = 0;
  std::vector<Instruction> list;
  std::vector<Value> outputs;
  std::size_t value_count = 0;

  Value first_result() const { return static_cast<Value>(constants.size() + input_count); }
};

/// Dead operations are left out, shared ones appear once. What library calls need comes before
/// everything else, so that few values live across a call.
Instructions lower(std::span<const Expression> inputs, std::span<const Expression> outputs);

/// For each value the place of the last instruction that reads it; outputs live to list.size().
std::vector<std::uint32_t> last_uses(const Instructions& instructions);

/// sin and cos of one argument, the same call from tape and machine code.
void sine_and_cosine(double angle, double* sine_then_cosine);

}  // namespace clack::symbolic
