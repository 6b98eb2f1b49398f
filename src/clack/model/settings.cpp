// SPDX-License-Identifier: Apache-2.0
#include "clack/model/settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "clack/error.hpp"

namespace clack {
namespace {

constexpr std::array all_kinds = {PartKind::formulation, PartKind::decision, PartKind::impact_law,
                                  PartKind::integrator};

std::string text_of(const yaml::Node& root, std::string_view section, std::string_view key) {
  const yaml::Node* map = root.find(section);
  const yaml::Node* value = map != nullptr ? map->find(key) : nullptr;
  return value != nullptr ? value->text : "";
}

/// Where the name of a part or a theory stands; the file when it stands nowhere.
std::string where_named(const yaml::Node& root, std::string_view key, const std::string& file) {
  const yaml::Node* run = root.find("run");
  const yaml::Node* value = run != nullptr ? run->find(key) : nullptr;
  return value != nullptr ? yaml::where(file, *value) : file;
}

void refuse_unknown_names(const yaml::Node& root, const PartChoice& chosen,
                          const PartCatalogue& catalogue, const std::string& file) {
  if (catalogue.theory(chosen.theory) == nullptr)
    refuse_unknown_theory(chosen.theory, catalogue, where_named(root, "theory", file));
  const PartChoice complete = completed(chosen, catalogue);
  for (const PartKind kind : all_kinds)
    if (catalogue.part(kind, complete[kind]) == nullptr)
      refuse_unknown(kind, complete[kind], catalogue.names(kind),
                     where_named(root, run_key(kind), file));
}

bool is_read(const std::vector<const PartDescription*>& readers, const PartChoice& parts) {
  return std::any_of(readers.begin(), readers.end(),
                     [&](const PartDescription* part) { return parts[part->kind] == part->name; });
}

/// The chosen parts of the kinds that could have read a key: "impact law newton".
std::string chosen_instead(const std::vector<const PartDescription*>& readers,
                           const PartChoice& parts) {
  std::string text;
  for (const PartKind kind : all_kinds)
    if (std::any_of(readers.begin(), readers.end(),
                    [kind](const PartDescription* part) { return part->kind == kind; }))
      text += fmt::format("{}{} {}", text.empty() ? "" : " and ", to_string(kind), parts[kind]);
  return text;
}

[[noreturn]] void refuse_unread(std::string_view section, const yaml::Entry& entry,
                                const std::vector<const PartDescription*>& readers,
                                const PartChoice& parts, const std::string& file) {
  const PartDescription& first = *readers.front();
  throw ModelError(fmt::format("{}: {} is read by {}, this run uses {}", section, entry.key,
                               titles(readers), chosen_instead(readers, parts)),
                   entry.value.origin.empty() ? yaml::where(file, entry.place) : entry.value.origin,
                   fmt::format("remove it, or choose {} (run: {}: {})", title(first),
                               run_key(first.kind), first.name));
}

}  // namespace

std::vector<std::string> section_keys(std::string_view section, const PartCatalogue& catalogue) {
  const std::vector<Setting>& own = section == "run"        ? run_settings()
                                    : section == "policies" ? policy_settings()
                                                            : tolerance_settings();
  std::vector<std::string> keys;
  for (const Setting& setting : own) keys.emplace_back(setting.key);
  for (const OptionSection option_section : {OptionSection::run, OptionSection::policies})
    if (to_string(option_section) == section)
      for (std::string& key : catalogue.keys(option_section))
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(std::move(key));
  return keys;
}

PartChoice choice_in(const yaml::Node& root) {
  PartChoice choice;
  const yaml::Node* dimension = root.find("dimension");
  if (dimension != nullptr && dimension->text == "3") choice.dimension = 3;
  choice.theory = text_of(root, "run", "theory");
  for (const PartKind kind : all_kinds) choice[kind] = text_of(root, "run", run_key(kind));
  return choice;
}

PartChoice completed(PartChoice choice, const PartCatalogue& catalogue) {
  if (catalogue.theories.empty()) return choice;
  const TheoryPreset* theory =
      choice.theory.empty() ? &catalogue.theories.front() : catalogue.theory(choice.theory);
  const auto take = [&](PartKind kind, std::string_view standard) {
    if (choice[kind].empty()) choice[kind] = standard;
  };
  if (theory != nullptr) {
    choice.theory = theory->name;
    take(PartKind::formulation, theory->formulation);
    take(PartKind::decision, theory->decision_in(choice.dimension));
    take(PartKind::impact_law, theory->impact);
  }
  const std::vector<std::string_view> integrators = catalogue.names(PartKind::integrator);
  if (!integrators.empty()) take(PartKind::integrator, integrators.front());
  return choice;
}

std::vector<std::string> settle_parts(yaml::Node& root, const PartChoice& own,
                                      const PartCatalogue& catalogue, const std::string& file) {
  std::vector<std::string> notes;
  if (catalogue.theories.empty()) return notes;
  PartChoice given = choice_in(root);
  if (given.theory.empty()) given.theory = catalogue.theories.front().name;
  try {
    refuse_unknown_names(root, given, catalogue, file);
  } catch (const InputError& e) {
    throw ModelError(e.what(), e.where(), e.remedy());
  }
  const PartChoice parts = completed(given, catalogue), own_parts = completed(own, catalogue);
  for (const OptionSection section : {OptionSection::run, OptionSection::policies}) {
    yaml::Node* map = root.find(to_string(section));
    if (map == nullptr) continue;
    const std::vector<std::string> run_itself = section_keys(to_string(section), {});
    std::erase_if(map->entries, [&](const yaml::Entry& entry) {
      const auto readers = catalogue.readers(section, entry.key);
      const bool is_runs_own =
          std::find(run_itself.begin(), run_itself.end(), entry.key) != run_itself.end();
      if (readers.empty() || is_runs_own || is_read(readers, parts)) return false;
      if (!entry.value.origin.empty() || !is_read(readers, own_parts))
        refuse_unread(to_string(section), entry, readers, parts, file);
      notes.push_back(fmt::format("{}: {} of the model is read by {} and gives way to {}",
                                  to_string(section), entry.key, titles(readers),
                                  chosen_instead(readers, parts)));
      return true;
    });
  }
  return notes;
}

}  // namespace clack
