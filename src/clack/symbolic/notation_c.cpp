// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "clack/symbolic/notation.hpp"

namespace clack::symbolic {
namespace {

std::string c_number(double value) {
  if (std::isnan(value)) return "(0.0/0.0)";
  if (std::isinf(value)) return value > 0 ? "(1.0/0.0)" : "(-1.0/0.0)";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string c_name(const std::string& name) {
  std::string result = name;
  std::replace(result.begin(), result.end(), '.', '_');
  return result;
}

Binding c_binding(Op op) {
  const Binding binding = text_binding(op);
  return binding == power || binding == comparison ? atom : binding;
}

void split_c(const Node& node, Pieces& out) {
  if (split_arithmetic(node, out)) return;
  const auto [a, b, c] = node.operand;
  const auto compare = [&](std::string_view relation) {
    out = {word("(double)("), operand(a, sum), word(relation), operand(b, sum), word(")")};
  };
  switch (node.op) {
    case Op::less:
      compare(" < ");
      return;
    case Op::less_equal:
      compare(" <= ");
      return;
    case Op::equal:
      compare(" == ");
      return;
    case Op::select:
      out = {word("("),   operand(a, sum), word(" != 0 ? "), operand(b, sum),
             word(" : "), operand(c, sum), word(")")};
      return;
    case Op::sign:
      out = {word("(double)(("), operand(a, sum), word(" > 0) - ("), operand(a, sum),
             word(" < 0))")};
      return;
    case Op::pow:
      split_call("pow", node, out);
      return;
    case Op::abs:
      split_call("fabs", node, out);
      return;
    case Op::min:
      split_call("fmin", node, out);
      return;
    case Op::max:
      split_call("fmax", node, out);
      return;
    default:
      split_call(function_name(node.op), node, out);
      return;
  }
}

}  // namespace

constexpr Notation c_notation{c_number, c_name, split_c, c_binding, "(", ")"};

}  // namespace clack::symbolic
