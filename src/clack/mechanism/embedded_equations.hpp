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

/// The embedded equations as formulas of t, q and the independent speeds w (P2, eq. 11 to 14 with the corrections of
/// docs/errata.md). B_D is eliminated by LU in the given order, unrolled into straight code: no branches, and every
/// intermediate exists once in the graph, so nothing swells.
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
                                  std::span<const EmbeddedRow> rows, const Elimination& order);

}  // namespace clack
