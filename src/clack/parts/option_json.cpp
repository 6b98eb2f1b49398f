// SPDX-License-Identifier: Apache-2.0
#include "clack/parts/option_json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "clack/json_input.hpp"

namespace clack {
namespace {

using nlohmann::json;

/// One value of the type that the option declares.
struct ReadJsonOption {
  const Option& option;
  const json& options;
  const std::string& file;

  OptionValue operator()(double) const {
    const double x = get_number(options, option.key, "options", file);
    refuse_outside(x);
    return x;
  }
  OptionValue operator()(int) const {
    return static_cast<int>(get_integer(options, option.key, std::lround(option.range.low),
                                        std::lround(option.range.high), "options", file));
  }
  OptionValue operator()(const Choice&) const {
    const std::string text = get_text(options, option.key, "options", file);
    const auto found = std::find(option.choices.begin(), option.choices.end(), text);
    if (found == option.choices.end())
      throw InputError(fmt::format("options.{} is {}, must be one of {}", option.key,
                                   printable(text, 40), list_names(option.choices)),
                       file, fmt::format("choose one of {}", list_names(option.choices)));
    return Choice{*found, static_cast<int>(found - option.choices.begin())};
  }
  OptionValue operator()(bool standard) const {
    return get_flag_or(options, option.key, standard, "options", file);
  }
  OptionValue operator()(const std::vector<double>&) const {
    const Eigen::VectorXd list = get_vector(options, option.key, -1, "options", file);
    if (list.size() == 0)
      throw InputError(fmt::format("options.{} is an empty list", option.key), file,
                       "give at least one number, or leave it out");
    for (const double x : list) refuse_outside(x);
    return std::vector<double>(list.data(), list.data() + list.size());
  }
  OptionValue operator()(const std::string&) const {
    return get_text(options, option.key, "options", file);
  }
  OptionValue operator()(const NumberRows&) const {
    const Eigen::MatrixXd matrix = get_matrix(options, option.key, -1, -1, "options", file);
    NumberRows rows;
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      const Eigen::VectorXd row = matrix.row(i);
      rows.emplace_back(row.begin(), row.end());
    }
    return rows;
  }
  OptionValue operator()(const NameList&) const {
    NameList names;
    const json& list = options.at(option.key);
    const bool is_list =
        list.is_array() && std::ranges::all_of(list, [](const json& x) { return x.is_string(); });
    if (!is_list)
      throw InputError(
          fmt::format("options.{} is {}, must be a list of names", option.key, json_excerpt(list)),
          file, "write [\"a\", \"b\"]");
    for (const json& name : list) names.push_back(name.get<std::string>());
    return names;
  }
  void refuse_outside(double x) const {
    if (option.range.contains(x)) return;
    throw InputError(fmt::format("options.{} is {:.6g}, must be {}", option.key, x,
                                 describe_range(option.range)),
                     file, "leave it out to take the default");
  }
};

const Option* find_option(std::span<const Option> options, std::string_view key) {
  for (const Option& option : options)
    if (option.key == key) return &option;
  return nullptr;
}

bool passes_over(const PartDescription& part, std::string_view key) {
  return std::find(part.passed_over.begin(), part.passed_over.end(), key) != part.passed_over.end();
}

[[noreturn]] void refuse_option(std::string_view key, std::span<const Option> own,
                                const PartDescription* chosen, const PartCatalogue& catalogue,
                                const std::string& file) {
  const auto readers = catalogue.readers(key);
  if (!readers.empty())
    throw InputError(
        fmt::format("options.{} is read by {}, not by {}", key, titles(readers), title(*chosen)),
        file, fmt::format("remove it, or ask {}", titles(readers)));
  std::vector<std::string_view> known;
  for (const Option& option : own) known.push_back(option.key);
  if (chosen != nullptr)
    for (const Option& option : chosen->options) known.push_back(option.key);
  const std::string nearest = nearest_name(key, std::span<const std::string_view>(known));
  throw InputError(
      fmt::format("options: unknown key {}", printable(key, 60)), file,
      nearest.empty() ? "known keys here: " + list_names(known) : "did you mean " + nearest + "?");
}

}  // namespace

ReadOptions read_options(const json& options, std::span<const Option> own,
                         const PartDescription* chosen, const PartCatalogue& catalogue,
                         const std::string& file) {
  if (!options.is_object())
    throw InputError("options is " + json_excerpt(options) + ", must be an object", file,
                     "write {\"key\": value, ...}");
  ReadOptions read;
  for (const auto& [key, value] : options.items()) {
    const Option* option = find_option(own, key);
    if (option == nullptr && chosen != nullptr) option = find_option(chosen->options, key);
    if (option != nullptr)
      read.values.set(key, std::visit(ReadJsonOption{*option, options, file}, option->standard));
    else if (!catalogue.readers(key).empty() && (chosen == nullptr || passes_over(*chosen, key)))
      read.unread.push_back(key);
    else
      refuse_option(key, own, chosen, catalogue, file);
  }
  return read;
}

}  // namespace clack
