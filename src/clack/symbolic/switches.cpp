// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/switches.hpp"

#include "clack/symbolic/storage.hpp"

namespace clack::symbolic {

double branch_of(SwitchKind kind, double sign) {
  switch (kind) {
    case SwitchKind::less:
      return sign > 0.0 ? 1.0 : 0.0;
    case SwitchKind::less_equal:
      return sign < 0.0 ? 0.0 : 1.0;
    case SwitchKind::sign:
      return sign > 0.0 ? 1.0 : sign < 0.0 ? -1.0 : 0.0;
  }
  return 0.0;
}

Expression SwitchSplitter::branch(SwitchKind kind, Expression condition) {
  if (is_number(condition)) return graph_.number(branch_of(kind, *number_value(condition)));
  for (const Switch& known : switches_)
    if (known.kind == kind && known.condition == condition) return known.branch;
  const Expression symbol = graph_.symbol("branch " + std::to_string(switches_.size()));
  switches_.push_back({kind, condition, symbol});
  return symbol;
}

Expression SwitchSplitter::split(Expression formula) {
  if (!formula.is_valid()) return formula;
  auto& s = storage_of(formula);
  const NodeIndex root = formula.node();
  const Walk walk(s, {&root, 1});  // building formulas below walks nowhere: its marks hold
  const std::vector<NodeIndex>& order = walk.order();
  bool has_switch = false;
  for (const NodeIndex n : order) {
    const Op op = s.nodes[n].op;
    has_switch = has_switch || op == Op::abs || op == Op::sign || op == Op::min || op == Op::max ||
                 op == Op::less || op == Op::less_equal;
  }
  if (!has_switch) return formula;
  std::vector<Expression> result(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Node node = s.nodes[order[i]];  // a copy: the array grows below
    Expression x[3];
    bool is_changed = false;
    for (int k = 0; k < operand_count(node.op); ++k) {
      x[k] = result[walk.place(node.operand[k])];
      is_changed = is_changed || x[k].node() != node.operand[k];
    }
    switch (node.op) {
      case Op::abs:
        result[i] = branch(SwitchKind::sign, x[0]) * x[0];
        break;
      case Op::sign:
        result[i] = branch(SwitchKind::sign, x[0]);
        break;
      case Op::min:
        result[i] = select(branch(SwitchKind::less, x[1] - x[0]), x[0], x[1]);
        break;
      case Op::max:
        result[i] = select(branch(SwitchKind::less, x[1] - x[0]), x[1], x[0]);
        break;
      case Op::less:
        result[i] = branch(SwitchKind::less, x[1] - x[0]);
        break;
      case Op::less_equal:
        result[i] = branch(SwitchKind::less_equal, x[1] - x[0]);
        break;
      default:
        result[i] = is_changed ? rebuild(node.op, x) : Expression{formula.graph(), order[i]};
    }
  }
  return result.back();
}

}  // namespace clack::symbolic
