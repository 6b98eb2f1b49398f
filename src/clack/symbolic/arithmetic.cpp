// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "clack/symbolic/storage.hpp"

namespace clack::symbolic {

double integer_power(double x, int n) {
  // From the highest bit down: square, and multiply by x where the bit is set.
  if (n == 0) return 1.0;
  double power = x;
  for (int bit = std::bit_width(static_cast<unsigned>(n)) - 2; bit >= 0; --bit) {
    power = power * power;
    if (n >> bit & 1) power = power * x;
  }
  return power;
}

double apply(Op op, double a, double b, double c) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  switch (op) {
    case Op::number:
    case Op::symbol:
      return a;
    case Op::add:
      return a + b;
    case Op::sub:
      return a - b;
    case Op::mul:
      return a * b;
    case Op::div:
      return a / b;
    case Op::neg:
      return -a;
    case Op::pow:
      if (b == std::floor(b) && b >= 1 && b <= largest_chain_power)
        return integer_power(a, static_cast<int>(b));
      return std::pow(a, b);
    case Op::sin:
      return std::sin(a);
    case Op::cos:
      return std::cos(a);
    case Op::tan:
      return std::tan(a);
    case Op::asin:
      return std::asin(a);
    case Op::acos:
      return std::acos(a);
    case Op::atan:
      return std::atan(a);
    case Op::sqrt:
      return std::sqrt(a);
    case Op::exp:
      return std::exp(a);
    case Op::log:
      return std::log(a);
    case Op::abs:
      return std::fabs(a);
    case Op::sign:
      return a > 0 ? 1.0 : a < 0 ? -1.0 : a == 0 ? 0.0 : nan;
    case Op::atan2:
      return std::atan2(a, b);
    case Op::min:
      return a < b ? a : a == a ? b : nan;  // not a number stays visible
    case Op::max:
      return a > b ? a : a == a ? b : nan;
    case Op::less:
      return a < b ? 1.0 : 0.0;
    case Op::less_equal:
      return a <= b ? 1.0 : 0.0;
    case Op::equal:
      return a == b ? 1.0 : 0.0;
    case Op::select:
      return a != 0 ? b : c;
  }
  return nan;
}

}  // namespace clack::symbolic
