// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/model/model.hpp"
#include "clack/trace/drawing.hpp"
#include "clack/trace/trace.hpp"

namespace clack {

/// The motion of a planar model as pictures: bodies by their shapes (without one: lines from the mass centre to the
/// named points), springs, the entries of `draw:`, closed contacts between bodies with their forces. Empty in space and
/// where nothing has a shape. Depends on model and trace only.
Drawing draw_run(const Model& model, const Trace& trace);

}  // namespace clack
