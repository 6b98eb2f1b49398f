// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/model/model.hpp"
#include "clack/trace/drawing.hpp"
#include "clack/trace/trace.hpp"

namespace clack {

/// The motion of a model as pictures: bodies (drawn_parts.hpp), springs, the entries of `draw:`, closed contacts between
/// bodies with their forces. Empty where nothing can be seen. Depends on model and trace only.
Drawing draw_run(const Model& model, const Trace& trace);

}  // namespace clack
