// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clack {

/// Numbers of the search for roots on the dense output (root_finding.hpp). None has a unit: they are
/// shares of the values and intervals that are looked at.
struct RootTolerances {
  double safety = 4.0;       // measured error terms lead; the rest may add as much again, twice
  double rounding = 4.0;     // units in the last place of the largest value seen: below is rounding
  int patience = 3;          // guesses that halve neither bracket nor value before one bisection
  double turn_width = 1e-9;  // share of a piece: values at a turn differ by its square, rounding
  int turn_limit = 200;      // steps to locate a turn by rates: secants, every third a bisection
  int golden_limit = 100;    // the same by values alone: golden section, 0.2 digits per step
};
inline constexpr RootTolerances root_tolerances{};

/// Numbers of the first step, of step ends and of failures, the same for all methods; what belongs to
/// the control of one method is in StepControlNumbers.
struct StepTolerances {
  double blind_step = 1e-6;         // s: first trial when the start says nothing of time scales
  double first_change = 0.01;       // the first trial changes the solution or its rate by this part
  double first_growth = 100.0;      // and is at most this many times the Euler step tried before
  double no_rate = 1e-15;           // rates, in tolerances per second, that count as none
  double stretch = 1.03;            // a last step may be longer than wanted by this factor
  double largest_rounding = 1e-9;   // and exceed the largest step by this part: rounding
  double shortest_units = 10.0;     // units in the last place of t: shorter steps do not move it
  double least_bound = 10.0;        // shortest steps: closer events are no failure of a first step
  double least_remembered = 1e-4;   // smaller errors (1 = tolerance) are remembered as this
  double not_finite_factor = 0.25;  // shortens a step in which a rate was not finite,
  int not_finite_limit = 60;        // at most so often: then the trouble is at this point
};
inline constexpr StepTolerances step_tolerances{};

}  // namespace clack
