// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clack::symbolic {

class Graph;

/// A formula: a handle to a node of a Graph. Every subexpression exists once per graph, so equality
/// of handles is structural equality (after the light canonical simplification done at
/// construction).
class Expression {
 public:
  Expression() = default;
  Expression(Graph* graph, std::uint32_t node) : graph_(graph), node_(node) {}
  bool is_valid() const { return graph_ != nullptr; }
  Graph* graph() const { return graph_; }
  std::uint32_t node() const { return node_; }
  friend bool operator==(const Expression&, const Expression&) = default;

 private:
  Graph* graph_ = nullptr;
  std::uint32_t node_ = 0;
};

/// Owner of all nodes; Expressions point into it. A copy holds the same nodes under the same numbers
/// and grows on its own; what is derived in two copies is the same node by node.
///
/// A sealed graph is constant: any number of threads may ask it, compile its formulas and copy it at
/// the same time. It takes no new formula (std::logic_error); derive in a copy.
class Graph {
 public:
  Graph();
  ~Graph();
  Graph(const Graph& other);  // not sealed
  Graph& operator=(const Graph&) = delete;

  void seal();
  bool is_sealed() const;
  /// A formula of the graph that this one was copied from, in this one. Invalid stays invalid.
  Expression same(Expression original);

  Expression number(double value);
  Expression symbol(std::string_view name);  // the same name gives the same node
  std::size_t size() const;                  // number of nodes

  struct Storage;
  Storage& storage() { return *storage_; }
  const Storage& storage() const { return *storage_; }

 private:
  std::unique_ptr<Storage> storage_;
};

Expression operator+(Expression a, Expression b);
Expression operator-(Expression a, Expression b);
Expression operator*(Expression a, Expression b);
Expression operator/(Expression a, Expression b);
Expression operator-(Expression a);
Expression operator+(Expression a, double b);
Expression operator+(double a, Expression b);
Expression operator-(Expression a, double b);
Expression operator-(double a, Expression b);
Expression operator*(Expression a, double b);
Expression operator*(double a, Expression b);
Expression operator/(Expression a, double b);
Expression operator/(double a, Expression b);
Expression pow(Expression base, Expression exponent);
Expression pow(Expression base, double exponent);
Expression sin(Expression a);
Expression cos(Expression a);
Expression tan(Expression a);
Expression asin(Expression a);
Expression acos(Expression a);
Expression atan(Expression a);
Expression atan2(Expression y, Expression x);
Expression sqrt(Expression a);
Expression exp(Expression a);
Expression log(Expression a);
Expression abs(Expression a);
Expression sign(Expression a);
Expression min(Expression a, Expression b);
Expression max(Expression a, Expression b);
/// Comparisons give 1 or 0; `select(c, a, b)` is a where c != 0, b elsewhere (written if(c, a, b)).
Expression less(Expression a, Expression b);
Expression less_equal(Expression a, Expression b);
Expression equal(Expression a, Expression b);
Expression select(Expression condition, Expression if_true, Expression if_false);

bool is_number(Expression e);
std::optional<double> number_value(Expression e);  // value of a constant node
bool is_symbol(Expression e);
std::string symbol_name(Expression e);
bool depends_on(Expression e, Expression symbol);
std::vector<Expression> symbols_of(Expression e);  // in deterministic (creation) order
std::size_t operation_count(std::span<const Expression> outputs);  // distinct non-leaf nodes

/// Exact partial derivative.
Expression derivative(Expression e, Expression symbol);
/// Total rate along  d(symbols[i])/dt = rates[i].
Expression total_derivative(Expression e, std::span<const Expression> symbols,
                            std::span<const Expression> rates);
Expression substitute(Expression e, std::span<const Expression> symbols,
                      std::span<const Expression> values);

/// As text that parse() reads back to the same node; as LaTeX; as one C expression over <math.h>
/// (dots in names become underscores). Shared parts are written out each time, so a text can be far
/// longer than its graph: beyond 16 MiB they throw std::length_error.
std::string to_text(Expression e);
std::string to_latex(Expression e);
std::string to_c(Expression e);
/// A C function  void name(const double *in, double *out)  that computes shared parts once.
std::string to_c_function(std::string_view name, std::span<const Expression> inputs,
                          std::span<const Expression> outputs);
/// A Python function  def name(x)  over the module math; one column: a list of numbers, more: a list of rows.
std::string to_python_function(std::string_view name, std::span<const Expression> inputs,
                               std::span<const Expression> outputs, std::size_t columns);

}  // namespace clack::symbolic
