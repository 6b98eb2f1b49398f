// SPDX-License-Identifier: Apache-2.0
#pragma once
// An automaton as SpaceEx reads it: XML with conditions and assignments as text.
#include <string>
#include <vector>

#include "clack/automaton/automaton_export.hpp"
#include "clack/index.hpp"

namespace clack {

struct XmlLocation {
  std::string name, invariant, flow;
};

struct XmlTransition {
  int source = 0, target = 0;
  std::string label, guard, assignment;
};

struct XmlAutomaton {
  std::vector<std::string> variables, comments;
  std::vector<XmlLocation> locations;
  std::vector<XmlTransition> transitions;

  int add(XmlLocation location) {
    locations.push_back(std::move(location));
    return number_of(locations);
  }
};

/// Letters, digits and underscores, not starting with a digit; different names stay different.
std::vector<std::string> variable_names(const std::vector<std::string>& names);

/// Labels, locations in rows of eight, transitions, and a system with one such component.
void write_xml(const XmlAutomaton& xml, const TextSink& sink);

}  // namespace clack
