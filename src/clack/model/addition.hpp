// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/model/reader.hpp"

namespace clack {

/// An entry that comes to a model from outside: one of `constraints:`, `contacts:`, `inputs:` or `forces:`, in the keys of model
/// files. It goes to the end of its section, behind what joints bring, so that everything else keeps its number.
struct ModelAddition {
  std::string section, name;  // entries of lists (forces) have no name
  std::string yaml;           // its value, as text (JSON is YAML)
  std::string origin;         // for messages: where it came from
};

/// The model of a file with further entries, read and checked as a whole by the same reader. Throws ModelError; the place of what is wrong
/// in an addition is its origin.
Model extended_model(const Model& model, const std::vector<ModelAddition>& additions,
                     const PartCatalogue& catalogue = {},
                     const SmoothShapes& shapes = smooth_shapes());

}  // namespace clack
