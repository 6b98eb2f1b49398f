// SPDX-License-Identifier: Apache-2.0
#include "clack/study/units.hpp"

namespace clack::study {
namespace {

/// Of a coordinate of a free body, from its name BODY.x, BODY.angle, ...
std::string unit_by_name(const std::string& coordinate) {
  const std::size_t dot = coordinate.rfind('.');
  if (dot == std::string::npos) return "";
  const std::string own = coordinate.substr(dot + 1);
  if (own == "x" || own == "y" || own == "z") return "m";
  return own == "angle" ? "rad" : "";
}

std::string per_second(const std::string& unit) { return unit == "1" ? "1/s" : unit + "/s"; }

}  // namespace

std::map<std::string, std::string> units_of(const yaml::Node& model_file, const Model& model) {
  std::map<std::string, std::string> units = {
      {"t", "s"}, {"kinetic", "J"}, {"potential", "J"}, {"total", "J"}};
  for (const char* section : {"parameters", "coordinates"})
    if (const yaml::Node* entries = model_file.find(section))
      for (const yaml::Entry& entry : entries->entries)
        if (const yaml::Node* unit = entry.value.find("unit")) units[entry.key] = unit->text;
  for (std::size_t k = 0; k < model.coordinates.size(); ++k) {
    const std::string& name = model.coordinates[k].name;
    if (!units.contains(name) && !unit_by_name(name).empty()) units[name] = unit_by_name(name);
    const auto own = units.find(name);
    if (own == units.end()) continue;
    const std::string unit = own->second;
    units[name + "_0"] = unit;
    if (!symbolic::is_symbol(model.rates[k])) continue;
    const std::string rate = symbolic::symbol_name(model.rates[k]);
    units[rate] = units[rate + "_0"] = units[name + "_dot_0"] = per_second(unit);
  }
  for (const Contact& contact : model.contacts) {
    units["gap_" + contact.name] = "m";
    for (const char* force : {"normal_", "tangent_", "tangent1_", "tangent2_"})
      units[force + contact.name] = "N";
  }
  return units;
}

}  // namespace clack::study
