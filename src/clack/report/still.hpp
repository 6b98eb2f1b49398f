// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "clack/trace/drawing.hpp"

namespace clack::report {

/// A motion as one drawing: the last of a few pictures, the ones before it faint. In space seen from the side and above,
/// without perspective. An <svg> element whose colours come from plot_css(); empty without pictures.
std::string still_svg(const Drawing& drawing, double width, double height);

}  // namespace clack::report
