// SPDX-License-Identifier: Apache-2.0
#pragma once
// Generates x86-64 code from instructions: one pass, registers given to values as they are needed,
// the value that is read last gives up its register first. For the files of this room only.
#include <asmjit/x86.h>

#include <array>

#include "clack/symbolic/machine_code.hpp"

namespace clack::symbolic::machine {

namespace x86 = asmjit::x86;
namespace Inst = x86::Inst;
using Pair = MachineCode::Pair;

constexpr Value no_register_value = 0xffffffffu;
constexpr std::uint32_t no_slot = 0xffffffffu;
constexpr std::uint32_t never = 0xffffffffu;
constexpr int no_register = -1;
constexpr int register_count =
    13;  // xmm0 to xmm12 hold values, the others are for single operations
const x86::Xmm scratch_a = x86::xmm15, scratch_b = x86::xmm14, scratch_c = x86::xmm13;

// Places in the pool of 16-byte constants.
enum PoolEntry { magnitude_mask, sign_mask, one, minus_one, zero, first_constant };

class Generator {
 public:
  explicit Generator(const Instructions& instructions);
  bool generate();
  std::span<const unsigned char> code() {
    const auto& buffer = holder.textSection()->buffer();
    return {buffer.data(), buffer.size()};
  }
  std::size_t workspace_size() const { return slot_count; }

 private:
  struct Place {
    int reg = no_register;
    std::uint32_t slot = no_slot;        // in the workspace
    std::uint32_t output = no_slot;      // first output that is this value
    std::uint32_t use = 0, use_end = 0;  // remaining entries of `uses`
    bool is_stored = false;              // memory holds it (workspace or output)
  };

  // ---- what is used when ----

  void find_uses();
  void find_outputs();
  /// The next instruction after the present one that reads v.
  std::uint32_t next_use(Value v) {
    Place& p = place[v];
    while (p.use < p.use_end && uses[p.use] <= now) ++p.use;
    return p.use < p.use_end ? uses[p.use] : never;
  }
  bool dies_here(Value v) { return next_use(v) == never; }

  // ---- memory ----

  static x86::Mem cell(const x86::Gp& base, std::size_t index) {
    return x86::qword_ptr(base, static_cast<std::int32_t>(8 * index));
  }
  x86::Mem pool(PoolEntry entry) const {
    return x86::xmmword_ptr(base_pool, static_cast<std::int32_t>(16 * entry));
  }
  /// Where memory holds v.
  x86::Mem home(Value v) const {
    if (v < source.constants.size()) return cell(base_pool, 2 * first_constant + v);
    if (v < source.first_result()) return cell(base_inputs, v - source.constants.size());
    const Place& p = place[v];
    return p.output != no_slot ? cell(base_outputs, p.output) : cell(base_workspace, p.slot);
  }
  std::uint32_t take_slot();
  void store(Value v);
  void store_outputs(Value v, const x86::Xmm& reg);
  void store_leaf_outputs();

  // ---- registers ----

  static x86::Xmm xmm(int reg) { return x86::Xmm(static_cast<std::uint32_t>(reg)); }

  void bind(Value v, int reg) {
    holds[reg] = v;
    place[v].reg = reg;
  }
  void unbind(int reg) {
    if (holds[reg] == no_register_value) return;
    place[holds[reg]].reg = no_register;
    holds[reg] = no_register_value;
  }
  /// A value that is not read any more gives back its register and its memory.
  void release(Value v);
  /// A free register; operands of the present instruction stay where they are.
  int take_register(const Instruction& i);

  // ---- instructions ----

  template <typename... Operands>
  void emit(asmjit::InstId id, const Operands&... operands) {
    if (const asmjit::Error e = emitter.emit(id, operands...); e != asmjit::kErrorOk) error = e;
  }
  /// id reg, v   with v in its register or in memory.
  void emit_with(asmjit::InstId id, const x86::Xmm& reg, Value v) {
    if (place[v].reg != no_register)
      emit(id, reg, xmm(place[v].reg));
    else
      emit(id, reg, home(v));
  }
  void emit_compare(const x86::Xmm& reg, Value v, int predicate) {
    if (place[v].reg != no_register)
      emit(Inst::kIdCmpsd, reg, xmm(place[v].reg), asmjit::imm(predicate));
    else
      emit(Inst::kIdCmpsd, reg, home(v), asmjit::imm(predicate));
  }
  void load(const x86::Xmm& reg, Value v) {
    const int from = place[v].reg;
    if (from == no_register)
      emit(Inst::kIdMovsd, reg, home(v));
    else if (xmm(from).id() != reg.id())
      emit(Inst::kIdMovapd, reg, xmm(from));
  }

  void operation(Instruction i);
  void arithmetic(asmjit::InstId id, const Instruction& i, const x86::Xmm& target);
  void compare(const Instruction& i, const x86::Xmm& target, int predicate);
  void extremum(asmjit::InstId id, const Instruction& i, const x86::Xmm& target);
  void square_root(const Instruction& i, const x86::Xmm& target);
  void sign(const Instruction& i, const x86::Xmm& target);
  void choose(const Instruction& i, const x86::Xmm& target);
  void compute(const Instruction& i, const x86::Xmm& target);
  /// The C library keeps no xmm register: what is needed later goes to memory first.
  void call(const Instruction& i);
  /// A result that the call left in the workspace.
  void take_pair(Value v, int reg);

  // ---- frame ----

  void prologue();
  void epilogue();

  enum Predicate { is_equal = 0, is_less = 1, is_less_equal = 2, is_unordered = 3, is_unequal = 4 };

  const Instructions& source;
  asmjit::CodeHolder holder;
  x86::Assembler emitter;
  asmjit::Error error = asmjit::kErrorNotInitialized;
  std::vector<Place> place;                     // of each value
  std::vector<std::uint32_t> uses;              // instructions that read each value, ascending
  std::vector<std::uint32_t> next_same_output;  // outputs that are the same value
  std::array<Value, register_count> holds;
  std::vector<std::uint32_t> free_slots;
  std::uint32_t slot_count = 0;
  std::size_t now = 0;
  bool has_calls = false;
  // Arguments as they arrive; moved to kept registers when there are calls.
  x86::Gp base_inputs = x86::rdi, base_outputs = x86::rsi, base_workspace = x86::rdx,
          base_pool = x86::rcx;
};

}  // namespace clack::symbolic::machine
