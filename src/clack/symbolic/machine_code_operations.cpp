// SPDX-License-Identifier: Apache-2.0
// The code of one instruction: arithmetic in place, comparisons and choices by masks, calls of the C
// library.
#if defined(__x86_64__) && defined(__unix__)

#include <cmath>

#include "clack/symbolic/machine_code_generator.hpp"

namespace clack::symbolic::machine {
namespace {

const void* library_function(Code code) {
  using One = double (*)(double);
  using Two = double (*)(double, double);
  const auto one_argument = [](One f) { return reinterpret_cast<const void*>(f); };
  const auto two_arguments = [](Two f) { return reinterpret_cast<const void*>(f); };
  switch (code) {
    case Code::sin:
      return one_argument(std::sin);
    case Code::cos:
      return one_argument(std::cos);
    case Code::tan:
      return one_argument(std::tan);
    case Code::asin:
      return one_argument(std::asin);
    case Code::acos:
      return one_argument(std::acos);
    case Code::atan:
      return one_argument(std::atan);
    case Code::exp:
      return one_argument(std::exp);
    case Code::log:
      return one_argument(std::log);
    case Code::atan2:
      return two_arguments(std::atan2);
    case Code::pow:
      return two_arguments(std::pow);
    case Code::sincos:
      return reinterpret_cast<const void*>(&sine_and_cosine);
    default:
      return nullptr;
  }
}

bool commutes(Code code) { return code == Code::add || code == Code::mul; }

}  // namespace

void Generator::operation(Instruction i) {
  // 1. The result overwrites its first operand where that one is not needed any more.
  const auto may_be_overwritten = [&](Value v) {
    return place[v].reg != no_register && dies_here(v);
  };
  if (commutes(i.code) && !may_be_overwritten(i.operand[0]) && may_be_overwritten(i.operand[1]))
    std::swap(i.operand[0], i.operand[1]);
  const Value first = i.operand[0];
  const int target = may_be_overwritten(first) ? place[first].reg : take_register(i);
  // 2. Compute.
  compute(i, xmm(target));
  // 3. Operands that ended here give back what they held; the result takes the register.
  for (int k = 0; k < operand_count(i.code); ++k)
    if (dies_here(i.operand[k])) release(i.operand[k]);
  bind(i.result, target);
  store_outputs(i.result, xmm(target));
  if (dies_here(i.result)) release(i.result);
}

void Generator::arithmetic(asmjit::InstId id, const Instruction& i, const x86::Xmm& target) {
  load(target, i.operand[0]);
  if (i.operand[1] == i.operand[0])
    emit(id, target, target);
  else
    emit_with(id, target, i.operand[1]);
}

void Generator::compare(const Instruction& i, const x86::Xmm& target, int predicate) {
  load(target, i.operand[0]);
  emit_compare(target, i.operand[1], predicate);
  emit(Inst::kIdAndpd, target, pool(one));
}

void Generator::extremum(asmjit::InstId id, const Instruction& i, const x86::Xmm& target) {
  load(target, i.operand[0]);
  emit(Inst::kIdMovapd, scratch_a, target);
  emit(Inst::kIdCmpsd, scratch_a, scratch_a, asmjit::imm(is_unordered));
  emit_with(id, target, i.operand[1]);
  emit(Inst::kIdOrpd, target, scratch_a);  // all ones: not a number
}

void Generator::square_root(const Instruction& i, const x86::Xmm& target) {
  if (place[i.operand[0]].reg != static_cast<int>(target.id()))
    emit(Inst::kIdXorpd, target, target);  // no waiting for what the register held
  emit_with(Inst::kIdSqrtsd, target, i.operand[0]);
}

void Generator::sign(const Instruction& i, const x86::Xmm& target) {
  load(scratch_b, i.operand[0]);
  emit(Inst::kIdMovapd, scratch_c, scratch_b);
  emit(Inst::kIdXorpd, scratch_a, scratch_a);
  emit(Inst::kIdCmpsd, scratch_a, scratch_b, asmjit::imm(is_less));
  emit(Inst::kIdAndpd, scratch_a, pool(one));
  emit(Inst::kIdCmpsd, scratch_c, scratch_c, asmjit::imm(is_unordered));
  emit(Inst::kIdOrpd, scratch_a, scratch_c);
  emit(Inst::kIdXorpd, scratch_c, scratch_c);
  emit(Inst::kIdCmpsd, scratch_b, scratch_c, asmjit::imm(is_less));
  emit(Inst::kIdAndpd, scratch_b, pool(minus_one));
  emit(Inst::kIdOrpd, scratch_a, scratch_b);
  emit(Inst::kIdMovapd, target, scratch_a);
}

void Generator::choose(const Instruction& i, const x86::Xmm& target) {
  emit(Inst::kIdXorpd, scratch_a, scratch_a);
  emit_compare(scratch_a, i.operand[0], is_unequal);  // all ones where the condition holds
  emit(Inst::kIdMovapd, scratch_b, scratch_a);
  load(scratch_c, i.operand[1]);
  emit(Inst::kIdAndpd, scratch_a, scratch_c);
  load(scratch_c, i.operand[2]);
  emit(Inst::kIdAndnpd, scratch_b, scratch_c);
  emit(Inst::kIdOrpd, scratch_a, scratch_b);
  emit(Inst::kIdMovapd, target, scratch_a);
}

void Generator::compute(const Instruction& i, const x86::Xmm& target) {
  switch (i.code) {
    case Code::add:
      arithmetic(Inst::kIdAddsd, i, target);
      return;
    case Code::sub:
      arithmetic(Inst::kIdSubsd, i, target);
      return;
    case Code::mul:
      arithmetic(Inst::kIdMulsd, i, target);
      return;
    case Code::div:
      arithmetic(Inst::kIdDivsd, i, target);
      return;
    case Code::neg:
      load(target, i.operand[0]);
      emit(Inst::kIdXorpd, target, pool(sign_mask));
      return;
    case Code::abs:
      load(target, i.operand[0]);
      emit(Inst::kIdAndpd, target, pool(magnitude_mask));
      return;
    case Code::sqrt:
      square_root(i, target);
      return;
    case Code::sign:
      sign(i, target);
      return;
    case Code::min:
      extremum(Inst::kIdMinsd, i, target);
      return;
    case Code::max:
      extremum(Inst::kIdMaxsd, i, target);
      return;
    case Code::less:
      compare(i, target, is_less);
      return;
    case Code::less_equal:
      compare(i, target, is_less_equal);
      return;
    case Code::equal:
      compare(i, target, is_equal);
      return;
    case Code::select:
      choose(i, target);
      return;
    default:
      error = asmjit::kErrorInvalidInstruction;
      return;
  }
}

/// The C library keeps no xmm register: what is needed later goes to memory first.
void Generator::call(const Instruction& i) {
  for (int reg = 0; reg < register_count; ++reg)
    if (holds[reg] != no_register_value && !dies_here(holds[reg])) store(holds[reg]);
  if (operand_count(i.code) == 2) load(scratch_a, i.operand[1]);
  load(x86::xmm0, i.operand[0]);
  if (operand_count(i.code) == 2) emit(Inst::kIdMovapd, x86::xmm1, scratch_a);
  if (i.code == Code::sincos) {
    place[i.result].slot = slot_count++;
    place[i.result + 1].slot = slot_count++;
    emit(Inst::kIdLea, x86::rdi, cell(base_workspace, place[i.result].slot));
  }
  emit(Inst::kIdMov, x86::rax, asmjit::imm(library_function(i.code)));
  emit(Inst::kIdCall, x86::rax);
  for (int k = 0; k < operand_count(i.code); ++k)
    if (dies_here(i.operand[k])) release(i.operand[k]);
  for (int reg = 0; reg < register_count; ++reg) unbind(reg);
  if (i.code == Code::sincos) {
    take_pair(i.result, 0);
    take_pair(i.result + 1, 1);
    return;
  }
  bind(i.result, 0);
  store_outputs(i.result, x86::xmm0);
  if (dies_here(i.result)) release(i.result);
}

/// A result that the call left in the workspace.
void Generator::take_pair(Value v, int reg) {
  emit(Inst::kIdMovsd, xmm(reg), cell(base_workspace, place[v].slot));
  place[v].is_stored = true;
  bind(v, reg);
  store_outputs(v, xmm(reg));
  if (dies_here(v)) release(v);
}

}  // namespace clack::symbolic::machine

#endif
