// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "clack/symbolic/notation.hpp"

namespace clack::symbolic {
namespace {

std::string python_number(double value) {
  if (std::isnan(value)) return "math.nan";
  if (std::isinf(value)) return value > 0 ? "math.inf" : "(-math.inf)";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string python_name(const std::string& name) {
  std::string result = name;
  std::replace(result.begin(), result.end(), '.', '_');
  return result;
}

Binding python_binding(Op op) {
  const Binding binding = text_binding(op);
  return binding == power || binding == comparison ? atom : binding;
}

void split_python(const Node& node, Pieces& out) {
  if (split_arithmetic(node, out)) return;
  const auto [a, b, c] = node.operand;
  const auto compare = [&](std::string_view relation) {
    out = {word("float("), operand(a, sum), word(relation), operand(b, sum), word(")")};
  };
  switch (node.op) {
    case Op::less:
      return compare(" < ");
    case Op::less_equal:
      return compare(" <= ");
    case Op::equal:
      return compare(" == ");
    case Op::select:
      out = {word("("),           operand(b, sum), word(" if "), operand(a, sum),
             word(" != 0 else "), operand(c, sum), word(")")};
      return;
    case Op::sign:
      out = {word("float(("), operand(a, sum), word(" > 0) - ("), operand(a, sum), word(" < 0))")};
      return;
    case Op::abs:
      return split_call("abs", node, out);
    case Op::min:
      return split_call("min", node, out);
    case Op::max:
      return split_call("max", node, out);
    default:
      split_call(node.op == Op::pow ? "pow" : function_name(node.op), node, out);
      out.insert(out.begin(), word("math."));
      return;
  }
}

}  // namespace

constexpr Notation python_notation{python_number,  python_name, split_python,
                                   python_binding, "(",         ")"};

}  // namespace clack::symbolic
