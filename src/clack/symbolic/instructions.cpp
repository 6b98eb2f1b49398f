// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/instructions.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

namespace clack::symbolic {
namespace {

constexpr Value no_value = 0xffffffffu;

Code code_of(Op op) {
  switch (op) {
    case Op::add:
      return Code::add;
    case Op::sub:
      return Code::sub;
    case Op::mul:
      return Code::mul;
    case Op::div:
      return Code::div;
    case Op::neg:
      return Code::neg;
    case Op::pow:
      return Code::pow;
    case Op::sin:
      return Code::sin;
    case Op::cos:
      return Code::cos;
    case Op::tan:
      return Code::tan;
    case Op::asin:
      return Code::asin;
    case Op::acos:
      return Code::acos;
    case Op::atan:
      return Code::atan;
    case Op::sqrt:
      return Code::sqrt;
    case Op::exp:
      return Code::exp;
    case Op::log:
      return Code::log;
    case Op::abs:
      return Code::abs;
    case Op::sign:
      return Code::sign;
    case Op::atan2:
      return Code::atan2;
    case Op::min:
      return Code::min;
    case Op::max:
      return Code::max;
    case Op::less:
      return Code::less;
    case Op::less_equal:
      return Code::less_equal;
    case Op::equal:
      return Code::equal;
    case Op::select:
      return Code::select;
    case Op::number:
    case Op::symbol:
      break;
  }
  throw std::logic_error("a leaf has no instruction");
}

class Lowering {
 public:
  Lowering(Graph::Storage& storage, std::span<const Expression> inputs,
           std::span<const Expression> outputs)
      : s(storage), roots(nodes_of(outputs)), walk(storage, roots), order(walk.order()) {
    // 1. The nodes that are needed, operands first: `order`.
    // 2. Numbers for constants and inputs.
    value.assign(order.size(), no_value);
    code.input_count = inputs.size();
    number_leaves(inputs);
    // 3. First what calls need, then the rest.
    mark_needed_by_calls();
    code.list.reserve(order.size());
    next = code.first_result();
    for (const bool early : {true, false})
      for (std::size_t i = 0; i < order.size(); ++i)
        if (value[i] == no_value && (!early || needed_by_call[i])) emit(i);
    // 4. Outputs.
    for (NodeIndex root : roots) code.outputs.push_back(value_of(root));
    code.value_count = next;
  }

  Instructions code;

 private:
  Value value_of(NodeIndex n) const { return value[walk.place(n)]; }

  void number_leaves(std::span<const Expression> inputs) {
    for (std::size_t i = 0; i < order.size(); ++i)
      if (s.is_number(order[i])) {
        value[i] = static_cast<Value>(code.constants.size());
        code.constants.push_back(s.value(order[i]));
      }
    // Chains of multiplications for whole powers leave their exponents unused; they cost nothing.
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!is_symbol(inputs[i])) throw std::invalid_argument("inputs of a program must be symbols");
      const NodeIndex n = inputs[i].node();
      if (!walk.has_reached(n)) continue;
      if (value[walk.place(n)] != no_value)
        throw std::invalid_argument("symbol " + symbol_name(inputs[i]) + " is an input twice");
      value[walk.place(n)] = static_cast<Value>(code.constants.size() + i);
    }
    for (std::size_t i = 0; i < order.size(); ++i)
      if (s.nodes[order[i]].op == Op::symbol && value[i] == no_value)
        throw std::invalid_argument("symbol " + s.names[s.nodes[order[i]].operand[0]] +
                                    " is used but is not among the inputs of the program");
  }

  bool is_chain_power(const Node& node) const {
    if (node.op != Op::pow || !s.is_number(node.operand[1])) return false;
    const double exponent = s.value(node.operand[1]);
    return exponent >= 1 && exponent <= largest_chain_power && exponent == std::floor(exponent);
  }
  bool is_call_node(const Node& node) const {
    return operand_count(node.op) > 0 && is_call(code_of(node.op)) && !is_chain_power(node);
  }

  void mark_needed_by_calls() {
    needed_by_call.assign(order.size(), false);
    partner.assign(order.size(), no_value);
    std::unordered_map<NodeIndex, std::uint32_t> sine_of;
    for (std::size_t i = order.size(); i-- > 0;) {
      const Node& node = s.nodes[order[i]];
      if (is_call_node(node)) needed_by_call[i] = true;
      if (needed_by_call[i])
        for (int k = 0; k < operand_count(node.op); ++k)
          needed_by_call[walk.place(node.operand[k])] = true;
      if (node.op != Op::sin && node.op != Op::cos) continue;
      const auto [found, is_new] = sine_of.emplace(node.operand[0], static_cast<std::uint32_t>(i));
      if (is_new) continue;
      partner[i] = found->second;
      partner[found->second] = static_cast<std::uint32_t>(i);
    }
  }

  Value push(Code op, Value a, Value b = 0, Value c = 0) {
    code.list.push_back({op, next, {a, b, c}});
    const Value result = next;
    next += static_cast<Value>(result_count(op));
    return result;
  }

  void emit(std::size_t i) {
    const Node& node = s.nodes[order[i]];
    if (is_chain_power(node)) {
      value[i] = chain(value_of(node.operand[0]), static_cast<int>(s.value(node.operand[1])));
      return;
    }
    if (partner[i] != no_value) {
      const Value sine = push(Code::sincos, value_of(node.operand[0]));
      value[i] = node.op == Op::sin ? sine : sine + 1;
      value[partner[i]] = node.op == Op::sin ? sine + 1 : sine;
      return;
    }
    Value operand[3] = {0, 0, 0};
    for (int k = 0; k < operand_count(node.op); ++k) operand[k] = value_of(node.operand[k]);
    value[i] = push(code_of(node.op), operand[0], operand[1], operand[2]);
  }

  /// The multiplications of integer_power(); products that another power already made are shared.
  Value chain(Value x, int n) {
    Value power = x;
    for (int bit = std::bit_width(static_cast<unsigned>(n)) - 2; bit >= 0; --bit) {
      power = product(power, power);
      if (n >> bit & 1) power = product(power, x);
    }
    return power;
  }
  Value product(Value a, Value b) {
    const std::uint64_t key = std::uint64_t{a} << 32 | b;
    const auto found = products.find(key);
    if (found != products.end()) return found->second;
    const Value result = push(Code::mul, a, b);
    products.emplace(key, result);
    return result;
  }

  static std::vector<NodeIndex> nodes_of(std::span<const Expression> formulas) {
    std::vector<NodeIndex> nodes;
    for (Expression e : formulas) nodes.push_back(e.node());
    return nodes;
  }

  const Graph::Storage& s;
  const std::vector<NodeIndex> roots;
  const Walk walk;
  const std::vector<NodeIndex>& order;
  std::vector<Value> value;            // by place in order
  std::vector<bool> needed_by_call;    // by place in order
  std::vector<std::uint32_t> partner;  // the cosine of a sine and the reverse
  std::unordered_map<std::uint64_t, Value> products;
  Value next = 0;
};

}  // namespace

Instructions lower(std::span<const Expression> inputs, std::span<const Expression> outputs) {
  if (outputs.empty()) {
    Instructions empty;
    empty.input_count = inputs.size();
    empty.value_count = inputs.size();
    return empty;
  }
  for (Expression e : inputs) storage_of(outputs.front(), e);
  for (Expression e : outputs) storage_of(outputs.front(), e);
  return std::move(Lowering(storage_of(outputs.front()), inputs, outputs).code);
}

std::vector<std::uint32_t> last_uses(const Instructions& instructions) {
  std::vector<std::uint32_t> last(instructions.value_count, 0);
  for (std::size_t i = 0; i < instructions.list.size(); ++i) {
    const Instruction& instruction = instructions.list[i];
    for (int k = 0; k < operand_count(instruction.code); ++k)
      last[instruction.operand[k]] = static_cast<std::uint32_t>(i);
  }
  for (Value v : instructions.outputs)
    last[v] = static_cast<std::uint32_t>(instructions.list.size());
  return last;
}

void sine_and_cosine(double angle, double* sine_then_cosine) {
#if defined(__GLIBC__)
  ::sincos(angle, &sine_then_cosine[0], &sine_then_cosine[1]);
#else
  sine_then_cosine[0] = std::sin(angle);
  sine_then_cosine[1] = std::cos(angle);
#endif
}

}  // namespace clack::symbolic
