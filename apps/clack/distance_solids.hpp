// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace clack::command {

/// Whether A or B is {"hull": ...}.
bool asks_for_solids(const nlohmann::json& document);
/// Distance and nearest features of two polyhedra in space. Throws InputError.
void print_solid_distance(const nlohmann::json& document, const std::string& file, bool is_json);

}  // namespace clack::command
