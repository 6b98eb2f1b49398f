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

namespace {

/// How a language writes a function that computes shared parts once.
struct FunctionStyle {
  const Notation& notation;
  std::string_view input, declare, end_of_line;  // "in", "const double ", ";"
};

/// The lines that compute everything the outputs need, and the word of each output.
struct FunctionBody {
  std::string lines;
  std::vector<std::string> outputs;
};

FunctionBody write_function(const FunctionStyle& style, std::span<const Expression> inputs,
                            std::span<const Expression> outputs) {
  FunctionBody body;
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
      word_of[walk.place(inputs[i].node())] = fmt::format("{}[{}]", style.input, i);
  Pieces parts;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Node& node = s.nodes[order[i]];
    if (node.op == Op::number) {
      const std::string number = style.notation.number(s.value(order[i]));
      word_of[i] = s.value(order[i]) < 0 ? "(" + number + ")" : number;
    } else if (node.op == Op::symbol) {
      if (word_of[i].empty())
        throw std::invalid_argument("symbol " + s.names[node.operand[0]] +
                                    " is not among the inputs");
    } else {
      word_of[i] = fmt::format("t{}", i);
      style.notation.split(node, parts);
      body.lines += fmt::format("  {}{} = ", style.declare, word_of[i]);
      for (const Piece& p : parts)
        body.lines += p.word.empty() ? word_of[walk.place(p.node)] : std::string(p.word);
      body.lines += fmt::format("{}\n", style.end_of_line);
    }
  }
  for (const NodeIndex root : roots) body.outputs.push_back(word_of[walk.place(root)]);
  return body;
}

}  // namespace

std::string to_c_function(std::string_view name, std::span<const Expression> inputs,
                          std::span<const Expression> outputs) {
  std::string text = fmt::format("void {}(const double *in, double *out) {{\n", name);
  if (inputs.empty()) text += "  (void)in;\n";
  if (outputs.empty()) return text + "  (void)out;\n}\n";
  const FunctionBody body =
      write_function({c_notation, "in", "const double ", ";"}, inputs, outputs);
  text += body.lines;
  for (std::size_t i = 0; i < body.outputs.size(); ++i)
    text += fmt::format("  out[{}] = {};\n", i, body.outputs[i]);
  return text + "}\n";
}

std::string to_python_function(std::string_view name, std::span<const Expression> inputs,
                               std::span<const Expression> outputs, std::size_t columns) {
  std::string text = fmt::format("def {}(x):\n", name);
  if (outputs.empty()) return text + "  return []\n";
  const FunctionBody body = write_function({python_notation, "x", "", ""}, inputs, outputs);
  text += body.lines + "  return [";
  for (std::size_t i = 0; i < body.outputs.size(); ++i) {
    const bool begins = columns > 1 && i % columns == 0,
               ends = columns > 1 && (i + 1) % columns == 0;
    text += fmt::format("{}{}{}{}", i == 0 ? "" : ", ", begins ? "[" : "", body.outputs[i],
                        ends ? "]" : "");
  }
  return text + "]\n";
}

}  // namespace clack::symbolic
