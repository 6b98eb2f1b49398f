// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "clack/symbolic/instructions.hpp"

namespace clack::symbolic {

/// Instructions over a small set of registers, run by an interpreter: works on every platform.
/// Register layout: constants, inputs, then temporaries that are used again once their value is
/// dead.
struct Tape {
  std::vector<double> constants;
  std::size_t input_count = 0;
  std::vector<Instruction> list;  // operands and results are registers
  std::vector<std::uint32_t> outputs;
  std::size_t register_count = 0;
};

Tape make_tape(const Instructions& instructions);

/// Runs the tape. `registers` has tape.register_count entries and starts with the constants.
void run_tape(const Tape& tape, double* registers, const double* inputs, double* outputs);

}  // namespace clack::symbolic
