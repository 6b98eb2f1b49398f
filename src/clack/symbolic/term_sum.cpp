// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/term_sum.hpp"

#include "clack/symbolic/storage.hpp"

namespace clack::symbolic {
namespace {

void gather(Graph::Storage& s, Expression e, double factor, std::vector<Term>& terms) {
  const Node node = s.nodes[e.node()];
  const auto operand = [&](int i) { return Expression(e.graph(), node.operand[i]); };
  switch (node.op) {
    case Op::number:
      if (!std::isfinite(s.value(e.node()))) break;
      return terms.push_back({factor * s.value(e.node()), e.graph()->number(1.0)});
    case Op::add:
      gather(s, operand(0), factor, terms);
      return gather(s, operand(1), factor, terms);
    case Op::sub:
      gather(s, operand(0), factor, terms);
      return gather(s, operand(1), -factor, terms);
    case Op::neg:
      return gather(s, operand(0), -factor, terms);
    case Op::mul:
      if (!s.is_number(node.operand[0])) break;
      return gather(s, operand(1), factor * s.value(node.operand[0]), terms);
    default:
      break;
  }
  terms.push_back({factor, e});
}

/// x where e is cos(x)^2 (or sin(x)^2); invalid elsewhere.
Expression squared_argument(Expression e, Op function) {
  const Graph::Storage& s = e.graph()->storage();
  const Node& node = s.nodes[e.node()];
  if (node.op != Op::pow || !s.is_number(node.operand[1], 2.0)) return {};
  const Node& base = s.nodes[node.operand[0]];
  return base.op == function ? Expression(e.graph(), base.operand[0]) : Expression();
}

/// c cos(x)^2 + c sin(x)^2 becomes c.
void unite_squares(std::vector<Term>& terms) {
  for (std::size_t i = 0; i < terms.size(); ++i)
    for (std::size_t j = 0; j < terms.size(); ++j) {
      const Expression x = squared_argument(terms[i].rest, Op::cos);
      if (!x.is_valid() || terms[i].coefficient != terms[j].coefficient ||
          squared_argument(terms[j].rest, Op::sin) != x)
        continue;
      terms[i].rest = x.graph()->number(1.0);
      terms[j].coefficient = 0.0;
    }
}

}  // namespace

std::vector<Term> terms_of(Expression e) {
  std::vector<Term> terms;
  gather(storage_of(e), e, 1.0, terms);
  return terms;
}

void TermSum::add(double coefficient, Expression rest) {
  const auto [place, is_new] = place_.try_emplace(rest.node(), terms_.size());
  if (is_new)
    terms_.push_back({coefficient, rest});
  else
    terms_[place->second].coefficient += coefficient;
}

void TermSum::add_product(double coefficient, const std::vector<Term>& a,
                          const std::vector<Term>& b) {
  for (const Term& left : a)
    for (const Term& right : b) {
      const double factor = coefficient * left.coefficient * right.coefficient;
      for (const Term& term : terms_of(left.rest * right.rest))
        add(factor * term.coefficient, term.rest);
    }
}

Expression TermSum::formula(Expression zero) const {
  std::vector<Term> terms = terms_;
  unite_squares(terms);
  Expression sum = zero;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (terms[i].coefficient == 0.0) continue;
    Expression shared = terms[i].rest;
    for (std::size_t j = i + 1; j < terms.size(); ++j) {
      if (terms[j].coefficient != terms[i].coefficient) continue;
      shared = shared + terms[j].rest;
      terms[j].coefficient = 0.0;
    }
    sum = sum + terms[i].coefficient * shared;
  }
  return sum;
}

}  // namespace clack::symbolic
