// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "clack/symbolic/storage.hpp"

namespace clack::symbolic {
namespace {

/// d f(a) / da for the functions of one argument; `f` is f(a) itself.
Expression slope(Op op, Expression a, Expression f) {
  switch (op) {
    case Op::neg:
      return {a.graph(), a.graph()->number(-1.0).node()};
    case Op::sin:
      return cos(a);
    case Op::cos:
      return -sin(a);
    case Op::tan:
      return 1.0 + pow(f, 2.0);
    case Op::asin:
      return 1.0 / sqrt(1.0 - pow(a, 2.0));
    case Op::acos:
      return -1.0 / sqrt(1.0 - pow(a, 2.0));
    case Op::atan:
      return 1.0 / (1.0 + pow(a, 2.0));
    case Op::sqrt:
      return 1.0 / (2.0 * f);
    case Op::exp:
      return f;
    case Op::log:
      return 1.0 / a;
    case Op::abs:
      return sign(a);
    default:
      return a.graph()->number(0.0);  // sign: constant on each branch
  }
}

/// d(a^b): only the parts that move.
Expression power_rate(Expression a, Expression b, Expression f, Expression da, Expression db) {
  const bool base_moves = number_value(da) != 0.0;
  const bool exponent_moves = number_value(db) != 0.0;
  Expression rate = a.graph()->number(0.0);
  if (base_moves) rate = rate + b * pow(a, b - 1.0) * da;
  if (exponent_moves) rate = rate + f * log(a) * db;
  return rate;
}

/// Rate of an operation with two or three operands from the rates of its operands.
Expression operation_rate(Op op, Expression f, const Expression* x, const Expression* dx) {
  switch (op) {
    case Op::add:
      return dx[0] + dx[1];
    case Op::sub:
      return dx[0] - dx[1];
    case Op::mul:
      return dx[0] * x[1] + x[0] * dx[1];
    case Op::div:
      return (dx[0] - f * dx[1]) / x[1];  // the quotient f is there already
    case Op::pow:
      return power_rate(x[0], x[1], f, dx[0], dx[1]);
    case Op::atan2:
      return (x[1] * dx[0] - x[0] * dx[1]) / (pow(x[0], 2.0) + pow(x[1], 2.0));
    case Op::min:
      return select(less(x[0], x[1]), dx[0], dx[1]);
    case Op::max:
      return select(less(x[1], x[0]), dx[0], dx[1]);
    case Op::select:
      return select(x[0], dx[1], dx[2]);
    default:
      return f.graph()->number(0.0);  // comparisons: constant on each branch
  }
}

}  // namespace

Expression derivative(Expression e, Expression symbol) {
  storage_of(e, symbol);
  const Expression one = e.graph()->number(1.0);
  return total_derivative(e, {&symbol, 1}, {&one, 1});
}

Expression total_derivative(Expression e, std::span<const Expression> symbols,
                            std::span<const Expression> rates) {
  auto& s = storage_of(e);
  if (symbols.size() != rates.size())
    throw std::invalid_argument("total_derivative: as many rates as symbols are needed");
  const NodeIndex root = e.node();
  const Walk walk(s, {&root, 1});
  const std::vector<NodeIndex>& order = walk.order();
  const Expression zero = e.graph()->number(0.0);
  std::vector<Expression> rate(order.size(), zero);
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    storage_of(e, symbols[i]);
    storage_of(e, rates[i]);
    if (!is_symbol(symbols[i]))
      throw std::invalid_argument("derivatives are taken with respect to symbols only");
    if (walk.has_reached(symbols[i].node())) rate[walk.place(symbols[i].node())] = rates[i];
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Node node = s.nodes[order[i]];  // a copy: the array grows below
    const int count = operand_count(node.op);
    if (count == 0) continue;
    Expression x[3], dx[3];
    bool moves = false;
    for (int k = 0; k < count; ++k) {
      x[k] = {e.graph(), node.operand[k]};
      dx[k] = rate[walk.place(node.operand[k])];
      moves = moves || !(dx[k] == zero);
    }
    if (!moves) continue;
    const Expression f{e.graph(), order[i]};
    rate[i] = count == 1 ? slope(node.op, x[0], f) * dx[0] : operation_rate(node.op, f, x, dx);
  }
  return rate.back();
}

}  // namespace clack::symbolic
