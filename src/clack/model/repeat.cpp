// SPDX-License-Identifier: Apache-2.0
#include "clack/model/repeat.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "clack/error.hpp"
#include "clack/input_file.hpp"

namespace clack {
namespace {

constexpr double largest_index = 1e6;

struct Index {
  std::string name;
  long value = 0;
};

/// One repeated entry: its template, the loops around it and where the copies go.
class Expansion {
 public:
  Expansion(std::string thing, FormulaReader& formulas, const symbolic::Names& known,
            std::size_t node_limit)
      : thing_(std::move(thing)), formulas_(formulas), known_(known), left_(node_limit) {
    names_.known_names = known.known_names;
    names_.resolve = [this](std::string_view name) -> Expression {
      for (const Index& index : indices_)
        if (index.name == name) return formulas_.graph().number(static_cast<double>(index.value));
      return known_.resolve(name);
    };
  }
  Expansion(const Expansion&) = delete;

  /// Calls `emit(key, copy)` for every combination of indices.
  template <class Emit>
  void run(const std::string& key, const yaml::Node& entry, Emit emit) {
    yaml::Node body = entry;
    std::erase_if(body.entries, [](const yaml::Entry& e) { return e.key == "repeat"; });
    const yaml::Node& repeat = *entry.find("repeat");
    std::vector<const yaml::Node*> loops;
    if (repeat.kind == yaml::Kind::list)
      for (const yaml::Node& loop : repeat.items) loops.push_back(&loop);
    else
      loops.push_back(&repeat);
    if (loops.empty() || loops.size() > 3)
      fail(repeat, "repeat needs one to three loops", "write repeat: {count: n, as: i}");
    size_ = yaml::node_count(body);
    descend(loops, 0, key, body, emit);
  }

 private:
  [[noreturn]] void fail(const yaml::Node& node, const std::string& what,
                         const std::string& remedy) const {
    throw ModelError(thing_ + ": " + what, yaml::where(formulas_.file(), node), remedy);
  }

  long whole_number(const yaml::Node& node, const std::string& what) {
    const double value = formulas_.evaluate(node, what, names_);
    if (value != std::floor(value) || std::abs(value) > largest_index)
      fail(node,
           fmt::format("{} is {}, must be a whole number of at most {:.0f}", what, value,
                       largest_index),
           "give a whole number, e.g. count: 5");
    return static_cast<long>(value);
  }

  template <class Emit>
  void descend(const std::vector<const yaml::Node*>& loops, std::size_t depth,
               const std::string& key, const yaml::Node& body, Emit& emit) {
    if (depth == loops.size()) {
      if (left_ < size_ + 1) fail(body, "repeat makes too many entries", "lower the count");
      left_ -= size_ + 1;
      emit(replaced(key, body), replaced(body));
      return;
    }
    const yaml::Node& loop = *loops[depth];
    yaml::check_keys(loop, thing_ + ": repeat", {"count", "as", "from", "to"}, formulas_.file());
    const yaml::Node* name = loop.find("as");
    const yaml::Node* count = loop.find("count");
    const yaml::Node* from = loop.find("from");
    const yaml::Node* to = loop.find("to");
    if (!name || name->kind != yaml::Kind::text)
      fail(loop, "repeat needs a name for the index", "write repeat: {count: n, as: i}");
    if ((count != nullptr) == (to != nullptr))
      fail(loop, "repeat needs either count or to", "write repeat: {count: n, as: i}");
    const long first = from ? whole_number(*from, "repeat from") : 1;
    long last = 0;
    if (count) {
      const long number = whole_number(*count, "repeat count");
      if (number < 0)
        fail(*count, fmt::format("repeat count is {}, must not be negative", number),
             "give 0 or more");
      last = first + number - 1;
    } else {
      last = whole_number(*to, "repeat to");
    }
    if (last - first >= static_cast<long>(left_))
      fail(loop, "repeat makes too many entries", "lower the count");
    for (long value = first; value <= last; ++value) {
      indices_.push_back({name->text, value});
      descend(loops, depth + 1, key, body, emit);
      indices_.pop_back();
    }
  }

  std::string replaced(const std::string& text, const yaml::Node& at) {
    if (text.find('{') == std::string::npos) return text;
    std::string result;
    std::size_t begin = 0;
    while (true) {
      const std::size_t open = text.find('{', begin);
      if (open == std::string::npos) return result + text.substr(begin);
      const std::size_t close = text.find('}', open);
      if (close == std::string::npos)
        fail(at, "a { without } in " + printable(text, 60), "close the brace: {i}");
      yaml::Node inside = at;
      inside.kind = yaml::Kind::text;
      inside.text = text.substr(open + 1, close - open - 1);
      result += text.substr(begin, open - begin);
      const std::string what = "{" + printable(inside.text, 40) + "}";
      inside.text = "(" + inside.text + ")";
      result += std::to_string(whole_number(inside, what));
      begin = close + 1;
    }
  }

  yaml::Node replaced(const yaml::Node& node) {
    yaml::Node copy = node;
    copy.text = replaced(node.text, node);
    for (yaml::Node& item : copy.items) item = replaced(item);
    for (yaml::Entry& entry : copy.entries) {
      entry.key = replaced(entry.key, node);
      entry.value = replaced(entry.value);
    }
    return copy;
  }

  std::string thing_;
  FormulaReader& formulas_;
  const symbolic::Names& known_;
  symbolic::Names names_;  // the indices, then the known names
  std::size_t left_;
  std::size_t size_ = 0;
  std::vector<Index> indices_;
};

}  // namespace

void expand_repeats(yaml::Node& section, const std::string& thing, FormulaReader& formulas,
                    const symbolic::Names& known, std::size_t node_limit) {
  Expansion expansion(thing, formulas, known, node_limit);
  std::vector<yaml::Node> items;
  for (yaml::Node& item : section.items) {
    if (item.find("repeat"))
      expansion.run("", item,
                    [&](std::string, yaml::Node copy) { items.push_back(std::move(copy)); });
    else
      items.push_back(std::move(item));
  }
  section.items = std::move(items);

  std::vector<yaml::Entry> entries;
  std::unordered_set<std::string> keys;
  const auto add = [&](std::string key, Place place, yaml::Node value) {
    if (!keys.insert(key).second)
      throw ModelError(fmt::format("{}: repeat makes the name {} twice", thing, printable(key, 60)),
                       yaml::where(formulas.file(), place),
                       "put the index into the name, e.g. ball{i}");
    entries.push_back({std::move(key), place, std::move(value)});
  };
  for (yaml::Entry& entry : section.entries) {
    if (entry.value.find("repeat"))
      expansion.run(entry.key, entry.value, [&](std::string key, yaml::Node copy) {
        add(std::move(key), entry.place, std::move(copy));
      });
    else
      add(entry.key, entry.place, std::move(entry.value));
  }
  section.entries = std::move(entries);
}

}  // namespace clack
