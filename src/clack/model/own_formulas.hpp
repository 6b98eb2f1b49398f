// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/model/model.hpp"

namespace clack {

/// The same model with a graph of its own: every formula is the same node of the copied graph.
///
/// The graph of a model that was read is sealed, so that a Model is constant in a run and several
/// runs may share it. Whoever derives from a model (a mechanism, printed equations) does so in a
/// copy; every run then starts from the same graph and gives the same bits.
[[nodiscard]] Model with_own_formulas(const Model& model);

}  // namespace clack
