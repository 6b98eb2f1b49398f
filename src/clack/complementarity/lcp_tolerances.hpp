// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clack {

/// Numbers of the pivoting solver that are no option of it (lemke.hpp). Shares have no unit: rows and
/// columns are scaled before anything is compared.
struct LemkeTolerances {
  double zero_answer = 4.0;            // units of rounding of max |q|: a q not below is q >= 0
  double column_noise = 1e-14;         // share of a column: smaller entries are cancellation
  double lexicographic_noise = 1e-11;  // share of two rows: entries closer than this are equal
  double second_tie = 1e-4;            // of the tie tolerance, in the second attempt
  int corrections = 3;                 // steps of iterative refinement
  double correction_gain = 0.5;   // a step that leaves more than this of the residual is the last
  double refined = 2.0;           // units of rounding of w: nothing left to refine
  double poorly_refined = 16.0;   // units of rounding of w: above, the basic block is factorised
  double solved = 64.0;           // units of rounding of w: the residual that data allow
  int pivots_per_unknown = 50;    // default of the limit of pivots, which also has
  int pivots_in_any_case = 1000;  // these
};
inline constexpr LemkeTolerances lemke_tolerances{};

/// Numbers of the enumeration of supports (enumeration.hpp), on the scaled problem.
struct EnumerationTolerances {
  int most_unknowns = 24;             // supports are bits of a 32-bit number, and 2^24 is a second
  double regular_pivot_ratio = 1e-7;  // smallest to largest pivot of a clearly regular block
  double rank_cutoff = 1e-11;         // share of the largest singular value: below it is zero
  double surely_regular = 1e3;        // of the cut-off, and
  double surely_singular = 1e-3;      // of the cut-off: all ranks in between are tried
  double near_miss = 1e-7;            // scaled violations below this prove nothing
  double same_solution = 1e-8;        // part of their size: closer solutions count once
  int scaling_sweeps = 3;             // of rows and columns to largest entries around 1
};
inline constexpr EnumerationTolerances enumeration_tolerances{};

}  // namespace clack
