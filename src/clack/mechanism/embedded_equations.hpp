// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "clack/mechanism/equations.hpp"

namespace clack {

/// A row of a mode as formulas: row . u + drive = 0, row . u' + bias = 0.
struct EmbeddedRow {
  std::vector<Expression> row;  // n, of t and q
  Expression rate;              // row . u + drive, of t, q and u
  Expression bias;              // of t, q and u
};

/// Which rows determine which speeds, in the order of elimination: row k gives dependent speed k.
struct Elimination {
  std::vector<int> rows, dependent, independent;
  friend auto operator<=>(const Elimination&, const Elimination&) = default;
};

/// The same rows and speeds, all rising: what an elimination without pivots is told by.
Elimination without_order(Elimination elimination);

/// How B_D is eliminated. `pivots`: LU in the order given, short formulas for people and for one state, wrong where a pivot
/// vanishes though B_D is regular. `orthogonal`: for every state in which B_D is regular (unrolled_gram_schmidt.hpp); the order
/// says nothing, so one program serves all states of a choice of speeds.
enum class EliminationMethod { pivots, orthogonal };

/// The embedded equations as formulas of t, q and the independent speeds w (P2, eq. 11 to 14 with the corrections of
/// docs/errata.md). The elimination is unrolled into straight code: no branches, and every intermediate exists once in the
/// graph, so nothing swells.
///
///   u_D = D w + E,   u' = T w' + gamma,   M~ w' = f~,   x = T_a^T M T w' - T_a^T (f - M gamma)
struct EmbeddedEquations {
  std::vector<Expression> dependent_speeds;               // r: u_D
  std::vector<std::vector<Expression>> dependence;        // r x p: D
  std::vector<Expression> gamma;                          // r: gamma_D
  std::vector<std::vector<Expression>> mass;              // p x p: M~
  std::vector<Expression> force;                          // p: f~
  std::vector<std::vector<Expression>> reaction_inertia;  // r x p: T_a^T M T
  std::vector<Expression> reaction_force;                 // r: T_a^T (f - M gamma)
  std::vector<Expression> drive;                          // r: C of the rows
  Expression applied_power, drive_power;
  std::vector<Expression> coordinate_rates;  // of all coordinates; empty where they are the speeds
};

EmbeddedEquations embed_equations(const MotionSymbols& motion, const Equations& equations,
                                  std::span<const EmbeddedRow> rows, const Elimination& order,
                                  EliminationMethod method = EliminationMethod::pivots);

}  // namespace clack
