// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/geometry/closest_point.hpp"
#include "clack/model/path.hpp"

namespace clack {

/// A path as numbers, in its frame: its formulas and their derivatives, compiled. One patch belongs to one thread.
Patch patch_of(const Path& path);

/// The paths that go on where one ends, where those end, and so on, by index. Two go on in the same frame: a curve in the
/// direction of the other, from its end or to its begin; a surface along a whole border, its free side on the same side.
std::vector<int> paths_beyond(const std::vector<Path>& paths, int path);

}  // namespace clack
