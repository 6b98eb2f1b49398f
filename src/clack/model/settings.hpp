// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "clack/model/yaml_document.hpp"
#include "clack/parts/catalogue.hpp"

namespace clack {

/// A key of the sections `run`, `policies` and `tolerances` that the run itself reads; keys of
/// single parts are declared by them.
struct Setting {
  std::string_view key;
  std::string standard;   // its default, as text
  std::string_view help;  // meaning, unit, range
};
const std::vector<Setting>& run_settings();
const std::vector<Setting>& policy_settings();
const std::vector<Setting>& tolerance_settings();

/// The keys of a section: the run's own and those that parts of the catalogue read.
std::vector<std::string> section_keys(std::string_view section, const PartCatalogue& catalogue);

/// Settles which parts a model file with overrides chooses, on the tree alone, and returns notes:
///  1. a theory given by an override removes formulation, decision and impact of the file;
///  2. names of theories and parts must exist;
///  3. a key that no chosen part reads, but the parts that the file itself chooses would, gives way
///     with them: it is removed and named in a note; any other such key is refused.
/// Nothing happens when the catalogue is empty. `own` is the file before the overrides.
std::vector<std::string> settle_parts(yaml::Node& root, const PartChoice& own,
                                      const PartCatalogue& catalogue, const std::string& file);

/// The names that stand in section `run`; empty where none does.
PartChoice choice_in(const yaml::Node& root);
/// The parts that a choice comes to: the theory's where none is named, else the defaults.
PartChoice completed(PartChoice choice, const PartCatalogue& catalogue);

}  // namespace clack
