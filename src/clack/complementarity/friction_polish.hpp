// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/complementarity/friction_problem.hpp"

namespace clack {

/// Sweeps end a few digits above rounding. Once the state of every contact is clear from their
/// answer, the equations of these states hold exactly:
///
///   closed   u_N = 0        stick   u_T = 0        slip   r_T = -mu r_N u_T/|u_T|
///
/// Newton steps on them, each the smallest correction (dependent rows included), bring the reaction
/// to rounding. Where a state is not clear, or a step would leave its state, it stays as it is. True
/// when it was improved. One coefficient of friction per contact, no offsets.
bool polish_reaction(const FrictionProblem& problem, Eigen::VectorXd& reaction);

}  // namespace clack
