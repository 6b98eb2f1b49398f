// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string_view>

#include "clack/complementarity/friction_problem.hpp"

namespace clack {

/// Which law the proximal Newton method solves. `coulomb` is the exact one. `relaxed` leaves out
/// the term mu |u_T| of uh (K contains r, K* contains u, r.u = 0): for symmetric positive
/// semidefinite W a convex program, whose answer has u = 0 exactly when rest is possible. A relaxed
/// answer with u = 0 is an answer of Coulomb's problem as well.
enum class FrictionLaw { coulomb, relaxed };

/// Called now and then with the work done so far and the best residual; may only look.
using FrictionProgress =
    std::function<void(std::string_view stage, long iterations, double residual)>;

struct FrictionNewtonOptions {
  double tolerance = 1e-8;  // on the unit-free residual
  FrictionLaw law = FrictionLaw::coulomb;
  int extragradient_steps = 300;      // cheap first-order steps before the first factorisation
  int newton_limit = 2000;            // Newton steps (factorisations) in all
  double regularisation_first = 0.1;  // a of the proximal step, relative to w_i = 1
  double regularisation_last = 1e-9;
  double moving_ratio =
      0.0;  // relaxed law: stop when residual <= this times |u|/|q| (rest is excluded); 0: never
  Eigen::VectorXd start;  // reaction to start from; empty: 0
  FrictionProgress progress;
};

/// Second-order solver for problems on which sweeps stall (docs/solvers-friction.md):
///
///   1. scale every contact to w_i = 1 and q to length 1
///   2. extragradient steps on  r = P_K(r - s uh)
///   3. proximal steps: W + a I for W and q - a r_k for q, each solved by a semismooth Newton method
///      with line search on the Alart-Curnier map (law `relaxed`: natural map); a falls by 3 after a
///      success, grows by 4 after a failure
///
/// Bounds with an offset are solved as well (law `coulomb`, without extragradient steps). No step
/// needs W regular or symmetric. Returns the best iterate by residual. For `relaxed` the
/// residual that stops the iteration is that of the relaxed law; the residual of the result is
/// always Coulomb's.
FrictionResult solve_friction_newton(const FrictionProblem& problem,
                                     const FrictionNewtonOptions& options = {});

}  // namespace clack
