// SPDX-License-Identifier: Apache-2.0
#include "clack/model/yaml_document.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <sstream>
#include <unordered_map>
#include <unordered_set>

#include "clack/error.hpp"
#include "clack/input_file.hpp"
#include "clack/nearest_name.hpp"

namespace clack::yaml {

const Node* Node::find(std::string_view key) const {
  for (const Entry& entry : entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

Node* Node::find(std::string_view key) {
  return const_cast<Node*>(static_cast<const Node*>(this)->find(key));
}

std::string where(const std::string& file, Place place) {
  if (place.line <= 0) return file;
  return fmt::format("{}:{}:{}", file, place.line, place.column);
}

std::string where(const std::string& file, const Node& node) {
  return node.origin.empty() ? where(file, node.place) : node.origin;
}

std::size_t node_count(const Node& node) {
  std::size_t count = 1;
  for (const Node& item : node.items) count += node_count(item);
  for (const Entry& entry : node.entries) count += node_count(entry.value);
  return count;
}

namespace {

Place place_of(const YAML::Mark& mark) {
  if (mark.is_null()) return {};
  return {mark.line + 1, mark.column + 1};
}

/// Collects the parser's events into a tree and refuses what a model file cannot contain, as early
/// as possible.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& text, const std::string& file, const Limits& limits)
      : text_(text), file_(file), limits_(limits) {}

  Node take_root() { return std::move(root_); }
  Place start() const { return start_; }

  void OnDocumentStart(const YAML::Mark& mark) override { start_ = place_of(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (expects_key()) fail(place_of(mark), "a key is empty", "write a name before the colon");
    Node node;
    node.place = place_of(mark);
    add(std::move(node), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end())
      fail(place_of(mark), "an alias stands inside its own anchor", "write the value out instead");
    if (expects_key()) fail(place_of(mark), "a key is an alias", "write the key as plain text");
    count(node_count(found->second), found->second.place);
    Node copy = found->second;
    add(std::move(copy), 0);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_tag(mark, tag);
    refuse_open_quote(mark);
    if (expects_key()) {
      take_key(place_of(mark), value);
      return;
    }
    Node node;
    node.kind = Kind::text;
    node.place = place_of(mark);
    node.text = value;
    node.is_quoted = tag == "!";
    add(std::move(node), anchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Kind::list);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Kind::map);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Node node;
    YAML::anchor_t anchor = 0;
    std::unordered_set<std::string> keys;
    bool has_key = false;
    std::string key;
    Place key_place;
  };

  [[noreturn]] void fail(Place place, const std::string& what, const std::string& remedy) const {
    throw ModelError(what, where(file_, place), remedy);
  }
  bool expects_key() const {
    return !open_.empty() && open_.back().node.kind == Kind::map && !open_.back().has_key;
  }
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (tag.empty() || tag == "?" || tag == "!") return;
    fail(place_of(mark), "YAML tags such as " + printable(tag, 40) + " are not used in model files",
         "remove the tag");
  }
  /// The parser takes a text whose closing quote is missing when the file ends there; we do not.
  void refuse_open_quote(const YAML::Mark& mark) const {
    if (mark.pos < 0 || static_cast<std::size_t>(mark.pos) >= text_.size()) return;
    std::size_t at = mark.pos;
    const char quote = text_[at];
    if (quote != '"' && quote != '\'') return;
    for (++at; at < text_.size() && text_[at] != quote; ++at) {
      if (quote == '"' && text_[at] == '\\') ++at;
    }
    if (at >= text_.size())
      fail(place_of(mark), "not valid YAML: the closing quote is missing",
           "close the text with a quote");
  }
  void count(std::size_t more, Place place) {
    nodes_ += more;
    if (nodes_ > limits_.nodes)
      fail(place,
           fmt::format("the file holds more than {} values (aliases written out)", limits_.nodes),
           "use repeat for many equal parts, or split the model");
  }
  void take_key(Place place, const std::string& key) {
    Open& map = open_.back();
    if (!map.keys.insert(key).second)
      fail(place, "key " + printable(key, 60) + " appears twice", "keep one of the two");
    map.has_key = true;
    map.key = key;
    map.key_place = place;
  }
  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Kind kind) {
    refuse_tag(mark, tag);
    if (expects_key())
      fail(place_of(mark), "a key is a list or a map", "quote it, or write the key as plain text");
    if (open_.size() >= limits_.depth)
      fail(place_of(mark), fmt::format("lists and maps are nested deeper than {}", limits_.depth),
           "flatten the model");
    Open opened;
    opened.node.kind = kind;
    opened.node.place = place_of(mark);
    opened.anchor = anchor;
    open_.push_back(std::move(opened));
  }
  void close() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    add(std::move(closed.node), closed.anchor);
  }
  void add(Node node, YAML::anchor_t anchor) {
    count(1, node.place);
    if (anchor != 0) anchors_[anchor] = node;
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (Open& parent = open_.back(); parent.node.kind == Kind::list) {
      parent.node.items.push_back(std::move(node));
    } else {
      parent.node.entries.push_back({std::move(parent.key), parent.key_place, std::move(node)});
      parent.has_key = false;
    }
  }

  const std::string& text_;
  const std::string& file_;
  const Limits& limits_;
  Node root_;
  Place start_;
  std::vector<Open> open_;
  std::unordered_map<YAML::anchor_t, Node> anchors_;
  std::size_t nodes_ = 0;
};

void refuse_binary(const std::string& text, const std::string& file) {
  int line = 1, column = 1;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7f)
      throw ModelError(fmt::format("this is not a text file (byte 0x{:02x})", byte),
                       where(file, Place{line, column}), "give a model file: YAML text in UTF-8");
    ++column;
    if (c == '\n') ++line, column = 1;
  }
}

std::string syntax_remedy(const std::string& reason) {
  if (reason.find("tab") != std::string::npos) return "indent with spaces, not with tabs";
  if (reason.find("flow") != std::string::npos)
    return "close every [ and { and separate the entries with commas";
  if (reason.find("alias") != std::string::npos || reason.find("anchor") != std::string::npos)
    return "define the anchor before it is used, or quote a text that starts with * or &";
  return "check the indentation, colons, brackets and quotes at and before this place";
}

[[noreturn]] void fail_syntax(const YAML::Exception& e, const std::string& text,
                              const std::string& file) {
  // A tab where indentation is expected is reported under other names as well: look at the line
  // itself.
  std::string remedy = syntax_remedy(e.msg);
  if (!e.mark.is_null()) {
    std::size_t begin = 0;
    for (int line = 0; line < e.mark.line && begin != std::string::npos; ++line) {
      begin = text.find('\n', begin);
      if (begin != std::string::npos) ++begin;
    }
    if (begin != std::string::npos && begin < text.size()) {
      const std::size_t content = text.find_first_not_of(" \t", begin);
      const std::string indentation = text.substr(begin, content - begin);
      if (indentation.find('\t') != std::string::npos) remedy = "indent with spaces, not with tabs";
    }
  }
  throw ModelError("not valid YAML: " + printable(e.msg), where(file, place_of(e.mark)), remedy);
}

}  // namespace

Node parse(const std::string& text, const std::string& file, const Limits& limits) {
  if (text.size() > limits.bytes)
    throw ModelError(fmt::format("the file has {} bytes, more than {}", text.size(), limits.bytes),
                     file, "use repeat for many equal parts, or split the model");
  refuse_binary(text, file);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    TreeBuilder first(text, file, limits);
    if (!parser.HandleNextDocument(first))
      throw ModelError("the file is empty", file, "start it with the line  clack: 1");
    TreeBuilder second(text, file, limits);
    if (parser.HandleNextDocument(second))
      throw ModelError("the file holds more than one YAML document", where(file, second.start()),
                       "keep one document: remove the line --- or ... between them");
    return first.take_root();
  } catch (const YAML::Exception& e) {
    fail_syntax(e, text, file);
  }
}

Node text_node(std::string text) {
  Node node;
  node.kind = Kind::text;
  node.text = std::move(text);
  return node;
}

Node number_node(double value) { return text_node(fmt::format("{}", value)); }

void check_keys(const Node& map, const std::string& thing, const std::vector<std::string>& known,
                const std::string& file) {
  const std::string prefix = thing.empty() ? "" : thing + ": ";
  if (map.kind != Kind::map)
    throw ModelError(prefix + "a map of keys and values is expected here", where(file, map),
                     "write KEY: VALUE lines or {KEY: VALUE, ...}; keys are " + list_names(known));
  for (const Entry& entry : map.entries) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    const std::string nearest = nearest_name(entry.key, std::span<const std::string>(known));
    throw ModelError(prefix + "unknown key " + printable(entry.key, 60),
                     map.origin.empty() ? where(file, entry.place) : map.origin,
                     (nearest.empty() ? "" : "did you mean " + nearest + "? ") + "keys here are " +
                         list_names(known));
  }
}

}  // namespace clack::yaml
