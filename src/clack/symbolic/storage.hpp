// SPDX-License-Identifier: Apache-2.0
#pragma once
// Inside of a Graph: nodes in one array, each stored once. For the files of this room only.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "clack/symbolic/expression.hpp"

namespace clack::symbolic {

using NodeIndex = std::uint32_t;

enum class Op : std::uint8_t {
  number,
  symbol,  // leaves
  add,
  sub,
  mul,
  div,
  neg,
  pow,  // arithmetic
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sqrt,
  exp,
  log,
  abs,
  sign,  // functions of one argument
  atan2,
  min,
  max,
  less,
  less_equal,
  equal,  // functions of two
  select  // of three
};

constexpr int operand_count(Op op) {
  switch (op) {
    case Op::number:
    case Op::symbol:
      return 0;
    case Op::neg:
    case Op::sin:
    case Op::cos:
    case Op::tan:
    case Op::asin:
    case Op::acos:
    case Op::atan:
    case Op::sqrt:
    case Op::exp:
    case Op::log:
    case Op::abs:
    case Op::sign:
      return 1;
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
    case Op::pow:
    case Op::atan2:
    case Op::min:
    case Op::max:
    case Op::less:
    case Op::less_equal:
    case Op::equal:
      return 2;
    case Op::select:
      return 3;
  }
  return 0;
}

/// An operation and its operands; a number keeps its 64 bits in `operand[0..1]`, a symbol the index
/// of its name. Operands exist before the node, so the order of indices is a topological order.
struct Node {
  Op op = Op::number;
  std::array<NodeIndex, 3> operand{};
  friend bool operator==(const Node&, const Node&) = default;
};

/// Marks that a walk leaves: place_of[n] is valid where stamp_of[n] == stamp.
struct Marks {
  std::vector<std::uint32_t> stamp_of, place_of;
  std::uint32_t stamp = 0;
};

struct Graph::Storage {
  bool is_sealed = false;
  std::vector<Node> nodes;
  std::vector<std::string> names;                      // of the symbols, by creation
  std::unordered_map<std::string, NodeIndex> symbols;  // looked up only, never walked
  std::vector<NodeIndex> table;  // open addressing; holds index + 1, 0 is empty

  NodeIndex intern(const Node& node);
  NodeIndex number(double value);
  NodeIndex symbol(std::string_view name);

  bool is_number(NodeIndex n) const { return nodes[n].op == Op::number; }
  bool is_number(NodeIndex n, double value) const {
    return is_number(n) && this->value(n) == value;
  }
  double value(NodeIndex n) const {
    const auto& bits = nodes[n].operand;
    return std::bit_cast<double>(std::uint64_t{bits[0]} | std::uint64_t{bits[1]} << 32);
  }

  Marks marks;  // memory for the walks of a graph that is not sealed

 private:
  void grow_table();
};

/// All nodes that `roots` need, operands first, in an order that depends on the formulas only. The
/// marks are those of the graph, so that a walk costs no more than what it reaches and ends where the
/// next walk begins; a walk through a sealed graph brings its own.
class Walk {
 public:
  Walk(Graph::Storage& storage, std::span<const NodeIndex> roots);
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  const std::vector<NodeIndex>& order() const { return order_; }
  bool has_reached(NodeIndex n) const {
    return n < marks_.stamp_of.size() && marks_.stamp_of[n] == marks_.stamp;
  }
  /// Position in `order` of a node that was reached.
  std::uint32_t place(NodeIndex n) const { return marks_.place_of[n]; }

 private:
  void follow(const std::vector<Node>& nodes, NodeIndex root);

  Marks own_;
  Marks& marks_;
  std::vector<NodeIndex> order_;
};

/// Value of an operation on numbers, exactly as the compiled programs compute it.
double apply(Op op, double a, double b = 0.0, double c = 0.0);

/// The operation on formulas, with the simplification of construction (nothing for leaves).
Expression rebuild(Op op, const Expression* operands);

/// x^n by repeated squaring: the chain of multiplications that the compiled programs use.
double integer_power(double x, int n);

/// Integer exponents up to this size are computed by multiplications, larger ones by pow().
inline constexpr int largest_chain_power = 32;

/// Whole exponents below this are merged (x^2 x^3 = x^5): sums and products of two are exact.
inline constexpr double largest_whole_exponent = 1e9;

/// Graph of a formula; throws std::invalid_argument for the invalid Expression.
Graph::Storage& storage_of(Expression e);
Graph::Storage& storage_of(Expression a, Expression b);

}  // namespace clack::symbolic
