// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "clack/symbolic/storage.hpp"

namespace clack::symbolic {

Expression rebuild(Op op, const Expression* x) {
  switch (op) {
    case Op::number:
    case Op::symbol:
      break;
    case Op::add:
      return x[0] + x[1];
    case Op::sub:
      return x[0] - x[1];
    case Op::mul:
      return x[0] * x[1];
    case Op::div:
      return x[0] / x[1];
    case Op::neg:
      return -x[0];
    case Op::pow:
      return pow(x[0], x[1]);
    case Op::sin:
      return sin(x[0]);
    case Op::cos:
      return cos(x[0]);
    case Op::tan:
      return tan(x[0]);
    case Op::asin:
      return asin(x[0]);
    case Op::acos:
      return acos(x[0]);
    case Op::atan:
      return atan(x[0]);
    case Op::sqrt:
      return sqrt(x[0]);
    case Op::exp:
      return exp(x[0]);
    case Op::log:
      return log(x[0]);
    case Op::abs:
      return abs(x[0]);
    case Op::sign:
      return sign(x[0]);
    case Op::atan2:
      return atan2(x[0], x[1]);
    case Op::min:
      return min(x[0], x[1]);
    case Op::max:
      return max(x[0], x[1]);
    case Op::less:
      return less(x[0], x[1]);
    case Op::less_equal:
      return less_equal(x[0], x[1]);
    case Op::equal:
      return equal(x[0], x[1]);
    case Op::select:
      return select(x[0], x[1], x[2]);
  }
  return {};
}

Expression substitute(Expression e, std::span<const Expression> symbols,
                      std::span<const Expression> values) {
  auto& s = storage_of(e);
  if (symbols.size() != values.size())
    throw std::invalid_argument("substitute: as many values as symbols are needed");
  const NodeIndex root = e.node();
  const Walk walk(s, {&root, 1});
  const std::vector<NodeIndex>& order = walk.order();
  std::vector<Expression> result(order.size());
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    storage_of(e, symbols[i]);
    storage_of(e, values[i]);
    if (!is_symbol(symbols[i])) throw std::invalid_argument("substitute replaces symbols only");
    if (walk.has_reached(symbols[i].node())) result[walk.place(symbols[i].node())] = values[i];
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (result[i].is_valid()) continue;
    const Node node = s.nodes[order[i]];  // a copy: the array grows below
    Expression x[3];
    bool is_changed = false;
    for (int k = 0; k < operand_count(node.op); ++k) {
      x[k] = result[walk.place(node.operand[k])];
      is_changed = is_changed || x[k].node() != node.operand[k];
    }
    result[i] = is_changed ? rebuild(node.op, x) : Expression{e.graph(), order[i]};
  }
  return result.back();
}

}  // namespace clack::symbolic
