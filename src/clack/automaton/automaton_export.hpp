// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>

#include "clack/automaton/automaton.hpp"

namespace clack {

/// Receives a document piece by piece: complete automata can be larger than memory should hold as
/// text.
using TextSink = std::function<void(std::string_view)>;

struct ExportOptions {
  bool has_internals = false;  // list the locations and edges inside the computation nodes
  bool is_listed = true;       // false: counts only, with empty lists
};

/// Graphviz: one cluster per vertex, box = dynamical location, ellipse = computation node; optional
/// edges are dashed. A visited automaton shows counts and times.
void write_dot(const Automaton& automaton, const ExportOptions& options, const TextSink& sink);

/// The document of `clack automaton --format json`; counts beyond 2^63 - 1 are decimal strings.
void write_automaton_json(const Automaton& automaton, const ExportOptions& options,
                          const TextSink& sink);

/// The object "counts" of that document.
nlohmann::ordered_json counts_json(const AutomatonCounts& counts);

}  // namespace clack
