// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/expansion.hpp"

#include <cmath>
#include <limits>
#include <map>

#include "clack/symbolic/storage.hpp"

namespace clack::symbolic {
namespace {

constexpr double cancelled = 64.0 * std::numeric_limits<double>::epsilon();
constexpr double largest_power = 16.0;  // of a sum that is multiplied out

using Monomial = std::map<NodeIndex, double>;  // atom: exponent, not zero

struct Coefficient {
  double value = 0.0, size = 0.0;  // the sum of what was added, and of its absolute values
};

using Polynomial = std::map<Monomial, Coefficient>;

Monomial product(const Monomial& a, const Monomial& b) {
  Monomial result = a;
  for (const auto& [atom, exponent] : b)
    if ((result[atom] += exponent) == 0.0) result.erase(atom);
  return result;
}

/// Multiplies a formula out; gives up (is_given_up) beyond the number of terms.
class Expansion {
 public:
  Expansion(const Graph::Storage& graph, std::size_t most_terms)
      : graph_(graph), most_terms_(most_terms) {}

  bool is_given_up() const { return is_given_up_; }

  const Polynomial& of(NodeIndex node) {
    if (const auto known = known_.find(node); known != known_.end()) return known->second;
    Polynomial made = expand(node);
    if (made.size() > most_terms_) is_given_up_ = true;
    return known_.emplace(node, std::move(made)).first->second;
  }

 private:
  static Polynomial number(double value) { return {{{}, {value, std::abs(value)}}}; }
  static Polynomial atom(NodeIndex node) { return {{{{node, 1.0}}, {1.0, 1.0}}}; }

  Polynomial sum(const Polynomial& a, const Polynomial& b, double factor) const {
    Polynomial result = a;
    for (const auto& [monomial, c] : b) {
      Coefficient& to = result[monomial];
      to.value += factor * c.value;
      to.size += std::abs(factor) * c.size;
    }
    return result;
  }

  Polynomial times(const Polynomial& a, const Polynomial& b) {
    Polynomial result;
    if (a.size() * b.size() > 16 * most_terms_) is_given_up_ = true;
    if (is_given_up_) return result;
    for (const auto& [ma, ca] : a)
      for (const auto& [mb, cb] : b) {
        Coefficient& to = result[product(ma, mb)];
        to.value += ca.value * cb.value;
        to.size += ca.size * cb.size;
      }
    return result;
  }

  /// base^exponent; a sum to a power that is not small and whole is an atom.
  Polynomial power(NodeIndex base, double exponent, NodeIndex self) {
    const Polynomial& of_base = of(base);
    const bool is_whole = exponent == std::round(exponent);
    if (of_base.size() == 1 && is_whole) {
      const auto& [monomial, c] = *of_base.begin();
      Monomial raised;
      for (const auto& [a, e] : monomial) raised[a] = e * exponent;
      const double value = std::pow(c.value, exponent);
      return {{raised, {value, std::abs(value)}}};
    }
    if (is_whole && exponent > 0.0 && exponent <= largest_power) {
      Polynomial result = number(1.0);
      for (int k = 0; k < static_cast<int>(exponent); ++k) result = times(result, of_base);
      return result;
    }
    if (is_whole && exponent < 0.0) return {{{{base, exponent}}, {1.0, 1.0}}};
    return atom(self);
  }

  Polynomial expand(NodeIndex node) {
    if (is_given_up_) return {};
    const Node& n = graph_.nodes[node];
    switch (n.op) {
      case Op::number:
        return number(graph_.value(node));
      case Op::add:
        return sum(of(n.operand[0]), of(n.operand[1]), 1.0);
      case Op::sub:
        return sum(of(n.operand[0]), of(n.operand[1]), -1.0);
      case Op::neg:
        return sum({}, of(n.operand[0]), -1.0);
      case Op::mul:
        return times(of(n.operand[0]), of(n.operand[1]));
      case Op::div:
        return times(of(n.operand[0]), power(n.operand[1], -1.0, node));
      case Op::pow:
        return graph_.is_number(n.operand[1])
                   ? power(n.operand[0], graph_.value(n.operand[1]), node)
                   : atom(node);
      default:
        return atom(node);
    }
  }

  const Graph::Storage& graph_;
  std::size_t most_terms_;
  bool is_given_up_ = false;
  std::map<NodeIndex, Polynomial> known_;
};

}  // namespace

bool is_identically_zero(Expression e, std::size_t most_terms) {
  if (const std::optional<double> value = number_value(e)) return *value == 0.0;
  Expansion expansion(e.graph()->storage(), most_terms);
  const Polynomial& terms = expansion.of(e.node());
  if (expansion.is_given_up()) return false;
  for (const auto& [monomial, c] : terms)
    if (!(std::abs(c.value) <= cancelled * c.size)) return false;
  return true;
}

}  // namespace clack::symbolic
