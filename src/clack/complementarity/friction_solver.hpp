// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "clack/complementarity/friction_newton.hpp"
#include "clack/complementarity/friction_problem.hpp"
#include "clack/complementarity/friction_tolerances.hpp"

namespace clack {

enum class FrictionSolver { automatic, sorprox, newton, enumeration };

struct FrictionOptions {
  FrictionSolver solver = FrictionSolver::automatic;
  double tolerance = 1e-8;  // largest unit-free residual called solved
  double enough = 0.0;      // no further method below this residual; 0: tolerance
  double target = 0.0;      // what a method strives for; 0: tolerance
  long limit = 100000;      // sweeps, extragradient and Newton steps of one island together
  long first_sweeps = friction_tolerances.quick_sweeps;
  int newton_steps = friction_tolerances.second_order;
  bool tries_rest_first = true;     // automatic only
  bool counts_solutions = true;     // automatic: enumerate small planar islands in any case
  bool polishes = false;            // bring answers of sweeps and Newton steps to rounding
  bool checks_definiteness = true;  // flag "indefinite"
  bool records_path = false;        // FrictionResult::path
  int threads = 1;  // islands are shared among so many, which then call `progress`; equal bits
  FrictionProgress progress;
};

/// The settings of contact decisions and impact laws: answers to rounding; rest is asked by the
/// decision itself, which wants the smallest forces.
FrictionOptions run_friction_options();

/// Solves a friction problem. Islands (contacts that do not influence each other) are solved
/// independently of each other.
///
/// `automatic`, per island:
///   1. r = 0 if no contact approaches (q_N >= 0), or q = 0
///   2. rest first: is there r in the cones with W r = -q? A convex question (law `relaxed` of
///      friction_newton.hpp), given up as soon as the relaxed answer clearly moves. Flag "rest".
///   3. SORPROX, `first_sweeps`
///   4. proximal Newton from the best sweep; then again from 0 with extragradient steps
///   5. enumeration of the contact states, when there are few contacts; and SORPROX to its limit
///
/// Known slips are bent into W before, two coefficients are treated in rounds (friction_rounds.hpp).
/// Small planar islands are enumerated in any case, to flag solutions that are not unique. The
/// answer is always the best iterate by residual. `none_exists` when the enumeration proves it
/// (contact_words.hpp) for one island. Deterministic: budgets are counted in steps, never in
/// seconds.
FrictionResult solve_friction(const FrictionProblem& problem, const FrictionOptions& options = {});

/// Does the symmetric part of W have an eigenvalue below -1e-6 of its largest? (By the signs of a
/// sparse L D L^T.)
bool is_indefinite(const FrictionProblem& problem);

}  // namespace clack
