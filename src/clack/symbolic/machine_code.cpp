// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/machine_code.hpp"

#include <bit>

#if defined(__x86_64__) && defined(__unix__)
#define CLACK_HAS_ASSEMBLER
#include "clack/symbolic/machine_code_generator.hpp"
#endif

namespace clack::symbolic {

MachineCode::MachineCode(std::vector<Pair> pool, std::span<const unsigned char> code,
                         std::size_t workspace_size)
    : pool_(std::move(pool)), memory_(code), workspace_size_(workspace_size) {
  function_ = reinterpret_cast<Function>(const_cast<void*>(memory_.start()));
}

#ifndef CLACK_HAS_ASSEMBLER

std::unique_ptr<const MachineCode> MachineCode::make(const Instructions&) { return nullptr; }

#else

namespace machine {
namespace {

std::vector<Pair> make_pool(const Instructions& source) {
  const double magnitude = std::bit_cast<double>(0x7fffffffffffffffull);
  const double sign = std::bit_cast<double>(0x8000000000000000ull);
  std::vector<Pair> pool{{magnitude, 0.0}, {sign, 0.0}, {1.0, 0.0}, {-1.0, 0.0}, {0.0, 0.0}};
  for (std::size_t i = 0; i < source.constants.size(); i += 2)
    pool.push_back(
        {source.constants[i], i + 1 < source.constants.size() ? source.constants[i + 1] : 0.0});
  return pool;
}

}  // namespace

Generator::Generator(const Instructions& instructions)
    : source(instructions), place(instructions.value_count) {
  holds.fill(no_register_value);
  if (holder.init(asmjit::Environment::host()) == asmjit::kErrorOk) error = holder.attach(&emitter);
  find_uses();
  find_outputs();
  for (const Instruction& i : source.list) has_calls = has_calls || is_call(i.code);
}

bool Generator::generate() {
  if (error != asmjit::kErrorOk) return false;
  prologue();
  for (now = 0; now < source.list.size(); ++now) {
    const Instruction& i = source.list[now];
    if (is_call(i.code))
      call(i);
    else
      operation(i);
  }
  store_leaf_outputs();
  epilogue();
  return error == asmjit::kErrorOk;
}

void Generator::find_uses() {
  for (const Instruction& i : source.list)
    for (int k = 0; k < operand_count(i.code); ++k) ++place[i.operand[k]].use_end;
  std::uint32_t total = 0;
  for (Place& p : place) {
    const std::uint32_t count = p.use_end;
    p.use = p.use_end = total;
    total += count;
  }
  uses.resize(total);
  for (std::size_t at = 0; at < source.list.size(); ++at) {
    const Instruction& i = source.list[at];
    for (int k = 0; k < operand_count(i.code); ++k)
      uses[place[i.operand[k]].use_end++] = static_cast<std::uint32_t>(at);
  }
}

void Generator::find_outputs() {
  next_same_output.assign(source.outputs.size(), no_slot);
  for (std::size_t k = source.outputs.size(); k-- > 0;) {
    Place& p = place[source.outputs[k]];
    next_same_output[k] = p.output;
    p.output = static_cast<std::uint32_t>(k);
  }
}

std::uint32_t Generator::take_slot() {
  if (free_slots.empty()) return slot_count++;
  const std::uint32_t slot = free_slots.back();
  free_slots.pop_back();
  return slot;
}

void Generator::store(Value v) {
  Place& p = place[v];
  if (v < source.first_result() || p.is_stored) return;
  p.slot = take_slot();
  p.is_stored = true;
  emit(Inst::kIdMovsd, home(v), xmm(p.reg));
}

void Generator::store_outputs(Value v, const x86::Xmm& reg) {
  Place& p = place[v];
  for (std::uint32_t k = p.output; k != no_slot; k = next_same_output[k])
    emit(Inst::kIdMovsd, cell(base_outputs, k), reg);
  if (p.output != no_slot) p.is_stored = true;
}

void Generator::store_leaf_outputs() {
  for (std::size_t k = 0; k < source.outputs.size(); ++k) {
    if (source.outputs[k] >= source.first_result()) continue;
    emit(Inst::kIdMovsd, scratch_a, home(source.outputs[k]));
    emit(Inst::kIdMovsd, cell(base_outputs, k), scratch_a);
  }
}

/// A value that is not read any more gives back its register and its memory.
void Generator::release(Value v) {
  Place& p = place[v];
  if (p.reg != no_register) unbind(p.reg);
  if (p.slot != no_slot) {
    free_slots.push_back(p.slot);
    p.slot = no_slot;
  }
}

/// A free register; operands of the present instruction stay where they are.
int Generator::take_register(const Instruction& i) {
  int best = no_register;
  std::uint32_t farthest = 0;
  for (int reg = 0; reg < register_count; ++reg) {
    const Value v = holds[reg];
    if (v == no_register_value) return reg;
    bool is_operand = false;
    for (int k = 0; k < operand_count(i.code); ++k) is_operand = is_operand || i.operand[k] == v;
    if (is_operand) continue;
    if (const std::uint32_t use = next_use(v); use >= farthest) {
      farthest = use;
      best = reg;
    }
  }
  store(holds[best]);
  unbind(best);
  return best;
}

void Generator::prologue() {
  if (!has_calls) return;
  for (const x86::Gp& kept : {x86::rbx, x86::r12, x86::r13, x86::r14}) emit(Inst::kIdPush, kept);
  emit(Inst::kIdSub, x86::rsp, asmjit::imm(8));  // 16-byte alignment at the calls
  const auto keep = [&](x86::Gp& base, const x86::Gp& kept) {
    emit(Inst::kIdMov, kept, base);
    base = kept;
  };
  keep(base_inputs, x86::rbx);
  keep(base_outputs, x86::r12);
  keep(base_workspace, x86::r13);
  keep(base_pool, x86::r14);
}

void Generator::epilogue() {
  if (has_calls) {
    emit(Inst::kIdAdd, x86::rsp, asmjit::imm(8));
    for (const x86::Gp& kept : {x86::r14, x86::r13, x86::r12, x86::rbx}) emit(Inst::kIdPop, kept);
  }
  emit(Inst::kIdRet);
}

}  // namespace machine

std::unique_ptr<const MachineCode> MachineCode::make(const Instructions& instructions) {
  machine::Generator generator(instructions);
  if (!generator.generate()) return nullptr;
  std::unique_ptr<const MachineCode> result(new MachineCode(
      machine::make_pool(instructions), generator.code(), generator.workspace_size()));
  return result->function_ != nullptr ? std::move(result) : nullptr;
}

#endif

}  // namespace clack::symbolic
