#include "clack/symbolic/program.hpp"

#include <algorithm>
#include <vector>

#include "clack/symbolic/tape.hpp"

namespace clack::symbolic {

struct Program::Implementation {
  Tape tape;
  std::vector<double> registers;
};

Program::Program() : implementation_(std::make_unique<Implementation>()) {}

Program::Program(std::span<const Expression> inputs, std::span<const Expression> outputs, Backend)
    : Program() {
  auto& own = *implementation_;
  own.tape = make_tape(lower(inputs, outputs));
  own.registers.assign(own.tape.register_count, 0.0);
  std::copy(own.tape.constants.begin(), own.tape.constants.end(), own.registers.begin());
}

Program::~Program() = default;
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;

std::size_t Program::input_count() const { return implementation_->tape.input_count; }
std::size_t Program::output_count() const { return implementation_->tape.outputs.size(); }
std::size_t Program::operation_count() const { return implementation_->tape.list.size(); }
Backend Program::backend() const { return Backend::tape; }

void Program::operator()(const double* inputs, double* outputs) const {
  run_tape(implementation_->tape, implementation_->registers.data(), inputs, outputs);
}

}  // namespace clack::symbolic
