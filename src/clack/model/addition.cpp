// SPDX-License-Identifier: Apache-2.0
#include "clack/model/addition.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "clack/error.hpp"
#include "clack/input_file.hpp"
#include "clack/model/section_readers.hpp"

namespace clack {
namespace {

void set_origin(yaml::Node& node, const std::string& origin) {
  node.place = {};
  node.origin = origin;
  for (yaml::Node& item : node.items) set_origin(item, origin);
  for (yaml::Entry& entry : node.entries) {
    entry.place = {};
    set_origin(entry.value, origin);
  }
}

yaml::Node& section_of(yaml::Node& root, const ModelAddition& addition, bool is_list) {
  yaml::Node* section = root.find(addition.section);
  if (!section) {
    root.entries.push_back({addition.section, {}, {}});
    section = &root.entries.back().value;
  }
  if (section->kind == yaml::Kind::null)
    section->kind = is_list ? yaml::Kind::list : yaml::Kind::map;
  return *section;
}

void add_to(yaml::Node& root, const ModelAddition& addition) {
  yaml::Node value = yaml::parse(addition.yaml, addition.origin);
  set_origin(value, addition.origin);
  const bool is_list = addition.name.empty();
  yaml::Node& section = section_of(root, addition, is_list);
  if (is_list) {
    section.items.push_back(std::move(value));
    return;
  }
  if (section.find(addition.name))
    throw ModelError(
        fmt::format("{} has an entry {} already", addition.section, printable(addition.name, 60)),
        addition.origin, "choose another name");
  if (value.find("repeat"))
    throw ModelError(fmt::format("{} {}: repeat cannot come from outside", addition.section,
                                 printable(addition.name, 60)),
                     addition.origin, "give one entry at a time");
  section.entries.push_back({addition.name, {}, std::move(value)});
}

}  // namespace

Model extended_model(const Model& model, const std::vector<ModelAddition>& additions,
                     const PartCatalogue& catalogue, const SmoothShapes& shapes) {
  yaml::Node root = yaml::parse(model.resolved_yaml, model.file);
  for (const ModelAddition& addition : additions) add_to(root, addition);
  Model extended = read_model_tree(std::move(root), model.file, {}, catalogue, shapes);
  extended.notes = model.notes;
  return extended;
}

}  // namespace clack
