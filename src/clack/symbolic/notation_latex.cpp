// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "clack/symbolic/notation.hpp"

namespace clack::symbolic {
namespace {

std::string latex_number(double value) {
  if (value == std::numbers::pi) return "\\pi";
  if (std::isnan(value)) return "\\mathrm{nan}";
  if (std::isinf(value)) return value > 0 ? "\\infty" : "-\\infty";
  const std::string text = fmt::format("{}", value);
  const auto e = text.find('e');
  if (e == std::string::npos) return text;
  return fmt::format("{} \\cdot 10^{{{}}}", text.substr(0, e), std::stoi(text.substr(e + 1)));
}

std::string latex_word(const std::string& word) {
  static constexpr std::string_view greek[] = {
      "alpha", "beta",  "gamma", "delta",  "epsilon", "zeta",  "eta", "theta", "kappa", "lambda",
      "mu",    "nu",    "xi",    "rho",    "sigma",   "tau",   "phi", "chi",   "psi",   "omega",
      "Gamma", "Delta", "Theta", "Lambda", "Xi",      "Sigma", "Phi", "Psi",   "Omega"};
  if (std::find(std::begin(greek), std::end(greek), word) != std::end(greek)) return "\\" + word;
  if (word.size() == 1) return word;
  std::string escaped;
  for (char c : word) escaped += c == '_' ? std::string("\\_") : std::string(1, c);
  return "\\mathrm{" + escaped + "}";
}

/// phi_dot is a rate, m_S has an index.
std::string latex_name(const std::string& name) {
  if (name.size() > 4 && name.ends_with("_dot"))
    return "\\dot{" + latex_name(name.substr(0, name.size() - 4)) + "}";
  const auto underscore = name.find('_');
  if (underscore == std::string::npos || underscore == 0 || underscore + 1 == name.size())
    return latex_word(name);
  return latex_word(name.substr(0, underscore)) + "_{" + latex_word(name.substr(underscore + 1)) +
         "}";
}

Binding latex_binding(Op op) { return op == Op::div ? power : text_binding(op); }

std::string_view latex_function(Op op) {
  switch (op) {
    case Op::sin:
      return "\\sin";
    case Op::cos:
      return "\\cos";
    case Op::tan:
      return "\\tan";
    case Op::asin:
      return "\\arcsin";
    case Op::acos:
      return "\\arccos";
    case Op::atan:
      return "\\arctan";
    case Op::exp:
      return "\\exp";
    case Op::log:
      return "\\ln";
    case Op::sign:
      return "\\operatorname{sign}";
    case Op::atan2:
      return "\\operatorname{atan2}";
    case Op::min:
      return "\\min";
    case Op::max:
      return "\\max";
    default:
      return "";
  }
}

void split_latex(const Node& node, Pieces& out) {
  const auto [a, b, c] = node.operand;
  switch (node.op) {
    case Op::mul:
      out = {operand(a, product), word(" \\, "), operand(b, power)};
      return;
    case Op::div:
      out = {word("\\frac{"), operand(a), word("}{"), operand(b), word("}")};
      return;
    case Op::pow:
      out = {word("{"), operand(a, atom), word("}^{"), operand(b), word("}")};
      return;
    case Op::less:
      out = {operand(a, sum), word(" < "), operand(b, sum)};
      return;
    case Op::less_equal:
      out = {operand(a, sum), word(" \\le "), operand(b, sum)};
      return;
    case Op::equal:
      out = {operand(a, sum), word(" = "), operand(b, sum)};
      return;
    case Op::sqrt:
      out = {word("\\sqrt{"), operand(a), word("}")};
      return;
    case Op::abs:
      out = {word("\\left|"), operand(a), word("\\right|")};
      return;
    case Op::select:
      out = {word("\\begin{cases} "),
             operand(b),
             word(" & \\text{if } "),
             operand(a),
             word(" \\\\ "),
             operand(c),
             word(" & \\text{otherwise} \\end{cases}")};
      return;
    default:
      break;
  }
  if (split_arithmetic(node, out)) return;
  out = {word(latex_function(node.op)), word("\\left("), operand(a)};
  if (operand_count(node.op) == 2) {
    out.push_back(word(", "));
    out.push_back(operand(b));
  }
  out.push_back(word("\\right)"));
}

}  // namespace

constexpr Notation latex_notation{latex_number,  latex_name, split_latex,
                                  latex_binding, "\\left(",  "\\right)"};

}  // namespace clack::symbolic
