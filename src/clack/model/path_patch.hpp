// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/geometry/closest_point.hpp"
#include "clack/model/path.hpp"

namespace clack {

/// A path as numbers, in its frame: its formulas and their derivatives, compiled. One patch belongs to one thread.
Patch patch_of(const Path& path);

}  // namespace clack
