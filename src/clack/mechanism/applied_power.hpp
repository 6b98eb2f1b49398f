// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/mechanism/equations.hpp"

namespace clack {

/// Whether the power of what the potential does not account for is zero to rounding at states around the start.
bool power_vanishes(const Model& model, const MotionSymbols& motion, const Equations& equations);

}  // namespace clack
