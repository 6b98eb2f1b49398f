// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/interval_program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "clack/symbolic/instructions.hpp"

namespace clack::symbolic {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr Interval whole_line{-unbounded, unbounded};

/// Rounded outward: a relative error of a few roundings and, for calls of the C library, of one unit more.
Interval rounded_outward(double low, double high) {
  if (std::isnan(low) || std::isnan(high)) return whole_line;
  const double slack = 4 * std::numeric_limits<double>::epsilon();
  return {low - slack * std::abs(low), high + slack * std::abs(high)};
}

Interval interval_quotient(const Interval& a, const Interval& b) {
  if (b.low <= 0.0 && b.high >= 0.0) return whole_line;
  const double values[] = {a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high};
  return rounded_outward(*std::min_element(values, values + 4),
                         *std::max_element(values, values + 4));
}

/// Cosine: its extremes are at whole multiples of pi.
Interval interval_cosine(const Interval& a) {
  const double pi = std::numbers::pi;
  if (!(a.high - a.low < 2 * pi) || !(std::abs(a.low) < 1e8)) return {-1.0, 1.0};
  double low = std::min(std::cos(a.low), std::cos(a.high)),
         high = std::max(std::cos(a.low), std::cos(a.high));
  const double slack = 1e-6;  // of a period: extremes just outside only widen the answer
  for (double k = std::ceil(a.low / pi - slack); k * pi <= a.high + slack; k += 1.0)
    (std::fmod(k, 2.0) == 0.0 ? high : low) = std::fmod(k, 2.0) == 0.0 ? 1.0 : -1.0;
  return {std::max(-1.0, rounded_outward(low, high).low),
          std::min(1.0, rounded_outward(low, high).high)};
}

Interval interval_sine(const Interval& a) {
  const double quarter = std::numbers::pi / 2;
  return interval_cosine(
      {a.low - quarter - 1e-15 * std::abs(a.low), a.high - quarter + 1e-15 * std::abs(a.high)});
}

Interval interval_power(const Interval& a, const Interval& b) {
  if (b.low == b.high && b.low == std::floor(b.low) && std::abs(b.low) < 1e6) {
    if (b.low < 0.0) return interval_quotient({1.0, 1.0}, interval_power(a, {-b.low, -b.low}));
    const double p = std::pow(a.low, b.low), r = std::pow(a.high, b.low);
    const bool is_even = std::fmod(b.low, 2.0) == 0.0;
    if (!is_even) return rounded_outward(p, r);
    const bool has_zero = a.low <= 0.0 && a.high >= 0.0;
    return rounded_outward(has_zero ? 0.0 : std::min(p, r), std::max(p, r));
  }
  if (!(a.low > 0.0)) return whole_line;
  const double values[] = {std::pow(a.low, b.low), std::pow(a.low, b.high), std::pow(a.high, b.low),
                           std::pow(a.high, b.high)};
  return rounded_outward(*std::min_element(values, values + 4),
                         *std::max_element(values, values + 4));
}

/// A function that rises everywhere; nothing is known outside of its domain.
template <class Function>
Interval interval_rising(Function f, const Interval& a) {
  return rounded_outward(f(a.low), f(a.high));
}

Interval interval_abs(const Interval& a) {
  if (a.low >= 0.0) return a;
  if (a.high <= 0.0) return {-a.high, -a.low};
  return {0.0, a.largest()};
}

// clang-format off
Interval interval_call(Code code, const Interval& a, const Interval& b) {
  switch (code) {
    case Code::sin: return interval_sine(a);
    case Code::cos: return interval_cosine(a);
    case Code::tan: return interval_quotient(interval_sine(a), interval_cosine(a));
    case Code::asin: return interval_rising([](double x) { return std::asin(x); }, a);
    case Code::acos: { const Interval r = interval_rising([](double x) { return -std::acos(x); }, a); return {-r.high, -r.low}; }
    case Code::atan: return interval_rising([](double x) { return std::atan(x); }, a);
    case Code::exp: return interval_rising([](double x) { return std::exp(x); }, a);
    case Code::log: return a.low > 0.0 ? interval_rising([](double x) { return std::log(x); }, a) : whole_line;
    case Code::atan2: return {-std::numbers::pi, std::numbers::pi};
    case Code::pow: return interval_power(a, b);
    default: return whole_line;
  }
}

Interval apply_interval(const Instruction& i, const Interval* r) {
  const Interval &a = r[i.operand[0]], &b = r[i.operand[1]], &c = r[i.operand[2]];
  switch (i.code) {
    case Code::add: return a + b;
    case Code::sub: return a - b;
    case Code::mul: return i.operand[0] == i.operand[1] ? interval_power(a, {2.0, 2.0}) : a * b;
    case Code::div: return interval_quotient(a, b);
    case Code::neg: return {-a.high, -a.low};
    case Code::sqrt: return a.low >= 0.0 ? interval_rising([](double x) { return std::sqrt(x); }, a) : whole_line;
    case Code::abs: return interval_abs(a);
    case Code::sign: return {a.low > 0.0 ? 1.0 : -1.0, a.high < 0.0 ? -1.0 : 1.0};
    case Code::min: return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case Code::max: return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case Code::less: case Code::less_equal: case Code::equal: return {0.0, 1.0};
    case Code::select: return {std::min(b.low, c.low), std::max(b.high, c.high)};
    default: return interval_call(i.code, a, b);
  }
}
// clang-format on

}  // namespace

double Interval::largest() const { return std::max(std::abs(low), std::abs(high)); }
Interval operator+(const Interval& a, const Interval& b) {
  return rounded_outward(a.low + b.low, a.high + b.high);
}
Interval operator-(const Interval& a, const Interval& b) {
  return rounded_outward(a.low - b.high, a.high - b.low);
}
Interval operator*(const Interval& a, const Interval& b) {
  const bool is_zero = (a.low == 0.0 && a.high == 0.0) || (b.low == 0.0 && b.high == 0.0);
  if (is_zero) return {};
  const double values[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  for (const double value : values)
    if (std::isnan(value)) return whole_line;
  return rounded_outward(*std::min_element(values, values + 4),
                         *std::max_element(values, values + 4));
}

struct IntervalProgram::Implementation {
  Instructions instructions;
  mutable std::vector<Interval> values;
};

IntervalProgram::IntervalProgram() = default;
IntervalProgram::IntervalProgram(std::span<const Expression> inputs,
                                 std::span<const Expression> outputs)
    : implementation_(new Implementation{lower(inputs, outputs), {}}) {
  implementation_->values.resize(implementation_->instructions.value_count);
}
IntervalProgram::~IntervalProgram() = default;
IntervalProgram::IntervalProgram(const IntervalProgram& other)
    : implementation_(other.implementation_ ? new Implementation(*other.implementation_)
                                            : nullptr) {}
IntervalProgram& IntervalProgram::operator=(const IntervalProgram& other) {
  implementation_.reset(other.implementation_ ? new Implementation(*other.implementation_)
                                              : nullptr);
  return *this;
}

void IntervalProgram::operator()(const Interval* inputs, Interval* outputs) const {
  if (!implementation_) return;
  const Instructions& list = implementation_->instructions;
  std::vector<Interval>& values = implementation_->values;
  const std::size_t constants = list.constants.size();
  for (std::size_t k = 0; k < constants; ++k) values[k] = {list.constants[k], list.constants[k]};
  std::copy_n(inputs, list.input_count, values.begin() + static_cast<std::ptrdiff_t>(constants));
  for (const Instruction& instruction : list.list) {
    if (instruction.code == Code::sincos) {
      const Interval angle = values[instruction.operand[0]];
      values[instruction.result] = interval_sine(angle);
      values[instruction.result + 1] = interval_cosine(angle);
    } else {
      values[instruction.result] = apply_interval(instruction, values.data());
    }
  }
  for (std::size_t k = 0; k < list.outputs.size(); ++k) outputs[k] = values[list.outputs[k]];
}

}  // namespace clack::symbolic
