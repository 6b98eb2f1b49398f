// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "clack/symbolic/expression.hpp"

namespace clack::symbolic {

/// All numbers from `low` to `high`; a bound that is not known is infinite.
struct Interval {
  double low = 0.0, high = 0.0;
  double largest() const;  // of the absolute values
};
Interval operator+(const Interval& a, const Interval& b);
Interval operator-(const Interval& a, const Interval& b);
Interval operator*(const Interval& a, const Interval& b);

/// Formulas over intervals: each output holds every value that the formula takes while its inputs are in theirs (natural
/// interval extension, enlarged by rounding). A bound that does not exist, or is not known, is infinite.
class IntervalProgram {
 public:
  IntervalProgram();
  IntervalProgram(std::span<const Expression> inputs, std::span<const Expression> outputs);
  ~IntervalProgram();
  IntervalProgram(const IntervalProgram&);
  IntervalProgram& operator=(const IntervalProgram&);

  void operator()(const Interval* inputs, Interval* outputs) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace clack::symbolic
