// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/complementarity/friction_problem.hpp"
#include "clack/complementarity/lcp.hpp"
#include "clack/complementarity/lemke.hpp"

namespace clack {

/// The two sizes in which planar friction is a linear complementarity problem
/// (docs/theories/poisson.md), c contacts, h of them with a tangential law:
///   compact  c + 2 h unknowns  (r_N, r_T + R, u_T^-)
///   full     c + 4 h unknowns  (r_N, r+, r-, kappa+, kappa-)
/// One coefficient per contact (FrictionProblem::dynamic_mu empty; friction_rounds.hpp treats two).
enum class LcpSize { compact, full };

Lcp make_planar_lcp(const FrictionProblem& problem, LcpSize size);

/// The reaction in a solution z of that LCP.
Eigen::VectorXd reaction_from_lcp(const FrictionProblem& problem, LcpSize size,
                                  const Eigen::Ref<const Eigen::VectorXd>& z);

/// Lemke on the LCP above: `solved`, or `not_converged` on a ray, a limit or a residual above the
/// tolerance. A ray proves nothing: with friction the matrix is copositive at best, and with sliding
/// contacts not even that. The solver is a workspace: hand the same one to several problems of a
/// size.
FrictionResult solve_planar_lcp(const FrictionProblem& problem, LcpSize size, LemkeSolver& solver);
FrictionResult solve_planar_lcp(const FrictionProblem& problem, LcpSize size);

}  // namespace clack
