// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <unordered_map>
#include <vector>

#include "clack/symbolic/expression.hpp"

namespace clack::symbolic {

/// coefficient * rest
struct Term {
  double coefficient = 1.0;
  Expression rest;
};

/// The terms of a sum: c1 r1 + c2 r2 + ..., no r a sum or a number times something. A number is itself times 1.
std::vector<Term> terms_of(Expression e);

/// A sum in which terms with the same rest are one: what several bodies add to one entry of a mass matrix. Terms
/// stand in the order in which their rests first came.
class TermSum {
 public:
  void add(double coefficient, Expression rest);
  /// The product of two sums, term by term.
  void add_product(double coefficient, const std::vector<Term>& a, const std::vector<Term>& b);
  /// The sum as a formula; rests with one coefficient share it, and c cos(x)^2 + c sin(x)^2 is c.
  Expression formula(Expression zero) const;

 private:
  std::vector<Term> terms_;
  std::unordered_map<std::uint32_t, std::size_t> place_;  // of a rest, by node; looked up only
};

}  // namespace clack::symbolic
