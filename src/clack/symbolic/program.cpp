// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/program.hpp"

#include <algorithm>
#include <vector>

#include "clack/symbolic/machine_code.hpp"
#include "clack/symbolic/tape.hpp"

namespace clack::symbolic {

struct Program::Implementation {
  std::size_t input_count = 0, output_count = 0, operation_count = 0;
  std::shared_ptr<const MachineCode>
      machine_code;  // immutable, shared by copies; empty: the tape runs
  Tape tape;
  std::vector<double> registers;  // of the tape, or workspace of the machine code
};

Program::Program() : implementation_(std::make_unique<Implementation>()) {}

Program::Program(std::span<const Expression> inputs, std::span<const Expression> outputs,
                 Backend backend)
    : Program(lower(inputs, outputs), backend) {}

Program::Program(const Instructions& instructions, Backend backend) : Program() {
  auto& own = *implementation_;
  own.input_count = instructions.input_count;
  own.output_count = instructions.outputs.size();
  own.operation_count = instructions.list.size();
  if (backend != Backend::tape) own.machine_code = MachineCode::make(instructions);
  if (own.machine_code) {
    own.registers.assign(own.machine_code->workspace_size(), 0.0);
    return;
  }
  own.tape = make_tape(instructions);
  own.registers.assign(own.tape.register_count, 0.0);
  std::copy(own.tape.constants.begin(), own.tape.constants.end(), own.registers.begin());
}

Program::~Program() = default;
Program::Program(const Program& other)
    : implementation_(std::make_unique<Implementation>(*other.implementation_)) {}
Program& Program::operator=(const Program& other) {
  *this = Program(other);
  return *this;
}
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;

bool Program::machine_code_available() { return MachineCode::make(Instructions{}) != nullptr; }

std::size_t Program::input_count() const { return implementation_->input_count; }
std::size_t Program::output_count() const { return implementation_->output_count; }
std::size_t Program::operation_count() const { return implementation_->operation_count; }
Backend Program::backend() const {
  return implementation_->machine_code ? Backend::machine_code : Backend::tape;
}

void Program::operator()(const double* inputs, double* outputs) const {
  auto& own = *implementation_;
  if (own.machine_code)
    own.machine_code->run(inputs, outputs, own.registers.data());
  else
    run_tape(own.tape, own.registers.data(), inputs, outputs);
}

}  // namespace clack::symbolic
