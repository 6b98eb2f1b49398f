// SPDX-License-Identifier: Apache-2.0
#include "clack/parts/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "clack/error.hpp"
#include "clack/input_file.hpp"
#include "clack/nearest_name.hpp"

namespace clack {

const TheoryPreset* PartCatalogue::theory(std::string_view name) const {
  for (const TheoryPreset& preset : theories)
    if (preset.name == name) return &preset;
  return nullptr;
}

const PartDescription* PartCatalogue::part(PartKind kind, std::string_view name) const {
  for (const PartDescription& part : parts)
    if (part.kind == kind && part.name == name) return &part;
  return nullptr;
}

std::vector<std::string_view> PartCatalogue::theory_names() const {
  std::vector<std::string_view> names;
  for (const TheoryPreset& preset : theories) names.push_back(preset.name);
  return names;
}

std::vector<std::string_view> PartCatalogue::names(PartKind kind) const {
  std::vector<std::string_view> names;
  for (const PartDescription& part : parts)
    if (part.kind == kind) names.push_back(part.name);
  return names;
}

std::vector<std::string> PartCatalogue::keys(OptionSection section) const {
  std::vector<std::string> keys;
  for (const PartDescription& part : parts)
    for (const Option& option : part.options)
      if (option.section == section &&
          std::find(keys.begin(), keys.end(), option.key_in_model()) == keys.end())
        keys.emplace_back(option.key_in_model());
  return keys;
}

std::vector<const PartDescription*> PartCatalogue::readers(OptionSection section,
                                                           std::string_view key) const {
  std::vector<const PartDescription*> found;
  for (const PartDescription& part : parts)
    for (const Option& option : part.options)
      if (option.section == section && option.key_in_model() == key) found.push_back(&part);
  return found;
}

std::vector<const PartDescription*> PartCatalogue::readers(std::string_view key) const {
  std::vector<const PartDescription*> found;
  for (const PartDescription& part : parts)
    for (const Option& option : part.options)
      if (option.key == key) found.push_back(&part);
  return found;
}

void refuse_unknown_theory(std::string_view name, const PartCatalogue& catalogue,
                           const std::string& where) {
  const std::vector<std::string_view> known = catalogue.theory_names();
  const std::string nearest = nearest_name(name, std::span<const std::string_view>(known));
  throw InputError(
      fmt::format("unknown theory {}", printable(name, 60)), where,
      nearest.empty() ? "known theories: " + list_names(known) : "did you mean " + nearest + "?");
}

std::string titles(const std::vector<const PartDescription*>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + title(*parts[i]);
  return text;
}

}  // namespace clack
