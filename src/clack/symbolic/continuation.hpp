// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "clack/symbolic/program.hpp"

namespace clack::symbolic {

enum class Code : std::uint8_t;  // instructions.hpp

/// Formulas, and what is computed further from their values, as one program.
///
/// What is added here is done in the order in which it is added: the results have the bits that the same operations on the
/// outputs of a Program would give (a zero may have the other sign). Operations on constants are done beforehand, those that
/// appear twice are done once, and those that change no finite number are left out: x + 0, x * 1, and, where x is finite
/// whenever the inputs are, 0 * x and x - x.
class Continuation {
 public:
  struct Number {
    std::uint32_t node = 0;
  };

  /// As for Program.
  Continuation(std::span<const Expression> inputs, std::span<const Expression> outputs);

  Number input(std::size_t i) const { return {inputs_[i]}; }
  Number output(std::size_t i) const { return {outputs_[i]}; }
  Number constant(double value);
  Number sum(Number a, Number b);
  Number difference(Number a, Number b);
  Number product(Number a, Number b);

  /// From the inputs to these results.
  Program program(std::span<const Number> results, Backend backend = Backend::automatic) const;

 private:
  enum class Kind { constant, input, operation, second_result };
  struct Node {
    Kind kind = Kind::constant;
    Code code = {};
    std::array<std::uint32_t, 3> operand{};
    double value = 0.0;
    bool is_bounded = true;  // finite whenever the inputs are
  };
  std::uint32_t add(const Node& node);
  Number operation(Code code, Number a, Number b);
  bool is(Number x, double value) const;
  bool is_bounded(Code code, std::span<const std::uint32_t> operands) const;
  std::vector<bool> needed_for(std::span<const Number> results) const;

  std::vector<Node> nodes_;  // operands before results
  std::vector<std::uint32_t> inputs_, outputs_;
  std::map<double, std::uint32_t> constants_;
  std::map<std::tuple<Code, std::uint32_t, std::uint32_t>, std::uint32_t> known_;
};

}  // namespace clack::symbolic
