// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <span>

#include "clack/symbolic/expression.hpp"

namespace clack::symbolic {

struct Instructions;

/// `automatic`: machine code where the platform allows (x86-64), else the tape. `machine_code`
/// falls back to the tape in the same way; Program::backend() says which one it became.
enum class Backend { automatic, tape, machine_code };

/// Formulas made executable: all outputs at once, shared subexpressions computed once.
/// Every symbol in `outputs` must be among `inputs` (throws std::invalid_argument naming it
/// otherwise). Calls allocate nothing. One Program must not be called from two threads at a time
/// (it owns its registers); copies are independent.
class Program {
 public:
  Program();
  Program(std::span<const Expression> inputs, std::span<const Expression> outputs,
          Backend backend = Backend::automatic);
  ~Program();
  Program(const Program&);
  Program& operator=(const Program&);
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;

  /// Whether this platform is x86-64 and the system grants executable memory.
  static bool machine_code_available();

  std::size_t input_count() const;
  std::size_t output_count() const;
  std::size_t operation_count() const;
  Backend backend() const;  // tape or machine_code
  /// Inputs and outputs must not overlap.
  void operator()(const double* inputs, double* outputs) const;

 private:
  friend class Continuation;
  Program(const Instructions& instructions, Backend backend);
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace clack::symbolic
