// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "clack/geometry/smooth_shape.hpp"
#include "clack/parts/catalogue.hpp"

namespace clack {

/// What may stand behind a key.
enum class SchemaValue {
  formula,  // a number, or a text that is a formula
  text,
  flag,      // true or false
  formulas,  // a list of formulas
  names,     // a list of texts
  any,       // several forms; the description says which
  section,   // the keys of another section
  sections,  // a list of them
  named,     // names of the user's own, with a section behind each
};

/// One key of a section of model files.
struct SchemaKey {
  std::string name;
  SchemaValue value = SchemaValue::any;
  std::string section = {};  // section, sections, named
  std::string about = {};
  int dimension = 0;  // of the models that have it; 0: all
};

/// The keys that the readers take at one place of a model file. A test asks the readers for theirs and compares.
struct SchemaSection {
  std::string name;
  std::string about;
  std::vector<SchemaKey> keys;
  /// How the section is left out in short: what may stand instead of the map.
  std::vector<SchemaValue> instead = {};
};

/// All sections, the file itself ("model") first; parts bring keys of `run`, `policies` and `tolerances`, smooth
/// shapes those of `shape`.
std::vector<SchemaSection> schema_sections(const PartCatalogue& catalogue,
                                           const SmoothShapes& shapes);

/// JSON Schema (draft 7) of a model file, for editors.
nlohmann::ordered_json json_schema(const std::vector<SchemaSection>& sections);
/// The same as a page of tables, in Markdown.
std::string schema_page(const std::vector<SchemaSection>& sections);

}  // namespace clack
