// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "clack/mechanism/embedded_equations.hpp"

namespace clack {

/// A closed contact of a mode, for those who write its equations out.
struct ModeContact {
  ContactKey contact;
  bool is_stick = false;  // else it slips
  std::optional<double> friction =
      {};  // dynamic coefficient in force; nothing: those of its zones and its own
};

/// A row of a mode as formulas: what vanishes, and in which row its force acts.
///
///   M u' = f + sum_i force_row_i^T x_i,    row_i . u' + bias_i = 0
///
/// force_row differs from row where friction slides: J_N - mu e . J_T with e the direction of slip.
struct ModeRow {
  std::string name;  // "belt", "belt tangent", "loop 2"
  EmbeddedRow equation;
  Expression value;  // of gaps and configurations; not valid for rows of motion
  std::vector<Expression> force_row;
};

/// The rows of a mode in the order of formulations: normals, tangents of sticking contacts, constraints. Friction
/// coefficients are those given with the contacts, else those of their zones. Throws ModelError for contacts that have no formulas.
std::vector<ModeRow> mode_rows(const Model& model, const MotionSymbols& motion,
                               const std::vector<ModeContact>& contacts,
                               const std::vector<int>& constraints);

/// Accelerations u' (n) and forces x (one per row) as formulas of t, q and the independent speeds: with
/// dF = force rows less rows
///
///   M~ w'             - T^T dF^T x         = f~
///   T_a^T M T w'      - (1 + T_a^T dF^T) x = T_a^T (f - M gamma),      u' = T w' + gamma     (P2, guide 2.6)
struct EmbeddedSolution {
  std::vector<std::vector<Expression>> transform;  // n x p: T
  std::vector<Expression> gamma;                   // n
  std::vector<Expression> acceleration;            // n
  std::vector<Expression> forces;                  // in the order of the rows
};
EmbeddedSolution solve_embedded(const MotionSymbols& motion, const std::vector<ModeRow>& rows,
                                const Elimination& order, const EmbeddedEquations& embedded);

}  // namespace clack
