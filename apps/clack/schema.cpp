// SPDX-License-Identifier: Apache-2.0
// clack schema: what may stand in a model file, for editors.
#include <fmt/format.h>

#include "clack/hybrid/theory.hpp"
#include "clack/json_output.hpp"
#include "clack/model/schema.hpp"
#include "commands.hpp"

namespace clack::command {

void add_schema(CLI::App& program, int& exit_code) {
  CLI::App* command = program.add_subcommand(
      "schema", "the JSON Schema of model files, for editors that complete YAML");
  command->footer(
      "Examples:\n"
      "  clack schema > clack.schema.json\n"
      "A model file that begins with  # yaml-language-server: $schema=clack.schema.json  is then "
      "completed by editors.");
  command->callback([&exit_code] {
    fmt::print(
        "{}\n",
        to_json_text(json_schema(schema_sections(catalogue_of(standard_parts()), smooth_shapes())),
                     2));
    exit_code = 0;
  });
}

}  // namespace clack::command
