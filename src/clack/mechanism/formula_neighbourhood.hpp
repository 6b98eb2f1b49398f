// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "clack/mechanism/neighbourhood.hpp"
#include "clack/mechanism/planar_kinematics.hpp"
#include "clack/symbolic/interval_program.hpp"

namespace clack {

/// Which of many contacts that are all given by formulas can touch during a step: those whose gap is not certainly
/// positive on a box of coordinates that holds the step.
///
/// The step lies between its ends, each coordinate no farther outside than h (|u0| + |u1|), u = dq/dt - Δq/h (see
/// Neighbourhood). The box is a few steps wide, so that gaps are enclosed (interval extension) once in a few steps and
/// not in each.
class FormulaNeighbourhood {
 public:
  FormulaNeighbourhood(const Model& model, const MotionSymbols& motion);

  /// Few contacts, or not all of them formulas: this does not tell.
  bool is_trivial() const { return all_.empty(); }
  /// Ascending. `rates`: dq/dt at the two ends, one after the other; `held`: the inputs of formulas after the speeds.
  void find(const StepEnds& step, std::span<const double> rates, std::span<const double> held,
            ContactSet& contacts);

 private:
  void enclose(const StepEnds& step, std::span<const double> rates);
  bool holds(std::span<const double> held) const;
  void renew(std::span<const double> held);

  ContactSet all_, near_;
  double touching_ = 0.0;  // part of the sizes of gaps: what counts as touching is less
  int coordinates_ = 0, speeds_ = 0;
  symbolic::IntervalProgram program_;
  std::vector<symbolic::Interval> wanted_, box_, gaps_;  // t, coordinates, speeds, what is held
  std::vector<double> held_, width_;  // that the box belongs to; of the last step
};

}  // namespace clack
