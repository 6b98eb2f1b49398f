// SPDX-License-Identifier: Apache-2.0
#include "clack/model/schema.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace clack {
namespace {

using Json = nlohmann::ordered_json;

Json reference(const std::string& section) { return {{"$ref", "#/definitions/" + section}}; }

Json formula_schema() { return {{"type", Json::array({"number", "string"})}}; }

Json schema_of(SchemaValue value, const std::string& section) {
  switch (value) {
    case SchemaValue::formula:
      return formula_schema();
    case SchemaValue::text:
      return {{"type", "string"}};
    case SchemaValue::flag:
      return {{"type", "boolean"}};
    case SchemaValue::formulas:
      return {{"type", "array"}, {"items", formula_schema()}};
    case SchemaValue::names:
      return {{"type", "array"}, {"items", {{"type", "string"}}}};
    case SchemaValue::any:
      return Json::object();
    case SchemaValue::section:
      return reference(section);
    case SchemaValue::sections:
      return {{"type", "array"}, {"items", reference(section)}};
    case SchemaValue::named:
      return {{"type", "object"}, {"additionalProperties", reference(section)}};
  }
  return Json::object();
}

Json map_schema(const SchemaSection& section) {
  Json properties = Json::object();
  for (const SchemaKey& key : section.keys) {
    Json own = schema_of(key.value, key.section);
    std::string about = key.about;
    if (key.dimension != 0)
      about +=
          fmt::format("{}({})", about.empty() ? "" : " ", key.dimension == 2 ? "plane" : "space");
    // Beside $ref a description does not count in draft 7.
    if (own.contains("$ref")) own = {{"allOf", Json::array({own})}};
    own["description"] = about;
    properties[key.name] = std::move(own);
  }
  return {
      {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
}

Json section_schema(const SchemaSection& section) {
  Json map = map_schema(section);
  if (section.instead.empty()) {
    map["description"] = section.about;
    return map;
  }
  Json choices = Json::array();
  for (const SchemaValue value : section.instead)
    choices.push_back(value == SchemaValue::any ? Json{{"type", "array"}} : schema_of(value, ""));
  choices.push_back(std::move(map));
  return {{"description", section.about}, {"anyOf", std::move(choices)}};
}

std::string words_of(const SchemaKey& key) {
  switch (key.value) {
    case SchemaValue::formula:
      return "formula";
    case SchemaValue::text:
      return "text";
    case SchemaValue::flag:
      return "true, false";
    case SchemaValue::formulas:
      return "list of formulas";
    case SchemaValue::names:
      return "list of names";
    case SchemaValue::any:
      return "";
    case SchemaValue::section:
      return fmt::format("[{0}](#{0})", key.section);
    case SchemaValue::sections:
      return fmt::format("list of [{0}](#{0})", key.section);
    case SchemaValue::named:
      return fmt::format("NAME: [{0}](#{0})", key.section);
  }
  return "";
}

/// A text in a cell of a table.
std::string in_cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return text;
}

}  // namespace

Json json_schema(const std::vector<SchemaSection>& sections) {
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", "Clack model file"}};
  schema.update(map_schema(sections.front()));
  schema["required"] = Json::array({"clack"});
  Json definitions = Json::object();
  for (std::size_t k = 1; k < sections.size(); ++k)
    definitions[sections[k].name] = section_schema(sections[k]);
  schema["definitions"] = std::move(definitions);
  return schema;
}

std::string schema_page(const std::vector<SchemaSection>& sections) {
  std::string page;
  for (const SchemaSection& section : sections) {
    page += fmt::format("## {}\n{}\n", section.name, section.about);
    const bool has_keys = !section.keys.empty();
    if (has_keys) page += "\n| key | value | meaning |\n|---|---|---|\n";
    for (const SchemaKey& key : section.keys) {
      const char* where = key.dimension == 2 ? "plane: " : key.dimension == 3 ? "space: " : "";
      page +=
          fmt::format("| `{}` | {} | {}{} |\n", key.name, words_of(key), where, in_cell(key.about));
    }
    page += "\n";
  }
  page.pop_back();
  return page;
}

}  // namespace clack
