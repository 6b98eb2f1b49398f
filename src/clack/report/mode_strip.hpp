// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "clack/trace/trace.hpp"

namespace clack::report {

struct ModeStrip {
  std::string svg;  // empty when no contact ever touches and no constraint exists
  std::vector<std::string> untouched;      // contacts that stay open for the whole run
  std::size_t left_out = 0;                // contacts that touch but do not fit
  std::vector<int> contacts, constraints;  // the strips, in this order, from the top
};

/// The mode over time: a strip per contact that ever touches (open, stick, slip; impacts as marks
/// above it) and per constraint (on). Time spent closed is never lost: half a pixel in which a
/// contact is closed for a moment is drawn closed, in the colour of the status that lasts longer.
ModeStrip draw_mode_strip(const Trace& trace, double width, std::size_t most_strips = 40);

/// The modes for the scripts of the page, which draw the strips at other zooms and light the locations of the automaton
/// (`locations`: one per mode): <script type="application/json" id="modes">. Empty when there are too many modes.
std::string modes_script(const Trace& trace, const ModeStrip& strip,
                         const std::vector<int>& locations);

}  // namespace clack::report
