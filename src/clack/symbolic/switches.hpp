// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "clack/symbolic/expression.hpp"

namespace clack::symbolic {

/// A place where a formula jumps or has a kink: its condition changes sign there.
///
///   kind        stands for            branch b where condition > 0, = 0, < 0
///   less        a < b  (b - a)        1, 0, 0
///   less_equal  a <= b (b - a)        1, 1, 0
///   sign        sign(a), |a| = b a    1, 0, -1      min, max: less
enum class SwitchKind { less, less_equal, sign };

struct Switch {
  SwitchKind kind = SwitchKind::less;
  Expression condition;
  Expression branch;  // a symbol: what the formula reads in place of its condition
};

/// The branch of a switch for the sign of its condition.
double branch_of(SwitchKind kind, double sign);

/// Takes the switches out of formulas: comparisons, `sign`, `abs`, `min` and `max` read symbols. With these held constant the
/// formulas are smooth; where they follow their conditions the formulas are what they were. Conditions are formulas
/// as well and hold the symbols of the switches inside of them. Equal conditions are one switch. `a == b` is left alone.
class SwitchSplitter {
 public:
  explicit SwitchSplitter(Graph& graph) : graph_(graph) {}
  Expression split(Expression formula);
  /// Inner ones before those that need them.
  const std::vector<Switch>& switches() const { return switches_; }

 private:
  Expression branch(SwitchKind kind, Expression condition);

  Graph& graph_;
  std::vector<Switch> switches_;
};

}  // namespace clack::symbolic
