// SPDX-License-Identifier: Apache-2.0
#include "clack/parts/tables.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace clack {
namespace {

/// Each option once, in the order of the parts, with all that read it.
struct SharedOption {
  const Option* option;
  std::vector<const PartDescription*> readers;
};

std::vector<SharedOption> shared_options(const PartCatalogue& catalogue) {
  std::vector<SharedOption> found;
  for (const PartDescription& part : catalogue.parts)
    for (const Option& option : part.options) {
      const auto same = std::find_if(found.begin(), found.end(), [&](const SharedOption& known) {
        return known.option->key == option.key;
      });
      if (same == found.end())
        found.push_back({&option, {&part}});
      else
        same->readers.push_back(&part);
    }
  return found;
}

std::string row(const std::string& key, const std::string& standard, const std::string& rest) {
  return fmt::format("| `{}` | {} | {} |\n", key, standard, rest);
}

}  // namespace

std::string part_list(const PartCatalogue& catalogue, PartKind kind) {
  std::string text;
  for (const PartDescription& part : catalogue.parts) {
    if (part.kind != kind) continue;
    text += fmt::format("  {:<12} {}", part.name, part.help);
    if (const std::string needs = describe(part.needs); needs != describe(Needs{}))
      text += "; needs: " + needs;
    text += "\n";
    for (const Option& option : part.options)
      text += fmt::format(
          "    {} ({}): {}{}; {}\n", option.key, place_in_model(option), describe_type(option),
          option.is_required ? "" : ", default " + describe_default(option), option.help);
  }
  return text;
}

namespace {

/// "lcp (space: prox)"
std::string decisions_of(const TheoryPreset& theory, std::string_view quote) {
  std::string text = fmt::format("{}{}{}", quote, theory.decision, quote);
  if (!theory.spatial_decision.empty())
    text += fmt::format(" (space: {}{}{})", quote, theory.spatial_decision, quote);
  return text;
}

}  // namespace

std::string theory_list(const PartCatalogue& catalogue) {
  std::string text;
  for (const TheoryPreset& theory : catalogue.theories)
    text += fmt::format("  {:<12} {}, {}, {}: {}\n", theory.name, theory.formulation,
                        decisions_of(theory, ""), theory.impact, theory.help);
  return text;
}

std::string theory_table(const PartCatalogue& catalogue) {
  std::string text =
      "| `--theory` | formulation | decision | impact | for |\n|---|---|---|---|---|\n";
  for (const TheoryPreset& theory : catalogue.theories)
    text += fmt::format("| `{}`{} | `{}` | {} | `{}` | {} |\n", theory.name,
                        &theory == &catalogue.theories.front() ? " (default)" : "",
                        theory.formulation, decisions_of(theory, "`"), theory.impact, theory.help);
  return text;
}

std::string part_table(const PartCatalogue& catalogue, PartKind kind) {
  std::string text =
      fmt::format("| {} | needs | options | what it is |\n|---|---|---|---|\n", to_string(kind));
  for (const PartDescription& part : catalogue.parts) {
    if (part.kind != kind) continue;
    std::string options;
    for (const Option& option : part.options)
      options += fmt::format("{}`{}`", options.empty() ? "" : ", ", place_in_model(option));
    text += fmt::format("| `{}` | {} | {} | {} |\n", part.name, describe(part.needs),
                        options.empty() ? "none" : options, part.help);
  }
  return text;
}

std::string problem_option_table(const PartCatalogue& catalogue, std::span<const Option> own) {
  std::string text = "| option | default | values | read by | meaning |\n|---|---|---|---|---|\n";
  const auto add = [&](const Option& option, const std::string& readers) {
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", option.key, describe_default(option),
                        describe_type(option), readers, option.help);
  };
  for (const SharedOption& shared : shared_options(catalogue)) {
    const bool is_asked_alone =
        std::any_of(shared.readers.begin(), shared.readers.end(), [](const PartDescription* part) {
          return part->kind == PartKind::decision || part->kind == PartKind::impact_law;
        });
    if (is_asked_alone) add(*shared.option, titles(shared.readers));
  }
  for (const Option& option : own) add(option, "all laws and decisions");
  return text;
}

std::string model_option_rows(const PartCatalogue& catalogue, OptionSection section,
                              std::span<const std::string> own) {
  std::string text;
  for (const SharedOption& shared : shared_options(catalogue)) {
    const Option& option = *shared.option;
    if (option.section != section ||
        std::find(own.begin(), own.end(), option.key_in_model()) != own.end())
      continue;
    text += row(std::string(option.key_in_model()),
                option.is_required ? "required" : describe_default(option),
                fmt::format("{}: {}; read by {}", describe_type(option), option.help,
                            titles(shared.readers)));
  }
  return text;
}

}  // namespace clack
