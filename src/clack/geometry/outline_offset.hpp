// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "clack/geometry/outline.hpp"

namespace clack {

/// Loops whose whole boundary is moved out of the material by d (in: d < 0): edges by d along their normals, radii r of
/// arcs become r + d (concave ones have r < 0). A corner that opens (convex and d > 0, reflex and d < 0) becomes an arc
/// of radius |d| and keeps its name; one that closes is where the moved edges meet. An edge that is left without length
/// vanishes, which is a fault.
struct OffsetLoops {
  std::vector<OutlineLoop> loops;
  std::optional<OutlineFault> fault;
};
OffsetLoops offset_loops(std::span<const OutlineLoop> loops, double d);

}  // namespace clack
