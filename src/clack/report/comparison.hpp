// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "clack/trace/drawing.hpp"
#include "clack/trace/trace.hpp"

namespace clack {

/// One run of the same model, by one theory, method or step.
struct ComparedRun {
  std::string name;     // of what differs: theory, integrator, tolerance ...
  std::string assumes;  // what its impact law takes restitution for, in a line
  Trace trace;
  Drawing drawing;
  std::string refusal;  // why it cannot treat the model; then there is no run
};

/// One page that needs nothing else: key figures side by side, where each run parts from the first and what their laws
/// assume, synchronised animations, coordinates, speeds and energies overlaid, all events in columns.
std::string comparison_html(const std::string& model, const std::vector<ComparedRun>& runs);

}  // namespace clack
