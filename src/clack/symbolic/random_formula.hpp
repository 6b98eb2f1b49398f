// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random formulas for the tests of this room.
#include <random>
#include <vector>

#include "clack/symbolic/expression.hpp"

namespace clack::symbolic::testing {

/// A seeded source of formulas in the symbols x, y, z. `smooth` leaves out what has kinks or jumps.
class RandomFormula {
 public:
  RandomFormula(Graph& graph, unsigned seed, bool smooth) : random_(seed), smooth_(smooth) {
    symbols = {graph.symbol("x"), graph.symbol("y"), graph.symbol("z")};
    pool_ = symbols;
    for (double value : {0.5, 2.0, -1.5, 3.0}) pool_.push_back(graph.number(value));
  }

  std::vector<Expression> symbols;

  /// A formula grown by `operations` random operations over earlier ones; parts are shared.
  Expression operator()(int operations) {
    std::vector<Expression> parts = pool_;
    for (int i = 0; i < operations; ++i) parts.push_back(combine(parts));
    return parts.back();
  }
  double number(double low, double high) {
    return std::uniform_real_distribution(low, high)(random_);
  }

 private:
  Expression pick(const std::vector<Expression>& parts) {
    // Recent parts more often, so that formulas become deep.
    const bool is_recent = random_() % 2 == 0;
    const std::size_t count = is_recent ? std::min<std::size_t>(4, parts.size()) : parts.size();
    return parts[parts.size() - 1 - random_() % count];
  }
  Expression combine(const std::vector<Expression>& parts) {
    const Expression a = pick(parts), b = pick(parts), c = pick(parts);
    switch (random_() % (smooth_ ? 18 : 25)) {
      case 0:
      case 1:
        return a + b;
      case 2:
      case 3:
        return a - b;
      case 4:
      case 5:
        return a * b;
      case 6:
        return a / (1.5 + b * b);
      case 7:
        return -a;
      case 8:
        return sin(a);
      case 9:
        return cos(a);
      case 10:
        return tan(sin(a));
      case 11:
        return asin(0.9 * sin(a));
      case 12:
        return acos(0.9 * cos(b));
      case 13:
        return atan(a) + atan2(b, 2.0 + c * c);
      case 14:
        return sqrt(1.0 + a * a);
      case 15:
        return exp(sin(a)) * log(1.2 + b * b);
      case 16:
        return pow(sin(a), static_cast<double>(2 + random_() % 6));
      case 17:
        return pow(1.5 + cos(a), sin(b));
      case 18:
        return abs(a);
      case 19:
        return sign(a) * b;
      case 20:
        return min(a, b);
      case 21:
        return max(a, b);
      case 22:
        return select(less(a, b), b, c);
      case 23:
        return select(less_equal(a, c), a, equal(b, c));
      default:
        return a / b;
    }
  }

  std::mt19937_64 random_;
  bool smooth_;
  std::vector<Expression> pool_;
};

}  // namespace clack::symbolic::testing
