// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "clack/trace/drawing.hpp"
#include "clack/trace/trace.hpp"

namespace clack {

/// One self-contained HTML page (no requests to anywhere): choices and status, the motion as an
/// animation (`drawing`, hybrid/draw.hpp; none: left out), notes, the limit cycle, the mode over time, coordinates and speeds over time and against each other, contact
/// forces, the energy ledger, events, impacts. Depends on these data only, so that two equal runs
/// give equal pages. Long data are decimated so that no extreme is lost and the page stays below 3
/// MB; what is left out is said.
std::string report_html(const Trace& trace, const Drawing& drawing = {});

}  // namespace clack
