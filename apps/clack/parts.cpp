// SPDX-License-Identifier: Apache-2.0
// clack parts: the theories and parts that a run can be put together from, as they describe
// themselves.
#include <cstdio>

#include "clack/error.hpp"
#include "clack/hybrid/document_tables.hpp"
#include "clack/nearest_name.hpp"
#include "clack/parts/tables.hpp"
#include "commands.hpp"
#include "part_choices.hpp"

namespace clack::command {
namespace {

std::string table_text(const std::string& name) {
  std::vector<std::string> known;
  for (const DocumentTable& table : document_tables(standard_parts())) {
    if (table.name == name) return table.text;
    known.push_back(table.name);
  }
  const std::string nearest = nearest_name(name, std::span<const std::string>(known));
  throw InputError(
      "unknown table " + name.substr(0, 60), "",
      nearest.empty() ? "known tables: " + list_names(known) : "did you mean " + nearest + "?");
}

}  // namespace

void add_parts(CLI::App& program, int& exit_code) {
  const auto table = std::make_shared<std::string>();
  CLI::App* command = program.add_subcommand(
      "parts", "theories, formulations, decisions, impact laws and integrators with their options");
  command->add_option("--table", *table,
                      "NAME: one table of the documents in Markdown, e.g. impact-laws");
  command->footer("Examples:\n  clack parts\n  clack parts --table policies");
  command->callback([table, &exit_code] {
    const std::string text =
        table->empty() ? choices_text(catalogue_of(standard_parts())) : table_text(*table);
    std::fputs(text.c_str(), stdout);
    exit_code = 0;
  });
}

}  // namespace clack::command
