// SPDX-License-Identifier: Apache-2.0
#include "clack/parts/option.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

namespace clack {

std::string_view to_string(OptionSection section) {
  switch (section) {
    case OptionSection::policies:
      return "policies";
    case OptionSection::run:
      return "run";
  }
  return "";
}

Option number_option(std::string_view key, double standard, OptionRange range,
                     std::string_view help) {
  return {.key = key, .help = help, .standard = standard, .range = range};
}

Option count_option(std::string_view key, int standard, int low, int high, std::string_view help) {
  return {.key = key,
          .help = help,
          .standard = standard,
          .range = {.low = static_cast<double>(low), .high = static_cast<double>(high)}};
}

Option choice_option(std::string_view key, std::vector<std::string_view> choices,
                     std::string_view help) {
  const Choice first{choices.at(0), 0};
  return {.key = key, .help = help, .standard = first, .choices = std::move(choices)};
}

Option boolean_option(std::string_view key, bool standard, std::string_view help) {
  return {.key = key, .help = help, .standard = standard};
}

Option list_option(std::string_view key, std::vector<double> standard, OptionRange range,
                   std::string_view help) {
  return {.key = key, .help = help, .standard = std::move(standard), .range = range};
}

Option name_option(std::string_view key, std::string_view help) {
  return {.key = key, .help = help, .standard = std::string()};
}

Option rows_option(std::string_view key, std::string_view help) {
  return {.key = key, .help = help, .standard = NumberRows{}};
}

Option names_option(std::string_view key, std::string_view help) {
  return {.key = key, .help = help, .standard = NameList{}};
}

Option in_model(Option option, OptionSection section, std::string_view model_key) {
  option.section = section;
  option.model_key = model_key;
  return option;
}

Option required(Option option) {
  option.is_required = true;
  return option;
}

std::string place_in_model(const Option& option) {
  return fmt::format("{}: {}", to_string(option.section), option.key_in_model());
}

std::string describe_range(const OptionRange& range) {
  const auto text = [](double x) { return std::isinf(x) ? "inf" : fmt::format("{:g}", x); };
  if (std::isinf(range.high))
    return fmt::format("{} {}", range.is_low_excluded ? ">" : ">=", text(range.low));
  return fmt::format("in {}{}, {}{}", range.is_low_excluded ? '(' : '[', text(range.low),
                     text(range.high), range.is_high_excluded ? ')' : ']');
}

std::string describe_type(const Option& option) {
  struct Describe {
    const Option& option;
    std::string operator()(double) const { return "number " + describe_range(option.range); }
    std::string operator()(int) const {
      return fmt::format("whole number in [{:.0f}, {:.0f}]", option.range.low, option.range.high);
    }
    std::string operator()(const Choice&) const {
      return fmt::format("{}", fmt::join(option.choices, ", "));
    }
    std::string operator()(bool) const { return "true, false"; }
    std::string operator()(const std::vector<double>&) const {
      return "list of numbers " + describe_range(option.range);
    }
    std::string operator()(const std::string&) const { return "name"; }
    std::string operator()(const NumberRows&) const { return "rows of numbers"; }
    std::string operator()(const NameList&) const { return "list of names"; }
  };
  return std::visit(Describe{option}, option.standard);
}

std::string describe_default(const Option& option) {
  if (option.is_required) return "";
  struct Describe {
    std::string operator()(double x) const { return fmt::format("{:g}", x); }
    std::string operator()(int n) const { return fmt::format("{}", n); }
    std::string operator()(const Choice& choice) const { return std::string(choice.name); }
    std::string operator()(bool is_on) const { return is_on ? "true" : "false"; }
    std::string operator()(const std::vector<double>& list) const {
      return fmt::format("[{}]", fmt::join(list, ", "));
    }
    std::string operator()(const std::string& name) const { return name.empty() ? "none" : name; }
    std::string operator()(const NumberRows&) const { return "none"; }
    std::string operator()(const NameList&) const { return "none"; }
  };
  return std::visit(Describe{}, option.standard);
}

const OptionValue& OptionValues::at(std::string_view key) const {
  const auto found = values_.find(key);
  if (found == values_.end())
    throw std::logic_error("option " + std::string(key) + " is read but not declared");
  return found->second;
}

OptionValues with_defaults(std::span<const Option> options, const OptionValues& given) {
  OptionValues values = given;
  for (const Option& option : options)
    if (!option.is_required && !values.has(option.key)) values.set(option.key, option.standard);
  return values;
}

}  // namespace clack
