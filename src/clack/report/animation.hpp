// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "clack/trace/drawing.hpp"
#include "clack/trace/trace.hpp"

namespace clack::report {

/// The section that plays a planar motion: a canvas, its controls (play, scrub, speed, one event on or back, loop,
/// follow, trails, forces, zoom and pan) and the pictures as JSON. Empty without pictures.
std::string animation_section(const Trace& trace, const Drawing& drawing);
/// What plays them; plain JavaScript, no requests. Shares its cursor with the plots of the page.
std::string_view animation_script();
std::string_view animation_css();

}  // namespace clack::report
