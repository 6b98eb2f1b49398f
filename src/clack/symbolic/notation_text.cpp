// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <numbers>

#include "clack/symbolic/notation.hpp"

namespace clack::symbolic {

std::string_view function_name(Op op) {
  switch (op) {
    case Op::sin:
      return "sin";
    case Op::cos:
      return "cos";
    case Op::tan:
      return "tan";
    case Op::asin:
      return "asin";
    case Op::acos:
      return "acos";
    case Op::atan:
      return "atan";
    case Op::sqrt:
      return "sqrt";
    case Op::exp:
      return "exp";
    case Op::log:
      return "log";
    case Op::abs:
      return "abs";
    case Op::sign:
      return "sign";
    case Op::atan2:
      return "atan2";
    case Op::min:
      return "min";
    case Op::max:
      return "max";
    default:
      return "";
  }
}

Binding text_binding(Op op) {
  switch (op) {
    case Op::less:
    case Op::less_equal:
    case Op::equal:
      return comparison;
    case Op::add:
    case Op::sub:
      return sum;
    case Op::mul:
    case Op::div:
    case Op::neg:
      return product;
    case Op::pow:
      return power;
    default:
      return atom;
  }
}

/// What text and C have in common; false for what they write differently.
bool split_arithmetic(const Node& node, Pieces& out) {
  const auto [a, b, c] = node.operand;
  switch (node.op) {
    case Op::add:
      out = {operand(a, sum), word(" + "), operand(b, product)};
      return true;
    case Op::sub:
      out = {operand(a, sum), word(" - "), operand(b, product)};
      return true;
    case Op::mul:
      out = {operand(a, product), word("*"), operand(b, power)};
      return true;
    case Op::div:
      out = {operand(a, product), word("/"), operand(b, power)};
      return true;
    case Op::neg:
      out = {word("-"), operand(a, product)};
      return true;
    default:
      return false;
  }
}

void split_call(std::string_view name, const Node& node, Pieces& out) {
  out = {word(name), word("("), operand(node.operand[0])};
  for (int k = 1; k < operand_count(node.op); ++k) {
    out.push_back(word(", "));
    out.push_back(operand(node.operand[k]));
  }
  out.push_back(word(")"));
}

namespace {

std::string text_number(double value) {
  if (value == std::numbers::pi) return "pi";
  if (std::isnan(value)) return "(0/0)";
  if (std::isinf(value)) return value > 0 ? "(1/0)" : "(-1/0)";
  return fmt::format("{}", value);
}

void split_text(const Node& node, Pieces& out) {
  if (split_arithmetic(node, out)) return;
  const auto [a, b, c] = node.operand;
  switch (node.op) {
    case Op::pow:
      out = {operand(a, atom), word("^"), operand(b, power)};
      return;
    case Op::less:
      out = {operand(a, sum), word(" < "), operand(b, sum)};
      return;
    case Op::less_equal:
      out = {operand(a, sum), word(" <= "), operand(b, sum)};
      return;
    case Op::equal:
      out = {operand(a, sum), word(" == "), operand(b, sum)};
      return;
    case Op::select:
      split_call("if", node, out);
      return;
    default:
      split_call(function_name(node.op), node, out);
      return;
  }
}

}  // namespace

constexpr Notation text_notation{
    text_number, [](const std::string& n) { return n; }, split_text, text_binding, "(", ")"};

}  // namespace clack::symbolic
