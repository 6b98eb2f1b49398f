#pragma once
#include <string_view>

#include "clack/complementarity/friction_newton.hpp"
#include "clack/complementarity/friction_problem.hpp"

namespace clack {

enum class FrictionSolver { automatic, sorprox, newton, enumeration };

struct FrictionOptions {
  FrictionSolver solver = FrictionSolver::automatic;
  double tolerance = 1e-8;       // on the unit-free residual
  long limit = 100000;           // sweeps, extragradient and Newton steps of one island together
  bool tries_rest_first = true;  // automatic only
  FrictionProgress progress;
};

/// Solves a friction problem. Islands (contacts that do not influence each other) are solved one
/// after the other.
///
/// `automatic`, per island:
///   1. r = 0 if no contact approaches (q_N >= 0), or q = 0
///   2. rest first: is there r in the cones with W r = -q? A convex question (law `relaxed` of
///      friction_newton.hpp), given up as soon as the relaxed answer clearly moves. Flag "rest".
///   3. SORPROX, a thousand sweeps
///   4. proximal Newton from the best sweep; then again from 0 with extragradient steps
///   5. enumeration, when there are few contacts; and SORPROX to its full limit
///
/// Small planar islands are enumerated in any case, to flag solutions that are not unique. The
/// answer is always the best iterate by residual. Deterministic: budgets are counted in steps,
/// never in seconds.
FrictionResult solve_friction(const FrictionProblem& problem, const FrictionOptions& options = {});

/// Does the symmetric part of W have an eigenvalue below -1e-6 of its largest? (By the signs of a
/// sparse L D L^T.)
bool is_indefinite(const FrictionProblem& problem);

}  // namespace clack
