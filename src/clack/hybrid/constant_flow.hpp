// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/formulation/formulation.hpp"
#include "clack/symbolic/continuation.hpp"

namespace clack {

/// The flow of a mode whose mass matrix and rows never change, and in which dq/dt = v, as one program:
///
///   (t, q, v)  ->  (dq/dt, dv/dt, work_unit * powers of forces, drives, friction)
///
/// `formulas`: forces, powers, gaps, slips and biases (SnapshotEvaluator::constant_formulas); `snapshot`: one of the mode,
/// for its constant rows. The operations and their order are those of formulation and ModeDynamics, and so are the bits.
symbolic::Program constant_flow(symbolic::Continuation formulas, const Snapshot& snapshot,
                                const ModeShape& shape, const ConstantResponse& response,
                                double work_unit);

}  // namespace clack
