// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "clack/model/model.hpp"

/// YAML text as a plain tree that remembers where every piece stood. Only what model files need:
/// texts, lists and maps, anchors and aliases; no tags, no merge keys, one document per file. Keys
/// keep their order and are unique.
namespace clack::yaml {

enum class Kind { null, text, list, map };

struct Entry;

struct Node {
  Kind kind = Kind::null;
  Place place;                 // 1-based; line 0: not from a file
  std::string origin;          // where it came from instead of the file, e.g. "--set mu"
  std::string text;            // Kind::text
  bool is_quoted = false;      // the text starts one column after `place`
  std::vector<Node> items;     // Kind::list
  std::vector<Entry> entries;  // Kind::map

  const Node* find(std::string_view key) const;  // nullptr: no such key (or no map)
  Node* find(std::string_view key);
};

struct Entry {
  std::string key;
  Place place;
  Node value;
};

/// Bounds that stop hostile files; all far beyond any sensible model.
struct Limits {
  std::size_t bytes = 4u << 20;  // of the file
  std::size_t nodes = 200'000;   // texts, lists and maps, aliases counted in full
  std::size_t depth = 40;        // nested lists and maps
};

/// Throws ModelError at FILE:LINE:COLUMN for anything that is not one readable YAML document.
Node parse(const std::string& text, const std::string& file, const Limits& limits = {});

/// The number of texts, lists and maps in a tree.
std::size_t node_count(const Node& node);

/// YAML text that parse() reads back to the same tree (places aside).
std::string to_yaml(const Node& node);

Node text_node(std::string text);
Node number_node(double value);  // shortest text that reads back to the same double

/// "FILE:LINE:COLUMN", the file alone, or the node's origin.
std::string where(const std::string& file, const Node& node);
std::string where(const std::string& file, Place place);

/// Refuses keys outside `known` with the nearest known one; `thing` opens the message ("contact
/// beak"), empty at the top.
void check_keys(const Node& map, const std::string& thing, const std::vector<std::string>& known,
                const std::string& file);

}  // namespace clack::yaml
