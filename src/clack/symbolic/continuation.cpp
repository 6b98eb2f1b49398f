// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/continuation.hpp"

#include <algorithm>
#include <cmath>

#include "clack/symbolic/instructions.hpp"

namespace clack::symbolic {
namespace {

bool commutes(Code code) { return code == Code::add || code == Code::mul; }

std::tuple<Code, std::uint32_t, std::uint32_t> key_of(Code code, std::uint32_t a, std::uint32_t b) {
  if (commutes(code) && b < a) std::swap(a, b);
  return {code, a, b};
}

}  // namespace

Continuation::Continuation(std::span<const Expression> inputs,
                           std::span<const Expression> outputs) {
  const Instructions code = lower(inputs, outputs);
  std::vector<std::uint32_t> node_of(code.value_count);
  for (std::size_t i = 0; i < code.constants.size(); ++i)
    node_of[i] = constant(code.constants[i]).node;
  for (std::size_t i = 0; i < code.input_count; ++i) {
    inputs_.push_back(add({.kind = Kind::input}));
    node_of[code.constants.size() + i] = inputs_.back();
  }
  for (const Instruction& i : code.list) {
    Node node{.kind = Kind::operation, .code = i.code};
    const int count = operand_count(i.code);
    for (int k = 0; k < count; ++k) node.operand[k] = node_of[i.operand[k]];
    node.is_bounded = is_bounded(i.code, std::span(node.operand).first(count));
    const std::uint32_t at = node_of[i.result] = add(node);
    if (count == 2) known_.emplace(key_of(i.code, node.operand[0], node.operand[1]), at);
    if (result_count(i.code) == 2)
      node_of[i.result + 1] = add({.kind = Kind::second_result, .operand = {at}});
  }
  for (const Value v : code.outputs) outputs_.push_back(node_of[v]);
}

std::uint32_t Continuation::add(const Node& node) {
  nodes_.push_back(node);
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

bool Continuation::is(Number x, double value) const {
  return nodes_[x.node].kind == Kind::constant && nodes_[x.node].value == value;
}

bool Continuation::is_bounded(Code code, std::span<const std::uint32_t> operands) const {
  const bool has_poles = code == Code::div || code == Code::sqrt || code == Code::tan ||
                         code == Code::asin || code == Code::acos || code == Code::exp ||
                         code == Code::log || code == Code::pow;
  return !has_poles &&
         std::ranges::all_of(operands, [&](std::uint32_t i) { return nodes_[i].is_bounded; });
}

Continuation::Number Continuation::constant(double value) {
  if (!std::isfinite(value)) return {add({.value = value, .is_bounded = false})};
  if (value == 0.0) value = 0.0;  // one zero
  const auto [found, is_new] = constants_.emplace(value, 0);
  if (is_new) found->second = add({.value = value});
  return {found->second};
}

Continuation::Number Continuation::operation(Code code, Number a, Number b) {
  const Node &x = nodes_[a.node], &y = nodes_[b.node];
  if (x.kind == Kind::constant && y.kind == Kind::constant) {
    const double value = code == Code::add   ? x.value + y.value
                         : code == Code::sub ? x.value - y.value
                                             : x.value * y.value;
    return constant(value);
  }
  const auto [found, is_new] = known_.emplace(key_of(code, a.node, b.node), 0);
  if (is_new) {
    Node node{.kind = Kind::operation, .code = code, .operand = {a.node, b.node}};
    node.is_bounded = x.is_bounded && y.is_bounded;
    found->second = add(node);
  }
  return {found->second};
}

/// 0 + x turns -0 into 0, so that it is left out only where x is a sum: one that was begun with 0 is never -0.
Continuation::Number Continuation::sum(Number a, Number b) {
  const auto is_sum = [&](Number x) {
    return nodes_[x.node].kind == Kind::operation && nodes_[x.node].code == Code::add;
  };
  if (is(a, 0.0) && is_sum(b)) return b;
  if (is(b, 0.0) && is_sum(a)) return a;
  return operation(Code::add, a, b);
}

Continuation::Number Continuation::difference(Number a, Number b) {
  if (is(b, 0.0)) return a;
  const auto without_zero = [&](Number x) {
    const Node& node = nodes_[x.node];
    if (node.kind != Kind::operation || node.code != Code::add) return x.node;
    if (is({node.operand[0]}, 0.0)) return node.operand[1];
    return is({node.operand[1]}, 0.0) ? node.operand[0] : x.node;
  };
  if (without_zero(a) == without_zero(b) && nodes_[a.node].is_bounded) return constant(0.0);
  return operation(Code::sub, a, b);
}

Continuation::Number Continuation::product(Number a, Number b) {
  if (is(b, 0.0) || is(b, 1.0)) std::swap(a, b);
  if (is(a, 1.0)) return b;
  if (is(a, 0.0) && nodes_[b.node].is_bounded) return a;
  return operation(Code::mul, a, b);
}

std::vector<bool> Continuation::needed_for(std::span<const Number> results) const {
  std::vector<bool> needed(nodes_.size(), false);
  for (const Number& result : results) needed[result.node] = true;
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    if (!needed[i]) continue;
    const Node& node = nodes_[i];
    if (node.kind == Kind::second_result) needed[node.operand[0]] = true;
    if (node.kind != Kind::operation) continue;
    for (int k = 0; k < operand_count(node.code); ++k) needed[node.operand[k]] = true;
  }
  return needed;
}

Program Continuation::program(std::span<const Number> results, Backend backend) const {
  const std::vector<bool> needed = needed_for(results);
  Instructions code;
  std::vector<Value> value_of(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].kind != Kind::constant || !needed[i]) continue;
    value_of[i] = static_cast<Value>(code.constants.size());
    code.constants.push_back(nodes_[i].value);
  }
  code.input_count = inputs_.size();
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    value_of[inputs_[i]] = static_cast<Value>(code.constants.size() + i);
  Value next = code.first_result();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (node.kind == Kind::second_result) value_of[i] = value_of[node.operand[0]] + 1;
    if (node.kind != Kind::operation || !needed[i]) continue;
    Instruction instruction{node.code, next};
    for (int k = 0; k < operand_count(node.code); ++k)
      instruction.operand[k] = value_of[node.operand[k]];
    value_of[i] = next;
    next += static_cast<Value>(result_count(node.code));
    code.list.push_back(instruction);
  }
  for (const Number& result : results) code.outputs.push_back(value_of[result.node]);
  code.value_count = next;
  return Program(code, backend);
}

}  // namespace clack::symbolic
