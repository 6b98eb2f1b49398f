// SPDX-License-Identifier: Apache-2.0
// Formulas as text, LaTeX and C. One writer walks the graph with a stack of its own (graphs may be
// deep); the three notations (notation.hpp) only say how one node splits into words and operands.
#include <fmt/format.h>

#include <stdexcept>

#include "clack/symbolic/notation.hpp"

namespace clack::symbolic {
namespace {

constexpr std::size_t longest_text = std::size_t{16} << 20;  // bytes: shared parts are written out

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
      word_of[i] = s.value(order[i]) < 0 ? "(" + c_notation.number(s.value(order[i])) + ")"
                                         : c_notation.number(s.value(order[i]));
    } else if (node.op == Op::symbol) {
      if (word_of[i].empty())
        throw std::invalid_argument("symbol " + s.names[node.operand[0]] +
                                    " is not among the inputs");
    } else {
      word_of[i] = fmt::format("t{}", i);
      c_notation.split(node, parts);
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
