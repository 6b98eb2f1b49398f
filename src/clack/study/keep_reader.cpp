// SPDX-License-Identifier: Apache-2.0
#include "clack/study/keep_reader.hpp"

#include <algorithm>
#include <array>

#include "clack/error.hpp"
#include "clack/input_file.hpp"
#include "clack/nearest_name.hpp"
#include "clack/study/observe.hpp"

namespace clack::study {
namespace {

struct KeepForm {
  std::string_view key;  // that tells the kind
  KeepKind kind;
  std::vector<std::string> others;
};

const std::vector<KeepForm>& keep_forms() {
  static const std::vector<KeepForm> forms = {
      {"final", KeepKind::final, {}},
      {"max", KeepKind::maximum, {"from", "to"}},
      {"min", KeepKind::minimum, {"from", "to"}},
      {"mean", KeepKind::mean, {"from", "to"}},
      {"count", KeepKind::count, {"contact", "from", "to"}},
      {"value",
       KeepKind::section,
       {"at", "contact", "side", "when", "direction", "last", "from", "to"}},
      {"cycle", KeepKind::cycle, {}},
      {"energy", KeepKind::energy, {}},
      {"flag", KeepKind::flag, {}},
      {"derived", KeepKind::derived, {}}};
  return forms;
}

class KeepReader {
 public:
  KeepReader(FormulaReader& formulas, const std::string& file) : formulas_(formulas), file_(file) {}

  Kept read(const yaml::Entry& entry) {
    thing_ = "keep " + printable(entry.key, 60);
    Kept kept;
    kept.name = entry.key;
    kept.place = entry.place;
    formulas_.check_word(entry.key, "keep", entry.value);
    if (entry.value.kind != yaml::Kind::map)
      fail(entry.value, thing_ + " must say how it is found",
           "write {final: FORMULA}, {count: impact}, ...");
    const KeepForm& form = form_of(entry.value);
    kept.kind = form.kind;
    std::vector<std::string> known(form.others);
    known.emplace_back(form.key);
    known.emplace_back("unit");
    yaml::check_keys(entry.value, thing_, known, file_);
    read_main(*entry.value.find(form.key), kept);
    read_window(entry.value, kept);
    if (const yaml::Node* contact = entry.value.find("contact")) kept.contact = text(*contact);
    if (const yaml::Node* unit = entry.value.find("unit")) kept.unit = text(*unit);
    if (kept.kind == KeepKind::section) read_section(entry.value, kept);
    return kept;
  }

 private:
  [[noreturn]] void fail(const yaml::Node& node, const std::string& what,
                         const std::string& remedy) const {
    throw ModelError(what, yaml::where(file_, node), remedy);
  }
  const std::string& text(const yaml::Node& node) const {
    if (node.kind != yaml::Kind::text || node.text.empty())
      fail(node, thing_ + ": one value is expected", "write a name or a formula");
    return node.text;
  }
  const std::string& choice(const yaml::Node& node, const std::vector<std::string>& choices) const {
    const std::string& value = text(node);
    if (std::ranges::find(choices, value) == choices.end())
      fail(node, thing_ + ": " + printable(value, 40) + " is not known",
           "write one of " + list_names(choices));
    return value;
  }
  const KeepForm& form_of(const yaml::Node& map) const {
    std::vector<std::string> keys;
    for (const KeepForm& form : keep_forms()) {
      if (map.find(form.key)) return form;
      keys.emplace_back(form.key);
    }
    fail(map, thing_ + " does not say how it is found", "give one of the keys " + list_names(keys));
  }
  EventKind event(const yaml::Node& node) const {
    std::vector<std::string> names;
    for (int k = 0; k <= static_cast<int>(EventKind::end); ++k) {
      names.emplace_back(to_string(static_cast<EventKind>(k)));
      if (names.back() == text(node)) return static_cast<EventKind>(k);
    }
    fail(node, thing_ + ": there are no events " + printable(text(node), 40),
         "kinds are " + list_names(names));
  }
  void read_main(const yaml::Node& node, Kept& kept) const {
    switch (kept.kind) {
      case KeepKind::count:
        kept.event = event(node);
        return;
      case KeepKind::cycle:
        kept.word = choice(node, {"period", "drop", "multiplier"});
        return;
      case KeepKind::energy:
        kept.word = choice(node, energy_lines());
        return;
      case KeepKind::flag:
        kept.word = text(node);
        return;
      case KeepKind::final:
      case KeepKind::maximum:
      case KeepKind::minimum:
      case KeepKind::mean:
      case KeepKind::derived:
      case KeepKind::section:
        kept.formula = text(node);
    }
  }
  void read_window(const yaml::Node& map, Kept& kept) {
    if (const yaml::Node* from = map.find("from"))
      kept.from = formulas_.number(*from, thing_ + ": from");
    if (const yaml::Node* to = map.find("to")) kept.to = formulas_.number(*to, thing_ + ": to");
    if (!(kept.from < kept.to)) fail(map, thing_ + ": from is not before to", "give times in s");
  }
  void read_section(const yaml::Node& map, Kept& kept) {
    const yaml::Node *at = map.find("at"), *when = map.find("when");
    if ((at == nullptr) == (when == nullptr))
      fail(map, thing_ + " needs either at or when",
           "write at: impact, or when: FORMULA whose zeros are meant");
    if (at) kept.event = event(*at);
    if (when) kept.crossing = text(*when);
    for (const char* key : {"contact", "side"})
      if (const yaml::Node* wrong = map.find(key); wrong && when)
        fail(*wrong, thing_ + ": " + key + " goes with at, not with when", "leave it out");
    if (const yaml::Node* wrong = map.find("direction"); wrong && at)
      fail(*wrong, thing_ + ": direction goes with when, not with at", "leave it out");
    if (const yaml::Node* direction = map.find("direction"))
      kept.direction = choice(*direction, {"rising", "falling", "both"});
    if (const yaml::Node* side = map.find("side"))
      kept.side = choice(*side, {"before", "after"}) == "before" ? Side::before : Side::after;
    if (const yaml::Node* last = map.find("last"))
      kept.last = static_cast<int>(
          formulas_.integer(*last, thing_ + ": last", 1, StudyLimits{}.section_values));
  }

  FormulaReader& formulas_;
  const std::string& file_;
  std::string thing_;
};

}  // namespace

std::vector<std::string> Kept::columns() const {
  if (kind != KeepKind::section || last == 1) return {name};
  std::vector<std::string> names;
  for (int k = 1; k <= last; ++k) names.push_back(name + "_" + std::to_string(k));
  return names;
}

std::vector<Kept> read_keep(const yaml::Node& node, FormulaReader& formulas,
                            const std::string& file) {
  if (node.kind != yaml::Kind::map || node.entries.empty())
    throw ModelError("keep is empty", yaml::where(file, node), "write keep: {speed: {final: v}}");
  KeepReader reader(formulas, file);
  std::vector<Kept> keep;
  std::vector<std::string> columns;
  for (const yaml::Entry& entry : node.entries) {
    keep.push_back(reader.read(entry));
    for (const std::string& column : keep.back().columns()) {
      if (std::ranges::find(columns, column) != columns.end())
        throw ModelError(
            "keep " + printable(entry.key, 60) + ": the column " + column + " is there already",
            yaml::where(file, entry.place), "choose another name");
      columns.push_back(column);
    }
  }
  return keep;
}

}  // namespace clack::study
