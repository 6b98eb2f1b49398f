#include "clack/symbolic/machine_code.hpp"

#include <bit>
#include <cmath>

#if defined(__x86_64__) && defined(__unix__)
#define CLACK_HAS_ASSEMBLER
#include <asmjit/x86.h>
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

namespace {

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

std::vector<Pair> make_pool(const Instructions& source) {
  const double magnitude = std::bit_cast<double>(0x7fffffffffffffffull);
  const double sign = std::bit_cast<double>(0x8000000000000000ull);
  std::vector<Pair> pool{{magnitude, 0.0}, {sign, 0.0}, {1.0, 0.0}, {-1.0, 0.0}, {0.0, 0.0}};
  for (std::size_t i = 0; i < source.constants.size(); i += 2)
    pool.push_back(
        {source.constants[i], i + 1 < source.constants.size() ? source.constants[i + 1] : 0.0});
  return pool;
}

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

class Generator {
 public:
  explicit Generator(const Instructions& instructions)
      : source(instructions), place(instructions.value_count) {
    holds.fill(no_register_value);
    if (holder.init(asmjit::Environment::host()) == asmjit::kErrorOk)
      error = holder.attach(&emitter);
    find_uses();
    find_outputs();
    for (const Instruction& i : source.list) has_calls = has_calls || is_call(i.code);
  }

  bool generate() {
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

  void find_uses() {
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
  void find_outputs() {
    next_same_output.assign(source.outputs.size(), no_slot);
    for (std::size_t k = source.outputs.size(); k-- > 0;) {
      Place& p = place[source.outputs[k]];
      next_same_output[k] = p.output;
      p.output = static_cast<std::uint32_t>(k);
    }
  }
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
  std::uint32_t take_slot() {
    if (free_slots.empty()) return slot_count++;
    const std::uint32_t slot = free_slots.back();
    free_slots.pop_back();
    return slot;
  }
  void store(Value v) {
    Place& p = place[v];
    if (v < source.first_result() || p.is_stored) return;
    p.slot = take_slot();
    p.is_stored = true;
    emit(Inst::kIdMovsd, home(v), xmm(p.reg));
  }
  void store_outputs(Value v, const x86::Xmm& reg) {
    Place& p = place[v];
    for (std::uint32_t k = p.output; k != no_slot; k = next_same_output[k])
      emit(Inst::kIdMovsd, cell(base_outputs, k), reg);
    if (p.output != no_slot) p.is_stored = true;
  }
  void store_leaf_outputs() {
    for (std::size_t k = 0; k < source.outputs.size(); ++k) {
      if (source.outputs[k] >= source.first_result()) continue;
      emit(Inst::kIdMovsd, scratch_a, home(source.outputs[k]));
      emit(Inst::kIdMovsd, cell(base_outputs, k), scratch_a);
    }
  }

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
  void release(Value v) {
    Place& p = place[v];
    if (p.reg != no_register) unbind(p.reg);
    if (p.slot != no_slot) {
      free_slots.push_back(p.slot);
      p.slot = no_slot;
    }
  }
  /// A free register; operands of the present instruction stay where they are.
  int take_register(const Instruction& i) {
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

  static bool commutes(Code code) { return code == Code::add || code == Code::mul; }

  void operation(Instruction i) {
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

  void arithmetic(asmjit::InstId id, const Instruction& i, const x86::Xmm& target) {
    load(target, i.operand[0]);
    if (i.operand[1] == i.operand[0])
      emit(id, target, target);
    else
      emit_with(id, target, i.operand[1]);
  }
  void compare(const Instruction& i, const x86::Xmm& target, int predicate) {
    load(target, i.operand[0]);
    emit_compare(target, i.operand[1], predicate);
    emit(Inst::kIdAndpd, target, pool(one));
  }
  void extremum(asmjit::InstId id, const Instruction& i, const x86::Xmm& target) {
    load(target, i.operand[0]);
    emit(Inst::kIdMovapd, scratch_a, target);
    emit(Inst::kIdCmpsd, scratch_a, scratch_a, asmjit::imm(is_unordered));
    emit_with(id, target, i.operand[1]);
    emit(Inst::kIdOrpd, target, scratch_a);  // all ones: not a number
  }
  void square_root(const Instruction& i, const x86::Xmm& target) {
    if (place[i.operand[0]].reg != static_cast<int>(target.id()))
      emit(Inst::kIdXorpd, target, target);  // no waiting for what the register held
    emit_with(Inst::kIdSqrtsd, target, i.operand[0]);
  }
  void sign(const Instruction& i, const x86::Xmm& target) {
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
  void choose(const Instruction& i, const x86::Xmm& target) {
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

  void compute(const Instruction& i, const x86::Xmm& target) {
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
  void call(const Instruction& i) {
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
  void take_pair(Value v, int reg) {
    emit(Inst::kIdMovsd, xmm(reg), cell(base_workspace, place[v].slot));
    place[v].is_stored = true;
    bind(v, reg);
    store_outputs(v, xmm(reg));
    if (dies_here(v)) release(v);
  }

  // ---- frame ----

  void prologue() {
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
  void epilogue() {
    if (has_calls) {
      emit(Inst::kIdAdd, x86::rsp, asmjit::imm(8));
      for (const x86::Gp& kept : {x86::r14, x86::r13, x86::r12, x86::rbx}) emit(Inst::kIdPop, kept);
    }
    emit(Inst::kIdRet);
  }

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

}  // namespace

std::unique_ptr<const MachineCode> MachineCode::make(const Instructions& instructions) {
  Generator generator(instructions);
  if (!generator.generate()) return nullptr;
  std::unique_ptr<const MachineCode> result(
      new MachineCode(make_pool(instructions), generator.code(), generator.workspace_size()));
  return result->function_ != nullptr ? std::move(result) : nullptr;
}

#endif

}  // namespace clack::symbolic
