// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>

#include "clack/model/model.hpp"
#include "clack/model/yaml_document.hpp"

namespace clack::study {

/// Units by name, for labels: what the model file says of its parameters and coordinates (`unit`), those of free bodies
/// (m, rad and their rates), forces and gaps of contacts (N, m), t and the energies. Start values NAME_0 have the unit of NAME.
std::map<std::string, std::string> units_of(const yaml::Node& model_file, const Model& model);

}  // namespace clack::study
