// SPDX-License-Identifier: Apache-2.0
#include "clack/library/data.hpp"

#include <cmath>

#include "clack/error.hpp"
#include "clack/hybrid/theory.hpp"
#include "clack/input_file.hpp"
#include "clack/library/version.hpp"
#include "clack/model/section_readers.hpp"

namespace clack {

const char* version() { return CLACK_VERSION; }

Data& Map::operator[](const std::string& key) {
  for (DataEntry& entry : entries)
    if (entry.key == key) return entry.value;
  entries.push_back({key, {}});
  return entries.back().value;
}

namespace {

/// Data as the tree that readers of models take; the bounds are those of files.
class Planter {
 public:
  yaml::Node node_of(const Data& data, const std::string& way, std::size_t depth) {
    if (++nodes_ > limits_.nodes)
      throw ModelError(fmt::format("the data hold more than {} values", limits_.nodes), way,
                       "use repeat for many equal parts, or split the model");
    if (depth > limits_.depth)
      throw ModelError(fmt::format("lists and maps are nested deeper than {}", limits_.depth), way,
                       "flatten the model");
    yaml::Node node =
        std::visit([&](const auto& value) { return plant(value, way, depth); }, data.value);
    node.origin = way;
    return node;
  }

 private:
  yaml::Node plant(std::monostate, const std::string&, std::size_t) { return {}; }
  yaml::Node plant(bool truth, const std::string&, std::size_t) {
    return yaml::text_node(truth ? "true" : "false");
  }
  yaml::Node plant(double number, const std::string& way, std::size_t) {
    if (!std::isfinite(number))
      throw ModelError(fmt::format("{} is {}, must be finite", way, number), way,
                       "give a finite number");
    return yaml::number_node(number);
  }
  yaml::Node plant(const std::string& text, const std::string&, std::size_t) {
    return yaml::text_node(text);
  }
  yaml::Node plant(const List& list, const std::string& way, std::size_t depth) {
    yaml::Node node;
    node.kind = yaml::Kind::list;
    for (std::size_t k = 0; k < list.items.size(); ++k)
      node.items.push_back(node_of(list.items[k], fmt::format("{}[{}]", way, k), depth + 1));
    return node;
  }
  yaml::Node plant(const Map& map, const std::string& way, std::size_t depth) {
    yaml::Node node;
    node.kind = yaml::Kind::map;
    for (const DataEntry& entry : map.entries) {
      const std::string key = printable(entry.key, 60);
      const std::string below = way.empty() ? key : way + "." + key;
      if (node.find(entry.key))
        throw ModelError("key " + key + " appears twice", below, "keep one of the two");
      node.entries.push_back({entry.key, {}, node_of(entry.value, below, depth + 1)});
    }
    return node;
  }

  yaml::Limits limits_;
  std::size_t nodes_ = 0;
};

}  // namespace

Model build_model(const Data& data, const std::string& name,
                  const std::vector<Override>& overrides) {
  const TheoryParts parts = standard_parts();
  return read_model_tree(Planter().node_of(data, "", 0), name, overrides, catalogue_of(parts),
                         parts.shapes);
}

Override setting(const std::string& name, double value) { return {name, fmt::format("{}", value)}; }

}  // namespace clack
