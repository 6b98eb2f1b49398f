// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "clack/geometry/outline.hpp"

namespace clack {

/// What a model says about a file with a drawing.
struct PartFileChoice {
  std::optional<double> unit = {};     // m per unit of the file; nothing: the file's own
  std::optional<double> flatten = {};  // m: largest distance of facets from curves that are no arcs
  std::string layer = {}, id = {};     // DXF; SVG: of the element
};

/// Largest number of vertices of a drawing.
inline constexpr long most_part_vertices = 200'000;

/// Readers of drawings: closed loops of lines and arcs, in m, y upwards, in any direction. All throw ModelError with the
/// file and the line.
///
/// CSV: x, y or x, y, bulge on every line; one loop.
std::vector<OutlineLoop> read_csv_part(const std::string& text, const std::string& path,
                                       const PartFileChoice& choice);
/// SVG: elements path (M L H V A Z; C Q S T with `flatten`), polygon, rect, circle and ellipse with equal radii, their
/// transforms applied; circles are kept when transforms keep them.
std::vector<OutlineLoop> read_svg_part(const std::string& text, const std::string& path,
                                       const PartFileChoice& choice);
/// DXF (text): LWPOLYLINE with bulges, CIRCLE, LINE and ARC joined into loops, SPLINE and ELLIPSE with `flatten`, INSERT
/// of blocks. What is neither an outline nor a remark is refused.
std::vector<OutlineLoop> read_dxf_part(const std::string& text, const std::string& path,
                                       const PartFileChoice& choice);

/// The outer loop first, counter-clockwise, and holes, clockwise. `what` names the part in messages.
std::vector<OutlineLoop> sorted_loops(std::vector<OutlineLoop> loops, const std::string& path);

}  // namespace clack
