// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/model/model.hpp"

namespace clack {

/// Whether loads follow t by themselves: forces, torques, springs, weight, or springs to bodies that are moved. Forces of
/// contacts then change where nothing moves, and the steps of the integrator do not see it.
bool has_timed_loads(const Model& model);

}  // namespace clack
