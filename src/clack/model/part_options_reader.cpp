// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "clack/model/section_readers.hpp"
#include "clack/model/settings.hpp"

namespace clack {
namespace {

/// One value of the type that the option declares.
struct ReadModelOption {
  Reading& reading;
  const Option& option;
  const yaml::Node& node;
  std::string what = place_in_model(option);

  OptionValue operator()(double) const { return number(node); }
  OptionValue operator()(int) const {
    return static_cast<int>(reading.formulas.integer(node, what, std::lround(option.range.low),
                                                     std::lround(option.range.high)));
  }
  OptionValue operator()(const Choice&) const {
    const std::string& text =
        reading.choice(node, what, {option.choices.begin(), option.choices.end()});
    const auto found = std::find(option.choices.begin(), option.choices.end(), text);
    return Choice{*found, static_cast<int>(found - option.choices.begin())};
  }
  OptionValue operator()(bool) const { return reading.boolean(node, what); }
  OptionValue operator()(const std::vector<double>&) const {
    std::vector<double> values;
    for (const yaml::Node& item : reading.list(node, what)) values.push_back(number(item));
    if (values.empty())
      reading.fail(node, what + " is an empty list", "give at least one number, or leave it out");
    return values;
  }
  OptionValue operator()(const std::string&) const { return reading.text(node, what); }
  OptionValue operator()(const NumberRows&) const {
    NumberRows rows;
    for (const yaml::Node& line : reading.list(node, what)) {
      std::vector<double>& row = rows.emplace_back();
      for (const yaml::Node& item : reading.list(line, what))
        row.push_back(reading.formulas.number(item, what));
    }
    return rows;
  }
  OptionValue operator()(const NameList&) const {
    NameList names;
    for (const yaml::Node& item : reading.list(node, what))
      names.push_back(reading.text(item, what));
    if (names.empty())
      reading.fail(node, what + " is an empty list", "name at least one, or leave it out");
    return names;
  }
  double number(const yaml::Node& value) const {
    const double x = reading.formulas.number(value, what);
    if (!option.range.contains(x))
      reading.fail(value,
                   fmt::format("{} is {}, must be {}", what, x, describe_range(option.range)),
                   "leave it out to take the default");
    return x;
  }
};

}  // namespace

void read_part_options(Reading& reading, const yaml::Node& root, const PartCatalogue& catalogue) {
  const PartChoice parts = completed(choice_in(root), catalogue);
  for (const PartDescription& part : catalogue.parts) {
    if (parts[part.kind] != part.name) continue;
    if (part.kind == PartKind::impact_law)
      reading.lowest_restitution = part.needs.lowest_restitution;
    for (const Option& option : part.options) {
      const yaml::Node* section = root.find(to_string(option.section));
      const yaml::Node* value = section != nullptr ? section->find(option.key_in_model()) : nullptr;
      if (value != nullptr)
        reading.model.options[part.kind].set(
            option.key, std::visit(ReadModelOption{reading, option, *value}, option.standard));
      else if (option.is_required)
        reading.fail(section != nullptr ? *section : root,
                     fmt::format("{} needs a {}", title(part), option.key_in_model()),
                     fmt::format("give {}: ... ({})", place_in_model(option), option.help));
    }
  }
}

}  // namespace clack
