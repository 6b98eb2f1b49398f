// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

#include "clack/model/model.hpp"

namespace clack {

/// The same model with a graph of its own: every formula is the same node of the copied graph.
///
/// The graph of a model that was read is sealed, so that a Model is constant in a run and several
/// runs may share it. Whoever derives from a model (a mechanism, printed equations) does so in a
/// copy; every run then starts from the same graph and gives the same bits.
[[nodiscard]] Model with_own_formulas(const Model& model);

/// Replaces every formula that the motion depends on (not: events, zones and activities, which are watched). Symbols of
/// coordinates, speeds and time are left alone.
void transform_motion(Model& model, const std::function<Expression(Expression)>& change);

}  // namespace clack
