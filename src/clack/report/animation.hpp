// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "clack/trace/drawing.hpp"
#include "clack/trace/trace.hpp"

namespace clack::report {

/// The pictures of a run as JSON for viewer/animation.js: <script type="application/json" id="ID">.
std::string pictures_script(const Trace& trace, const Drawing& drawing, const std::string& id);
/// What plays pictures: play, scrub, speed, one event on or back, loop, follow, forces, trails.
std::string animation_controls();
/// How they are used, in words.
std::string animation_help(int dimension);
/// The packed script that draws in space, or a sentence that it is missing; empty in the plane.
std::string space_element(int dimension);

/// The section that plays a motion: a canvas, its controls and the pictures. Empty without pictures.
std::string animation_section(const Trace& trace, const Drawing& drawing);
std::string_view animation_css();

}  // namespace clack::report
