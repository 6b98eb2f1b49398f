// SPDX-License-Identifier: Apache-2.0
#include "clack/trace/drawing.hpp"

namespace clack {

std::string_view to_string(DrawnKind kind) {
  switch (kind) {
    case DrawnKind::disk:
      return "disk";
    case DrawnKind::polygon:
      return "polygon";
    case DrawnKind::line:
      return "line";
    case DrawnKind::half_plane:
      return "half-plane";
    case DrawnKind::sphere:
      return "sphere";
    case DrawnKind::box:
      return "box";
    case DrawnKind::cylinder:
      return "cylinder";
    case DrawnKind::grid:
      return "grid";
  }
  return "";
}

}  // namespace clack
