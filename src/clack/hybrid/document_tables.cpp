// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/document_tables.hpp"

#include <fmt/format.h>

#include "clack/contact/problem_json.hpp"
#include "clack/model/schema.hpp"
#include "clack/model/settings.hpp"
#include "clack/parts/tables.hpp"

namespace clack {
namespace {

std::string setting_table(const std::vector<Setting>& settings, std::string_view meaning) {
  std::string text = fmt::format("| key | default | {} |\n|---|---|---|\n", meaning);
  for (const Setting& setting : settings)
    text += fmt::format("| `{}` | {} | {} |\n", setting.key, setting.standard, setting.help);
  return text;
}

/// The run's own keys of a section, then those of parts.
std::string section_table(const PartCatalogue& catalogue, OptionSection section,
                          const std::vector<Setting>& settings) {
  return setting_table(settings, "meaning") +
         model_option_rows(catalogue, section, section_keys(to_string(section), {}));
}

}  // namespace

std::vector<DocumentTable> document_tables(const TheoryParts& parts) {
  const PartCatalogue catalogue = catalogue_of(parts);
  return {
      {"theories", theory_table(catalogue)},
      {"formulations", part_table(catalogue, PartKind::formulation)},
      {"decisions", part_table(catalogue, PartKind::decision)},
      {"impact-laws", part_table(catalogue, PartKind::impact_law)},
      {"integrators", part_table(catalogue, PartKind::integrator)},
      {"problem-options", problem_option_table(catalogue, problem_options())},
      {"run", section_table(catalogue, OptionSection::run, run_settings())},
      {"policies", section_table(catalogue, OptionSection::policies, policy_settings())},
      {"tolerances", setting_table(tolerance_settings(), "a contact, an event ...")},
      {"model-file", schema_page(schema_sections(catalogue, smooth_shapes()))},
  };
}

}  // namespace clack
