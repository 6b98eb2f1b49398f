// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/shared_angles.hpp"

#include <algorithm>
#include <unordered_map>

#include "clack/symbolic/storage.hpp"
#include "clack/symbolic/term_sum.hpp"

namespace clack::symbolic {
namespace {

/// angle = sign * shared + constant; the first term of `shared` has a positive coefficient.
struct SplitAngle {
  Expression shared;  // not valid: nothing but a number
  double sign = 1.0, constant = 0.0;
};

SplitAngle split_angle(Expression angle) {
  SplitAngle split;
  for (const Term& term : terms_of(angle)) {
    if (const auto number = number_value(term.rest)) {
      split.constant += term.coefficient * *number;
      continue;
    }
    if (!split.shared.is_valid() && term.coefficient < 0.0) split.sign = -1.0;
    const Expression own = (split.sign * term.coefficient) * term.rest;
    split.shared = split.shared.is_valid() ? split.shared + own : own;
  }
  return split;
}

class AngleSharing {
 public:
  AngleSharing(std::span<const Expression> formulas, std::size_t least)
      : graph_(*formulas.front().graph()), s_(graph_.storage()) {
    std::vector<NodeIndex> roots;
    for (const Expression& e : formulas) roots.push_back(e.node());
    order_ = Walk(s_, roots).order();
    // Nothing is stored before it is worth it: later formulas stay as they would have been, node by node.
    const auto counts = [&](NodeIndex n) {
      return is_sine_or_cosine(n) && has_constant(s_.nodes[n].operand[0]);
    };
    if (std::ranges::count_if(order_, counts) < static_cast<std::ptrdiff_t>(least) - 1) return;
    for (const NodeIndex n : order_)
      if (is_sine_or_cosine(n)) split_.emplace(n, split_angle({&graph_, s_.nodes[n].operand[0]}));
    find_shared(least);
  }

  bool is_idle() const { return shared_.empty(); }

  std::vector<Expression> rewritten(std::span<const Expression> formulas) {
    std::unordered_map<NodeIndex, Expression> result;  // looked up only
    for (const NodeIndex n : order_) {
      const Node node = s_.nodes[n];  // a copy: the array grows below
      Expression operands[3];
      bool is_changed = false;
      for (int k = 0; k < operand_count(node.op); ++k) {
        operands[k] = result.at(node.operand[k]);
        is_changed = is_changed || operands[k].node() != node.operand[k];
      }
      if (is_sine_or_cosine(n) && shared_.contains(split_.at(n).shared.node()))
        result.emplace(n, expanded(node.op, split_.at(n)));
      else
        result.emplace(n, is_changed ? rebuild(node.op, operands) : Expression(&graph_, n));
    }
    std::vector<Expression> out;
    for (const Expression& e : formulas) out.push_back(result.at(e.node()));
    return out;
  }

 private:
  bool is_sine_or_cosine(NodeIndex n) const {
    return s_.nodes[n].op == Op::sin || s_.nodes[n].op == Op::cos;
  }

  /// Whether a number is among the terms of an angle.
  bool has_constant(NodeIndex n) const {
    const Node& node = s_.nodes[n];
    switch (node.op) {
      case Op::number:
        return true;
      case Op::add:
      case Op::sub:
        return has_constant(node.operand[0]) || has_constant(node.operand[1]);
      case Op::neg:
        return has_constant(node.operand[0]);
      case Op::mul:
        return s_.is_number(node.operand[0]) && has_constant(node.operand[1]);
      default:
        return false;
    }
  }

  void find_shared(std::size_t least) {
    std::unordered_map<NodeIndex, std::vector<double>> constants;  // of each shared angle
    for (const NodeIndex n : order_) {
      if (!is_sine_or_cosine(n) || !split_.at(n).shared.is_valid()) continue;
      const SplitAngle& angle = split_.at(n);
      constants[angle.shared.node()].push_back(angle.sign * angle.constant);
    }
    for (auto& [node, values] : constants) {
      std::ranges::sort(values);
      const auto repeated = std::ranges::unique(values);
      if (values.size() - repeated.size() >= least) shared_.emplace(node, true);
    }
  }

  /// With r = shared: sin(c + r), sin(c - r) and the cosines.
  Expression expanded(Op op, const SplitAngle& angle) const {
    const Expression sine = angle.sign * sin(angle.shared), cosine = cos(angle.shared);
    const double s = std::sin(angle.constant), c = std::cos(angle.constant);
    return op == Op::sin ? c * sine + s * cosine : c * cosine - s * sine;
  }

  Graph& graph_;
  Graph::Storage& s_;
  std::vector<NodeIndex> order_;
  std::unordered_map<NodeIndex, SplitAngle> split_;  // of each sine and cosine
  std::unordered_map<NodeIndex, bool> shared_;
};

}  // namespace

std::vector<Expression> share_angles(std::span<const Expression> formulas, std::size_t least) {
  std::vector<Expression> same(formulas.begin(), formulas.end());
  if (formulas.empty()) return same;
  for (const Expression& e : formulas) storage_of(formulas.front(), e);
  AngleSharing sharing(formulas, least);
  return sharing.is_idle() ? same : sharing.rewritten(formulas);
}

}  // namespace clack::symbolic
