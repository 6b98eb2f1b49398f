// SPDX-License-Identifier: Apache-2.0
// Construction of formulas with their light canonical simplification.
//
// Every rule is an identity at regular points. A result is folded only when it is finite, so 1/0
// stays visible as a formula. Sums and products keep the association in which they were written
// (floating point is not associative, and (b - a) + small must not become b + small - a); only the
// two operands of one commutative node are ordered: numbers first in products and last in sums,
// otherwise by creation. A node is stored only when no rule applies to its operands, so building it
// again gives the same node.
#include <stdexcept>
#include <utility>

#include "clack/symbolic/storage.hpp"

namespace clack::symbolic {
namespace {

class Builder {
 public:
  explicit Builder(Graph::Storage& storage) : s(storage) {}

  NodeIndex add(NodeIndex a, NodeIndex b);
  NodeIndex sub(NodeIndex a, NodeIndex b);
  NodeIndex mul(NodeIndex a, NodeIndex b);
  NodeIndex div(NodeIndex a, NodeIndex b);
  NodeIndex neg(NodeIndex a);
  NodeIndex pow(NodeIndex a, NodeIndex b);
  NodeIndex unary(Op op, NodeIndex a);
  NodeIndex binary(Op op, NodeIndex a, NodeIndex b);
  NodeIndex select(NodeIndex c, NodeIndex a, NodeIndex b);

 private:
  static constexpr NodeIndex none = 0xffffffffu;

  Op op(NodeIndex n) const { return s.nodes[n].op; }
  bool is(NodeIndex n, Op op) const { return s.nodes[n].op == op; }
  bool is(NodeIndex n, double value) const { return s.is_number(n, value); }
  NodeIndex at(NodeIndex n, int i) const { return s.nodes[n].operand[i]; }
  double value(NodeIndex n) const { return s.value(n); }
  bool is_finite_or_formula(NodeIndex n) const {
    return !s.is_number(n) || std::isfinite(value(n));
  }
  bool has_coefficient(NodeIndex n) const { return is(n, Op::mul) && s.is_number(at(n, 0)); }
  bool has_negative_coefficient(NodeIndex n) const {
    return has_coefficient(n) && value(at(n, 0)) < 0;
  }

  /// n = coefficient * rest
  struct Term {
    double coefficient;
    NodeIndex rest;
  };
  Term term(NodeIndex n) const {
    if (is(n, Op::neg)) return {-1.0, at(n, 0)};
    if (has_coefficient(n)) return {value(at(n, 0)), at(n, 1)};
    return {1.0, n};
  }
  /// n = base^exponent, the exponent a whole number >= 1
  struct Power {
    NodeIndex base;
    double exponent;
  };
  Power power(NodeIndex n) const {
    if (is(n, Op::pow) && is_whole(at(n, 1)) && value(at(n, 1)) >= 1)
      return {at(n, 0), value(at(n, 1))};
    return {n, 1.0};
  }
  bool is_whole(NodeIndex n) const {
    return s.is_number(n) && std::fabs(value(n)) < largest_whole_exponent &&
           value(n) == std::floor(value(n));
  }
  bool is_even(NodeIndex n) const { return is_whole(n) && std::fmod(value(n), 2.0) == 0.0; }

  NodeIndex fold(Op op, NodeIndex a, NodeIndex b) {
    if (!s.is_number(a) || !s.is_number(b)) return none;
    const double result = apply(op, value(a), value(b));
    return std::isfinite(result) ? s.number(result) : none;
  }
  NodeIndex store(Op op, NodeIndex a, NodeIndex b = 0, NodeIndex c = 0) {
    return s.intern({op, {a, b, c}});
  }
  NodeIndex scale(double factor, NodeIndex n) { return mul(s.number(factor), n); }
  NodeIndex collect(Op op, NodeIndex a, NodeIndex b);
  NodeIndex scale_number(NodeIndex number, NodeIndex n);
  NodeIndex cancel_in_quotient(NodeIndex a, NodeIndex b);
  NodeIndex power_of_power(NodeIndex a, NodeIndex b);

  Graph::Storage& s;
};

/// c1*u + c2*u = (c1 + c2)*u, also with one coefficient 1 or -1.
NodeIndex Builder::collect(Op op, NodeIndex a, NodeIndex b) {
  const Term left = term(a), right = term(b);
  if (left.rest != right.rest || s.is_number(left.rest)) return none;
  const double sum =
      op == Op::add ? left.coefficient + right.coefficient : left.coefficient - right.coefficient;
  return std::isfinite(sum) ? scale(sum, left.rest) : none;
}

NodeIndex Builder::add(NodeIndex a, NodeIndex b) {
  if (const NodeIndex folded = fold(Op::add, a, b); folded != none) return folded;
  if (is(a, 0.0)) return b;
  if (is(b, 0.0)) return a;
  if (const NodeIndex collected = collect(Op::add, a, b); collected != none) return collected;
  if (is(b, Op::neg)) return sub(a, at(b, 0));
  if (is(a, Op::neg)) return sub(b, at(a, 0));
  if (has_negative_coefficient(b)) return sub(a, neg(b));
  if (has_negative_coefficient(a)) return sub(b, neg(a));
  if (s.is_number(a)) std::swap(a, b);
  if (s.is_number(b) && value(b) < 0) return sub(a, s.number(-value(b)));
  if (is(a, Op::sub) && at(a, 1) == b) return at(a, 0);
  if (is(b, Op::sub) && at(b, 1) == a) return at(b, 0);
  if (!s.is_number(b) && a > b) std::swap(a, b);
  return store(Op::add, a, b);
}

NodeIndex Builder::sub(NodeIndex a, NodeIndex b) {
  if (const NodeIndex folded = fold(Op::sub, a, b); folded != none) return folded;
  if (is(a, 0.0)) return neg(b);
  if (is(b, 0.0)) return a;
  if (a == b && is_finite_or_formula(a)) return s.number(0.0);
  if (const NodeIndex collected = collect(Op::sub, a, b); collected != none) return collected;
  if (is(b, Op::neg)) return add(a, at(b, 0));
  if (is(a, Op::neg)) return neg(add(at(a, 0), b));
  if (has_negative_coefficient(b)) return add(a, neg(b));
  if (s.is_number(b) && value(b) < 0) return add(a, s.number(-value(b)));
  if (is(a, Op::add) && at(a, 0) == b) return at(a, 1);
  if (is(a, Op::add) && at(a, 1) == b) return at(a, 0);
  if (is(b, Op::add) && at(b, 0) == a) return neg(at(b, 1));
  if (is(b, Op::add) && at(b, 1) == a) return neg(at(b, 0));
  if (is(a, Op::sub) && at(a, 0) == b) return neg(at(a, 1));
  if (is(b, Op::sub) && at(b, 0) == a) return at(b, 1);
  return store(Op::sub, a, b);
}

NodeIndex Builder::neg(NodeIndex a) {
  if (s.is_number(a)) return s.number(-value(a));
  if (is(a, Op::neg)) return at(a, 0);
  if (is(a, Op::sub)) return sub(at(a, 1), at(a, 0));
  if (has_coefficient(a)) return scale(-value(at(a, 0)), at(a, 1));
  if (is(a, Op::div) && s.is_number(at(a, 0))) return div(neg(at(a, 0)), at(a, 1));
  return store(Op::neg, a);
}

/// number * n, where n is no number.
NodeIndex Builder::scale_number(NodeIndex number, NodeIndex n) {
  const double factor = value(number);
  if (!std::isfinite(factor)) return store(Op::mul, number, n);
  if (factor == 0.0) return number;
  if (factor == 1.0) return n;
  if (factor == -1.0) return neg(n);
  if (is(n, Op::neg)) return scale(-factor, at(n, 0));
  if (has_coefficient(n) || (is(n, Op::div) && s.is_number(at(n, 0)))) {
    const double product = factor * value(at(n, 0));
    if (std::isnormal(product))
      return is(n, Op::mul) ? scale(product, at(n, 1)) : div(s.number(product), at(n, 1));
  }
  return store(Op::mul, number, n);
}

NodeIndex Builder::mul(NodeIndex a, NodeIndex b) {
  if (const NodeIndex folded = fold(Op::mul, a, b); folded != none) return folded;
  if (s.is_number(a) && s.is_number(b)) return store(Op::mul, std::min(a, b), std::max(a, b));
  if (s.is_number(a)) return scale_number(a, b);
  if (s.is_number(b)) return scale_number(b, a);
  if (is(a, Op::neg)) return neg(mul(at(a, 0), b));
  if (is(b, Op::neg)) return neg(mul(a, at(b, 0)));
  if (has_coefficient(a)) return mul(at(a, 0), mul(at(a, 1), b));
  if (has_coefficient(b)) return mul(at(b, 0), mul(a, at(b, 1)));
  const Power left = power(a), right = power(b);
  if (left.base == right.base) return pow(left.base, s.number(left.exponent + right.exponent));
  if (is(a, Op::div) && at(a, 1) == b) return at(a, 0);
  if (is(b, Op::div) && at(b, 1) == a) return at(b, 0);
  if (is(a, Op::div) && s.is_number(at(a, 0))) return mul(at(a, 0), div(b, at(a, 1)));
  if (is(b, Op::div) && s.is_number(at(b, 0))) return mul(at(b, 0), div(a, at(b, 1)));
  if (a > b) std::swap(a, b);
  return store(Op::mul, a, b);
}

NodeIndex Builder::cancel_in_quotient(NodeIndex a, NodeIndex b) {
  const Power above = power(a), below = power(b);
  if (above.base == below.base) {
    if (above.exponent == below.exponent) return s.number(1.0);
    const NodeIndex rest = pow(above.base, s.number(std::fabs(above.exponent - below.exponent)));
    return above.exponent > below.exponent ? rest : div(s.number(1.0), rest);
  }
  if (is(a, Op::mul) && at(a, 0) == b) return at(a, 1);
  if (is(a, Op::mul) && at(a, 1) == b) return at(a, 0);
  if (has_coefficient(a) && s.is_number(b)) {
    const double quotient = value(at(a, 0)) / value(b);
    if (std::isnormal(quotient) && quotient * value(b) == value(at(a, 0)))
      return scale(quotient, at(a, 1));
  }
  return none;
}

NodeIndex Builder::div(NodeIndex a, NodeIndex b) {
  if (const NodeIndex folded = fold(Op::div, a, b); folded != none) return folded;
  if (is(b, 0.0) || !is_finite_or_formula(b) || !is_finite_or_formula(a))
    return store(Op::div, a, b);
  if (is(a, 0.0)) return a;
  if (is(b, 1.0)) return a;
  if (is(b, -1.0)) return neg(a);
  if (is(a, Op::neg)) return neg(div(at(a, 0), b));
  if (is(b, Op::neg)) return neg(div(a, at(b, 0)));
  if (s.is_number(b) && value(b) < 0) return neg(div(a, s.number(-value(b))));
  if (const NodeIndex cancelled = cancel_in_quotient(a, b); cancelled != none) return cancelled;
  if (has_coefficient(a) && !s.is_number(b)) return mul(at(a, 0), div(at(a, 1), b));
  return store(Op::div, a, b);
}

/// (u^m)^n and relatives; `b` is a whole number.
NodeIndex Builder::power_of_power(NodeIndex a, NodeIndex b) {
  if (is(a, Op::neg)) return is_even(b) ? pow(at(a, 0), b) : neg(pow(at(a, 0), b));
  if (is(a, Op::abs) && is_even(b)) return pow(at(a, 0), b);
  if (is(a, Op::sqrt) && value(b) == 2.0) return at(a, 0);
  if (const Power inner = power(a);
      inner.exponent > 1 && inner.exponent * value(b) < largest_whole_exponent)
    return pow(inner.base, s.number(inner.exponent * value(b)));
  return none;
}

NodeIndex Builder::pow(NodeIndex a, NodeIndex b) {
  if (const NodeIndex folded = fold(Op::pow, a, b); folded != none) return folded;
  if (s.is_number(b) && is_finite_or_formula(a)) {
    if (is(b, 0.0)) return s.number(1.0);
    if (is(b, 1.0)) return a;
    if (is(b, 0.5)) return unary(Op::sqrt, a);
    if (is_whole(b) && value(b) < 0) return div(s.number(1.0), pow(a, s.number(-value(b))));
    if (is_whole(b) && !s.is_number(a))
      if (const NodeIndex flat = power_of_power(a, b); flat != none) return flat;
  }
  if (is(a, 1.0)) return a;
  return store(Op::pow, a, b);
}

NodeIndex Builder::unary(Op op, NodeIndex a) {
  if (s.is_number(a)) {
    const double result = apply(op, value(a));
    if (std::isfinite(result)) return s.number(result);
  }
  const bool is_odd =
      op == Op::sin || op == Op::tan || op == Op::asin || op == Op::atan || op == Op::sign;
  if (is(a, Op::neg) && is_odd) return neg(unary(op, at(a, 0)));
  if (is(a, Op::neg) && (op == Op::cos || op == Op::abs)) return unary(op, at(a, 0));
  if (has_negative_coefficient(a) && is_odd) return neg(unary(op, neg(a)));
  if (has_negative_coefficient(a) && (op == Op::cos || op == Op::abs)) return unary(op, neg(a));
  const bool is_square = is(a, Op::pow) && is_even(at(a, 1));
  if (op == Op::abs && (is(a, Op::abs) || is(a, Op::sqrt) || is(a, Op::exp) || is_square)) return a;
  if (op == Op::sqrt && is(a, Op::pow) && is(at(a, 1), 2.0)) return unary(Op::abs, at(a, 0));
  return store(op, a);
}

NodeIndex Builder::binary(Op op, NodeIndex a, NodeIndex b) {
  if (const NodeIndex folded = fold(op, a, b); folded != none) return folded;
  const bool is_same = a == b && is_finite_or_formula(a);
  const bool is_symmetric = op == Op::min || op == Op::max || op == Op::equal;
  if (is_same && (op == Op::min || op == Op::max)) return a;
  if (is_same && op == Op::less) return s.number(0.0);
  if (is_same && (op == Op::less_equal || op == Op::equal)) return s.number(1.0);
  if (is_symmetric && a > b) std::swap(a, b);
  return store(op, a, b);
}

NodeIndex Builder::select(NodeIndex c, NodeIndex a, NodeIndex b) {
  if (s.is_number(c)) return value(c) != 0 ? a : b;
  if (a == b) return a;
  return store(Op::select, c, a, b);
}

Expression unary(Op op, Expression a) {
  return {a.graph(), Builder(storage_of(a)).unary(op, a.node())};
}
Expression binary(Op op, Expression a, Expression b) {
  return {a.graph(), Builder(storage_of(a, b)).binary(op, a.node(), b.node())};
}
Expression number_like(Expression e, double value) {
  return {e.graph(), storage_of(e).number(value)};
}

}  // namespace

Expression operator+(Expression a, Expression b) {
  return {a.graph(), Builder(storage_of(a, b)).add(a.node(), b.node())};
}
Expression operator-(Expression a, Expression b) {
  return {a.graph(), Builder(storage_of(a, b)).sub(a.node(), b.node())};
}
Expression operator*(Expression a, Expression b) {
  return {a.graph(), Builder(storage_of(a, b)).mul(a.node(), b.node())};
}
Expression operator/(Expression a, Expression b) {
  return {a.graph(), Builder(storage_of(a, b)).div(a.node(), b.node())};
}
Expression operator-(Expression a) { return {a.graph(), Builder(storage_of(a)).neg(a.node())}; }
Expression operator+(Expression a, double b) { return a + number_like(a, b); }
Expression operator+(double a, Expression b) { return number_like(b, a) + b; }
Expression operator-(Expression a, double b) { return a - number_like(a, b); }
Expression operator-(double a, Expression b) { return number_like(b, a) - b; }
Expression operator*(Expression a, double b) { return a * number_like(a, b); }
Expression operator*(double a, Expression b) { return number_like(b, a) * b; }
Expression operator/(Expression a, double b) { return a / number_like(a, b); }
Expression operator/(double a, Expression b) { return number_like(b, a) / b; }
Expression pow(Expression base, Expression exponent) {
  return {base.graph(), Builder(storage_of(base, exponent)).pow(base.node(), exponent.node())};
}
Expression pow(Expression base, double exponent) { return pow(base, number_like(base, exponent)); }
Expression sin(Expression a) { return unary(Op::sin, a); }
Expression cos(Expression a) { return unary(Op::cos, a); }
Expression tan(Expression a) { return unary(Op::tan, a); }
Expression asin(Expression a) { return unary(Op::asin, a); }
Expression acos(Expression a) { return unary(Op::acos, a); }
Expression atan(Expression a) { return unary(Op::atan, a); }
Expression atan2(Expression y, Expression x) { return binary(Op::atan2, y, x); }
Expression sqrt(Expression a) { return unary(Op::sqrt, a); }
Expression exp(Expression a) { return unary(Op::exp, a); }
Expression log(Expression a) { return unary(Op::log, a); }
Expression abs(Expression a) { return unary(Op::abs, a); }
Expression sign(Expression a) { return unary(Op::sign, a); }
Expression min(Expression a, Expression b) { return binary(Op::min, a, b); }
Expression max(Expression a, Expression b) { return binary(Op::max, a, b); }
Expression less(Expression a, Expression b) { return binary(Op::less, a, b); }
Expression less_equal(Expression a, Expression b) { return binary(Op::less_equal, a, b); }
Expression equal(Expression a, Expression b) { return binary(Op::equal, a, b); }
Expression select(Expression condition, Expression if_true, Expression if_false) {
  storage_of(condition, if_true);
  return {condition.graph(), Builder(storage_of(if_true, if_false))
                                 .select(condition.node(), if_true.node(), if_false.node())};
}

}  // namespace clack::symbolic
