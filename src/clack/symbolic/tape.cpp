// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/tape.hpp"

#include <algorithm>

namespace clack::symbolic {
namespace {

// clang-format off
/// Calls of the C library.
void run_call(const Instruction& i, double a, double b, double& result) {
  switch (i.code) {
    case Code::sin: result = std::sin(a); return;
    case Code::cos: result = std::cos(a); return;
    case Code::tan: result = std::tan(a); return;
    case Code::asin: result = std::asin(a); return;
    case Code::acos: result = std::acos(a); return;
    case Code::atan: result = std::atan(a); return;
    case Code::exp: result = std::exp(a); return;
    case Code::log: result = std::log(a); return;
    case Code::atan2: result = std::atan2(a, b); return;
    case Code::pow: result = std::pow(a, b); return;
    case Code::sincos: sine_and_cosine(a, &result); return;
    default: return;  // run_one() does the others
  }
}

void run_one(const Instruction& i, double* r) {
  const double a = r[i.operand[0]];
  const double b = r[i.operand[1]];
  double& result = r[i.result];
  switch (i.code) {
    case Code::add: result = a + b; return;
    case Code::sub: result = a - b; return;
    case Code::mul: result = a * b; return;
    case Code::div: result = a / b; return;
    case Code::neg: result = -a; return;
    case Code::sqrt: result = std::sqrt(a); return;
    case Code::abs: result = std::fabs(a); return;
    case Code::sign: result = apply(Op::sign, a); return;
    case Code::min: result = apply(Op::min, a, b); return;
    case Code::max: result = apply(Op::max, a, b); return;
    case Code::less: result = a < b ? 1.0 : 0.0; return;
    case Code::less_equal: result = a <= b ? 1.0 : 0.0; return;
    case Code::equal: result = a == b ? 1.0 : 0.0; return;
    case Code::select: result = a != 0 ? b : r[i.operand[2]]; return;
    default: run_call(i, a, b, result); return;
  }
}
// clang-format on

}  // namespace

Tape make_tape(const Instructions& instructions) {
  Tape tape;
  tape.constants = instructions.constants;
  tape.input_count = instructions.input_count;
  tape.list.reserve(instructions.list.size());
  const std::vector<std::uint32_t> last = last_uses(instructions);
  const Value first = instructions.first_result();
  std::vector<std::uint32_t> place(instructions.value_count);
  for (Value v = 0; v < first; ++v) place[v] = v;
  std::vector<std::uint32_t> free;
  std::uint32_t next = first;
  const auto release = [&](Value v, std::size_t now) {
    if (v >= first && last[v] == now) free.push_back(place[v]);
  };
  for (std::size_t i = 0; i < instructions.list.size(); ++i) {
    Instruction instruction = instructions.list[i];
    const Instruction& source = instructions.list[i];
    const int count = operand_count(instruction.code);
    for (int k = 0; k < count; ++k) instruction.operand[k] = place[source.operand[k]];
    // Unused operands repeat the first, so that the interpreter may read them.
    for (int k = count; k < 3; ++k) instruction.operand[k] = instruction.operand[0];
    for (int k = 0; k < count; ++k) {
      const bool is_repeated = std::find(source.operand.begin(), source.operand.begin() + k,
                                         source.operand[k]) != source.operand.begin() + k;
      if (!is_repeated) release(source.operand[k], i);
    }
    if (result_count(instruction.code) == 2) {  // a neighbouring pair
      instruction.result = next;
      place[source.result] = next++;
      place[source.result + 1] = next++;
    } else if (free.empty()) {
      instruction.result = place[source.result] = next++;
    } else {
      instruction.result = place[source.result] = free.back();
      free.pop_back();
    }
    tape.list.push_back(instruction);
  }
  for (Value v : instructions.outputs) tape.outputs.push_back(place[v]);
  tape.register_count = next;
  return tape;
}

void run_tape(const Tape& tape, double* registers, const double* inputs, double* outputs) {
  std::copy_n(inputs, tape.input_count, registers + tape.constants.size());
  for (const Instruction& instruction : tape.list) run_one(instruction, registers);
  for (std::size_t i = 0; i < tape.outputs.size(); ++i) outputs[i] = registers[tape.outputs[i]];
}

}  // namespace clack::symbolic
