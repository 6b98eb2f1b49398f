// SPDX-License-Identifier: Apache-2.0
#pragma once
// How formulas are written: text, C, Python and LaTeX. A notation only says how one node splits into words
// and operands; the writer in print.cpp walks the graph. For the files of this room only.
#include <string>
#include <string_view>
#include <vector>

#include "clack/symbolic/storage.hpp"

namespace clack::symbolic {

/// How tightly a written form holds together; an operand that needs more gets parentheses.
enum Binding { loose, comparison, sum, product, sign_prefix, power, atom };

struct Piece {
  std::string_view word;  // written as it is when not empty
  NodeIndex node = 0;
  Binding needed = loose;
};
inline Piece operand(NodeIndex node, Binding needed = loose) { return {{}, node, needed}; }
inline Piece word(std::string_view text) { return {text, 0, loose}; }
using Pieces = std::vector<Piece>;

struct Notation {
  std::string (*number)(double value);
  std::string (*name)(const std::string& name);
  void (*split)(const Node& node, Pieces& out);
  Binding (*binding)(Op op);
  std::string_view open, close;
};

extern const Notation text_notation, c_notation, latex_notation, python_notation;

/// Names that text and C share; empty for what is not written as a call.
std::string_view function_name(Op op);
Binding text_binding(Op op);
/// Sums, products and signs, which text, C and LaTeX have in common; false for other operations.
bool split_arithmetic(const Node& node, Pieces& out);
/// name(operand, operand, ...)
void split_call(std::string_view name, const Node& node, Pieces& out);

}  // namespace clack::symbolic
