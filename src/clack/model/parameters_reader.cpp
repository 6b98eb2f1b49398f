// SPDX-License-Identifier: Apache-2.0
#include "clack/model/parameters_reader.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "clack/error.hpp"
#include "clack/input_file.hpp"
#include "clack/model/repeat.hpp"

namespace clack {
namespace {

enum class Progress { waiting, running, done };

struct Definition {
  yaml::Node formula;
  Progress progress = Progress::waiting;
  double value = 0.0;
};

/// Parameters are evaluated when they are first needed.
class ParameterTable {
 public:
  ParameterTable(Reading& reading, const std::vector<Override>& overrides,
                 std::vector<bool>& is_used)
      : reading_(reading), overrides_(overrides), is_used_(is_used) {
    names_.resolve = [this](std::string_view name) -> Expression {
      const auto found = definitions_.find(std::string(name));
      if (found == definitions_.end()) return {};
      return reading_.formulas.graph().number(value(found->first, found->second));
    };
  }

  void add(const yaml::Entry& entry) {
    yaml::Node at = entry.value;
    at.place = entry.place;
    reading_.formulas.check_name(entry.key, "parameter", at);
    Definition definition;
    definition.formula = entry.value;
    if (const yaml::Node* inner = entry.value.find("value")) definition.formula = *inner;
    for (std::size_t k = 0; k < overrides_.size(); ++k) {
      if (overrides_[k].name != entry.key) continue;
      definition.formula = yaml::text_node(overrides_[k].formula);
      definition.formula.origin = "--set " + printable(entry.key, 60);
      is_used_[k] = true;
    }
    order_.push_back(entry.key);
    names_.known_names.push_back(entry.key);
    definitions_[entry.key] = std::move(definition);
  }

  const symbolic::Names& names() const { return names_; }

  void evaluate_all() {
    for (const std::string& name : order_) {
      const double result = value(name, definitions_.at(name));
      reading_.model.parameters.push_back({name, result});
    }
    for (const Parameter& parameter : reading_.model.parameters)
      reading_.formulas.add_parameter(parameter.name, parameter.value);
  }

 private:
  double value(const std::string& name, Definition& definition) {
    if (definition.progress == Progress::done) return definition.value;
    if (definition.progress == Progress::running)
      reading_.fail(definition.formula, fmt::format("parameter {} depends on itself", name),
                    "break the circle: give one of its members a number");
    constexpr int deepest = 100;
    if (++depth_ > deepest)
      reading_.fail(
          definition.formula,
          fmt::format("parameter {} hangs on more than {} others in a row", name, deepest),
          "define parameters before they are used");
    definition.progress = Progress::running;
    definition.value = reading_.formulas.evaluate(definition.formula, "parameter " + name, names_);
    definition.progress = Progress::done;
    --depth_;
    return definition.value;
  }

  Reading& reading_;
  const std::vector<Override>& overrides_;
  std::vector<bool>& is_used_;
  std::unordered_map<std::string, Definition> definitions_;
  std::vector<std::string> order_;
  symbolic::Names names_;
  int depth_ = 0;
};

}  // namespace

void read_parameters(Reading& reading, const yaml::Node* node,
                     const std::vector<Override>& overrides, std::vector<bool>& is_used) {
  if (!node) return;
  if (node->kind != yaml::Kind::map)
    reading.fail(*node, "parameters: a map of names and values is expected here",
                 "write parameters: {m: 1, g: 9.81}");
  ParameterTable table(reading, overrides, is_used);
  yaml::Node repeated;
  repeated.kind = yaml::Kind::map;
  for (const yaml::Entry& entry : node->entries) {
    if (entry.value.kind == yaml::Kind::map) {
      reading.check_keys(entry.value, "parameter " + printable(entry.key, 60),
                         {"value", "unit", "repeat"});
      if (!entry.value.find("value"))
        reading.fail(entry.value, "parameter " + printable(entry.key, 60) + " needs a value",
                     "give value: ...");
    }
    if (entry.value.find("repeat"))
      repeated.entries.push_back(entry);
    else
      table.add(entry);
  }
  expand_repeats(repeated, "parameters", reading.formulas, table.names());
  for (const yaml::Entry& entry : repeated.entries) table.add(entry);
  table.evaluate_all();
}

}  // namespace clack
