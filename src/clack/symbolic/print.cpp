// Formulas as text, LaTeX and C. One writer walks the graph with a stack of its own (graphs may be
// deep); the three notations only say how one node splits into words and operands.
#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <stdexcept>

#include "clack/symbolic/storage.hpp"

namespace clack::symbolic {
namespace {

constexpr std::size_t longest_text = std::size_t{16} << 20;

/// How tightly a written form holds together; an operand that needs more gets parentheses.
enum Binding { loose, comparison, sum, product, sign_prefix, power, atom };

struct Piece {
  std::string_view word;  // written as it is when not empty
  NodeIndex node = 0;
  Binding needed = loose;
};
Piece operand(NodeIndex node, Binding needed = loose) { return {{}, node, needed}; }
Piece word(std::string_view text) { return {text, 0, loose}; }
using Pieces = std::vector<Piece>;

struct Notation {
  std::string (*number)(double value);
  std::string (*name)(const std::string& name);
  void (*split)(const Node& node, Pieces& out);
  Binding (*binding)(Op op);
  std::string_view open, close;
};

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

// ---- text ----

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

// ---- C ----

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

// ---- LaTeX ----

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

// ---- the writer ----

constexpr Notation text_notation{
    text_number, [](const std::string& n) { return n; }, split_text, text_binding, "(", ")"};
constexpr Notation c_notation{c_number, c_name, split_c, c_binding, "(", ")"};
constexpr Notation latex_notation{latex_number,  latex_name, split_latex,
                                  latex_binding, "\\left(",  "\\right)"};

std::string write(const Graph::Storage& s, NodeIndex root, const Notation& notation) {
  std::string text;
  Pieces stack{operand(root)}, parts;
  while (!stack.empty()) {
    const Piece piece = stack.back();
    stack.pop_back();
    if (text.size() > longest_text)
      throw std::length_error("the formula written out is longer than 16 MiB");
    if (!piece.word.empty()) {
      text += piece.word;
      continue;
    }
    const Node& node = s.nodes[piece.node];
    if (node.op == Op::symbol) {
      text += notation.name(s.names[node.operand[0]]);
      continue;
    }
    const bool is_leaf = node.op == Op::number;
    const double value = is_leaf ? s.value(piece.node) : 0.0;
    const Binding binding = !is_leaf ? notation.binding(node.op) : value < 0 ? sign_prefix : atom;
    parts.clear();
    const bool is_enclosed = binding < piece.needed;
    if (is_leaf) {
      if (is_enclosed) text += notation.open;
      text += notation.number(value);
      if (is_enclosed) text += notation.close;
      continue;
    }
    notation.split(node, parts);
    if (is_enclosed) stack.push_back(word(notation.close));
    stack.insert(stack.end(), parts.rbegin(), parts.rend());
    if (is_enclosed) stack.push_back(word(notation.open));
  }
  return text;
}

}  // namespace

std::string to_text(Expression e) { return write(storage_of(e), e.node(), text_notation); }
std::string to_latex(Expression e) { return write(storage_of(e), e.node(), latex_notation); }
std::string to_c(Expression e) { return write(storage_of(e), e.node(), c_notation); }

std::string to_c_function(std::string_view name, std::span<const Expression> inputs,
                          std::span<const Expression> outputs) {
  std::string text = fmt::format("void {}(const double *in, double *out) {{\n", name);
  if (inputs.empty()) text += "  (void)in;\n";
  if (outputs.empty()) return text + "  (void)out;\n}\n";
  auto& s = storage_of(outputs.front());
  std::vector<NodeIndex> roots;
  for (Expression e : outputs) {
    storage_of(outputs.front(), e);
    roots.push_back(e.node());
  }
  const Walk walk(s, roots);
  const std::vector<NodeIndex>& order = walk.order();
  std::vector<std::string> word_of(order.size());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (walk.has_reached(inputs[i].node()))
      word_of[walk.place(inputs[i].node())] = fmt::format("in[{}]", i);
  Pieces parts;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Node& node = s.nodes[order[i]];
    if (node.op == Op::number) {
      word_of[i] = s.value(order[i]) < 0 ? "(" + c_number(s.value(order[i])) + ")"
                                         : c_number(s.value(order[i]));
    } else if (node.op == Op::symbol) {
      if (word_of[i].empty())
        throw std::invalid_argument("symbol " + s.names[node.operand[0]] +
                                    " is not among the inputs");
    } else {
      word_of[i] = fmt::format("t{}", i);
      split_c(node, parts);
      text += fmt::format("  const double {} = ", word_of[i]);
      for (const Piece& p : parts)
        text += p.word.empty() ? word_of[walk.place(p.node)] : std::string(p.word);
      text += ";\n";
    }
  }
  for (std::size_t i = 0; i < roots.size(); ++i)
    text += fmt::format("  out[{}] = {};\n", i, word_of[walk.place(roots[i])]);
  return text + "}\n";
}

}  // namespace clack::symbolic
