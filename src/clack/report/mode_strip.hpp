// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "clack/trace/trace.hpp"

namespace clack::report {

struct ModeStrip {
  std::string svg;  // empty when no contact ever touches and no constraint exists
  std::vector<std::string> untouched;  // contacts that stay open for the whole run
  std::size_t left_out = 0;            // contacts that touch but do not fit
};

/// The mode over time: a strip per contact that ever touches (open, stick, slip; impacts as marks
/// above it) and per constraint (on). Time spent closed is never lost: half a pixel in which a
/// contact is closed for a moment is drawn closed, in the colour of the status that lasts longer.
ModeStrip draw_mode_strip(const Trace& trace, double width, std::size_t most_strips = 40);

}  // namespace clack::report
