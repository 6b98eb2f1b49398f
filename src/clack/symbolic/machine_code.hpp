// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "clack/symbolic/executable_memory.hpp"
#include "clack/symbolic/instructions.hpp"

namespace clack::symbolic {

/// Instructions as x86-64 code: scalar SSE2 for arithmetic, calls of the C library for the rest.
/// The same operations in the same order as the tape, hence the same bits (which bits a "not a
/// number" carries is left open, as in the C++ language).
///
/// Values live in 13 registers. The one whose next use is farthest gives way; it is stored only if
/// no memory holds it yet (constants, inputs and outputs are in memory anyway).
class MachineCode {
 public:
  /// Nothing on other platforms and where executable memory is refused.
  static std::unique_ptr<const MachineCode> make(const Instructions& instructions);

  /// `workspace` has workspace_size() entries; inputs and outputs must not overlap.
  void run(const double* inputs, double* outputs, double* workspace) const {
    function_(inputs, outputs, workspace, pool_.data());
  }
  std::size_t workspace_size() const { return workspace_size_; }

  /// Two doubles that one 128-bit instruction may read.
  struct alignas(16) Pair {
    double low = 0.0, high = 0.0;
  };

 private:
  using Function = void (*)(const double*, double*, double*, const Pair*);
  MachineCode(std::vector<Pair> pool, std::span<const unsigned char> code,
              std::size_t workspace_size);

  std::vector<Pair> pool_;  // masks, then the constants
  ExecutableMemory memory_;
  Function function_ = nullptr;
  std::size_t workspace_size_ = 0;
};

}  // namespace clack::symbolic
